// The meaning of a real panel's keys, for a page that cannot move their contacts: each key sends the request for what
// its press would do, if there is one.
import { clean, element, notice, setText } from "./page.js";
import { focus } from "./phone.js";
import { words } from "./words.js";

const isUp = (call) => call && ["active", "onHold"].includes(call.phase);
const withoutCall = ["hold", "transfer", "flash"];

export class KeyMeanings {
  #model;
  #acts;
  #openTransfer;

  /// openTransfer(call): asks a person for the target of that call's transfer.
  constructor(model, acts, openTransfer) { [this.#model, this.#acts, this.#openTransfer] = [model, acts, openTransfer]; }

  /// Why pressing this key does nothing at the moment; null: it does something.
  whyNot(key) {
    if (this.#model.panel.meanings[key]) return null;
    const calls = this.#model.snapshot?.calls ?? [];
    const isAnyUp = calls.some((call) => call.answered !== null);
    if (withoutCall.includes(key) && !isAnyUp && !(key === "flash" && calls.length > 0)) return words("noCallUp");
    if (key === "mute" && !isAnyUp && !this.#model.snapshot?.sentPage) return words("noMute");
    if (key === "conference" && calls.filter((call) => call.answered !== null).length < 2) return words("noConference");
    if (key === "voicemail") return words("noVoicemail");
    if (key.startsWith("speed-")) return words("noSpeedDial");
    if (key.startsWith("page-")) return words("noPageGroup");
    return key.startsWith("line-") ? words("noLineKey") : null;
  }

  async press(key) {
    const reason = this.whyNot(key);
    if (reason) return notice(reason);
    const { snapshot, panel } = this.#model;
    const call = focus(snapshot);
    if (/^[0-9*#A-D]$/.test(key)) {
      if (call?.answered) return this.#acts.ask("sendDTMF", { digits: key });
      element("dial-number").value += key;
      return null;
    }
    if (panel.organizationKeys.includes(key)) return this.#acts.ask("switchOrganization", { organization: panel.meanings[key] });
    if (key.startsWith("speed-") || key === "voicemail") return this.#acts.dial(panel.meanings[key]);
    if (key.startsWith("line-")) return this.#takeLine(panel.meanings[key]);
    if (key.startsWith("page-")) return this.#page(Number(key.slice("page-".length)), snapshot.sentPage);
    switch (key) {
      case "hold": return this.#acts.ask("toggleHold");
      case "mute": return this.#acts.ask("toggleMute");
      case "speaker": return this.#acts.ask("toggleSpeaker");
      case "headset": return this.#acts.ask("setRoute", { route: "headset" });
      case "conference": return this.#acts.ask("conference");
      case "do-not-disturb": return this.#acts.ask("setDoNotDisturb", { on: !snapshot.settings.doNotDisturb });
      case "flash": return this.#flash();
      case "transfer": return this.#transfer();
      default: return this.#redial();
    }
  }

  /// Begins a page to the group, or ends it.
  #page(group, sent) {
    return sent?.group === group ? this.#acts.ask("stopPage") : this.#acts.ask("startPage", { group });
  }

  async #redial() {
    const past = await this.#acts.ask("getHistory", { direction: "outgoing" });
    return past?.calls[0] ? this.#acts.dial(past.calls[0].number) : null;
  }

  /// Answers the waiting call, or holds and resumes the current one.
  #flash() {
    const waiting = this.#model.snapshot.calls.find((call) => call.phase === "ringingIn");
    if (waiting) return this.#acts.ask("answer", { call: waiting.call });
    return this.#model.snapshot.calls.some(isUp) ? this.#acts.ask("toggleHold") : notice(words("noCallUp"));
  }

  /// Connects the far ends of two calls, or asks for the target of a single call.
  #transfer() {
    const calls = this.#model.snapshot.calls.filter(isUp);
    if (calls.length === 0) return notice(words("noCallUp"));
    const call = calls.find((call) => call.phase === "active") ?? calls[0];
    if (!call.canTransfer) return notice(words("noTransfer"));
    const other = calls.find((one) => one !== call);
    return other ? this.#acts.ask("transfer", { call: call.call, toCall: other.call }) : this.#openTransfer(call.call);
  }

  /// Answers or resumes the line's call; without a call, the next number is dialled on this line.
  #takeLine(label) {
    const { calls, registrations } = this.#model.snapshot;
    const account = registrations.find((line) => line.label === label)?.account ?? 0;
    const own = calls.filter((call) => call.account === account);
    const ringing = own.find((call) => call.phase === "ringingIn");
    if (ringing) return this.#acts.ask("answer", { call: ringing.call });
    const held = own.find((call) => call.heldHere);
    if (held) return this.#acts.ask("resume", { call: held.call });
    this.#model.account = account;
    setText(element("dial-to"), words("dialOn", clean(label)));
    notice(words("dialOn", clean(label)));
    return element("dial-number").focus();
  }
}
