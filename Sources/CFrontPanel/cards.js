import { clean, draw, duration, isolated, make, party, picture, setText } from "./page.js";
import { phaseWords } from "./phone.js";
import { words } from "./words.js";

/// The card of one call: party, duration, quality, and the possible actions.
export class CallCard {
  #id;
  #model;
  #acts;
  #call = null;
  #qualities = [];
  #buttons;
  #parts;

  constructor(id, model, acts) {
    [this.#id, this.#model, this.#acts] = [id, model, acts];
    this.#buttons = {
      answer: this.#button("go", "answer", () => acts.answer(id)),
      end: this.#button("stop", "hangup", () => acts.hangup(id)),
      hold: this.#button("flat", "hold", () => acts.ask("toggleHold", { call: id })),
      transfer: this.#button("flat", "transfer", () => this.#toggleTransfer()),
      conference: this.#button("flat", "conference", () => acts.ask("conference", {})),
      accept: this.#button("go", "accept", () => acts.ask("acceptTransfer", { call: id })),
      refuse: this.#button("flat", "decline", () => acts.ask("declineTransfer", { call: id })),
      agree: this.#button("flat", "words.agree", () => acts.ask("compareWords", { call: id, agree: true })),
      differ: this.#button("flat", "words.differ", () => acts.ask("compareWords", { call: id, agree: false })),
    };
    this.#parts = {
      head: make("div", { class: "card-head" }), timer: make("span", { class: "timer" }),
      marks: make("div", { class: "marks" }), quality: make("dl", { class: "quality", hidden: true }), question: make("p", { hidden: true }),
      secret: make("p", { hidden: true }),
      form: this.#transferForm(),
    };
    const { head, marks, quality, question, secret, form } = this.#parts;
    this.root = make("article", { class: "card", "data-call": id }, head, marks, quality, question, secret,
      make("div", { class: "actions" }, ...Object.values(this.#buttons), form));
  }

  #button(kind, text, act) { return make("button", { type: "button", class: kind, onclick: act }, words(text)); }

  #transferForm() {
    const input = make("input", { maxlength: 512, required: true, autocomplete: "off", dir: "auto", list: `others-${this.#id}` });
    return make("form", { hidden: true, onsubmit: (event) => this.#transfer(event, input.value.trim()) }, input,
      make("button", { type: "submit", class: "go" }));
  }

  #toggleTransfer() {
    if (this.#parts.form.hidden) this.openTransfer();
    else this.#parts.form.hidden = true;
  }

  openTransfer() {
    this.#parts.form.hidden = false;
    this.#parts.form.querySelector("input").focus();
  }

  /// Closes open forms. Returns whether any was open.
  static closeForms() {
    const open = [...document.querySelectorAll(".card form:not([hidden])")];
    for (const form of open) form.hidden = true;
    return open.length > 0;
  }

  /// Transfers to this phone's other call if it has that number, else to the number.
  #transfer(event, to) {
    event.preventDefault();
    const other = this.#model.snapshot.calls.find((call) => call.call !== this.#id && call.answered !== null && call.number === to);
    this.#acts.ask("transfer", other ? { call: this.#id, toCall: other.call } : { call: this.#id, to });
    this.#parts.form.hidden = true;
  }

  paint(call, snapshot) {
    const former = this.#call;
    this.#call = call;
    const { title, detail } = party(call);
    this.root.dataset.phase = call.phase;
    if (!former || former.name !== call.name || former.number !== call.number || former.avatar !== call.avatar || former.phase !== call.phase || this.language !== document.documentElement.lang) {
      this.language = document.documentElement.lang;
      this.root.setAttribute("aria-label", `${title}, ${phaseWords(call)}`);
      this.#parts.head.replaceChildren(picture(title, call.avatar),
        make("span", { class: "who" }, make("b", {}, isolated(title)), make("small", {}, `${call.direction === "incoming" ? "↙" : "↗"} ${phaseWords(call)}`, detail ? " · " : "", isolated(detail))),
        this.#parts.timer);
    }
    // After a reload the snapshot's figures count until the next event.
    if (call.quality && this.#qualities.length === 0) this.takeQuality(call.quality);
    this.#paintMarks(call);
    this.#paintButtons(call, snapshot);
    this.paintTimer();
  }

  #paintMarks(call) {
    const marks = [];
    const protection = call.protection;
    // A protection that this page does not know is not shown as safe.
    if (protection) marks.push(this.#protection(protection));
    if (call.key === "changed") marks.push([words("key.changed"), "bad"]);
    if (call.verification === "passed") marks.push([words("verified"), "good"]);
    if (call.verification === "failed") marks.push([words("suspicious"), "bad"]);
    if (call.sendFault) marks.push([words("unsent"), "bad"]);
    if (call.badge) marks.push([clean(call.badge), ""]);
    const rating = this.#qualities.at(-1)?.rating;
    if (rating && rating !== "unknown") marks.push([words(`rating.${rating}`), rating === "poor" ? "bad" : rating]);
    this.#parts.marks.hidden = marks.length === 0;
    const shown = marks.join("|");
    if (this.#parts.marks.dataset.shown === shown) return;
    this.#parts.marks.dataset.shown = shown;
    this.#parts.marks.replaceChildren(...marks.map(([text, kind]) => make("span", { class: `mark ${kind}` }, isolated(text))));
  }

  #protection(name) {
    switch (name) {
      case "sdes": return [words("protection.protected"), "good"];
      case "dtls": return [words("protection.handshake"), "good"];
      case "verified": return [words("protection.verified"), "good"];
      default: return [words("protection.none"), "bad"];
    }
  }

  #paintButtons(call, snapshot) {
    const isUp = ["active", "onHold"].includes(call.phase);
    const question = call.transferRequested;
    // Words that were already compared need no second comparison.
    const isAsked = isUp && Boolean(call.words) && call.key !== "compared";
    const shows = {
      answer: call.phase === "ringingIn", end: !["ended", "failed", "disconnecting"].includes(call.phase), hold: isUp,
      transfer: isUp && call.canTransfer, accept: Boolean(question), refuse: Boolean(question), agree: isAsked, differ: isAsked,
      conference: isUp && !snapshot.conference && snapshot.calls.filter((call) => call.answered !== null).length > 1,
    };
    const texts = { answer: "answer", end: call.phase === "ringingIn" ? "decline" : "hangup", hold: call.heldHere ? "resume" : "hold",
      transfer: "transfer", conference: "conference", accept: "accept", refuse: "decline",
      agree: "words.agree", differ: "words.differ" };
    for (const [name, button] of Object.entries(this.#buttons)) {
      button.hidden = !shows[name];
      setText(button, words(texts[name]));
    }
    this.#parts.question.hidden = !question;
    if (question) setText(this.#parts.question, words("transferWanted", clean(question.to)));
    this.#parts.secret.hidden = !isAsked;
    if (isAsked) setText(this.#parts.secret, words("words.compare", clean(call.words)));
    const { form } = this.#parts;
    form.querySelector("input").placeholder = words("transferTo");
    form.querySelector("input").setAttribute("aria-label", words("transferTo"));
    setText(form.querySelector("button"), words("transfer"));
    if (!isUp || !call.canTransfer) form.hidden = true;
  }

  paintTimer() {
    const { answered } = this.#call;
    setText(this.#parts.timer, answered === null ? "" : duration((this.#model.now() - answered) / 1e9));
  }

  takeQuality(quality) {
    this.#qualities.push(quality);
    this.#qualities.splice(0, this.#qualities.length - 90);
    const figures = [["MOS", "mos", "", 1, 5], [words("jitter"), "jitterMs", " ms", 0, 20], [words("loss"), "lossPercent", " %", 0, 5]];
    this.#parts.quality.hidden = false;
    this.#parts.quality.replaceChildren(...figures.map(([name, member, unit, low, high]) => {
      const values = this.#qualities.map((quality) => quality[member]);
      const last = values.at(-1);
      return make("div", {}, make("dt", {}, name), make("dd", {}, last === null ? "–" : last.toFixed(1) + unit), spark(values, low, high));
    }));
    if (this.#call) this.#paintMarks(this.#call);
  }
}

/// A line through the last values; a missing value leaves a gap.
function spark(values, low, high) {
  const top = Math.max(high, ...values.filter((value) => value !== null));
  const step = 100 / Math.max(11, values.length - 1);
  let path = "";
  let isDrawing = false;
  values.forEach((value, index) => {
    if (value !== null) path += `${isDrawing ? "L" : "M"}${(index * step).toFixed(1)} ${(28 - (26 * (value - low)) / (top - low)).toFixed(1)}`;
    isDrawing = value !== null;
  });
  return draw("svg", { class: "spark", viewBox: "0 0 100 30", preserveAspectRatio: "none", "aria-hidden": "true" }, draw("path", { d: path || "M0 0" }));
}
