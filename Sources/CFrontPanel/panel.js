// The front panel: shows the phone's snapshot and passes on a person's actions. The page keeps no state that a reload
// could lose.
import { Bell } from "./bell.js";
import { clean, clearNotice, element, faultWords, isDead, named, notice, party, setText, showDeath, translate } from "./page.js";
import { alarms, focus, phaseWords, PhoneDrawing, volumeKind } from "./phone.js";
import { CallCard } from "./cards.js";
import { Health } from "./health.js";
import { KeyMeanings } from "./keys.js";
import { RingBar } from "./touch.js";
import { Views } from "./views.js";
import { Link } from "./link.js";
import { otherLanguage, sentence, speak, words } from "./words.js";

const options = new URLSearchParams(location.search);
const isKiosk = options.has("kiosk");
const bell = new Bell();

/// The page's knowledge of the phone.
const model = {
  snapshot: null, panel: null, methods: new Set(), receivedAt: 0,
  /// How much the phone's clock is ahead of this computer's, in milliseconds.
  clockError: 0,
  /// The line for the next number, chosen by a real panel's key; null: the phone chooses.
  account: null,
  /// The phone's clock in nanoseconds.
  now() { return this.snapshot.at + (performance.now() - this.receivedAt) * 1e6; },
};

const link = new Link({ connected: meetPhone, event: take, state: showLink, unauthorized: askForToken });

// Requests.

async function ask(method, params = {}) {
  try {
    const result = await link.ask(method, params);
    clearNotice();
    return result;
  } catch (fault) {
    tellFault(fault);
    return null;
  }
}

function tellFault(fault) {
  const why = faultWords(fault);
  if (why) notice(why);
}

/// After each new connection everything is loaded again: the phone may be another one by now.
async function meetPhone() {
  try {
    const [panel, document] = await Promise.all([link.ask("getPanel", {}), link.ask("rpc.discover", {})]);
    model.methods = new Set(document.methods.map((method) => method.name));
    const isKnown = JSON.stringify(panel) === JSON.stringify(model.panel);
    model.panel = panel;
    if (!isKnown) drawing.build(panel);
    views.forget();
    setText(element("board-name"), clean(panel.name));
    await refresh();
    views.load();
  } catch (fault) {
    tellFault(fault);
  }
}

let running = null;
let isStale = false;

/// Asks for the snapshot. Any number of calls in the meantime cause only one more request.
function refresh() {
  isStale = true;
  running ??= (async () => {
    while (isStale) {
      isStale = false;
      try {
        const snapshot = await link.ask("getSnapshot", {});
        Object.assign(model, { snapshot, receivedAt: performance.now(), clockError: snapshot.clock - Date.now() });
        paint();
      } catch (fault) {
        console.info("getSnapshot:", fault.message);
      }
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    running = null;
  })();
  return running;
}

// Events.

const silent = new Set(["callDurationUpdated", "callQualityUpdated", "firstVoice", "dtmfReceived"]);
const blinking = /Blink$|flutter/;
let bellLine = null;

function take(name, event) {
  views.take(name, event);
  if (name === "line") return takeLine(event);
  if (silent.has(name)) return;
  if (name === "callEnded" || name === "callFailed") {
    drawing.tellEnd(event);
    views.load();
  }
  if (name === "panelChanged" && event.key) {
    tellSeen(event.key);
    drawing.flash(event.key);
  }
  if (name === "error") notice(named(sentence("trouble", event.code, event.message), model.snapshot?.calls));
  if (name === "transferFailed") notice(words("transferFailed", party(event.summary).title, clean(event.to)));
  refresh();
}

/// An output of a simulated panel: the bell strikes as its line says; the page draws a lamp's blinking from its
/// pattern.
function takeLine({ line, level }) {
  if (line === "ringer") {
    bellLine = level;
    return strike();
  }
  const lamp = line.replace(/^lamp\./, "");
  const pattern = model.snapshot?.lamps[lamp];
  if (pattern !== undefined && !blinking.test(pattern) && (pattern === "on") !== level) refresh();
}

function strike() {
  const rings = Boolean(model.snapshot?.ringing);
  const strikes = bellLine ?? (rings && Math.floor(performance.now() / 1000) % 3 === 0);
  bell.strike(rings && strikes);
  document.body.dataset.bell = rings && strikes ? "striking" : "still";
}

// A person's actions. The page moves a simulated panel's contacts, as a finger would. It cannot move a real panel's
// contacts, so it sends the requests for what they would mean.

const acts = {
  ask,
  press(key, holdMs) {
    if (!model.panel?.simulated) return meanings.press(key);
    const why = meanings.whyNot(key);
    if (why) notice(why);
    else clearNotice();
    return pressInTurn(key, holdMs);
  },
  lift() {
    if (!model.panel?.simulated) {
      if (focus(model.snapshot)?.phase === "ringingIn") ask("answer");
      return;
    }
    drawing.showHook("offHook");
    return ask("liftHook").then(refresh);
  },
  replace() {
    if (!model.panel?.simulated) return ask("hangup");
    drawing.showHook("onHook");
    return ask("replaceHook").then(refresh);
  },
  volume(key, steps, holdMs) {
    if (model.panel?.simulated && model.panel.keys.includes(key)) return pressInTurn(key, holdMs);
    const { settings } = model.snapshot;
    const kind = volumeKind(model.snapshot);
    const level = Math.min(settings.loudest, Math.max(0, settings[`${kind}Volume`] + steps));
    return ask("setVolume", { kind, level });
  },
  async dial(target) {
    await pickUp();
    const params = { target: target.trim(), key: crypto.randomUUID?.() ?? `${Math.random()}` };
    if (model.account !== null) params.account = model.account;
    model.account = null;
    setText(element("dial-to"), "");
    return ask("dial", params);
  },
  answer(call) { return canBeLifted() ? acts.lift() : ask("answer", { call }); },
  hangup(call) {
    const isOnly = model.snapshot.calls.length < 2;
    return isOnly && model.panel?.simulated && model.snapshot.hook === "offHook" ? acts.replace() : ask("hangup", call ? { call } : {});
  },
};

let presses = Promise.resolve();
// How long a key needs to come up and to be debounced.
const releaseTime = 90;
const seenTime = 600;
const shortPress = 120;
let tellSeen = () => {};

/// One key after the other, as one finger presses them. Requests may overtake each other, and two matrix keys that are
/// down together may look like a third. The next key waits until the phone has seen this one. Short presses are as long
/// as a tap, so that a fast typist does not wait.
function pressInTurn(key, holdMs) {
  const hold = holdMs < 400 ? shortPress : holdMs;
  presses = presses.then(async () => {
    const seen = new Promise((resolve) => { tellSeen = (other) => { if (other === key) resolve(); }; });
    const tooLate = new Promise((resolve) => setTimeout(resolve, seenTime));
    if ((await link.ask("pressKey", { key, holdMs: hold }).catch(tellFault)) === undefined) return;
    await Promise.race([seen, tooLate]);
    await new Promise((resolve) => setTimeout(resolve, hold + releaseTime));
  });
}

const canBeLifted = () => Boolean(model.panel?.simulated && model.panel.hook && model.snapshot?.hook === "onHook");

/// Lifts the handset of a simulated panel, if it has one, and waits until the phone has seen it.
async function pickUp() {
  if (!canBeLifted() || focus(model.snapshot)) return;
  await acts.lift();
  for (let tries = 0; tries < 20 && model.snapshot.hook !== "offHook"; tries++) await refresh();
}

// Painting.

const views = new Views(model, acts, link);
const meanings = new KeyMeanings(model, acts, (call) => views.openTransfer(call));
const drawing = new PhoneDrawing(model, acts, (key) => meanings.whyNot(key));

const health = new Health(model, (view, step) => views.open(view, step));
const ringBar = new RingBar(acts);

function paint() {
  drawing.paint();
  views.paint();
  health.paint();
  ringBar.paint(model.snapshot);
  strike();
  paintKiosk();
  announce();
}

let announced = "";

/// Announces what the phone does to screen readers and in the page's title; never the timer.
function announce() {
  const call = focus(model.snapshot);
  const text = call ? `${phaseWords(call)}: ${party(call).title}` : "";
  document.title = text ? `${text} · Offhook` : "Offhook";
  if (text === announced) return;
  announced = text;
  setText(element("announcer"), text || element("display-state").textContent);
}

function paintKiosk() {
  if (!isKiosk || !model.snapshot || !model.panel) return;
  const call = focus(model.snapshot);
  const does = !call ? "dial" : call.phase === "ringingIn" ? "answer" : "hangup";
  element("kiosk-button").dataset.does = does;
  const isMissing = does === "dial" && !kioskTarget();
  element("kiosk-missing").hidden = !isMissing;
  element("kiosk-state").parentElement.hidden = isMissing;
  element("kiosk-button").setAttribute("aria-disabled", isMissing);
  setText(element("kiosk-button"), words(does === "dial" ? "kioskCall" : does));
  setText(element("kiosk-name"), call ? party(call).title : clean(options.get("title") ?? model.panel.name));
  setText(element("kiosk-state"), call ? phaseWords(call) : element("display-state").textContent);
  setText(element("kiosk-timer"), call ? drawing.timer(call) : "");
  setText(element("kiosk-notes"), alarms(model.snapshot).join(" · "));
}

/// The number for the big button; nothing if none is configured.
const kioskTarget = () => options.get("number")
  || (model.panel && !model.panel.organizationKeys.includes("speed-1") ? model.panel.meanings["speed-1"] : undefined);

function pressKiosk() {
  switch (element("kiosk-button").dataset.does) {
    case "dial": return kioskTarget() ? acts.dial(kioskTarget()) : notice(words("kioskNoNumber"));
    case "answer": return acts.answer(focus(model.snapshot).call);
    default: return acts.hangup(focus(model.snapshot).call);
  }
}

let deathAlarm = null;
// A phone that restarts is back sooner than this.
const deathTime = 1_200;

function showLink(state) {
  element("link").dataset.state = state;
  setText(element("link-words"), words(`link${state[0].toUpperCase()}${state.slice(1)}`));
  setText(element("offline"), words("offline"));
  if (state !== "online" && link.isSignedIn) {
    deathAlarm ??= setTimeout(() => {
      showDeath(true);
      bell.strike(false);
    }, deathTime);
    return;
  }
  clearTimeout(deathAlarm);
  deathAlarm = null;
  showDeath(false);
}


// Signing in: the token comes from a person or from the address, and stays in memory. A reload continues the session.

let waitAlarm = 0;

/// - wait: Seconds for which the phone accepts no token from here; 0: it accepts one.
function askForToken(wait = 0) {
  const dialog = element("sign-in");
  showLink(element("link").dataset.state);
  countDown(wait);
  element("sign-in-fault").hidden = !element("token").dataset.used;
  if (wait === 0) setText(element("sign-in-fault"), words("signInFault"));
  if (!dialog.open) dialog.showModal();
}

function countDown(wait) {
  clearTimeout(waitAlarm);
  if (wait > 0) setText(element("sign-in-fault"), words("signInWait", wait));
  else element("sign-in-fault").hidden = true;
  if (wait > 0) waitAlarm = setTimeout(() => countDown(wait - 1), 1_000);
}

function signIn(token) {
  clearTimeout(waitAlarm);
  element("token").value = "";
  element("token").dataset.used = "yes";
  if (element("sign-in").open) element("sign-in").close();
  link.signIn(token);
}

/// The token after `#token=`, which is removed from the address at once.
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token) history.replaceState(null, "", location.pathname + location.search);
  return token;
}

// The keyboard.

function takeKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || element("sign-in").open || isDead()) return;
  const isTyping = event.target.closest("input, select, textarea");
  if (event.key === "Escape") {
    if (CallCard.closeForms()) return document.activeElement?.blur();
    if (isTyping) return event.target.blur();
    return hangUp();
  }
  if (isTyping || isKiosk || !model.snapshot) return;
  if (/^[0-9*#]$/.test(event.key) && !event.repeat) {
    drawing.flash(event.key);
    acts.press(event.key, 120);
  } else if (letters[event.key] && !event.repeat) {
    // The letter is not for the field that it opens.
    event.preventDefault();
    letters[event.key](focus(model.snapshot));
  }
}

/// What letters do with the call that matters most; null: there is no call.
const letters = {
  a: (call) => { if (call?.phase === "ringingIn") acts.answer(call.call); },
  e: hangUp,
  h: () => drawing.toggleHandset(),
  m: () => ask("toggleMute"),
  p: (call) => (call?.answered ? ask("toggleHold", { call: call.call }) : notice(words("noCallUp"))),
  t: (call) => {
    if (!call?.answered) return notice(words("noCallUp"));
    return call.canTransfer ? views.openTransfer(call.call) : notice(words("noTransfer"));
  },
};

function hangUp() {
  if (model.snapshot?.hook === "offHook" && model.panel.simulated && model.snapshot.calls.length < 2) return acts.replace();
  const call = focus(model.snapshot);
  return call ? acts.hangup(call.call) : undefined;
}

// The start.

function useLanguage(code) {
  speak(code);
  translate();
  showLink(element("link").dataset.state ?? "connecting");
  if (model.panel) drawing.build(model.panel);
  setText(element("language"), otherLanguage().toUpperCase());
  if (model.snapshot) paint();
  else views.paint();
}

function useTheme(theme) { document.documentElement.dataset.theme = theme; }

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const rightToLeft = /^(ar|fa|he|ur)/.test(navigator.language);

document.documentElement.dir = options.get("dir") ?? (rightToLeft ? "rtl" : "ltr");
if (options.has("theme")) useTheme(options.get("theme"));
if (isKiosk) {
  document.body.dataset.layout = "kiosk";
  element("kiosk").hidden = false;
}
element("theme").addEventListener("click", () => {
  const isDark = (document.documentElement.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";
  useTheme(isDark ? "light" : "dark");
});
element("language").addEventListener("click", () => useLanguage(otherLanguage()));
for (const id of ["bell-sound", "kiosk-bell"]) {
  element(id).addEventListener("click", () => {
    bell.toggle();
    element(id).setAttribute("aria-pressed", bell.isAudible);
  });
}
element("kiosk-button").addEventListener("click", pressKiosk);
element("notice-close").addEventListener("click", clearNotice);
element("dial").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = element("dial-number");
  if (input.value.trim()) acts.dial(input.value);
  input.value = "";
});
element("sign-in-form").addEventListener("submit", (event) => {
  event.preventDefault();
  signIn(element("token").value.trim());
});
element("sign-in").addEventListener("cancel", (event) => event.preventDefault());
document.addEventListener("keydown", takeKey);

useLanguage(options.get("lang") ?? navigator.language);
setInterval(() => {
  if (!model.snapshot || isDead()) return;
  drawing.paintDisplay();
  views.paintTimers();
  paintKiosk();
  strike();
}, 250);

/// Returns whether the address has a token.
function signInByAddress() {
  const token = takeToken();
  if (token) signIn(token);
  return Boolean(token);
}

// A link with another token, opened in this tab, loads nothing.
addEventListener("hashchange", signInByAddress);
if (!signInByAddress() && !link.resume()) askForToken();
