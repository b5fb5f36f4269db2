/** <kibitz-game>: steps through a game that is over: buttons, a slider, arrow keys, a list of the moves, autoplay. */

import { element, icon, ICONS } from "./elements.js";
import { t } from "./strings.js";

const PAUSE = 1100; // milliseconds a position stands while the game plays by itself

const LOOK = `
:host { display: block; color: var(--ink, CanvasText); font: 16px/1.5 system-ui, sans-serif; }
.game { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 38rem) { .game { grid-template-columns: minmax(0, 1fr) clamp(14rem, 32%, 19rem);
  align-items: start; } }
h1 { margin: 0; font-size: 1.25rem; line-height: 1.3; text-wrap: balance; }
.side { display: grid; gap: .8rem; min-width: 0; }
.caption { margin: 0; min-height: 1.5em; font-weight: 600; } .status { margin: 0; color: var(--quiet, GrayText); }
kibitz-board { --board-height: calc(100dvh - 3rem); }
.bar { display: grid; grid-template-columns: repeat(5, 1fr); gap: .35rem; }
button { font: inherit; color: inherit; border: 1px solid var(--rule, #8886); background: var(--surface, Canvas);
  border-radius: .5rem; min-height: 2.5rem; cursor: pointer; }
.icon { width: 1.15rem; height: 1.15rem; vertical-align: middle; fill: currentColor; stroke: currentColor;
  stroke-width: 2; stroke-linejoin: round; }
button:hover { border-color: var(--accent, #1b7f93); } button:focus-visible, input:focus-visible {
  outline: 2px solid var(--accent, #1b7f93); outline-offset: 1px; }
input[type=range] { width: 100%; accent-color: var(--accent, #1b7f93); }
ol { list-style: none; margin: 0; padding: .3rem; max-height: clamp(8rem, 100dvh - 16.5rem, 20rem); overflow-y: auto;
  border: 1px solid var(--rule, #8886); border-radius: .6rem; background: var(--surface, Canvas); }
li button { width: 100%; min-height: 0; padding: .18rem .6rem; border: 0; background: none; text-align: start;
  border-radius: .4rem; overflow-wrap: anywhere; }
li button[aria-current=true] { background: var(--accent, #1b7f93); color: #fff; }
`;

class KibitzGame extends HTMLElement {
  #facts = null;
  #at = 0;
  #timer = null;

  set facts(facts) {
    this.#facts = facts;
    this.#build();
    this.go(Number(location.hash.slice(1)) || facts.at || 0);
  }

  get at() {
    return this.#at;
  }

  /** Show one of the positions; the step from the one before is seen happening. */
  go(number) {
    const { frames } = this.#facts;
    const before = this.#at;
    this.#at = Math.max(0, Math.min(number, frames.length - 1));
    const frame = frames[this.#at];
    this.board.show(
      frame,
      this.#at === before + 1 ? frame.steps.map((step) => ({ ...step, label: step.text.replace(/^~/, "") })) : [],
    );
    this.slider.value = this.#at;
    this.slider.setAttribute("aria-valuetext", t("game.at", { at: this.#at, all: frames.length - 1,
      caption: frame.caption }));
    this.caption.textContent = frame.caption;
    this.state.textContent = frame.status;
    this.rows.forEach((row, index) => row.setAttribute("aria-current", index === this.#at));
    const row = this.rows[this.#at].parentElement;
    this.list.scrollTop = row.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
    if (this.#at === frames.length - 1) this.#stop();
    this.dispatchEvent(new CustomEvent("step", { detail: { at: this.#at, frame } }));
  }

  #build() {
    const { title, frames, drawing } = this.#facts;
    this.attachShadow({ mode: "open" });
    this.board = element("kibitz-board");
    this.board.setAttribute("label", title);
    this.board.drawing = drawing;
    this.caption = element("p", { className: "caption" });
    this.caption.setAttribute("aria-live", "polite");
    this.state = element("p", { className: "status" });
    this.slider = element("input", {
      type: "range",
      min: 0,
      max: frames.length - 1,
      ariaLabel: t("game.position"),
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.rows = frames.map((frame, index) =>
      element("button", { type: "button", textContent: frame.caption || t("game.start"),
        onclick: () => this.go(index) })
    );
    this.list = element("ol", {}, ...this.rows.map((row) => element("li", {}, row)));
    const side = element(
      "div",
      { className: "side" },
      element("h1", { textContent: title }),
      this.caption,
      this.state,
      this.#bar(),
      this.slider,
      this.list,
    );
    this.shadowRoot.append(
      element("style", { textContent: LOOK }),
      element("div", { className: "game" }, this.board, side),
    );
    const key = (event) => (this.isConnected ? this.#key(event) : document.removeEventListener("keydown", key));
    document.addEventListener("keydown", key);
  }

  #bar() {
    const made = (name, label, onclick) =>
      element("button", { type: "button", ariaLabel: label, title: label, onclick }, icon(ICONS[name]));
    this.player = made("play", t("game.play"), () => this.#toggle());
    return element(
      "div",
      { className: "bar" },
      made("first", t("game.first"), () => this.go(0)),
      made("back", t("game.back"), () => this.go(this.#at - 1)),
      this.player,
      made("on", t("game.on"), () => this.go(this.#at + 1)),
      made("last", t("game.last"), () => this.go(this.#facts.frames.length - 1)),
    );
  }

  #toggle() {
    if (this.#timer) return this.#stop();
    if (this.#at === this.#facts.frames.length - 1) this.go(0);
    this.#timer = setInterval(() => this.go(this.#at + 1), PAUSE);
    this.player.replaceChildren(icon(ICONS.pause));
    this.player.ariaLabel = t("game.pause");
    return null;
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.player.replaceChildren(icon(ICONS.play));
    this.player.ariaLabel = t("game.play");
  }

  #key(event) {
    if (event.composedPath().some((node) => node.matches?.("input, textarea, select, [data-cell]"))) return;
    const target =
      { ArrowLeft: this.#at - 1, ArrowRight: this.#at + 1, Home: 0, End: this.#facts.frames.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.go(target);
  }
}

customElements.define("kibitz-game", KibitzGame);
