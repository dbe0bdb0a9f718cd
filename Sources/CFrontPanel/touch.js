// The telephone in a hand. On a narrow page calls come right below the display, and keys with a function behind one
// button. A ringing call has its two buttons at the thumb.
import { element, party, setText } from "./page.js";
import { words } from "./words.js";

const narrow = matchMedia("(max-width: 40rem)");

/// Puts calls and line keys where the page's width has room for them, so that Tab follows what is seen.
function arrange() {
  (narrow.matches ? element("call-place") : element("view-calls")).append(element("calls"));
  if (narrow.matches) element("function-keys").before(element("line-keys"));
  else element("lower-keys").before(element("line-keys"));
}

narrow.addEventListener("change", arrange);
arrange();
element("more-keys").addEventListener("click", () => {
  const isOpen = element("more-keys").getAttribute("aria-expanded") === "true";
  element("more-keys").setAttribute("aria-expanded", !isOpen);
  element("phone").dataset.more = isOpen ? "no" : "yes";
});

export class RingBar {
  /// The call that rings; null: none.
  #call = null;

  constructor(acts) {
    element("ring-answer").addEventListener("click", () => acts.answer(this.#call));
    element("ring-decline").addEventListener("click", () => acts.ask("hangup", { call: this.#call }));
  }

  paint(snapshot) {
    const call = snapshot?.calls.find((one) => one.phase === "ringingIn");
    this.#call = call?.call ?? null;
    document.body.dataset.rings = call ? "yes" : "no";
    element("ring-bar").hidden = !call;
    if (!call) return;
    setText(element("ring-who"), party(call).title);
    setText(element("ring-answer"), words("answer"));
    setText(element("ring-decline"), words("decline"));
  }
}
