// The sign-in at the phone's backend, and the user's organizations: in the view of the lines. The page stores none of it.
import { clean, draw, element, faultWords, isolated, make, notice, setText } from "./page.js";
import { knows, sentence, words } from "./words.js";

// The phone waits up to 30 s for its backend.
const answerTime = 40_000;
// The light modules that a camera needs around a QR code (ISO/IEC 18004 §9.1).
const quiet = 4;

export class Backend {
  #model;
  #link;
  /// Whether a person was asked if the phone shall be signed out.
  #asks = false;
  /// The user whose organizations the page has asked for.
  #listed = null;

  constructor(model, link) {
    [this.#model, this.#link] = [model, link];
    element("backend-sign-in").addEventListener("click", () => this.#ask("signIn"));
    element("backend-cancel").addEventListener("click", () => this.#ask("cancelSignIn"));
    element("backend-sign-out").addEventListener("click", () => this.#askWhether(true));
    element("backend-stay").addEventListener("click", () => this.#askWhether(false));
    element("backend-leave").addEventListener("click", () => {
      this.#askWhether(false);
      this.#ask("signOut");
    });
  }

  async #ask(method, params = {}) {
    this.#say("");
    try {
      return await this.#link.ask(method, params, { time: answerTime });
    } catch (fault) {
      const key = `backend.fault.${fault.code}`;
      this.#say(knows(key) ? words(key) : clean(faultWords(fault) ?? "", 240));
      return null;
    }
  }

  #say(text) {
    setText(element("backend-words"), text);
    element("backend-words").dataset.kind = text ? "bad" : "";
  }

  #askWhether(asks) {
    this.#asks = asks;
    this.paint(this.#model.snapshot);
    element(asks ? "backend-leave" : "backend-sign-out").focus();
  }

  /// An event of the sign-in, or of a switch.
  take(name, event) {
    if (name === "signInFailed") this.#say(words("backend.failed", clean(sentence("signIn", event.reason, event.message), 240)));
    if (name === "signedIn" || name === "signedOut") this.#say("");
    // A key of the panel may have been pressed.
    if (name === "organizationSwitchFailed") notice(words("backend.switchFailed", clean(sentence("signIn", event.reason, event.message), 200)));
  }

  paint(snapshot) {
    element("backend").hidden = !snapshot?.backend;
    if (!snapshot?.backend) return;
    const state = snapshot.signIn?.state ?? "none";
    setText(element("backend-state"), this.#stateWords(snapshot.signIn));
    element("backend-code-part").hidden = state !== "waiting";
    if (state === "waiting") this.#paintCode(snapshot.signIn);
    element("backend-sign-in").hidden = !["none", "needed"].includes(state);
    element("backend-cancel").hidden = !["asking", "waiting"].includes(state);
    const isIn = state === "signedIn" || state === "needed";
    if (!isIn) this.#asks = false;
    element("backend-sign-out").hidden = !isIn || this.#asks;
    element("backend-sure").hidden = !isIn || !this.#asks;
    this.#paintOrganizations(snapshot, state === "signedIn");
    if (state !== "signedIn") this.#listed = null;
    if (state !== "signedIn" || element("view-lines").hidden || this.#listed === snapshot.signIn.subject) return;
    this.#listed = snapshot.signIn.subject;
    this.#ask("getOrganizations");
  }

  #stateWords(signIn) {
    if (!signIn) return words("backend.none");
    const user = clean(signIn.userName || signIn.email || signIn.subject);
    if (signIn.state === "signedIn") return words("backend.signedIn", user);
    return words(`backend.${signIn.state}`);
  }

  #paintCode({ code, address, completeAddress, qr }) {
    setText(element("backend-code"), clean(code) || words("backend.hidden"));
    setText(element("backend-address"), clean(address, 240));
    const link = element("backend-open");
    const url = webAddress(completeAddress ?? address);
    link.hidden = !url;
    if (url && link.href !== url) link.href = url;
    this.#paintPicture(qr ?? []);
  }

  /// Draws the QR code, dark on light in both themes. Each rectangle is a run of dark modules.
  #paintPicture(rows) {
    const place = element("backend-qr");
    place.hidden = rows.length === 0;
    const key = JSON.stringify([document.documentElement.lang, rows]);
    if (place.shownState === key) return;
    place.shownState = key;
    const side = rows.length + 2 * quiet;
    const runs = rows.flatMap((row, y) => [...row.matchAll(/#+/g)].map((run) =>
      draw("rect", { x: run.index + quiet, y: y + quiet, width: run[0].length, height: 1, fill: "#000" })));
    place.replaceChildren(...(rows.length === 0 ? [] : [draw(
      "svg", { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": words("backend.qr"), "shape-rendering": "crispEdges" },
      draw("rect", { width: side, height: side, fill: "#fff" }), ...runs)]));
  }

  #paintOrganizations(snapshot, isIn) {
    const list = isIn ? snapshot.organizations : [];
    const place = element("backend-organizations");
    place.hidden = list.length === 0;
    const key = JSON.stringify([document.documentElement.lang, list, snapshot.organizationSwitching]);
    if (place.shownState === key) return;
    place.shownState = key;
    place.replaceChildren(...list.map((each) => this.#organization(each, snapshot.organizationSwitching)));
  }

  #organization({ id, name, channelNumber, isCurrent }, switching) {
    const title = clean(name || id);
    const state = isCurrent ? words("backend.current") : switching === id ? words("backend.switching") : "";
    const button = make("button", {
      type: "button", class: "flat", disabled: Boolean(switching), "aria-label": words("backend.switchTo", title),
      onclick: () => this.#ask("switchOrganization", { organization: id }),
    }, words("backend.switch"));
    const detail = [clean(channelNumber ?? ""), state].filter(Boolean).join(" · ");
    return make("li", {},
      make("span", { class: "who" }, make("b", {}, isolated(title)), make("small", {}, detail)), isCurrent ? null : button);
  }
}

/// An address that a browser may open, or null: the backend might send any text.
function webAddress(text) {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return ["https:", "http:"].includes(url.protocol) ? url.href : null;
}
