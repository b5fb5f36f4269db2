/** A solver at work, step by step: forwards, backwards, or by itself; each step with its reason. */

import { numeral, t } from "/picture/strings.js";
import { element, small } from "./common.js";
import { SweepTrail } from "/flow-script/drawing.js";

const SHOWN = 9;

export class Lesson {
  /** `found` is what the server says of a search; `ended` is called when its last step is seen. */
  constructor(board, found, ended) {
    Object.assign(this, { board, found, ended, at: 0, timer: null });
    this.slider = element("input", { type: "range", id: "lesson-step", min: 0, max: found.frames.length, value: 0 });
    this.slider.ariaLabel = t("lesson.step");
    this.slider.oninput = () => this.go(Number(this.slider.value));
    this.count = element("p", { className: "small quiet number", id: "watched" });
    this.steps = element("ol", { className: "lesson", id: "lesson" });
    const deaths = Object.entries(found.deaths ?? {}).map(([name, number]) =>
      element("li", { textContent: `${numeral(number)} × ${name}` })
    );
    const why = deaths.length ? [element("p", { className: "small quiet" }, t("lesson.deaths"))] : [];
    this.view = element(
      "div",
      { className: "lesson-view" },
      element(
        "div",
        { className: "row" },
        small("first", t("lesson.first"), () => this.go(0)),
        small("back", t("lesson.back"), () => this.go(this.at - 1)),
        small("on", t("lesson.on"), () => this.go(this.at + 1)),
        small("last", t("lesson.last"), () => this.go(found.frames.length)),
      ),
      this.slider,
      this.count,
      this.steps,
      ...why,
      element("ul", { className: "small deaths", id: "deaths" }, ...deaths),
    );
    this.go(0);
  }

  get playing() {
    return this.timer !== null;
  }

  /** Show the board after so many steps. */
  go(step) {
    this.pause();
    this.#show(step);
  }

  /** Go on by itself; `speed` is asked for the steps a second. */
  play(speed) {
    const many = Math.max(1, Math.round(speed() / 30));
    this.#show(this.at + many);
    this.timer = this.at < this.found.frames.length
      ? setTimeout(() => this.play(speed), 1000 / Math.min(30, speed()))
      : null;
    if (!this.timer) this.ended(this.found);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  #show(step) {
    const { frames, order } = this.found;
    const end = Math.min(Math.max(step, 0), frames.length);
    if (end < this.at || this.at === 0) this.#restart();
    for (const frame of frames.slice(this.at, end)) this.#apply(frame);
    this.at = end;
    this.slider.value = end;
    if (order) this.board.trail = this.trail;
    else this.board.draw();
    this.count.textContent = this.#told();
    this.#list();
  }

  #restart() {
    this.at = 0;
    this.board.paths.clear();
    this.trail = this.found.order ? new SweepTrail(this.board.facts, this.found.order) : null;
  }

  #apply(frame) {
    if (this.trail) this.trail.step(frame);
    else if (frame.kind === "put") this.board.paths.of[frame.letter] = [...frame.path];
    else if (frame.kind === "take") this.board.paths.of[frame.letter] = [];
  }

  /** The last steps in words; a branch that dies stands out. */
  #list() {
    if (this.trail) return;
    const from = Math.max(0, this.at - SHOWN);
    this.steps.start = from + 1;
    this.steps.replaceChildren(
      ...this.found.frames.slice(from, this.at).map((frame, index) => {
        const line = element("li", { className: frame.kind, textContent: frame.text });
        line.style.paddingInlineStart = `${0.5 * frame.depth}rem`;
        if (from + index === this.at - 1) line.setAttribute("aria-current", "step");
        return line;
      }),
    );
  }

  #told() {
    const { found, trail, at } = this;
    const now = trail ? null : found.frames[at - 1];
    const count = (key, n) => t(`lesson.${key}`, { n });
    const step = t(found.cut ? "lesson.at-more" : "lesson.at", { at, all: found.frames.length });
    const cells = trail
      ? t("lesson.decided", { at: trail.at, all: trail.order.length, boards: count("boards", trail.alive) })
      : t("lesson.so-far", {
        assignments: count("assignments", now?.assignments ?? 0),
        nodes: count("nodes", now?.nodes ?? 0),
      });
    const tried = found.assignments ? `${count("assignments", found.assignments)}, ` : "";
    const all = t("lesson.in-all", { nodes: count("nodes", found.nodes), seconds: numeral(found.seconds, 3) });
    return `${step}${cells}; ${tried}${all}`;
  }
}
