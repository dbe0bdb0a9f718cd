// The first hour on the page: which steps are done, as the phone reports, and what a person may try. The page stores
// none of it: after a reload it asks again. A password is sent once, and the field is cleared at that moment.
import { clean, element, faultWords, isolated, make, setText } from "./page.js";
import { reasonWords } from "./phone.js";
import { SetupAccounts } from "./setup-accounts.js";
import { boardWords, SetupFiles } from "./setup-files.js";
import { knows, words } from "./words.js";

// A server may delay a trial, and the search for the reason takes time too.
const trialTime = 90_000;
// From the answer to the first voice.
const silenceTime = 6_000;
// The page's texts for these speak of trials and restarts. For changes of accounts the phone's own words are right.
const changes = ["addAccount", "changeAccount", "removeAccount"];
const ownWords = ["busy", "inCall"];

export class Setup {
  #model;
  #acts;
  #link;
  #state = null;
  /// How to end the trial under way; null: none is.
  #trial = null;
  /// The test call: its number, its id once it has one, and its state.
  #call = null;
  #files = new SetupFiles(this);
  #accounts = new SetupAccounts(this, this.#files);
  /// How many states were asked for, and which of them is shown.
  #asked = 0;
  #shown = 0;

  constructor(model, acts, link) {
    [this.#model, this.#acts, this.#link] = [model, acts, link];
    element("setup-cancel").addEventListener("click", () => this.#trial?.abort());
    element("setup-restart").addEventListener("click", () => this.#restart());
    element("setup-call").addEventListener("submit", (event) => this.#callNumber(event));
    element("setup-itself").addEventListener("click", () => this.#callItself());
    element("setup-hangup").addEventListener("click", () => this.#acts.hangup(this.#call?.id));
  }

  async load() {
    this.#asked += 1;
    const turn = this.#asked;
    const state = await this.ask("getSetup", {}, "setup-fault");
    // A later answer is already shown.
    if (turn < this.#shown) return;
    this.#shown = turn;
    element("setup-steps").hidden = !state;
    if (!state) return;
    setText(element("setup-fault"), "");
    this.#state = state;
    this.paint();
  }

  /// Errors appear next to their control.
  async ask(method, params, place, options) {
    try {
      return await this.#link.ask(method, params, options);
    } catch (fault) {
      const key = `setup.fault.${fault.code}`;
      const isKnown = knows(key) && !(changes.includes(method) && ownWords.includes(fault.code));
      const why = isKnown ? words(key) : clean(faultWords(fault) ?? "", 240);
      this.say(place, fault.name === "AbortError" ? words("setup.cancelled") : why, "bad");
      return null;
    }
  }

  say(place, text, kind = "") {
    setText(element(place), text);
    element(place).dataset.kind = kind;
  }

  /// Draws the current state; called for each snapshot, and when the language changes.
  paint() {
    if (!this.#state || element("view-setup").hidden) return;
    this.#files.paint(this.#state);
    this.#paintSound(this.#state.sound);
    this.#paintPanel(this.#state.panel);
    this.#paintVault(this.#state.vault);
    this.#accounts.paint(this.#state, this.#model.snapshot?.registrations ?? []);
    element("setup-restart-part").hidden = !this.#state.restart;
    this.#paintCall();
    // The page does not see when another page's trial ends. A request in the meantime gets the answer to wait.
    for (const button of document.querySelectorAll("#setup-steps [data-tries]")) button.disabled = this.isTrying;
    element("setup-cancel").hidden = !this.isTrying;
  }

  get isTrying() { return this.#trial !== null; }

  mark(step, isDone) {
    const mark = element(`setup-mark-${step}`);
    mark.dataset.done = isDone ? "yes" : "no";
    setText(mark, words(isDone ? "setup.done" : "setup.open"));
  }

  /// Replaces a part only if it differs, so that the keyboard focus stays.
  #fill(id, children, shown) {
    const place = element(id);
    const key = `${document.documentElement.lang} ${JSON.stringify(shown)}`;
    if (place.shownState === key) return;
    place.shownState = key;
    place.replaceChildren(...children);
  }

  // Sound.

  #paintSound({ done, routes, cards, country, ringer }) {
    this.mark("sound", done);
    const shown = routes.map((each) => ({ ...each, chosen: this.#files.chosen(each.route) }));
    for (const route of this.#files.newRoutes) shown.push({ route, chosen: this.#files.chosen(route) });
    const rings = this.#files.chosen("ringer");
    if (ringer || rings) shown.push({ route: "ringer", capture: ringer, playback: ringer, chosen: rings });
    this.#fill("setup-routes", shown.map((route) => this.#routeEntry(route)), shown);
    const found = cards.length === 0 ? words("setup.noCards") : words("setup.cards", cards.map((card) => clean(card.name)).join("; "));
    setText(element("setup-cards"), [found, words("setup.country", country)].join(" "));
  }

  #routeEntry({ route, capture, playback, lost, chosen }) {
    const name = words(`route.${route}`);
    const button = (part) => make("button", { type: "button", class: "flat", "data-tries": part, "aria-label": `${words(`setup.${part}`)}: ${name}`,
      onclick: () => this.#tryDevice(route, part, chosen) }, words(`setup.${part}`));
    const device = chosen ? clean(chosen) : capture === playback ? clean(capture) : `${clean(capture)} | ${clean(playback)}`;
    const note = chosen ? words("setup.chosen") : lost ? words("setup.lost") : "";
    return make("li", {}, make("span", { class: "state-dot", "data-state": chosen ? "waits" : lost ? "failed" : "registered", "aria-hidden": "true" }),
      make("span", { class: "who" }, make("b", {}, name), make("small", {}, isolated(device), note ? ` · ${note}` : "")),
      make("span", { class: "actions" }, button("play"), route === "ringer" ? null : button("record")));
  }

  async #tryDevice(route, part, chosen) {
    this.say("setup-sound-words", words(part === "play" ? "setup.playing" : "setup.recording"));
    const answer = await this.try("tryDevice", { route, part, ...(chosen ? { device: chosen } : {}) }, "setup-sound-words");
    if (!answer) return;
    if (part === "play") return this.say("setup-sound-words", words("setup.played"));
    this.say("setup-sound-words", words(`heard.${answer.code}`), answer.good ? "good" : "bad");
  }

  /// One trial at a time. Ending it here also ends it in the phone.
  async try(method, params, place) {
    const trial = new AbortController();
    this.#trial = trial;
    this.paint();
    const answer = await this.ask(method, params, place, { time: trialTime, signal: trial.signal });
    this.#trial = null;
    this.paint();
    return answer;
  }

  // Panel and vault.

  #paintPanel({ name, file, simulated, chips, boards }) {
    // The snapshot always contains whether the phone can use its panel.
    const fails = Boolean(this.#model.snapshot?.panelFailed);
    this.mark("panel", !fails && !simulated);
    if (simulated && !fails) setText(element("setup-mark-panel"), words("setup.simulated"));
    setText(element("setup-board"), words(simulated ? "setup.boardSimulated" : "setup.board", clean(name), clean(file)));
    this.say("setup-panel-words", fails ? words("setup.panelFails", this.#state.commands.doctor) : "", "bad");
    const usable = chips.filter((chip) => !chip.problem).map((chip) => clean(chip.label || chip.path));
    setText(element("setup-chips"), usable.length ? words("setup.chips", usable.join(", ")) : words("setup.noChips"));
    const others = boards.filter((board) => !board.fits);
    this.#fill("setup-boards", others.map((board) => make("li", {}, isolated(board.name), `: ${boardWords(board)}`)), others);
    element("setup-boards-part").hidden = others.length === 0;
  }

  #paintVault({ file, key }) {
    this.mark("vault", key !== "file");
    setText(element("setup-key"), words(`setup.key.${key}`, clean(file)));
    element("setup-seal").hidden = key !== "file";
    setText(element("setup-seal-command"), `sudo ${this.#state.commands.seal}`);
  }

  // Restart.

  async #restart() {
    if (!(await this.ask("restart", {}, "setup-restart-words"))) return;
    this.say("setup-restart-words", words("setup.restarting"));
  }

  // The test call, made like any other call.

  #callNumber(event) {
    event.preventDefault();
    const number = element("setup-number").value.trim();
    if (number) this.#begin(number, {});
  }

  /// The account that can be called from outside.
  get #reachable() {
    const lines = this.#model.snapshot?.registrations.filter((line) => line.state === "registered") ?? [];
    return lines.map((line) => ({ ...line, user: this.#state.accounts.find((account) => account.label === line.label)?.user })).find((line) => line.user);
  }

  /// The server sends the call back, and the phone, which is in that call, recognizes a loop.
  #callItself() {
    const { account, user } = this.#reachable;
    this.#model.account = account;
    this.#begin(user, { isToItself: true });
  }

  async #begin(number, kind) {
    const call = { id: null, words: "setup.calling", isOver: false, ...kind };
    this.#call = call;
    this.#paintCall();
    // A failed call has already reported why.
    if ((await this.#acts.dial(number)) === null && !call.isOver) this.#endCall("setup.notCalled");
  }

  takeEvent(name, event) {
    if (name === "accountsChanged" && !element("view-setup").hidden) this.load();
    const call = this.#call;
    if (!call || call.isOver) return;
    if (name === "callStarted" && !call.id && event.summary?.direction === "outgoing") call.id = event.call;
    if (call.isToItself && name === "callRefused" && event.reason === "loop") {
      Object.assign(call, { words: "setup.cameBack", isHeard: true, isAnswered: true, kind: "good" });
    } else if (!call.id || event.call !== call.id) return;
    if (name === "callAnswered") {
      Object.assign(call, { words: "setup.answered", isAnswered: true });
      setTimeout(() => { if (this.#call === call && !call.isHeard && !call.isOver) this.#tellCall("setup.silent", "bad"); }, silenceTime);
    }
    if (name === "firstVoice") Object.assign(call, { words: "setup.voice", isHeard: true, kind: "good" });
    if (name === "callQualityUpdated" && call.isHeard && knows(`rating.${event.quality.rating}`)) call.rating = `rating.${event.quality.rating}`;
    if (name === "callEnded" || name === "callFailed") return this.#endCall(call.isAnswered ? null : "setup.callFailed", reasonWords(event));
    this.#paintCall();
  }

  #tellCall(key, kind) {
    Object.assign(this.#call, { words: key, kind });
    this.#paintCall();
  }

  /// - key: null keeps the call's last text.
  #endCall(key, detail = "") {
    this.#call.isOver = true;
    Object.assign(this.#call, key ? { words: key, detail, kind: "bad" } : {});
    this.#paintCall();
  }

  #paintCall() {
    const call = this.#call;
    element("setup-itself").hidden = !this.#reachable;
    this.mark("call", Boolean(call?.isHeard));
    element("setup-hangup").hidden = !call || call.isOver;
    if (!call) return;
    const rating = call.rating ? ` ${words(call.rating)}.` : "";
    this.say("setup-call-words", words(call.words, call.detail ?? "") + rating, call.kind);
  }
}
