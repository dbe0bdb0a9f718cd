// The telephone: handset, keys, lamps and display, drawn from the snapshot.
import { clean, duration, element, longDay, make, party, setText, timeOfDay } from "./page.js";
import { knows, language, registrationWords, words } from "./words.js";

const letters = { 2: "ABC", 3: "DEF", 4: "GHI", 5: "JKL", 6: "MNO", 7: "PQRS", 8: "TUV", 9: "WXYZ", 0: "+" };
const keypadOrder = ["1", "2", "3", "A", "4", "5", "6", "B", "7", "8", "9", "C", "*", "0", "#", "D"];
const functionOrder = [
  "hold", "mute", "transfer", "speaker", "conference", "headset", "redial", "voicemail", "flash", "do-not-disturb",
];
const importance = ["ringingIn", "active", "connecting", "ringingOut", "reconnecting", "onHold", "disconnecting", "failed", "ended"];
const shortestPress = 40;
const longestPress = 10_000;
const reasonTime = 6_000;

/// The call that matters most to the person at the phone.
export function focus(snapshot) {
  const rank = (call) => (importance.indexOf(call.phase) + 20) % 20;
  return [...(snapshot?.calls ?? [])].sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

/// The volume that the phone's keys change: the bell's while it rings, else that of calls.
export const volumeKind = (snapshot) => (snapshot.ringing ? "ring" : "call");

/// A call's state as text.
export function phaseWords(call) {
  if (call.phase === "ringingOut" && call.farEndRings) return words("phase.ringingThere");
  if (call.phase === "onHold" && call.heldThere && !call.heldHere) return words("phase.heldThere");
  return words(`phase.${call.phase}`);
}

/// The content of the phone's own display, in the page's language.
const display = (snapshot) => snapshot.displays[language()] ?? snapshot.display ?? { title: "", detail: "", notes: [] };

/// Whether calls can reach the idle phone, as its display shows.
function readiness(snapshot) {
  const { title, detail } = display(snapshot);
  return [title, detail].map((text) => clean(text)).filter(Boolean).join(" · ") || words("ready");
}

const route = (name) => (language() === "en" ? name : words(`route.${name}`));

const failure = (snapshot) => snapshot.registrations.find((line) => line.state === "failed");

/// The notes of the phone's display. The phone shows why a line is not registered only at rest, the page always.
function displayNotes(snapshot) {
  const why = failure(snapshot)?.message ?? "";
  const notes = display(snapshot).notes.filter((note) => !why || !why.startsWith(note.replace(/…$/, "")));
  const own = notes.map((note) => snapshot.lostDevices.reduce((text, name) => text.replace(`: ${name}`, `: ${route(name)}`), clean(note, 240)));
  return why ? [clean(registrationWords(why), 240), ...own] : own;
}

/// Faults and other important states, whatever the phone does, most important first. They have no person's name.
export function alarms(snapshot) {
  const isFaulty = ["silent", "tooLoud", "missing"].includes(snapshot.soundTest?.result);
  return [
    snapshot.interrupted && words("alarm.interrupted"), snapshot.page && clean(snapshot.page.label),
    snapshot.conference && words("alarm.conference"), snapshot.recording && words("alarm.recording"),
    failure(snapshot) && clean(registrationWords(failure(snapshot).message), 240),
    snapshot.panelFailed && words("alarm.keys"), ...snapshot.lostDevices.map((name) => words("alarm.noSound", route(name))),
    isFaulty && words("alarm.soundTest"), snapshot.codes.lockedUntil && words("alarm.codes"),
  ].filter(Boolean);
}

export function reasonWords({ reason, status, message }) {
  if (status && knows(`reason.${reason}.${status}`)) return words(`reason.${reason}.${status}`);
  return knows(`reason.${reason}`) ? words(`reason.${reason}`) : clean(message ?? reason);
}

export class PhoneDrawing {
  #model;
  #acts;
  #whyNot;
  #keys = new Map();
  #ended = null;
  #drag = null;

  /// - acts: press(key, holdMs), lift(), replace(), volume(steps): a person's actions.
  /// - whyNot(key): why a key cannot be pressed here; null: it can.
  constructor(model, acts, whyNot) {
    [this.#model, this.#acts, this.#whyNot] = [model, acts, whyNot];
    this.#letHandsetBeMoved();
    for (const [id, key, steps] of [["softer", "volume-down", -1], ["louder", "volume-up", 1]]) {
      this.#letBePressed(element(id), (hold) => acts.volume(key, steps, hold));
    }
    element("volume-level").append(...Array.from({ length: 10 }, () => make("i")));
  }

  /// Draws the board's keys.
  build(panel) {
    this.#keys.clear();
    const has = new Set(panel.keys);
    const pad = keypadOrder.filter((key) => has.has(key));
    element("keypad").classList.toggle("wide", has.has("A"));
    element("keypad").replaceChildren(...pad.map((key) => this.#digitKey(key)));
    const named = panel.keys.filter((key) => /^(line|speed|page)-/.test(key));
    element("line-keys").replaceChildren(...named.map((key) => this.#namedKey(key, panel)));
    element("function-keys").replaceChildren(
      ...functionOrder.filter((key) => has.has(key)).map((key) => this.#namedKey(key, panel)));
    element("phone").dataset.hook = panel.hook ? "onHook" : "none";
    element("phone").classList.toggle("no-keypad", pad.length === 0);
    element("handset").disabled = false;
  }

  #digitKey(key) {
    const isPale = "ABCD".includes(key);
    const button = make(
      "button", { type: "button", class: isPale ? "key pale" : "key", "data-key": key, "aria-label": letters[key] ? `${key} ${letters[key]}` : key },
      make("span", { class: "digit" }, key === "*" ? "∗" : key), isPale || "*#".includes(key) ? null : make("span", { class: "letters" }, letters[key] ?? ""));
    return this.#remember(key, button);
  }

  #namedKey(key, panel) {
    const hasLamp = panel.lamps.includes(key) || (key === "voicemail" && panel.lamps.includes("message"));
    const button = make("button", { type: "button", class: "key", "data-key": key },
      hasLamp ? make("i", { class: "lamp", "data-lamp": key, "aria-hidden": "true" }) : null,
      make("span", { class: "key-name", dir: "auto" }, keyName(key, panel)),
      hasLamp ? make("span", { class: "hidden", "data-lamp-spoken": key }) : null,
      hasLamp ? make("span", { class: "lamp-words", "data-lamp-words": key, "aria-hidden": "true" }) : null);
    return this.#remember(key, button);
  }

  #remember(key, button) {
    this.#letBePressed(button, (hold) => this.#acts.press(key, hold));
    this.#keys.set(key, button);
    return button;
  }

  /// A key is down as long as the pointer is; from the keyboard, as long as a tap.
  #letBePressed(button, press) {
    let began = null;
    let wasPointer = false;
    const letGo = () => {
      began = null;
      button.classList.remove("down");
    };
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      began = event.timeStamp;
      button.classList.add("down");
    });
    button.addEventListener("pointerup", (event) => {
      if (began === null) return;
      press(Math.round(Math.min(longestPress, Math.max(shortestPress, event.timeStamp - began))));
      wasPointer = true;
      letGo();
    });
    for (const name of ["pointercancel", "pointerleave"]) button.addEventListener(name, letGo);
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("click", () => {
      if (!wasPointer) press(120);
      wasPointer = false;
    });
  }

  /// Shows a key as pressed after a press on the keyboard or on the real panel.
  flash(key) {
    const button = this.#keys.get(key);
    button?.classList.add("down");
    setTimeout(() => button?.classList.remove("down"), 130);
  }

  #letHandsetBeMoved() {
    const handset = element("handset");
    const place = element("phone");
    handset.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.#drag = { x: event.clientX, y: event.clientY, moved: 0 };
      handset.setPointerCapture(event.pointerId);
    });
    handset.addEventListener("pointermove", (event) => {
      if (!this.#drag) return;
      const [x, y] = [event.clientX - this.#drag.x, event.clientY - this.#drag.y];
      this.#drag.moved = Math.max(this.#drag.moved, Math.hypot(x, y));
      if (this.#drag.moved < 8) return;
      place.classList.add("dragged");
      // From right to left, the handset is mirrored.
      place.style.setProperty("--drag-x", `${document.documentElement.dir === "rtl" ? -x : x}px`);
      place.style.setProperty("--drag-y", `${y}px`);
      this.#drag.distance = Math.hypot(x, y);
    });
    const end = () => {
      if (!this.#drag) return;
      const { moved, distance } = this.#drag;
      this.#drag = null;
      place.classList.remove("dragged");
      place.style.removeProperty("--drag-x");
      place.style.removeProperty("--drag-y");
      if (moved < 8) return;
      handset.dataset.dragged = "yes";
      setTimeout(() => delete handset.dataset.dragged, 50);
      if (!this.isLifted && distance > 40) this.#acts.lift();
      else if (this.isLifted && distance > 25) this.#acts.replace();
    };
    handset.addEventListener("pointerup", end);
    handset.addEventListener("pointercancel", end);
    handset.addEventListener("click", () => {
      if (!handset.dataset.dragged) this.toggleHandset();
    });
  }

  get isLifted() { return element("phone").dataset.hook === "offHook"; }

  toggleHandset() { this.isLifted ? this.#acts.replace() : this.#acts.lift(); }

  showHook(hook) {
    if (element("phone").dataset.hook === "none") return;
    element("phone").dataset.hook = hook;
    const isLifted = hook === "offHook";
    element("handset").setAttribute("aria-pressed", isLifted);
    element("handset").setAttribute("aria-label", words(isLifted ? "handsetDown" : "handsetLift"));
    setText(element("hook-words"), words(isLifted ? "lifted" : "resting"));
  }

  /// Shows why a call ended on the display for some seconds.
  tellEnd(event) {
    this.#ended = { words: reasonWords(event), summary: event.summary ?? {}, until: Date.now() + reasonTime };
  }

  paint() {
    const { snapshot, panel } = this.#model;
    if (!snapshot || !panel) return;
    if (snapshot.hook && !this.#drag) this.showHook(snapshot.hook);
    for (const lamp of document.querySelectorAll("[data-lamp]")) lamp.dataset.pattern = patternOf(lamp.dataset.lamp, snapshot);
    for (const name of ["lampSpoken", "lampWords"]) {
      const attribute = name === "lampSpoken" ? "data-lamp-spoken" : "data-lamp-words";
      for (const place of document.querySelectorAll(`[${attribute}]`)) {
        const state = words(`lamp.${patternOf(place.dataset[name], snapshot)}`);
        setText(place, name === "lampSpoken" ? `, ${words("lamp", state)}` : state);
      }
    }
    for (const [key, button] of this.#keys) this.#paintKey(key, button, panel);
    this.#nameOrganizationKeys(snapshot, panel);
    this.#paintVolume();
    this.paintDisplay();
  }

  /// A key that does nothing now is grey, and says why.
  #paintKey(key, button, panel) {
    const reason = this.#whyNot(key);
    button.title = reason ?? clean(panel.meanings[key] ?? "");
    if (reason) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }

  /// The phone knows the names of its organization and of the others that its backend has listed.
  #nameOrganizationKeys({ organization, organizations }, panel) {
    for (const key of panel.organizationKeys) {
      const button = this.#keys.get(key);
      if (!button) continue;
      const id = panel.meanings[key];
      button.title = clean([organization, ...organizations].find((one) => one?.id === id)?.name || id);
      setText(button.querySelector(".key-name"), button.title);
    }
  }

  #paintVolume() {
    const { settings } = this.#model.snapshot;
    const [level, loudest] = [settings[`${volumeKind(this.#model.snapshot)}Volume`], settings.loudest];
    const place = element("volume-level");
    place.setAttribute("aria-valuenow", level);
    place.setAttribute("aria-valuemax", loudest);
    [...place.children].forEach((dot, index) => dot.classList.toggle("lit", index < level));
  }

  /// Called often: timer and clock continue between snapshots.
  paintDisplay() {
    const { snapshot } = this.#model;
    if (!snapshot) return;
    const call = focus(snapshot);
    const line = this.#lineShown(snapshot, call);
    setText(element("display-line"), line ? [clean(line.label ?? ""), words(`line.${line.state}`)].filter(Boolean).join(" · ") : "");
    setText(element("display-clock"), call || snapshot.hook === "offHook" ? timeOfDay(new Date()) : "");
    const { name, number, state, timer } = call ? this.#callLines(call) : this.#restLines(snapshot);
    setText(element("display-name"), name);
    setText(element("display-number"), number);
    setText(element("display-state"), state);
    setText(element("display-timer"), timer);
    setText(element("display-notes"), displayNotes(snapshot).filter((note) => note !== number).join(" · "));
    element("display-notes").dataset.kind = alarms(snapshot).length > 0 ? "alarm" : "";
  }

  /// The line of the call. When idle, a failed line, so that it is not hidden behind a working one.
  #lineShown({ registrations }, call) {
    return registrations.find((line) => line.account === call?.account) ?? registrations.find((line) => line.state === "failed")
      ?? registrations.find((line) => line.account !== 0) ?? registrations[0];
  }

  #callLines(call) {
    const { title, detail } = party(call);
    const diverted = call.divertedBy ? ` · ${words("divertedBy", clean(call.divertedBy))}` : "";
    return { name: title, number: detail + diverted, state: phaseWords(call), timer: this.timer(call) };
  }

  #restLines(snapshot) {
    if (this.#ended && Date.now() < this.#ended.until) {
      const { title, detail } = party(this.#ended.summary);
      return { name: title, number: detail, state: this.#ended.words, timer: "" };
    }
    if (snapshot.digits) return { name: clean(snapshot.digits), number: "", state: words("dialNumber"), timer: "" };
    const state = snapshot.tone && knows(`tone.${snapshot.tone}`) ? words(`tone.${snapshot.tone}`)
      : snapshot.hook === "offHook" ? words("dialNumber") : readiness(snapshot);
    if (snapshot.hook === "offHook") return { name: state, number: "", state: "", timer: "" };
    return { name: timeOfDay(new Date()), number: longDay(new Date()), state, timer: "" };
  }

  /// How long a call has lasted, by the phone's own clock.
  timer(call) {
    return call.answered === null ? "" : duration((this.#model.now() - call.answered) / 1e9);
  }
}

/// The pattern of a lamp. The phone's message lamp also shows missed calls; the voicemail key's lamp does not.
function patternOf(name, { lamps, messagesWaiting }) {
  if (name !== "voicemail" || lamps.voicemail) return lamps[name] ?? "off";
  return messagesWaiting > 0 ? lamps.message ?? "off" : "off";
}

function keyName(key, panel) {
  const meaning = clean(panel.meanings[key]).replace(/^sips?:/, "");
  if (meaning && key !== "voicemail") return meaning;
  const [kind, number] = key.split("-");
  return ["line", "speed", "page"].includes(kind) ? words(kind, number) : words(key);
}
