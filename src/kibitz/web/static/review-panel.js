/** The review of a game: its curve, how accurate each side was, and every move that cost something. */

import { t, term } from "/picture/strings.js";
import { Curve } from "./curve.js";
import { capital, element, trying, winPercent } from "./common.js";
import { MARK_NAMES, markWord } from "./moves-panel.js";

const COUNTED = ["!", "?!", "?", "??"];

export class ReviewPanel {
  constructor(node, table, tree, { look, retry, preview, reviewed }) {
    Object.assign(this, { table, tree, look, retry, preview, reviewed, found: null, sides: [] });
    this.begin = element("button", {
      type: "button",
      id: "review",
      className: "main",
      textContent: t("review.begin"),
      onclick: () => this.run(),
    });
    this.progress = element("div", { className: "progress", hidden: true }, element("i"));
    this.progress.setAttribute("role", "progressbar");
    this.progress.setAttribute("aria-label", t("review.progress"));
    this.curve = new Curve(look);
    this.result = element("div", { className: "panel bare", hidden: true });
    node.append(
      element("p", {
        className: "small quiet",
        textContent: t("review.about"),
      }),
      this.begin,
      this.progress,
      this.result,
    );
    table.addEventListener("reviewing", ({ detail }) => this.#advance(detail));
  }

  /** Another game: the old review does not belong to it. */
  forget() {
    this.found = null;
    this.result.hidden = true;
  }

  async run() {
    this.begin.disabled = true;
    try {
      this.found = await trying(() => this.table.ask("review"));
    } finally {
      this.begin.disabled = false;
      this.progress.hidden = true;
    }
    if (!this.found) return;
    for (const { node, mark } of this.found.moves) this.tree.mark(node, mark);
    this.#draw();
    this.reviewed(this.found);
  }

  #advance({ done, total }) {
    this.progress.hidden = false;
    this.progress.firstElementChild.style.width = `${total ? (100 * done) / total : 0}%`;
    this.progress.setAttribute("aria-valuenow", done);
    this.progress.setAttribute("aria-valuemax", total);
  }

  /** The cursor has moved. */
  show(sides) {
    this.sides = sides;
    if (this.found) this.#drawCurve();
  }

  #draw() {
    const worse = this.found.moves.filter((move) => move.better);
    this.result.replaceChildren(
      this.curve.node,
      this.#table(),
      element("h3", { textContent: t(worse.length ? "review.worse" : "review.fine") }),
      element("ol", { className: "mistakes", id: "mistakes" }, ...worse.map((move) => this.#mistake(move))),
    );
    this.result.hidden = false;
    this.#drawCurve();
  }

  #drawCurve() {
    const shares = new Map(this.found.shares.map(({ node, share }) => [node, share]));
    const marks = new Map(this.found.moves.map(({ node, mark }) => [node, mark]));
    const spots = this.tree.lineThrough(this.tree.live).filter(({ node }) => shares.has(node)).map(({ node }) => ({
      node,
      share: shares.get(node),
      mark: marks.get(node) === "!" ? "" : marks.get(node) ?? "",
    }));
    this.curve.show(spots, this.tree.shown, this.sides[0]);
  }

  #table() {
    const count = (side, mark) => this.found.moves.filter((move) => move.side === side && move.mark === mark).length;
    const head = [t("review.side"), t("review.accuracy"), ...COUNTED.map(markWord)];
    const rows = this.sides.map((name, side) => [
      capital(term(name)),
      this.found.accuracy[side] == null ? "–" : `${this.found.accuracy[side]} %`,
      ...COUNTED.map((mark) => count(side, mark)),
    ]);
    return element(
      "table",
      { id: "accuracy" },
      element("thead", {}, element("tr", {}, ...head.map((text, at) => cell("th", at, text)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((text, at) => cell("td", at, text))))),
    );
  }

  #mistake({ node, mark, loss, better, side }) {
    const text = this.tree.turnText(node);
    const line = element(
      "button",
      {
        type: "button",
        className: "bare",
        title: t("review.show"),
        onclick: () => this.#showBetter(node, better),
      },
      element("span", { className: "mono", textContent: better.text }),
    );
    return element(
      "li",
      {},
      element(
        "button",
        { type: "button", className: "bare", onclick: () => this.look(node) },
        element("b", { className: `mark ${MARK_NAMES[mark] ?? ""}`, textContent: `${text} ${mark}` }),
        t("review.loss", { mark: markWord(mark), percent: Math.round(100 * loss), side: term(this.sides[side]) }),
      ),
      element("div", { className: "small" }, t("review.better", { chance: winPercent(better) }), line),
      element("button", {
        type: "button",
        className: "small",
        textContent: t("review.retry"),
        onclick: () => this.retry(this.tree.beforeTurn(node)),
      }),
    );
  }

  /** See the better line where the mistake was made. */
  async #showBetter(node, better) {
    await this.look(this.tree.beforeTurn(node));
    this.preview(better);
  }
}

function cell(kind, at, textContent) {
  return element(kind, { className: at ? "n" : "", textContent });
}
