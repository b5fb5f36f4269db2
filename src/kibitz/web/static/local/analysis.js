/** Reports of the search as a page shows them: scores, chances, lines as gestures. */

import { joinLine, told } from "./rules.js";

const CHANCE_SCALE = 4 / Math.log(10); // pieces by which the odds of a win grow e times
const MOST_SURE = 3 * Math.log(10);

/** What the side of a score may expect of the game, 0 to 1. */
function winChance({ score, winIn, chances }, unit) {
  if (winIn != null) return score > 0 ? 1 : 0;
  if (chances != null) return chances;
  return 1 / (1 + Math.exp(-Math.max(-MOST_SURE, Math.min(MOST_SURE, score / (CHANCE_SCALE * unit)))));
}

export function scoreFacts(rules, found, turn) {
  const { unit, unitName: name } = rules.manifest.scale;
  const mine = winChance(found, unit);
  const value = name ? found.score / unit : found.score;
  return {
    score: Math.round(1e4 * value) / 1e4,
    unit: name,
    win_in: found.winIn ?? null,
    side: turn,
    text: scoreText(rules, found, turn),
    share: Math.round(1e4 * (turn === 0 ? mine : 1 - mine)) / 1e4,
  };
}

export function scoreText(rules, { score, winIn, chances }, turn) {
  const side = rules.sides[turn];
  if (winIn != null) return `${side} ${score > 0 ? "wins" : "loses"} in ${Math.abs(winIn)}`;
  if (chances != null) return `${(100 * chances).toFixed(1)} % for ${side}`;
  const value = Math.round(100 * score) / 100 || 0;
  return `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(2)} for ${side}`;
}

export function lineFacts(rules, position, line) {
  const moves = [];
  const steps = [];
  let here = position;
  for (const code of line.line) {
    if (rules.over(here)) break;
    const side = rules.turn(here);
    const gesture = told(rules.gesture(here, code));
    moves.push({ ...gesture, side, code });
    steps.push({ side, gesture });
    here = rules.play(here, code);
  }
  return { ...scoreFacts(rules, line, rules.turn(position)), text: joinLine(steps), moves };
}

/** A report for the page, as the server tells it. */
export function analysisFacts(rules, position, report) {
  const turn = rules.turn(position);
  return {
    ...scoreFacts(rules, report.lines[0], turn),
    depth: report.depth,
    lines: report.lines.map((line) => lineFacts(rules, position, line)),
    nodes: report.nodes,
    nps: Math.round(report.nodes / Math.max(report.seconds, 1e-3)),
    seconds: Math.round(1000 * report.seconds) / 1000,
    remarks: [],
    explain: null,
    exact: null,
  };
}
