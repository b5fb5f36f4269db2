/** The analysis of the shown moment: chances, score, best lines with arrows, exact values, what the heuristic sees. */

import { Curve } from "./curve.js";
import { element, trying, winPercent, worth } from "./common.js";
import { termTable } from "./terms.js";

const LINES = [1, 2, 3, 5];
const LETTERS = { win: "W", loss: "L", draw: "D" };

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
      { ariaLabel: "how many lines", onchange: () => this.on && this.#ask() },
      ...LINES.map((value) => element("option", { value, textContent: `${value} line${value > 1 ? "s" : ""}` })),
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
        element("label", { className: "switch" }, this.switch, "Analyse"),
        this.count,
      ),
      element("div", {}, this.score, this.facts),
      this.lines,
      this.exact,
      element("h3", { textContent: "Chances over the game" }),
      this.curve.node,
      element(
        "div",
        { className: "row spread" },
        element("h3", { textContent: "What the heuristic sees" }),
        element("button", { type: "button", textContent: "Explain", onclick: () => trying(() => this.#explain()) }),
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
    this.lines.replaceChildren();
    this.facts.replaceChildren();
    this.exact.hidden = true;
    this.score.textContent = this.view?.over ? "The game is over here" : "—";
  }

  #wait({ node, on }) {
    if (!this.on || node !== this.view?.node) return;
    this.facts.querySelector(".progress-word")?.replaceChildren(on ? "waiting for others" : "searching…");
    if (on && !this.facts.children.length) {
      this.facts.replaceChildren(element("span", { className: "progress-word", textContent: "waiting for others" }));
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
      ...fact("depth", found.depth),
      ...fact("nodes", found.nodes.toLocaleString("en")),
      ...fact("nodes/s", shortened(found.nps)),
      ...fact("seconds", found.seconds.toFixed(1)),
      element("span", { className: "progress-word", textContent: found.done ? "done" : "searching…" }),
    );
    if (!this.playing) this.lines.replaceChildren(...found.lines.map((line) => this.#line(line)));
    this.arrows();
    this.#exactly(found.exact);
    if (found.explain) this.terms.replaceChildren(...termTable(found.explain, this.sides));
    this.judge(found.share);
    this.drawCurve();
  }

  #verdict(found) {
    const side = this.sides[found.side];
    if (found.exact) return [exactly(found.exact, side)];
    const score = found.win_in == null ? `${worth(found)}` : worth(found);
    return [
      element("b", { textContent: winPercent(found) }),
      ` for ${side} `,
      element("span", { className: "quiet", textContent: score }),
    ];
  }

  #line(line) {
    const button = element(
      "button",
      { type: "button", title: "play this as a variation", onclick: () => this.tryOut(line) },
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
      exact.moves.map((move) => [move.text, { text: LETTERS[move.value] + (move.distance ?? ""), tone: move.value }]),
    );
    const head = element(
      "tr",
      {},
      ...["move", "value", "turns left after it"].map((text, at) =>
        element("th", { className: at === 2 ? "n" : "", textContent: text })
      ),
    );
    const rows = exact.moves.slice(0, 40).map((move) =>
      element(
        "tr",
        {},
        element("td", { className: "mono", textContent: move.text }),
        element("td", { textContent: move.value }),
        element("td", { className: "n", textContent: move.distance ?? "" }),
      )
    );
    this.exact.replaceChildren(
      element("h3", { textContent: `Solved: this position is a ${exact.value}` }),
      element("table", { id: "exact" }, element("thead", {}, head), element("tbody", {}, ...rows)),
      element("p", {
        className: "small quiet",
        textContent: "On the board: W a win, L a loss, D a draw, with the turns left. Pick a piece to see its moves.",
      }),
    );
  }

  async #explain() {
    this.terms.replaceChildren(...termTable(await this.table.ask("explain"), this.sides));
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
  if (value === "draw") return "exact: draw";
  return `exact: ${side} ${value === "win" ? "wins" : "loses"}${distance == null ? "" : ` in ${distance}`}`;
}

function fact(name, value) {
  return [element("span", {}, `${name} `, element("b", { textContent: value }))];
}

function shortened(number) {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number >= 1e3 ? `${(number / 1e3).toFixed(0)} k` : Math.round(number);
}

/** The moves of a line that belong to its first turn: until another side is to move. */
export function firstTurn(line) {
  const end = line.moves.findIndex((move) => move.side !== line.moves[0].side);
  return line.moves.slice(0, end < 0 ? undefined : end).filter((move) => move.cells.length);
}
