// Shared by all parts of the page: elements, and making strangers' texts harmless.
import { knows, language, sentence, words } from "./words.js";

export const element = (id) => document.getElementById(id);

/// Makes an element; children are elements or texts, never markup.
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function draw(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/// Sets a text only if it differs, to avoid needless announcements and layout.
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

const longestText = 80;
// Control characters, and characters that change a line's direction or are invisible (Unicode TR 9 and 36).
const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/// One line of a text, without invisible characters.
export const printable = (line) => String(line).replace(invisible, "");

/// A far end's text for display: without invisible characters, and short. Even 64 KiB cost little.
export function clean(text, longest = longestText) {
  const seen = Array.from(String(text ?? "").slice(0, 1_000).replace(invisible, "").trim());
  return seen.length > longest ? seen.slice(0, longest - 1).join("") + "…" : seen.join("");
}

/// A far end's text, isolated from the writing direction around it.
export const isolated = (text) => make("bdi", {}, clean(text));

/// Name and number of the other party, for display.
export function party({ name, number, withheld }) {
  if (withheld) return { title: words("anonymous"), detail: "" };
  const [named, numbered] = [clean(name), clean(number).replace(/^sips?:/, "")];
  return { title: named || numbered || words("unknown"), detail: named ? numbered : "" };
}

// Images that need no request to show. Text that is not an image draws nothing.
const ownImage = /^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

/// A round picture: the call's avatar, if it is complete; else the initials, in a colour derived from the name.
export function picture(title, avatar) {
  if (ownImage.test(avatar ?? "")) return make("img", { class: "picture", src: avatar, alt: "" });
  const letters = title.split(/[\s._@-]+/).map((part) => Array.from(part)[0] ?? "").filter((letter) => /[\p{L}\p{N}+]/u.test(letter));
  const made = make("span", { class: "picture", "aria-hidden": "true" }, (letters.slice(0, 2).join("") || "?").toUpperCase());
  let hue = 7;
  for (const letter of title) hue = (hue * 31 + letter.codePointAt(0)) % 360;
  made.style.setProperty("--hue", hue);
  return made;
}

export function duration(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return (hours ? `${hours}:` : "") + `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

export function timeOfDay(date) {
  return new Intl.DateTimeFormat(language(), { hour: "2-digit", minute: "2-digit" }).format(date);
}

export function longDay(date) {
  return new Intl.DateTimeFormat(language(), { weekday: "long", day: "numeric", month: "long" }).format(date);
}

export function dayAndTime(date) {
  const today = new Date().toDateString() === date.toDateString();
  if (today) return timeOfDay(date);
  return new Intl.DateTimeFormat(language(), { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }).format(date);
}

export function later(milliseconds, work) {
  let alarm = 0;
  return () => {
    clearTimeout(alarm);
    alarm = setTimeout(work, milliseconds);
  };
}

/// Replaces call ids in a text of the phone with the call's other party, because an id means nothing to a person.
export function named(text, calls = []) {
  return clean(text, 240).replace(/\b(?:in|out|info|past)-\d+(?:\.\d+)?\b/g, (id) => {
    const call = calls.find((one) => one.call === id);
    return call ? party(call).title : words("theCall");
  });
}

/// Why a request failed, for a person; null if the page already shows that the phone does not answer.
export function faultWords(fault) {
  const isUnanswered = fault instanceof TypeError;
  if (isUnanswered && element("link").dataset.state !== "online") return null;
  if (isUnanswered || fault.name === "TimeoutError") return words("tooSlow");
  if (fault.name === "AbortError") return words("fault.cancelled");
  if (typeof fault.code !== "string") return words("fault.other");
  if (fault.code.startsWith("http")) return words(knows(`fault.${fault.code}`) ? `fault.${fault.code}` : "fault.http");
  if (fault.code === "scopeTooSmall") return words("fault.scopeTooSmall", clean(fault.scope));
  return named(sentence("fault", fault.code, fault.message));
}

/// Shows what did not work, or what can be undone, until a person closes it or the next action succeeds.
/// - undo: What the button in the notice does; null: it has none.
export function notice(text, undo = null) {
  setText(element("notice-words"), named(text));
  const button = element("notice-undo");
  button.hidden = !undo;
  setText(button, undo ? words("undo") : "");
  button.onclick = () => {
    clearNotice();
    undo();
  };
  element("notice").hidden = false;
}

/// Removes an outdated notice.
export function clearNotice() { element("notice").hidden = true; }

export const isDead = () => document.body.dataset.phone === "dead";

/// Shows a phone that does not answer in its last state, grey and without movement, with all controls disabled.
export function showDeath(dead) {
  document.body.dataset.phone = dead ? "dead" : "alive";
  element("offline").hidden = !dead;
  for (const controls of document.querySelectorAll(".controls")) controls.disabled = dead;
  // The message says it already.
  element("link-words").hidden = dead;
  if (!dead) return;
  clearNotice();
  document.title = `${words("linkOffline")} · Offhook`;
}

/// Puts the language's texts into the page's elements.
export function translate() {
  document.documentElement.lang = language();
  for (const place of document.querySelectorAll("[data-text]")) setText(place, words(place.dataset.text));
  for (const place of document.querySelectorAll("[data-label]")) {
    place.setAttribute("aria-label", words(place.dataset.label));
    if (place.matches(".tool")) place.title = words(place.dataset.label);
  }
  for (const place of document.querySelectorAll("[data-placeholder]")) place.placeholder = words(place.dataset.placeholder);
}
