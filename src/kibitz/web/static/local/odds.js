/** What chance may make of some moves, before anyone commits to them. */

import { CHANCE } from "./rules.js";

const MOST_LISTED = 150;
const MOST_STOPS = 600; // chance nodes that are visited, the likeliest first

export function oddsFacts(rules, position, words) {
  const side = rules.turn(position);
  const played = words.split("+").filter(Boolean);
  let after = rules.playLine(position, words).at(-1) ?? position;
  const buttons = rules.turn(after) === side ? rules.moves(after).filter(({ cells }) => !cells.length) : [];
  if (buttons.length === 1) {
    after = rules.play(after, buttons[0].code);
    played.push(buttons[0].text);
  }
  const ends = rules.turn(after) === CHANCE && !rules.over(after) ? followChance(rules, after) : [];
  const covered = Math.min(1, ends.reduce((sum, { odds }) => sum + odds, 0));
  return {
    moves: played.join("+"),
    outcomes: ends.slice(0, MOST_LISTED).map(({ odds, text, position: end }) => ({
      text,
      odds,
      pieces: rules.pieces(end),
      winner: { 1: 0, 2: 1 }[rules.result(end)] ?? null,
    })),
    complete: ends.length <= MOST_LISTED && (covered > 1 - 1e-9 || !ends.length),
    covered: ends.length ? covered : 1,
    cells: cellFacts(rules, after, ends),
  };
}

/** The positions at the ends of all ways through chance, the likeliest first; those that are equal are one. */
function followChance(rules, start) {
  const waiting = [{ odds: 1, text: "", position: start }];
  const ends = new Map();
  let stops = 0;
  while (waiting.length && stops < MOST_STOPS) {
    let next = 0;
    waiting.forEach(({ odds }, at) => {
      if (odds > waiting[next].odds) next = at;
    });
    const [here] = waiting.splice(next, 1);
    if (rules.over(here.position) || rules.turn(here.position) !== CHANCE) {
      const key = String(here.position.words);
      const known = ends.get(key);
      if (known) known.odds += here.odds;
      else ends.set(key, { ...here });
      continue;
    }
    stops += 1;
    for (const { code, odds } of rules.outcomes(here.position)) {
      const { text } = rules.gesture(here.position, code);
      const after = rules.play(here.position, code);
      waiting.push({ odds: here.odds * odds, text: `${here.text} ${text}`.trim(), position: after });
    }
  }
  return [...ends.values()].sort((one, other) => other.odds - one.odds);
}

function cellFacts(rules, start, ends) {
  const shares = rules.pieces(start).map(() => new Map());
  for (const { odds, position } of ends) {
    rules.pieces(position).forEach((text, cell) => shares[cell].set(text, (shares[cell].get(text) ?? 0) + odds));
  }
  return shares.flatMap((found, cell) => {
    const standing = [...found].map(([text, odds]) => ({ text, odds })).sort((one, other) => other.odds - one.odds);
    return found.size > 1 ? [{ cell, standing }] : [];
  });
}
