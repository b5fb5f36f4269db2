/** The analysis of the shown moment: chances, score, best lines with arrows, exact values, what the heuristic sees. */

import { numeral, t, term } from "/picture/strings.js";
import { Curve } from "./curve.js";
import { element, trying, winPercent, worth } from "./common.js";
import { termTable } from "./terms.js";

const LINES = [1, 2, 3, 5];

export class AnalysisPanel {
  /** `judge` hears the share of the first side or null, `preview` and `tryOut` of lines that are looked at. */
  constructor(node, table, board, tree, { judge, preview, tryOut, look }) {
    Object.assign(this, { table, board, tree, judge, preview, tryOut, on: false, found: new Map(), view: null });
    this.shares = new Map(); // of the first side, by node
    this.switch = element("input", {
      type: "checkbox",
      id: "analyse",
      role: "switch",
      onchange: () => this.turn(this.switch.checked),
    });
    this.count = element(
      "select",
      { ariaLabel: t("analysis.how-many"), onchange: () => this.on && this.#ask() },
      ...LINES.map((value) => element("option", { value, textContent: t("analysis.lines", { n: value }) })),
    );
    this.count.value = 3;
    this.count.style.width = "auto";
    this.score = element("p", { className: "score", id: "score", textContent: "—" });
    this.facts = element("p", { className: "facts", id: "facts" });
    this.lines = element("ol", { className: "lines", id: "lines" });
    this.exact = element("div", { hidden: true });
    this.curve = new Curve(look);
    this.terms = element("div", { className: "scroll" });
    node.append(
      element(
        "div",
        { className: "row spread" },
        element("label", { className: "switch" }, this.switch, t("analysis.on")),
        this.count,
      ),
      element("div", {}, this.score, this.facts),
      this.lines,
      this.exact,
      element("h3", { textContent: t("analysis.chances") }),
      this.curve.node,
      element(
        "div",
        { className: "row spread" },
        element("h3", { textContent: t("analysis.sees") }),
        element("button", {
          type: "button",
          textContent: t("analysis.explain"),
          onclick: () => trying(() => this.#explain()),
        }),
      ),
      this.terms,
    );
    table.addEventListener("analysis", (event) => this.#hear(event.detail));
    table.addEventListener("waiting", ({ detail }) => this.#wait(detail));
  }

  async turn(on) {
    this.on = on;
    this.switch.checked = on;
    if (!on) this.#clear();
    await trying(() => this.#ask());
  }

  #ask() {
    return this.table.ask("analyse", { on: this.on, lines: Number(this.count.value) });
  }

  /** Chances that a review has found, for the curve. */
  learn(shares) {
    for (const { node, share } of shares) this.shares.set(node, share);
    this.drawCurve();
  }

  /** Another tree: nothing that was found belongs to it. */
  forget() {
    this.found.clear();
    this.shares.clear();
  }

  /** The cursor stands elsewhere. */
  show(view, sides) {
    const moved = this.view?.node !== view.node || this.view?.position !== view.position;
    Object.assign(this, { view, sides });
    if (moved) {
      this.terms.replaceChildren();
      this.#clear();
      if (this.on && view.over) this.judge({ 0: 1, 1: 0 }[view.winner] ?? 0.5);
      const known = this.found.get(view.node);
      if (this.on && known) this.#draw(known);
    }
    this.drawCurve();
  }

  #clear() {
    this.judge(null);
    this.board.arrows = [];
    this.board.values = {};
    this.board.notes = {};
    this.lines.replaceChildren();
    this.facts.replaceChildren();
    this.exact.hidden = true;
    this.score.textContent = this.view?.over ? t("analysis.over") : "—";
  }

  #wait({ node, on }) {
    if (!this.on || node !== this.view?.node) return;
    this.facts.querySelector(".progress-word")?.replaceChildren(t(on ? "analysis.waiting" : "analysis.searching"));
    if (on && !this.facts.children.length) {
      this.facts.replaceChildren(element("span", { className: "progress-word", textContent: t("analysis.waiting") }));
    }
  }

  /** A search that was begun again never shows less than is known already. */
  #hear(found) {
    const known = this.found.get(found.node);
    const better = !known || found.depth >= known.depth || (found.exact && !known.exact);
    const next = better ? found : { ...known, done: found.done };
    this.found.set(found.node, next);
    if (this.on && found.node === this.view?.node) this.#draw(next);
  }

  #draw(found) {
    this.score.replaceChildren(...this.#verdict(found));
    this.facts.replaceChildren(
      ...fact(t("analysis.depth"), found.depth),
      ...fact(t("analysis.nodes"), numeral(found.nodes)),
      ...fact(t("analysis.speed"), shortened(found.nps)),
      ...fact(t("analysis.seconds"), numeral(found.seconds, 1)),
      element("span", { className: "progress-word", textContent: t(found.done ? "analysis.done"
        : "analysis.searching") }),
    );
    if (!this.playing) this.lines.replaceChildren(...found.lines.map((line) => this.#line(line)));
    this.arrows();
    this.#exactly(found.exact);
    if (found.explain) this.#tellTerms(found.explain);
    this.judge(found.share);
    this.drawCurve();
  }

  #verdict(found) {
    const side = term(this.sides[found.side]);
    if (found.exact) return [exactly(found.exact, side)];
    return [
      element("b", { textContent: winPercent(found) }),
      t("analysis.for", { side }),
      element("span", { className: "quiet", textContent: worth(found) }),
    ];
  }

  #line(line) {
    const button = element(
      "button",
      { type: "button", title: t("analysis.try"), onclick: () => this.tryOut(line) },
      element("b", { textContent: winPercent(line) }),
      element("small", { textContent: worth(line) }),
      element("span", { textContent: line.text }),
    );
    const begin = () => {
      this.playing = line;
      this.preview(line);
    };
    const end = () => {
      if (this.playing !== line) return;
      this.playing = null;
      this.preview(null);
      this.arrows();
    };
    for (const [name, act] of [["mouseenter", begin], ["focus", begin], ["mouseleave", end], ["blur", end]]) {
      button.addEventListener(name, act);
    }
    return element("li", {}, button);
  }

  /** The arrows of the best lines at the shown moment. */
  arrows() {
    const [best, ...others] = this.found.get(this.view?.node)?.lines ?? [];
    if (!best || !this.on || this.playing) return;
    this.board.arrows = [
      ...others.flatMap((line) => firstTurn(line).map((move) => ({ cells: move.cells, kind: "other" }))),
      ...firstTurn(best).map((move) => ({ cells: move.cells, kind: "best" })),
    ];
  }

  #exactly(exact) {
    this.exact.hidden = !exact;
    if (!exact) return;
    this.board.values = Object.fromEntries(
      exact.moves.map((move) => [move.text, { text: t(`analysis.letter.${move.value}`) + (move.distance ?? ""),
        tone: move.value }]),
    );
    const head = element(
      "tr",
      {},
      ...["move", "value", "turns"].map((key, at) =>
        element("th", { className: at === 2 ? "n" : "", textContent: t(`analysis.${key}`) })
      ),
    );
    const rows = exact.moves.slice(0, 40).map((move) =>
      element(
        "tr",
        {},
        element("td", { className: "mono", textContent: move.text }),
        element("td", { textContent: t(`analysis.${move.value}`) }),
        element("td", { className: "n", textContent: move.distance ?? "" }),
      )
    );
    this.exact.replaceChildren(
      element("h3", { textContent: t(`analysis.solved.${exact.value}`) }),
      element("table", { id: "exact" }, element("thead", {}, head), element("tbody", {}, ...rows)),
      element("p", {
        className: "small quiet",
        textContent: t("analysis.letters"),
      }),
    );
  }

  async #explain() {
    this.#tellTerms(await this.table.ask("explain"));
  }

  /** The terms as a table; what each piece is worth to a learned evaluation also where it stands. */
  #tellTerms(told) {
    const legend = element("p", { className: "small quiet", textContent: t("terms.worths") });
    this.terms.replaceChildren(...termTable(told, this.sides), ...(told.worths ? [legend] : []));
    const notes = (told.worths ?? []).map(({ cell, percent }) => [cell, {
      text: `${percent < 0 ? "−" : "+"}${numeral(Math.abs(Math.round(percent)))}`,
      tone: percent < -0.5 ? "loss" : percent > 0.5 ? "win" : "draw",
    }]);
    this.board.notes = Object.fromEntries(notes);
  }

  /** The chances along the line through the shown moment, as far as they are known. */
  drawCurve() {
    if (!this.tree.root) return;
    const spots = this.tree.lineThrough(this.tree.shown).map(({ node, mark }) => ({
      node,
      mark: ["?!", "?", "??"].includes(mark) ? mark : "",
      share: this.found.get(node)?.share ?? this.shares.get(node) ?? null,
    }));
    this.curve.show(spots, this.tree.shown, this.sides[0]);
  }
}

function exactly({ value, distance }, side) {
  if (value === "draw") return t("analysis.exact.draw");
  return t(`analysis.exact.${value}${distance == null ? "" : "-in"}`, { side, n: distance });
}

function fact(name, value) {
  return [element("span", {}, `${name} `, element("b", { textContent: value }))];
}

function shortened(number) {
  if (number >= 1e6) return `${numeral(number / 1e6, 1)} M`;
  return number >= 1e3 ? `${(number / 1e3).toFixed(0)} k` : Math.round(number);
}

/** The moves of a line that belong to its first turn: until another side is to move. */
export function firstTurn(line) {
  const end = line.moves.findIndex((move) => move.side !== line.moves[0].side);
  return line.moves.slice(0, end < 0 ? undefined : end).filter((move) => move.cells.length);
}
