/** The analysis: score, best lines with arrows, what the heuristic sees, exact values, and the score over the game. */

import { element, trying, worth } from "./common.js";
import { shape } from "/picture/painting.js";
import { Table } from "./table.js";
import { tokens } from "./moves-panel.js";

const LINES = [1, 2, 3, 5];
const LETTERS = { win: "W", loss: "L", draw: "D" };

export class AnalysisPanel {
  constructor(node, table, board, { judged }) {
    Object.assign(this, { table, board, judged, on: false, shares: new Map(), latest: null });
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
    this.graph = shape("svg", {
      class: "graph",
      viewBox: "0 0 100 100",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": "score over the game",
    });
    this.whole = element("button", {
      type: "button",
      textContent: "Score the whole game",
      onclick: () => trying(() => this.#wholeGame()),
    });
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
      element("div", { className: "row spread" }, element("h3", { textContent: "Score over the game" }), this.whole),
      this.graph,
      element(
        "div",
        { className: "row spread" },
        element("h3", { textContent: "What the heuristic sees" }),
        element("button", { type: "button", textContent: "Explain", onclick: () => trying(() => this.#explain()) }),
      ),
      this.terms,
    );
    table.addEventListener("analysis", (event) => this.#heard(event.detail));
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

  /** A new position is on the board. */
  position(state, fresh) {
    this.state = state;
    if (fresh) this.shares.clear();
    for (const ply of this.shares.keys()) if (ply > state.ply) this.shares.delete(ply);
    if (state.over && state.result) this.shares.set(state.ply, { "1-0": 1, "0-1": 0 }[state.result] ?? 0.5);
    this.latest = null;
    this.board.arrows = [];
    this.board.values = {};
    this.terms.replaceChildren();
    this.lines.replaceChildren();
    this.facts.replaceChildren();
    this.exact.hidden = true;
    this.score.textContent = state.over ? "The game is over" : "—";
    this.#curve();
  }

  #clear() {
    this.judged(null);
    this.board.arrows = [];
    this.board.values = {};
    this.lines.replaceChildren();
    this.facts.replaceChildren();
    this.score.textContent = "—";
    this.exact.hidden = true;
  }

  #heard(found) {
    if (!this.on || found.ply !== this.state?.ply) return;
    this.latest = found;
    this.score.textContent = `${worth(found)} for ${this.state.sides[found.side]}`;
    const speed = found.nps >= 1e6
      ? `${(found.nps / 1e6).toFixed(1)} M`
      : found.nps >= 1e3
      ? `${(found.nps / 1e3).toFixed(0)} k`
      : Math.round(found.nps);
    this.facts.replaceChildren(
      ...fact("depth", found.depth),
      ...fact("nodes", found.nodes.toLocaleString("en")),
      ...fact("nodes/s", speed),
      ...fact("seconds", found.seconds.toFixed(1)),
      element("span", { textContent: found.done ? "done" : "searching…" }),
    );
    this.lines.replaceChildren(...found.lines.map((line) => this.#line(line)));
    this.#arrows();
    this.#exactly(found.exact);
    if (found.explain) this.#termTable(found.explain);
    if (found.share != null) {
      this.shares.set(found.ply, found.share);
      this.judged(found.share);
      this.#curve();
    }
  }

  #line(line) {
    const row = element(
      "li",
      {},
      element("b", { textContent: worth(line) }),
      element("span", { textContent: line.text }),
    );
    row.addEventListener("mouseenter", () => {
      this.board.arrows = firstTurn(line).map((move) => ({ cells: move.cells, kind: "best" }));
    });
    row.addEventListener("mouseleave", () => this.#arrows());
    return row;
  }

  #arrows() {
    const [best, ...others] = this.latest?.lines ?? [];
    if (!best) return;
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
    this.#termTable(await this.table.ask("explain"));
  }

  #termTable({ heuristic, side, rows, total }) {
    const sides = this.state?.sides ?? ["first", "second"];
    const head = element(
      "tr",
      {},
      ...["feature", "count", "weight", "score"].map((text, at) =>
        element("th", { className: at ? "n" : "", textContent: text })
      ),
    );
    const row = ({ feature, count, weight, score }) =>
      element(
        "tr",
        {},
        element("td", { textContent: feature.replaceAll("_", " ") }),
        ...[count, weight, score].map((value) => element("td", { className: "n", textContent: rounded(value) })),
      );
    const [said, silent] = [rows.filter((one) => one.count !== 0), rows.filter((one) => one.count === 0)];
    const foot = element(
      "tr",
      {},
      element("td", { colSpan: 3, textContent: `${heuristic}, for ${sides[side] ?? side}` }),
      element("td", { className: "n", textContent: rounded(total) }),
    );
    const rest = element(
      "details",
      {},
      element("summary", { textContent: `${silent.length} more count nothing here` }),
      element("table", {}, element("tbody", {}, ...silent.map(row))),
    );
    this.terms.replaceChildren(
      element(
        "table",
        { id: "terms" },
        element("thead", {}, head),
        element("tbody", {}, ...said.map(row)),
        element("tfoot", {}, foot),
      ),
      ...(silent.length ? [rest] : []),
    );
  }

  #curve() {
    const known = [...this.shares].sort(([one], [other]) => one - other);
    const last = Math.max(this.state?.ply ?? 0, ...known.map(([ply]) => ply), 1);
    const spots = known.map(([ply, share]) => `${((100 * ply) / last).toFixed(2)} ${(96 - 92 * share).toFixed(2)}`);
    const parts = [shape("path", { class: "half", d: "M0 50H100", "vector-effect": "non-scaling-stroke" })];
    if (spots.length) {
      parts.push(
        shape("path", {
          class: "under",
          d: `M${spots[0].split(" ")[0]} 50L${spots.join("L")}L${spots.at(-1).split(" ")[0]} 50z`,
        }),
        shape("path", { class: "curve", d: `M${spots.join("L")}` }),
      );
    }
    if (this.state) parts.push(shape("path", { class: "now", d: `M${(100 * this.state.ply) / last} 0V100` }));
    this.graph.replaceChildren(...parts);
  }

  /** A second table walks through the game, so that nothing is disturbed at this one. */
  async #wholeGame() {
    const { game, start, line } = this.state;
    const words = tokens(line);
    const other = new Table();
    this.whole.disabled = true;
    try {
      for (let count = 0; count <= words.length; count += 1) {
        if (line !== this.state.line) break;
        this.whole.textContent = `${count} of ${words.length}`;
        await this.#scored(other, {
          game,
          position: start,
          line: words.slice(0, count).map((word) => word.text).join(" "),
        });
      }
    } finally {
      other.leave();
      this.whole.disabled = false;
      this.whole.textContent = "Score the whole game";
    }
  }

  async #scored(other, fields) {
    const state = await other.ask("new", { ...fields, first: "human", second: "human" });
    if (state.over) return;
    const heard = new Promise((resolve) => {
      const listen = ({ detail }) => {
        if (!detail.done || detail.ply !== state.ply) return;
        other.removeEventListener("analysis", listen);
        resolve(detail);
      };
      other.addEventListener("analysis", listen);
    });
    await other.ask("analyse", { on: true, lines: 1, seconds: 0.3 });
    const { share } = await heard;
    await other.ask("analyse", { on: false });
    if (share != null) this.shares.set(state.ply, share);
    this.#curve();
  }
}

function fact(name, value) {
  return [element("span", {}, `${name} `, element("b", { textContent: value }))];
}

function rounded(value) {
  return typeof value === "number" ? (Number.isInteger(value) ? String(value) : value.toFixed(2)) : String(value ?? "");
}

/** The moves of a line that belong to its first turn: until another side is to move. */
function firstTurn(line) {
  const end = line.moves.findIndex((move) => move.side !== line.moves[0].side);
  return line.moves.slice(0, end < 0 ? undefined : end).filter((move) => move.cells.length);
}
