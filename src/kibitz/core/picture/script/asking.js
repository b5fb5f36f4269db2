/** A small card that asks what a touch meant, which way or how many: beside the cell, or under a finger a sheet at the
 * lower edge of the screen. */

import { byPath } from "./choosing.js";
import { element } from "./elements.js";
import { t } from "./strings.js";

const SAME_TAP = 600; // milliseconds within which a click at the same spot belongs to the tap that opened the card
const NEAR = 12; // pixels

/** Ask until one move is left. `consider` hears of every move that is looked at; null means none any more. */
export class Asking {
  constructor(card, { consider, choose, cancel, nameOf }) {
    Object.assign(this, { card, consider, choose, cancel, nameOf });
    card.addEventListener("keydown", (event) => this.#key(event));
    card.addEventListener("click", (event) => this.#swallow(event), { capture: true });
  }

  get open() {
    return !this.card.hidden;
  }

  ask(moves) {
    const paths = byPath(moves);
    if (moves.length === 1) this.#done(moves[0]);
    else if (paths.length > 1) this.#askWay(paths);
    else if (moves.every((move) => move.amount != null)) this.#askAmount(moves);
    else this.#askText(moves);
  }

  note(text) {
    if (this.noteLine) this.noteLine.textContent = text;
  }

  close() {
    if (this.card.matches(":popover-open")) this.card.hidePopover();
    this.card.hidden = true;
    this.card.replaceChildren();
    this.noteLine = null;
    this.consider(null);
  }

  /** Put the card where the hand wants it: `pointer` is the event that asked, if it was a pointer. */
  place(svg, spot, pointer) {
    this.opened = pointer && { x: pointer.clientX, y: pointer.clientY, at: performance.now() };
    const sheet = pointer?.pointerType === "touch" || matchMedia("(max-width: 34rem)").matches;
    this.card.classList.toggle("sheet", sheet);
    if (!sheet) {
      this.card.removeAttribute("popover");
      this.#beside(svg, spot);
      return;
    }
    this.card.style.left = this.card.style.top = "";
    this.card.setAttribute("popover", "manual");
    if (!this.card.matches(":popover-open")) this.card.showPopover();
  }

  /** The browser sends a click after a tap; where the card has come up under the finger, it is not meant for it. */
  #swallow(event) {
    const { opened } = this;
    const same = opened && performance.now() - opened.at < SAME_TAP &&
      Math.hypot(event.clientX - opened.x, event.clientY - opened.y) < NEAR;
    this.opened = null;
    if (!same) return;
    event.stopPropagation();
    event.preventDefault();
  }

  /** Below a spot of the picture, or above it where there is no room. */
  #beside(svg, [x, y]) {
    const box = svg.getBoundingClientRect();
    const lens = svg.getScreenCTM();
    const at = new DOMPoint(x, y).matrixTransform(lens);
    const { offsetWidth: width, offsetHeight: height } = this.card;
    const left = Math.min(Math.max(at.x - box.left - width / 2, 4), box.width - width - 4);
    const under = at.y - box.top + 45 * lens.a + 6;
    const over = Math.max(at.y - box.top - 45 * lens.a - height, 4);
    this.card.style.left = `${Math.max(left, 0)}px`;
    this.card.style.top = `${under + height < box.height + 60 ? under : over}px`;
  }

  #askWay(paths) {
    const buttons = paths.map((group) =>
      this.#button(group[0].cells.map(this.nameOf).join(" → "), group, () => this.ask(group))
    );
    this.#show(t("board.which-way"), ...buttons);
  }

  #askText(moves) {
    this.#show(t("board.which-move"), ...moves.map((move) => this.#button(move.text, [move], () => this.#done(move))));
  }

  #button(text, group, onclick) {
    const look = () => this.consider(group[0]);
    return element("button", { type: "button", textContent: text, onclick, onmouseenter: look, onfocus: look });
  }

  #askAmount(moves) {
    const sorted = [...moves].sort((one, other) => one.amount - other.amount);
    const range = element("input", {
      type: "range",
      min: 0,
      max: sorted.length - 1,
      value: sorted.length - 1,
      ariaLabel: t("board.amount"),
    });
    const count = element("output");
    const go = element("button", { type: "button", className: "go" });
    const chosen = () => sorted[Number(range.value)];
    const update = () => {
      count.textContent = chosen().amount;
      go.textContent = t("board.send", { n: chosen().amount });
      this.consider(chosen());
    };
    const step = (by) =>
      element("button", {
        type: "button",
        textContent: by < 0 ? "−" : "+",
        ariaLabel: t(by < 0 ? "board.fewer" : "board.more"),
        onclick: () => {
          range.value = Number(range.value) + by;
          update();
        },
      });
    range.addEventListener("input", update);
    range.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.#done(chosen());
    });
    go.onclick = () => this.#done(chosen());
    this.#show(t("board.how-many"), element("div", { className: "stepper" }, step(-1), count, step(1)), range, go);
    range.setAttribute("aria-valuetext", String(chosen().amount));
    update();
    range.focus();
  }

  #show(title, ...parts) {
    this.noteLine = element("p", { className: "note" });
    this.noteLine.setAttribute("aria-live", "polite");
    const away = element("button", {
      type: "button",
      className: "away",
      textContent: "×",
      ariaLabel: t("board.cancel"),
      onclick: () => this.#away(),
    });
    this.card.replaceChildren(
      element("header", {}, element("strong", { textContent: title }), away),
      ...parts,
      this.noteLine,
    );
    this.card.hidden = false;
    this.card.querySelector("button:not(.away)")?.focus();
  }

  #key(event) {
    event.stopPropagation();
    if (event.key === "Escape") this.#away();
  }

  #away() {
    this.close();
    this.cancel();
  }

  #done(move) {
    this.close();
    this.choose(move);
  }
}
