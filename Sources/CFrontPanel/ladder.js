// The SIP messages of the lines as a ladder diagram, one dialog at a time.
import { clean, draw, element, faultWords, make, notice, setText } from "./page.js";
import { words } from "./words.js";

const kept = 300;
const conversations = 20;
const row = 30;
const left = 96;
const gap = 250;

export class Ladder {
  #signals = [];
  #last = 0;
  #isAsking = false;
  #link;
  #chosen = null;
  #shown = "";

  constructor(link) {
    this.#link = link;
    element("ladder-call").addEventListener("change", (event) => {
      this.#chosen = event.target.value;
      this.#paint();
    });
  }

  /// A restarted phone counts from the beginning.
  forget() { [this.#signals, this.#last, this.#shown] = [[], 0, ""]; }

  async refresh() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      for (let pages = 0; pages < 40; pages++) {
        const { signals, last } = await this.#link.ask("getSignals", { after: this.#last });
        this.#last = last;
        this.#signals.push(...signals.map(read));
        this.#signals.splice(0, this.#signals.length - kept);
        if (signals.length === 0) break;
      }
      this.#paint();
    } catch (fault) {
      const why = faultWords(fault);
      if (why) notice(why);
    } finally {
      this.#isAsking = false;
    }
  }

  #paint() {
    const calls = new Map();
    for (const signal of this.#signals) calls.set(signal.callID, [...(calls.get(signal.callID) ?? []), signal]);
    const ids = [...calls.keys()].slice(-conversations).reverse();
    const choice = element("ladder-call");
    const chosen = ids.includes(this.#chosen) ? this.#chosen : ids[0];
    choice.hidden = ids.length === 0;
    choice.replaceChildren(...ids.map((id) => make("option", { value: id, selected: id === chosen }, title(calls.get(id)))));
    const shown = chosen ? `${chosen} ${calls.get(chosen).length}` : "";
    if (shown && shown === this.#shown) return;
    this.#shown = shown;
    element("ladder-message").hidden = true;
    element("ladder").replaceChildren(chosen ? diagram(calls.get(chosen)) : make("p", { class: "empty" }, words("noSignals")));
  }
}

/// The parts of a message that the diagram shows (RFC 3261 §7).
function read(signal) {
  const message = String(signal.message ?? signal.hex ?? "").slice(0, 40_000);
  const [first, ...lines] = message.split("\r\n", 60);
  const header = (long, short) => {
    const line = lines.find((line) => new RegExp(`^(${long}|${short})\\s*:`, "i").test(line));
    return line ? clean(line.slice(line.indexOf(":") + 1)) : "";
  };
  const status = /^SIP\/2\.0 (\d{3}) ?(.*)$/.exec(first);
  const method = clean(header("CSeq", "CSeq").split(" ").pop());
  return {
    at: signal.at, isSent: signal.direction === "sent", message, method, callID: header("Call-ID", "i"),
    remote: `${signal.remote.host}:${signal.remote.port} ${signal.transport}`, status: status ? Number(status[1]) : null,
    label: status ? clean(`${status[1]} ${status[2]}`).slice(0, 30) : clean(first.split(" ")[0]), to: address(header("To", "t")), from: address(header("From", "f")),
  };
}

const address = (header) => clean(header.replace(/;tag=.*$/, "").replace(/^.*<sips?:([^>]*)>.*$/, "$1"));

function title(signals) {
  const [first] = signals;
  return clean(`${first.method} ${first.isSent ? "→ " + first.to : "← " + first.from}`);
}

function diagram(signals) {
  const remotes = [...new Set(signals.map((signal) => signal.remote))].slice(0, 3);
  const [width, height] = [left + gap * remotes.length + 70, 46 + row * signals.length];
  const drawing = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": words("ladderHow") });
  const place = (remote) => left + gap * (1 + Math.max(0, remotes.indexOf(remote)));
  const names = [[left, words("phone")], ...remotes.map((remote) => [place(remote), remote])];
  for (const [x, name] of names) {
    const text = draw("text", { x, y: 18, "text-anchor": "middle" });
    setText(text, name);
    drawing.append(text, draw("line", { class: "pole", x1: x, x2: x, y1: 26, y2: height - 8 }));
  }
  signals.forEach((signal, index) => drawing.append(arrow(signal, signals[0].at, place(signal.remote), 52 + row * index)));
  return drawing;
}

function arrow(signal, start, far, y) {
  const [from, to] = signal.isSent ? [left, far] : [far, left];
  const towards = to > from ? 1 : -1;
  const seconds = ((signal.at - start) / 1e9).toFixed(3);
  const kind = signal.status === null ? "request" : signal.status >= 300 ? "refusal" : signal.status >= 200 ? "success" : "news";
  const group = draw("g", { class: kind, role: "button", tabindex: "0", "aria-label": `${seconds} s ${signal.isSent ? "→" : "←"} ${signal.label}` });
  const label = draw("text", { x: (left + far) / 2, y: y - 5, "text-anchor": "middle" });
  const time = draw("text", { class: "faint", x: 6, y: y + 4 });
  setText(label, signal.label);
  setText(time, `${seconds} s`);
  group.append(
    draw("rect", { class: "back", x: 0, y: y - 18, width: far + 60, height: row - 2, rx: 6 }), label, time,
    draw("line", { class: "shaft", x1: from, x2: to - 8 * towards, y1: y, y2: y }),
    draw("path", { class: "tip", d: `M${to} ${y}l${-9 * towards}-4.5v9z` }));
  const open = () => {
    setText(element("ladder-message"), signal.message.replace(/[^\P{C}\n\t]/gu, ""));
    element("ladder-message").hidden = false;
  };
  group.addEventListener("click", open);
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    open();
  });
  return group;
}
