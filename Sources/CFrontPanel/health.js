// One line at the top: whether lines, sound, keys, clock and storage work, and what to do about a part that does not.
import { clean, element, make, setText } from "./page.js";
import { language, registrationWords, words } from "./words.js";

const marks = { good: "✓", warn: "!", bad: "✕", none: "–" };
// Seconds matter to nobody, but certificates and the history need about the right time.
const clockTolerance = 60_000;

/// A part's state, its text, and where the page can mend it: a view, and a step of setup.
const parts = {
  lines({ network, registrations }) {
    const accounts = registrations.filter((line) => line.account !== 0);
    const ready = accounts.filter((line) => ["registered", "notNeeded"].includes(line.state)).length;
    const failed = accounts.find((line) => line.state === "failed");
    const made = (state, key, ...values) => ({ state, text: words(`health.lines.${key}`, ...values), view: "lines" });
    if (network === "disconnected") return made("bad", "offline");
    if (accounts.length === 0) return { ...made("none", "none"), view: "setup", step: "account" };
    const count = `${ready}/${accounts.length}`;
    const why = failed && clean(registrationWords(failed.message), 240);
    if (failed) return { ...made("bad", "bad", ready, accounts.length, why), count };
    const isWaiting = accounts.some((line) => line.state === "registering");
    if (isWaiting) return { ...made("warn", "waits", ready, accounts.length), count };
    const isWhole = ready === accounts.length;
    return { ...(isWhole ? made("good", "good", ready, accounts.length) : made("warn", "away")), count };
  },
  sound({ lostDevices, soundTest, interrupted }) {
    const made = (state, key, ...values) =>
      ({ state, text: words(`health.sound.${key}`, ...values), view: "setup", step: "sound" });
    const names = lostDevices.map((name) => words(`route.${name}`)).join(", ");
    if (lostDevices.length > 0) return made("bad", "bad", names);
    if (["silent", "tooLoud", "missing"].includes(soundTest?.result)) return made("warn", "tested");
    return interrupted ? made("warn", "used") : made("good", "good");
  },
  keys({ panelFailed }, { panel }) {
    const state = panelFailed ? "bad" : panel.simulated ? "none" : "good";
    return { state, text: words(`health.keys.${state}`), view: "setup", step: "panel" };
  },
  clock(_, { clockError }) {
    const isWrong = Math.abs(clockError) > clockTolerance;
    const minutes = new Intl.NumberFormat(language()).format(Math.round(Math.abs(clockError) / 60_000));
    return { state: isWrong ? "bad" : "good", text: words(`health.clock.${isWrong ? "bad" : "good"}`, minutes) };
  },
  storage({ faultParts }) {
    const key = faultParts.includes("storage") ? "bad" : faultParts.includes("eventLog") ? "eventLog" : "good";
    const state = key === "eventLog" ? "warn" : key;
    return { state, text: words(`health.storage.${key}`), view: "setup", step: "vault" };
  },
};

export class Health {
  #model;
  #open;
  #buttons = new Map();
  /// The part whose text is shown; null: none.
  #shown = null;

  /// - open(view, step): Leads to the view, and in setup to the step.
  constructor(model, open) {
    [this.#model, this.#open] = [model, open];
    for (const part of Object.keys(parts)) {
      const button = make("button", { type: "button", class: "health-part", "data-part": part, "aria-expanded": "false",
        "aria-controls": "health-advice", onclick: () => this.#show(this.#shown === part ? null : part) });
      this.#buttons.set(part, button);
      element("health-parts").append(make("li", {}, button));
    }
    element("health-open").addEventListener("click", () => {
      const { view, step } = this.#state(this.#shown);
      this.#show(null);
      this.#open(view, step);
    });
  }

  #state(part) { return parts[part](this.#model.snapshot, this.#model); }

  #show(part) {
    this.#shown = part;
    this.paint();
  }

  paint() {
    if (!this.#model.snapshot || !this.#model.panel) return;
    for (const [part, button] of this.#buttons) {
      this.#paintPart(button, words(`health.${part}`), this.#state(part), part === this.#shown);
    }
    element("health-advice").hidden = this.#shown === null;
    if (this.#shown === null) return;
    const { text, view } = this.#state(this.#shown);
    setText(element("health-words"), text);
    element("health-open").hidden = !view;
    if (view) setText(element("health-open"), words("health.open", words(view)));
  }

  #paintPart(button, name, { state, text, count = "" }, isShown) {
    button.setAttribute("aria-expanded", isShown);
    const key = [name, state, text, count].join("|");
    if (button.dataset.shown === key) return;
    Object.assign(button.dataset, { shown: key, state });
    button.title = text;
    button.replaceChildren(
      make("span", { class: "health-mark", "aria-hidden": "true" }, marks[state]),
      make("span", { class: "health-name" }, name, count ? make("span", { class: "health-count" }, ` ${count}`) : null),
      make("span", { class: "hidden" }, `(${words(`health.state.${state}`)})`));
  }
}
