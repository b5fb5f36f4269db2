/** What chance may make of a turn, in words: before it is committed, and while it is put together. */

import { numeral, t, term } from "/picture/strings.js";
import { element } from "./common.js";

const MOST = 5;

/** What may stand on a cell afterwards, the likeliest first. */
function standing({ cells }, cell, drawing) {
  const found = cells.find((one) => one.cell === cell)?.standing ?? [];
  return found.map(({ text, odds }) => ({
    text: worded(text, drawing),
    side: drawing.pieces[text[0]]?.side ?? null,
    odds,
  }));
}

function worded(text, drawing) {
  return text ? `${text.slice(1)} ${term(drawing.pieces[text[0]].name)}`.trim() : t("odds.nobody");
}

export function percent(odds) {
  const value = 100 * odds;
  return value >= 99.95 || value === 0
    ? `${Math.round(value)} %`
    : value < 0.1
    ? `< ${numeral(0.1)} %`
    : `${numeral(value, value < 10 ? 1 : 0)} %`;
}

function share(found, side) {
  return found.filter((one) => one.side === side).reduce((sum, one) => sum + one.odds, 0);
}

/** What was left out, where there were too many ways to look at all of them. */
function missing({ covered }) {
  return covered > 0.9995 ? "" : t("odds.missing", { percent: percent(1 - covered) });
}

/** Lines for the card that asks how many: who holds the target afterwards. */
export function foretold(told, move, drawing, side) {
  if (!told.outcomes.length) return t("odds.none");
  const cell = move.cells.at(-1);
  const found = standing(told, cell, drawing);
  const most = found.slice(0, 3).map((one) => `${percent(one.odds)} ${one.text}`).join(", ");
  const held = { cell: drawing.cells[cell].name, percent: percent(share(found, side)) };
  const lines = found.length ? [t("odds.hold", held), most] : [];
  return [...lines, missing(told)].filter(Boolean).join("\n");
}

/** Who holds a cell afterwards, each with the odds. */
function holders(found, sides) {
  const parts = [...sides.map((name, side) => [term(name), share(found, side)]), [t("odds.neither"), share(found,
    null)]];
  return parts.filter(([, odds]) => odds > 0).map(([name, odds]) => `${name} ${percent(odds)}`).join(", ");
}

/** A list for the whole turn: each cell that chance decides. */
export function listed(told, drawing, sides) {
  const parts = told.cells.map(({ cell }) => {
    const found = standing(told, cell, drawing);
    const rows = found.slice(0, MOST).map((one) =>
      element("li", {}, element("b", { className: "number", textContent: percent(one.odds) }), one.text)
    );
    const title = t("odds.end", { cell: drawing.cells[cell].name });
    return element(
      "div",
      {},
      element("strong", { textContent: title }),
      element("p", { className: "quiet", textContent: holders(found, sides) }),
      element("ul", {}, ...rows),
    );
  });
  const left = missing(told);
  return left ? [...parts, element("p", { className: "small quiet", textContent: left })] : parts;
}
