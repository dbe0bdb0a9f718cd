// The accounts on the page: the list of all, and one form, which tries and adds an account, or changes one. Each secret
// is sent once, and its field is cleared at that moment.
import { clean, element, isolated, make, setText } from "./page.js";
import { knows, registrationWords, words } from "./words.js";

const secret = { type: "password", maxlength: 256, autocomplete: "off", dir: "ltr" };
const flag = { type: "checkbox" };
const text = { maxlength: 256, autocomplete: "off", autocapitalize: "off", spellcheck: "false", dir: "auto" };
const technical = { ...text, dir: "ltr" };
const list = { ...technical, maxlength: 1024 };
/// The fields of the form in their order: attributes of an input, or the options of a list. The phone knows the options
/// of an empty list, because they depend on the kind.
const first = {
  kind: ["sip", "verto", "telnyx"], label: { ...text, value: "office", required: true }, server: { ...text, required: true },
  login: ["password", "token"], user: { ...text, pattern: "[^@\\s]+", required: true }, password: secret,
  token: { ...secret, maxlength: 4096 }, transport: [], allowClearPassword: flag, protection: [],
};
const more = {
  authUser: text, displayName: text, domain: technical, registers: { ...flag, checked: true }, ice: [], stun: list,
  turn: list, turnPassword: secret, authorities: technical, pin: technical,
};
const choices = ["transport", "protection", "ice"];
const secrets = ["password", "token", "turnPassword"];
const flags = { registers: true, allowClearPassword: false };
/// The login is no part of an account: its secret shows it.
const fields = Object.keys({ ...first, ...more }).filter((name) => name !== "login");
const field = (name) => element(`setup-${name}`);

/// `data-text` is for another language.
const labelled = (tag, key, attributes) => make(tag, { ...attributes, "data-text": `setup.${key}` }, words(`setup.${key}`));
const options = (name, values) => values.map((value) => labelled("option", `${name}.${value}`, { value }));
const drawn = (shapes) => Object.entries(shapes).flatMap(([name, shape]) => {
  const id = `setup-${name}`;
  return [labelled("label", name, { for: id }),
    Array.isArray(shape) ? make("select", { id }, ...options(name, shape)) : make("input", { id, ...shape })];
});

export class SetupAccounts {
  #setup;
  #files;
  #state = null;
  /// The label of the account in the form; null: the form is for a new one.
  #changed = null;
  /// The form's values before a person changed them.
  #before = flags;
  /// The label of the account that a person is asked about; null: none.
  #asked = null;
  /// Whether a change is under way.
  #isChanging = false;

  constructor(setup, files) {
    [this.#setup, this.#files] = [setup, files];
    element("setup-account").prepend(...drawn(first));
    element("setup-more-fields").append(...drawn(more));
    element("setup-account").addEventListener("submit", (event) => this.#submit(event));
    field("kind").addEventListener("change", () => this.#chooseKind());
    for (const name of ["login", "transport", "ice"]) field(name).addEventListener("change", () => this.#arrange());
    element("setup-unchanged").addEventListener("click", () => this.#leave());
    element("setup-keep").addEventListener("click", () => this.#keep());
    element("setup-use-pin").addEventListener("click", () => this.#usePin());
  }

  /// - lines: The snapshot's state of each account.
  paint(state, lines) {
    this.#state = state;
    const accounts = state.accounts.map((account) => {
      const { state, message } = lines.find((line) => line.label === account.label) ?? account;
      return { ...account, state, message };
    });
    this.#setup.mark("account", accounts.some((account) => ["registered", "notNeeded"].includes(account.state)));
    const isThere = (label) => accounts.some((account) => account.label === label);
    if (!isThere(this.#asked)) this.#asked = null;
    if (this.#changed !== null && !this.#isChanging && !isThere(this.#changed)) this.#lose();
    this.#paintList(accounts);
    this.#paintForm();
    this.#paintTried(state.tried);
  }

  // The list.

  /// Replaces the list only if it differs. The keyboard focus stays on its button.
  #paintList(accounts) {
    const place = element("setup-accounts");
    place.hidden = accounts.length === 0;
    const key = JSON.stringify([document.documentElement.lang, accounts, this.#asked]);
    if (place.shownState === key) return;
    place.shownState = key;
    const { does } = place.contains(document.activeElement) ? document.activeElement.dataset : {};
    place.replaceChildren(...accounts.map((account) => this.#entry(account)));
    if (does) this.#focus(does);
  }

  #focus(does) {
    const buttons = [...element("setup-accounts").querySelectorAll("button")];
    buttons.find((button) => button.dataset.does === does)?.focus();
  }

  #entry(account) {
    const { label, state, message } = account;
    const told = words(`line.${state}`) + (message ? `: ${clean(registrationWords(message), 240)}` : "");
    return make("li", {},
      make("span", { class: "state-dot", "data-state": state, "aria-hidden": "true" }),
      make("span", { class: "who" }, make("b", {}, isolated(label)), make("small", {}, ...facts(account)),
        make("small", {}, told), account.signIn ? make("small", {}, words("setup.ofSignIn")) : null),
      this.#asked === label ? this.#question(label) : this.#actions(account));
  }

  #actions(account) {
    return make("span", { class: "actions" },
      this.#button("change", account.label, "flat", () => this.#begin(account)),
      account.signIn ? null : this.#button("remove", account.label, "flat", () => this.#askWhether(account.label)));
  }

  #question(label) {
    const confirm = this.#button("remove", label, "stop", () => this.#remove(label));
    confirm.setAttribute("aria-label", words("setup.removeSure", clean(label)));
    return make("span", { class: "actions" },
      make("span", { class: "question" }, words("setup.removeSure", clean(label))), confirm,
      this.#button("cancel", label, "flat", () => this.#askWhether(null, label)));
  }

  #button(does, label, kind, onclick) {
    const name = `${words(does)} ${clean(label)}`;
    return make("button", { type: "button", class: kind, "data-does": `${does} ${label}`, "aria-label": name, onclick },
      words(does));
  }

  #askWhether(label, focused = label) {
    this.#asked = label;
    this.#setup.say("setup-accounts-words", "");
    this.#setup.paint();
    this.#focus(`remove ${focused}`);
  }

  async #remove(label) {
    const labels = this.#state.accounts.map((account) => account.label);
    const place = labels.indexOf(label);
    const next = labels[place + 1] ?? labels[place - 1];
    const answer = await this.#ask("removeAccount", { account: label }, "setup-accounts-words");
    if (answer === undefined) return;
    this.#asked = null;
    if (!answer) {
      this.#setup.paint();
      return this.#focus(`remove ${label}`);
    }
    this.#setup.say("setup-accounts-words", words("setup.removed", clean(label)), "good");
    await this.#setup.load();
    if (next === undefined) field("label").focus();
    else this.#focus(`change ${next}`);
  }

  /// One change at a time: undefined for a second press of the same button.
  async #ask(method, params, place) {
    if (this.#isChanging) return undefined;
    this.#isChanging = true;
    const answer = await this.#setup.ask(method, params, place);
    this.#isChanging = false;
    return answer;
  }

  // The form.

  #chooseKind() {
    const offers = this.#state.kinds[field("kind").value];
    for (const name of choices) field(name).replaceChildren(...options(name, offers[name]));
    this.#arrange();
  }

  #applies(name) {
    const kind = field("kind").value;
    const hasToken = kind === "telnyx" && field("login").value === "token";
    switch (name) {
      case "login": return kind === "telnyx";
      case "user": case "password": return !hasToken;
      case "token": return hasToken;
      case "authUser": case "domain": return kind !== "telnyx";
      case "protection": case "registers": return kind === "sip";
      case "stun": case "turn": case "turnPassword": return field("ice").value !== "off";
      case "allowClearPassword": return kind !== "sip" && field("transport").value === "ws";
      // These are for the configuration, which a change of an account leaves as it is.
      case "authorities": case "pin": return this.#changed === null;
      default: return true;
    }
  }

  /// Hides the fields that do not apply. A disabled one keeps its text and stops no submission.
  #arrange() {
    for (const name of ["login", ...fields]) {
      const isShown = this.#applies(name);
      for (const part of [field(name), document.querySelector(`label[for="setup-${name}"]`)]) part.hidden = !isShown;
      field(name).disabled = !isShown;
    }
    field("kind").disabled = this.#changed !== null;
    const isTelnyx = field("kind").value === "telnyx";
    field("server").required = !isTelnyx;
    field("token").required = this.#changed === null;
    for (const name of ["server", "stun", "turn"]) field(name).placeholder = isTelnyx ? words("setup.usual") : "";
    for (const name of secrets) field(name).placeholder = this.#changed === null ? "" : words("setup.asItIs");
  }

  #paintForm() {
    const isNew = this.#changed === null;
    const title = isNew ? words("setup.addAccount") : words("setup.changeOf", clean(this.#changed));
    setText(element("setup-form-title"), title);
    setText(element("setup-submit"), words(isNew ? "setup.try" : "setup.save"));
    element("setup-submit").disabled = isNew && this.#setup.isTrying;
    element("setup-unchanged").hidden = isNew;
    if (field("transport").options.length === 0) this.#chooseKind();
    this.#arrange();
  }

  #value(name) {
    if (name in flags) return field(name).checked;
    return name.endsWith("assword") ? field(name).value : field(name).value.trim();
  }

  /// What a person has entered.
  #draft() {
    const entered = fields.filter((name) => this.#applies(name)).map((name) => [name, this.#value(name)]);
    return Object.fromEntries(entered.filter(([name, value]) => value !== (this.#before[name] ?? "")));
  }

  async #submit(event) {
    event.preventDefault();
    if (this.#isChanging) return;
    const draft = this.#draft();
    for (const name of secrets) field(name).value = "";
    this.#setup.say("setup-accounts-words", "");
    if (this.#changed === null) await this.#try(draft);
    else await this.#change(draft);
  }

  /// Shows an account in the form.
  #begin(account) {
    this.#clear();
    this.#changed = account.label;
    field("kind").value = account.kind;
    this.#chooseKind();
    for (const name of fields.filter((name) => !secrets.includes(name))) {
      if (name in flags) field(name).checked = account[name] ?? flags[name];
      else if (account[name]) field(name).value = account[name];
    }
    field("login").value = account.token ? "token" : "password";
    this.#before = Object.fromEntries(fields.map((name) => [name, this.#value(name)]));
    this.#setup.say("setup-accounts-words", "");
    this.#setup.paint();
    element("setup-form-title").scrollIntoView({ block: "nearest" });
    field("label").focus();
  }

  async #change(draft) {
    const account = this.#changed;
    const isSame = Object.keys(draft).length === 0;
    const params = { account, ...draft };
    const answer = isSame ? { label: account } : await this.#ask("changeAccount", params, "setup-account-words");
    if (!answer) return;
    this.#clear();
    const told = isSame ? words("setup.nothingChanges") : words("setup.changed", clean(answer.label));
    this.#setup.say("setup-accounts-words", told, isSame ? "" : "good");
    await this.#setup.load();
    this.#focus(`change ${answer.label}`);
  }

  #leave() {
    const account = this.#changed;
    this.#clear();
    this.#setup.paint();
    this.#focus(`change ${account}`);
  }

  /// Somebody else has removed or renamed the account in the form.
  #lose() {
    this.#setup.say("setup-accounts-words", words("setup.gone", clean(this.#changed)), "bad");
    this.#clear();
  }

  /// An empty form, for a new account.
  #clear() {
    [this.#changed, this.#before] = [null, flags];
    element("setup-account").reset();
    if (this.#state.accounts.some(({ label }) => label === field("label").value)) field("label").value = "";
    this.#chooseKind();
    this.#setup.say("setup-account-words", "");
  }

  // The trial.

  async #try(draft) {
    this.#state.tried = null;
    this.#setup.say("setup-keep-words", "");
    const server = clean(draft.server) || words(`setup.kind.${draft.kind}`);
    this.#setup.say("setup-account-words", words("setup.registering", server));
    const tried = await this.#setup.try("tryAccount", draft, "setup-account-words");
    if (!tried) return;
    this.#state.tried = tried;
    this.#setup.paint();
    if (tried.good) element("setup-keep").focus();
  }

  #paintTried(tried) {
    element("setup-tried").hidden = !tried || this.#changed !== null;
    if (this.#changed !== null) return;
    if (this.#state.trying === "account" && !this.#setup.isTrying) {
      this.#setup.say("setup-account-words", words("setup.tryingElsewhere"));
    }
    if (!tried) return;
    const key = `verdict.${tried.code}`;
    const verdict = knows(key) ? words(key, clean(tried.server), clean(tried.detail)) : clean(tried.message, 240);
    this.#setup.say("setup-account-words", verdict, tried.good ? "good" : "bad");
    const trust = [["authorities", tried.authorities], [`pins.${clean(tried.label)}`, tried.pin]];
    const more = trust.filter(([, value]) => value).map(([key, value]) => `+ sip.tls.${key}: ${clean(value, 256)}`);
    setText(element("setup-preview"), [preview(tried), ...more].join("\n"));
    element("setup-shown").hidden = !tried.fingerprint;
    setText(element("setup-fingerprint"), clean(tried.fingerprint, 100));
    element("setup-keep").className = tried.good ? "go" : "flat";
    setText(element("setup-keep"), words(tried.good ? "setup.keep" : "setup.keepAnyway"));
  }

  async #keep() {
    const { label, trial, pin, authorities } = this.#state.tried;
    if (!(await this.#ask("addAccount", { trial }, "setup-keep-words"))) return;
    this.#state.tried = null;
    await this.#setup.load();
    this.#clear();
    this.#setup.say("setup-account-words", words("setup.kept", clean(label)), "good");
    // Changes of the configuration are shown before they are written, like all written files.
    if (!(await this.#files.trust(label, pin, authorities))) this.#focus(`change ${label}`);
  }

  /// Fills in the certificate that the server has shown. It needs another trial with the password, which is not stored
  /// here.
  #usePin() {
    field("pin").value = this.#state.tried.fingerprint;
    element("setup-more").open = true;
    field(this.#applies("token") ? "token" : "password").focus();
  }
}

/// What an account is, on one line.
function facts({ kind, user, server, transport, protection }) {
  const way = transport === "auto" ? words("setup.transport.auto") : transport.toUpperCase();
  const rest = [words(`setup.kind.${kind}`), way, words(`setup.encryption.${protection}`)];
  return [isolated([user, server].filter(Boolean).join(" · ")), ` · ${rest.join(" · ")}`];
}

/// The line that the vault would get.
function preview({ kind, label, user, server, transport, protection, password, token }) {
  const who = [clean(user), clean(server)].filter(Boolean).join(" @ ");
  const voice = words(`setup.encryption.${protection}`);
  const secret = words(token ? "setup.withToken" : password ? "setup.withPassword" : "setup.withoutPassword");
  const protocol = kind === "sip" ? [] : [words(`setup.kind.${kind}`)];
  return `+ ${clean(label)}: ${[...protocol, who, transport, voice, secret].join(", ")}`;
}
