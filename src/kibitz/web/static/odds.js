/** What chance may make of a turn, in words: before it is committed, and while it is put together. */

import { element } from "./common.js";

const MOST = 5;

/** What may stand on a cell afterwards, the likeliest first. */
export function standing(outcomes, cell, drawing) {
  const shares = new Map();
  for (const { odds, pieces } of outcomes) shares.set(pieces[cell], (shares.get(pieces[cell]) ?? 0) + odds);
  return [...shares].sort(([, one], [, other]) => other - one).map(([text, odds]) => ({
    text: worded(text, drawing),
    side: drawing.pieces[text[0]]?.side ?? null,
    odds,
  }));
}

function worded(text, drawing) {
  return text ? `${text.slice(1)} ${drawing.pieces[text[0]].name}`.trim() : "nobody";
}

export function percent(odds) {
  const value = 100 * odds;
  return value >= 99.95 || value === 0
    ? `${Math.round(value)} %`
    : value < 0.1
    ? "< 0.1 %"
    : `${value.toFixed(value < 10 ? 1 : 0)} %`;
}

/** One line for the card that asks how many: who holds the target afterwards. */
export function foretold({ outcomes }, move, drawing, side) {
  if (!outcomes.length) return "No battle is left to chance.";
  const cell = move.cells.at(-1);
  const found = standing(outcomes, cell, drawing);
  const held = found.filter((one) => one.side === side).reduce((sum, one) => sum + one.odds, 0);
  const most = found.slice(0, 3).map((one) => `${percent(one.odds)} ${one.text}`).join(", ");
  return `You hold ${drawing.cells[cell].name}: ${percent(held)}\n${most}`;
}

/** Who holds a cell afterwards, each with the odds. */
function holders(outcomes, cell, drawing, sides) {
  const found = standing(outcomes, cell, drawing);
  const share = (side) => found.filter((one) => one.side === side).reduce((sum, one) => sum + one.odds, 0);
  const parts = [...sides.map((name, side) => [name, share(side)]), ["neither", share(null)]];
  return parts.filter(([, odds]) => odds > 0).map(([name, odds]) => `${name} ${percent(odds)}`).join(", ");
}

/** A list for the whole turn: each cell that chance decides. */
export function listed({ outcomes, complete }, drawing, sides) {
  const cells = drawing.cells.map((_, cell) => cell).filter((cell) =>
    new Set(outcomes.map(({ pieces }) => pieces[cell])).size > 1
  );
  const parts = cells.map((cell) => {
    const rows = standing(outcomes, cell, drawing).slice(0, MOST).map((one) =>
      element("li", {}, element("b", { className: "number", textContent: percent(one.odds) }), one.text)
    );
    const title = `If you end the turn, at ${drawing.cells[cell].name}`;
    return element(
      "div",
      {},
      element("strong", { textContent: title }),
      element("p", { className: "quiet", textContent: holders(outcomes, cell, drawing, sides) }),
      element("ul", {}, ...rows),
    );
  });
  if (!complete) {
    parts.push(element("p", { className: "small quiet", textContent: "The likeliest of very many outcomes." }));
  }
  return parts;
}
