// Sound devices and the board file, chosen on the page. Changes appear as a diff, and are written when a person
// confirms. The phone plans and writes; the page only remembers choices that are not written yet.
import { clean, element, make, printable, setText } from "./page.js";
import { words } from "./words.js";

const devices = ["handset", "speaker", "headset", "ringer"];
const choices = ["country", ...devices, "board"];
const select = (name) => element(`setup-choose-${name}`);

/// A board file's title in the list of its kind, which says already what is wrong with it.
export function boardWords({ words: title }) {
  if (title.startsWith("no hardware")) return words("setup.noHardware");
  return clean(title.replace(/, needs chips that .*$/, ""));
}

export class SetupFiles {
  #setup;
  #state = null;
  #chosen = {};
  /// The phone's plan for the choices; null: nothing is chosen.
  #plan = null;

  constructor(setup) {
    this.#setup = setup;
    for (const name of choices) select(name).addEventListener("change", () => this.#choose(name));
    element("setup-write").addEventListener("click", () => this.#write());
    element("setup-discard").addEventListener("click", () => this.#discard());
  }

  /// The device chosen for a route, or null.
  chosen(route) {
    const device = this.#chosen[route];
    return device && device !== "none" ? device : null;
  }

  /// Routes that have a device only by choice.
  get newRoutes() {
    const present = this.#state?.sound.routes.map(({ route }) => route) ?? [];
    return devices.filter((name) => name !== "ringer" && this.chosen(name) && !present.includes(name));
  }

  paint(state) {
    this.#state = state;
    this.#fill("country", state.sound.countries.map((country) => [country, country]), state.sound.country);
    for (const name of devices) this.#fill(name, this.#offers(name), this.#present(name));
    const fitting = state.panel.boards.filter((board) => board.fits).map((board) => [board.name, `${clean(board.name)}: ${boardWords(board)}`]);
    this.#fill("board", [["", words("setup.asItIs")], ...fitting], "");
    element("setup-files").hidden = !this.#plan;
    if (!this.#plan) return;
    const isSame = this.#plan.files.length === 0;
    setText(element("setup-diff"), isSame ? words("setup.nothingChanges") : this.#plan.diff.split("\n").map(printable).join("\n"));
    element("setup-write").hidden = isSame || !this.#plan.writable;
    element("setup-write-how").hidden = isSame || this.#plan.writable;
    setText(element("setup-write-command"), `sudo ${state.commands.setup}`);
  }

  #present(name) {
    if (name === "ringer") return this.#state.sound.ringer ?? "none";
    const route = this.#state.sound.routes.find((each) => each.route === name);
    if (!route) return "none";
    return route.capture === route.playback ? route.capture : `${route.capture} | ${route.playback}`;
  }

  #offers(name) {
    const silent = name === "handset" ? [["null", words("setup.noSound")]] : [["none", words("setup.noDevice")]];
    const offers = [...this.#state.sound.cards.map((card) => [card.device, clean(card.name)]), ...silent];
    const present = this.#present(name);
    return offers.some(([value]) => value === present) ? offers : [[present, present === "none" ? words("setup.noDevice") : clean(present)], ...offers];
  }

  /// Replaces the options only if they differ: an open list stays open.
  #fill(name, offers, present) {
    const place = select(name);
    const key = JSON.stringify(offers);
    if (place.shownState !== key) {
      place.shownState = key;
      place.replaceChildren(...offers.map(([value, text]) => make("option", { value }, text)));
    }
    place.value = this.#chosen[name] ?? present;
  }

  /// Plans the configuration of an account's server. Returns whether there is anything to write.
  async trust(label, pin, authorities) {
    if (!pin && !authorities) return false;
    Object.assign(this.#chosen, pin ? { label, pin } : {}, authorities ? { authorities } : {});
    await this.#makePlan();
    if (!this.#plan) return false;
    element(this.#plan.writable ? "setup-write" : "setup-write-how").focus();
    return true;
  }

  async #choose(name) {
    const value = select(name).value;
    const present = name === "country" ? this.#state.sound.country : name === "board" ? "" : this.#present(name);
    if (value === present) delete this.#chosen[name];
    else this.#chosen[name] = value;
    await this.#makePlan();
  }

  async #makePlan() {
    this.#plan = null;
    this.#say("");
    const asked = { ...this.#chosen };
    const plan = Object.keys(asked).length === 0 ? null : await this.#setup.ask("planSetup", asked, "setup-files-words");
    // Another choice was made in the meantime, and has its own plan.
    if (JSON.stringify(asked) === JSON.stringify(this.#chosen)) this.#plan = plan;
    this.#setup.paint();
    if (this.#plan) element("setup-files").scrollIntoView({ block: "nearest" });
  }

  async #write() {
    const answer = await this.#setup.ask("writeSetup", { plan: this.#plan.plan }, "setup-files-words");
    if (!answer) return;
    this.#discard();
    this.#say(words("setup.written", clean(answer.files.map(printable).join("; "))), "good");
    await this.#setup.load();
    if (answer.restart) element("setup-restart").focus();
  }

  #discard() {
    [this.#chosen, this.#plan] = [{}, null];
    this.#say("");
    this.#setup.paint();
  }

  #say(text, kind = "") {
    setText(element("setup-files-words"), text);
    element("setup-files-words").dataset.kind = kind;
  }
}
