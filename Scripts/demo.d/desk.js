// Two front panels, and the sound between each phone and the browser: 16-bit samples at 48 kHz over a WebSocket.

const rate = 48_000;
// How far ahead a block is scheduled, to cover delays of the network and the browser.
const ahead = 0.12;

class Sound {
  #name;
  #socket = null;
  #context = null;
  #next = 0;
  #isHeard = false;
  #microphone = null;

  constructor(name) { this.#name = name; }

  get isHeard() { return this.#isHeard; }
  get isSpoken() { return this.#microphone !== null; }

  /// Call this from a gesture: browsers play no sound before one.
  async #connect() {
    this.#context ??= new AudioContext({ sampleRate: rate, latencyHint: "interactive" });
    await this.#context.resume();
    if (this.#socket?.readyState === WebSocket.OPEN) return;
    const address = new URL(`${this.#name}/sound`, location.href);
    address.protocol = "ws:";
    this.#socket = new WebSocket(address);
    this.#socket.binaryType = "arraybuffer";
    this.#socket.addEventListener("message", (event) => this.#play(new Int16Array(event.data)));
    await new Promise((resolve, reject) => {
      this.#socket.addEventListener("open", resolve, { once: true });
      this.#socket.addEventListener("error", () => reject(new Error("no sound from here")), { once: true });
    });
  }

  #play(samples) {
    if (!this.#isHeard) return;
    const buffer = this.#context.createBuffer(1, samples.length, rate);
    buffer.getChannelData(0).set(Float32Array.from(samples, (sample) => sample / 32_768));
    const now = this.#context.currentTime;
    if (this.#next < now || this.#next > now + 2 * ahead) this.#next = now + ahead;
    const block = this.#context.createBufferSource();
    block.buffer = buffer;
    block.connect(this.#context.destination);
    block.start(this.#next);
    this.#next += samples.length / rate;
  }

  async toggleHearing() {
    await this.#connect();
    this.#isHeard = !this.#isHeard;
  }

  /// The phone's person speaks a sentence.
  async speak() {
    await this.#connect();
    this.#socket.send("speak");
  }

  async toggleMicrophone() {
    if (this.#microphone) {
      for (const track of this.#microphone.getTracks()) track.stop();
      this.#microphone = null;
      return;
    }
    await this.#connect();
    this.#microphone = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, channelCount: 1 } });
    await this.#context.audioWorklet.addModule("mouth.js");
    const mouth = new AudioWorkletNode(this.#context, "mouth", { numberOfOutputs: 0 });
    mouth.port.onmessage = (event) => { if (this.#microphone) this.#socket.send(event.data); };
    this.#context.createMediaStreamSource(this.#microphone).connect(mouth);
  }
}

const tokens = await (await fetch("tokens")).json();
for (const place of document.querySelectorAll("section")) {
  const name = place.dataset.phone;
  const sound = new Sound(name);
  const head = document.createElement("div");
  head.className = "head";
  head.append(place.querySelector("h1"));
  const button = (text, act, isOn) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    if (isOn) made.setAttribute("aria-pressed", "false");
    made.addEventListener("click", async () => {
      try {
        await act();
      } catch (fault) {
        made.title = fault.message;
      }
      if (isOn) made.setAttribute("aria-pressed", isOn());
    });
    head.append(made);
  };
  button("Listen at the ear", () => sound.toggleHearing(), () => sound.isHeard);
  button("Say a sentence", () => sound.speak());
  button("My microphone", () => sound.toggleMicrophone(), () => sound.isSpoken);
  const frame = document.createElement("iframe");
  frame.title = place.querySelector("h1")?.textContent ?? name;
  frame.src = `${name}/#token=${tokens[name]}`;
  place.prepend(head);
  place.append(frame);
}
