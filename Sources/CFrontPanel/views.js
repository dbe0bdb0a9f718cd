// The views beside the telephone: calls, missed calls, history, contacts, SIP messages, lines, and setup.
import { clean, clearNotice, dayAndTime, duration, element, faultWords, isolated, later, make, notice, party, picture, setText } from "./page.js";
import { registrationWords, words } from "./words.js";
import { reasonWords } from "./phone.js";
import { CallCard } from "./cards.js";
import { Ladder } from "./ladder.js";
import { Setup } from "./setup.js";
import { Backend } from "./backend.js";

const views = ["calls", "missed", "history", "contacts", "signals", "lines", "setup"];
const cardBytes = 60_000;
// Large properties of a vCard, with their continuation lines.
const unkept = /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY)[;:].*(?:\r?\n[ \t].*)*\r?\n/gim;
const requestSize = (text) => new Blob([JSON.stringify(text)]).size;
// Limit of missed calls to show.
const missedShown = 200;

export class Views {
  #model;
  #acts;
  #link;
  #cards = new Map();
  #chosen = "calls";
  #history = [];
  /// The state from which the list of missed calls was made.
  #missedKey = "";
  #ladder;
  #setup;
  #backend;
  /// Settled when the chosen view has its data.
  loaded = Promise.resolve();

  constructor(model, acts, link) {
    [this.#model, this.#acts, this.#link] = [model, acts, link];
    this.#ladder = new Ladder(link);
    this.#setup = new Setup(model, acts, link);
    this.#backend = new Backend(model, link);
    this.#makeTabs();
    const again = later(250, () => this.#loadHistory());
    element("history-filter").addEventListener("submit", (event) => event.preventDefault());
    element("history-kind").addEventListener("change", again);
    element("history-text").addEventListener("input", again);
    element("history-more").addEventListener("click", () => this.#loadHistory(this.#history.at(-1)?.id));
    element("missed-clear").addEventListener("click", () => this.#try("clearMissedCalls", {}));
    element("contact-add").addEventListener("submit", (event) => this.#addContact(event));
    element("contacts-export").addEventListener("click", () => this.#exportContacts());
    element("contacts-import").addEventListener("click", () => element("contacts-file").click());
    element("contacts-file").addEventListener("change", (event) => this.#importContacts(event));
    element("reconnect").addEventListener("click", () => this.#try("reconnect", {}));
    element("connection").addEventListener("click", () => this.#try(this.#isDisconnected ? "connect" : "disconnect", {}));
    element("disturb").addEventListener("click", () =>
      this.#try("setDoNotDisturb", { on: !this.#model.snapshot.settings.doNotDisturb }));
  }

  async #try(method, params, told = () => null) {
    try {
      const result = await this.#link.ask(method, params);
      if (!method.startsWith("get")) clearNotice();
      return result;
    } catch (fault) {
      const why = told(fault) ?? faultWords(fault);
      if (why) notice(why);
      return null;
    }
  }

  // Tabs (WAI-ARIA: arrow keys move between them).

  #makeTabs() {
    const tabs = views.map((view) => make("button", {
      type: "button", id: `tab-${view}`, class: "tab", role: "tab", "aria-controls": `view-${view}`,
      onclick: () => this.choose(view),
      onkeydown: (event) => this.#moveTab(event, view),
    }));
    element("tabs").replaceChildren(...tabs);
    for (const view of views) element(`view-${view}`).setAttribute("aria-labelledby", `tab-${view}`);
    this.choose("calls");
  }

  #moveTab(event, view) {
    const forward = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
    const steps = { [forward]: 1, [forward === "ArrowLeft" ? "ArrowRight" : "ArrowLeft"]: -1 }[event.key];
    if (!steps) return;
    event.preventDefault();
    const next = views[(views.indexOf(view) + steps + views.length) % views.length];
    this.choose(next);
    element(`tab-${next}`).focus();
  }

  /// Shows a view, or a step of setup, to which a person is sent.
  open(view, step) {
    this.choose(view);
    element(`tab-${view}`).focus();
    const place = element(step ? `setup-title-${step}` : `tab-${view}`);
    this.loaded.then(() => place.scrollIntoView({ block: step ? "start" : "nearest" }));
  }

  choose(view) {
    this.#chosen = view;
    for (const name of views) {
      element(`tab-${name}`).setAttribute("aria-selected", name === view);
      element(`tab-${name}`).tabIndex = name === view ? 0 : -1;
      element(`view-${name}`).hidden = name !== view;
    }
    // A narrow page shows a part of the row.
    const [row, tab] = [element("tabs"), element(`tab-${view}`)];
    row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
    this.load();
  }

  /// Loads data of the current view that the snapshot lacks.
  load() {
    this.loaded = Promise.resolve();
    if (!this.#link.isSignedIn) return;
    if (this.#chosen === "missed" && this.#model.snapshot) this.#loadMissed();
    if (this.#chosen === "history") this.#loadHistory();
    if (this.#chosen === "contacts") this.#loadContacts();
    if (this.#chosen === "signals") this.#ladder.refresh();
    if (this.#chosen === "lines") {
      this.#backend.paint(this.#model.snapshot);
      this.#loadFacts();
    }
    if (this.#chosen === "setup") this.loaded = this.#setup.load();
  }

  forget() { this.#ladder.forget(); }

  // Calls.

  paint() {
    const { snapshot } = this.#model;
    for (const view of views) this.#paintTab(view, snapshot);
    if (!snapshot) return;
    const shown = new Set(snapshot.calls.map((call) => call.call));
    for (const [id, card] of this.#cards) {
      if (shown.has(id)) continue;
      card.root.remove();
      this.#cards.delete(id);
    }
    for (const call of snapshot.calls) this.#card(call.call).paint(call, snapshot);
    this.#paintEmpty(snapshot.calls.length === 0);
    this.#paintMissed(snapshot);
    this.#paintLines(snapshot);
    this.#backend.paint(snapshot);
    this.#setup.paint();
  }

  #paintTab(view, snapshot) {
    const count = { calls: snapshot?.calls.length, missed: snapshot?.missedCount }[view] ?? 0;
    const text = words(view);
    const tab = element(`tab-${view}`);
    if (tab.dataset.shown === `${text} ${count}`) return;
    tab.dataset.shown = `${text} ${count}`;
    tab.replaceChildren(text, ...(count ? [make("span", { class: "count" }, String(count))] : []));
  }

  #paintEmpty(isEmpty) {
    const place = element("calls").querySelector(".empty");
    if (!isEmpty) place?.remove();
    else if (place) setText(place, words("noCalls"));
    else element("calls").append(make("p", { class: "empty" }, words("noCalls")));
  }

  #card(id) {
    if (!this.#cards.has(id)) {
      const card = new CallCard(id, this.#model, this.#acts);
      this.#cards.set(id, card);
      element("calls").append(card.root);
    }
    return this.#cards.get(id);
  }

  take(name, event) {
    if (name === "callQualityUpdated") this.#cards.get(event.call)?.takeQuality(event.quality);
    this.#setup.takeEvent(name, event);
    this.#backend.take(name, event);
  }

  openTransfer(id) {
    this.choose("calls");
    this.#cards.get(id)?.openTransfer();
  }

  paintTimers() { for (const card of this.#cards.values()) card.paintTimer(); }

  // Missed calls, history, contacts.

  #paintMissed(snapshot) {
    element("missed-clear").disabled = snapshot.missedCount === 0;
    if (this.#chosen === "missed") this.#loadMissed();
    else if (snapshot.missedCount === 0) fill("missed", [], "noMissed");
  }

  /// The snapshot has the newest missed calls of this run. Older ones, and those of former runs, are requested.
  async #loadMissed() {
    const { missed, missedMore, missedCount } = this.#model.snapshot;
    const key = JSON.stringify([document.documentElement.lang, missed, missedCount]);
    if (this.#missedKey === key) return;
    this.#missedKey = key;
    const own = [...missed];
    for (let page = { more: missedMore }; page.more && own.length < missedShown;) {
      page = await this.#try("getMissedCalls", { before: own[0].call });
      if (!page || page.missed.length === 0) break;
      own.unshift(...page.missed);
    }
    const former = await this.#formerMissed(own.length, missedCount);
    // The list may have changed in the meantime, and is then already loaded again.
    if (this.#missedKey !== key) return;
    const wall = (at) => new Date(Date.now() - (this.#model.now() - at) / 1e6);
    fill("missed", [...own.toReversed().map((call) => entry({
      who: call, detail: dayAndTime(wall(call.at)), dial: this.#acts.dial,
      more: make("button", { type: "button", class: "flat second", "aria-label": `${words("clear")} ${party(call).title}`,
        onclick: () => this.#try("clearMissedCalls", { call: call.call }) }, words("clear")),
    })), ...former.map((call) => entry({ who: call, detail: dayAndTime(new Date(call.ended ?? call.started)), dial: this.#acts.dial }))], "noMissed");
  }

  /// Unseen missed calls of former runs, newest first. The history begins with as many of this run.
  async #formerMissed(own, count) {
    const unseen = [];
    for (let page = { more: own < count }, before; page.more && unseen.length < Math.min(count, missedShown);) {
      page = await this.#try("getHistory", { missed: true, before });
      if (!page || page.calls.length === 0) break;
      unseen.push(...page.calls.filter((call) => !call.seen));
      before = page.calls.at(-1).id;
    }
    return unseen.slice(own);
  }

  async #loadHistory(before) {
    const kind = element("history-kind").value;
    const params = { text: element("history-text").value || undefined, before };
    if (kind === "missed") params.missed = true;
    else if (kind) params.direction = kind;
    const page = await this.#try("getHistory", params);
    if (!page) return;
    this.#history = before ? [...this.#history, ...page.calls] : page.calls;
    element("history-more").hidden = !page.more;
    fill("history", this.#history.map((call) => entry({ who: call, detail: historyWords(call), dial: this.#acts.dial })), "noHistory");
  }

  async #loadContacts() {
    const contacts = [];
    for (let page = { more: true }; page.more;) {
      page = await this.#try("getContacts", { after: contacts.length });
      if (!page) return;
      contacts.push(...page.contacts);
    }
    element("contacts-import").hidden = !this.#model.methods.has("importContacts");
    element("contacts-export").hidden = !this.#model.methods.has("exportContacts");
    fill("contacts", contacts.map((contact) => entry({
      who: contact, detail: clean(contact.number), dial: this.#acts.dial,
      more: make("button", { type: "button", class: "flat second", "aria-label": `${words("remove")} ${clean(contact.name)}`,
        onclick: () => this.#removeContact(contact) }, words("remove")),
    })), "noContacts");
  }

  async #removeContact({ name, number }) {
    if (!(await this.#try("removeContact", { number }))) return;
    notice(words("removed", clean(name) || clean(number)), async () => {
      if (await this.#try("addContact", { name, number })) this.#loadContacts();
    });
    this.#loadContacts();
  }

  async #addContact(event) {
    event.preventDefault();
    const [name, number] = ["contact-name", "contact-number"].map((id) => element(id).value.trim());
    const told = (fault) => (fault.code === "invalidParams" ? words("noNumber", clean(number, 40)) : null);
    if (!(await this.#try("addContact", { name, number }, told))) return;
    event.target.reset();
    element("contact-name").focus();
    this.#loadContacts();
  }

  async #exportContacts() {
    const cards = [];
    for (let page = { more: true }, after = 0; page.more; after += page.count) {
      page = await this.#try("exportContacts", { after });
      if (!page) return;
      cards.push(page.vcard);
    }
    const file = URL.createObjectURL(new Blob(cards, { type: "text/vcard" }));
    make("a", { href: file, download: "contacts.vcf" }).click();
    setTimeout(() => URL.revokeObjectURL(file), 10_000);
  }

  /// A request has at most 64 KiB, so a long file is sent in pieces of whole cards. Properties that the phone would
  /// drop, above all pictures, are removed first. A card that is still too long is left out, with a notice.
  async #importContacts(event) {
    const [file] = event.target.files;
    if (!file) return;
    const all = (await file.text()).replace(unkept, "").split(/(?<=END:VCARD\r?\n?)/i);
    const cards = all.filter((card) => requestSize(card) < cardBytes);
    for (let piece = ""; cards.length > 0; piece = "") {
      do piece += cards.shift(); while (cards.length > 0 && requestSize(piece + cards[0]) < cardBytes);
      if (piece.trim() && !(await this.#try("importContacts", { vcard: piece }))) break;
    }
    event.target.value = "";
    if (cards.length === 0 && all.length > 0) {
      const left = all.filter((card) => requestSize(card) >= cardBytes).length;
      if (left > 0) notice(words("cardsLeftOut", left));
    }
    this.#loadContacts();
  }

  // Lines.

  /// Whether a person has unregistered the accounts. Accounts that never register do not count.
  get #isDisconnected() { return this.#model.snapshot?.registrations.some((line) => line.state === "disconnected") ?? false; }

  #paintLines(snapshot) {
    setText(element("connection"), words(this.#isDisconnected ? "connect" : "disconnect"));
    element("connection").disabled = snapshot.registrations.every((line) => line.state === "notNeeded");
    element("disturb").setAttribute("aria-pressed", snapshot.settings.doNotDisturb);
    fill("lines", snapshot.registrations.map((line) => make("li", {},
      make("span", { class: "state-dot", "data-state": line.state, "aria-hidden": "true" }),
      make("span", { class: "who" }, make("b", {}, isolated(line.label ?? `${line.account}`)),
        make("small", {}, words(`line.${line.state}`) + (line.message ? `: ${clean(registrationWords(line.message), 240)}` : ""))))), "noLines");
  }

  async #loadFacts() {
    const [{ version } = {}, { deviceId } = {}] = await Promise.all([this.#try("ping", {}), this.#try("getDeviceId", {})]).then((all) => all.map((one) => one ?? {}));
    const facts = [["version", version], ["deviceId", deviceId], ["network", this.#model.snapshot?.network]];
    element("facts").replaceChildren(...facts.filter(([, value]) => value).flatMap(([key, value]) =>
      [make("dt", {}, words(key)), make("dd", {}, isolated(value))]));
  }
}

/// Fills a list again, and keeps the keyboard focus in it. Does nothing if nothing changed.
function fill(id, entries, emptyWords) {
  const list = element(id);
  const made = entries.length > 0 ? entries : [make("li", { class: "empty" }, words(emptyWords))];
  const text = made.map((one) => one.outerHTML).join("");
  if (list.dataset.shown === String(text.length) && list.shownText === text) return;
  [list.dataset.shown, list.shownText] = [String(text.length), text];
  const buttons = [...list.querySelectorAll("button")];
  const focused = buttons.indexOf(document.activeElement);
  list.replaceChildren(...made);
  if (focused >= 0) [...list.querySelectorAll("button")].at(Math.min(focused, list.querySelectorAll("button").length - 1))?.focus();
}

/// A person in a list, with a button to call.
function entry({ who, detail, dial, more }) {
  // Callers may choose any name, so the number to dial is always visible.
  const { title, detail: number } = party(who);
  const call = who.number && !who.withheld && who.number !== "anonymous"
    ? make("button", { type: "button", class: "go", "aria-label": `${words("call")} ${title}`, onclick: () => dial(who.number) }, words("call")) : null;
  return make("li", {}, picture(title), make("span", { class: "who" }, make("b", {}, isolated(title)), make("small", {}, ...(number && number !== detail ? [isolated(number), " · "] : []), detail)), call, more);
}

function historyWords(call) {
  const arrow = call.direction === "incoming" ? "↙" : "↗";
  const length = call.answered && call.ended ? duration((call.ended - call.answered) / 1000) : reasonWords(call);
  return [`${arrow} ${dayAndTime(new Date(call.started))}`, call.missed ? words("missed") : length].filter(Boolean).join(" · ");
}
