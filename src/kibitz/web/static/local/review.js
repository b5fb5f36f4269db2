/** A game gone through move by move: what each one cost, which were mistakes, and what would have been better. */

import { CHANCE } from "./rules.js";

const LOSSES = [[0.2, "??"], [0.1, "?"], [0.05, "?!"]];
const ONLY_MOVE = 0.1; // the best move is good where the next one is worse by so much
const SHARPNESS = 5;
const MOST_OUTCOMES = 12;
const VALUES = [null, 1, 0, 0.5];

/** The turns of a line; what chance did before the first is nobody's. */
function splitTurns(rules, nodes) {
  const turns = [];
  for (const node of nodes) {
    const { side } = node.step;
    const last = turns.at(-1);
    if (side === CHANCE) last?.nodes.push(node);
    else if (last && last.side === side && last.nodes.at(-1).step.side !== CHANCE) last.nodes.push(node);
    else turns.push({ side, nodes: [node], before: node.parent });
  }
  return turns.map((turn) => {
    const own = turn.nodes.filter(({ step }) => step.side === turn.side);
    return { ...turn, own, last: own.at(-1) };
  });
}

/** Every turn of a line with its loss; `judge` tells the analysis of a position. */
export async function reviewLine(rules, nodes, judge, progress) {
  const turns = splitTurns(rules, nodes);
  const moves = [];
  const shares = [];
  for (const [number, turn] of turns.entries()) {
    progress(number, turns.length);
    const before = await judge(turn.before.position);
    shares.push({ node: turn.before.number, share: before.share });
    moves.push(rateTurn(turn, before, await judgeAfter(rules, turn.last.position, judge)));
  }
  if (turns.length) {
    const end = turns.at(-1).nodes.at(-1);
    shares.push({ node: end.number, share: await judgeAfter(rules, end.position, judge) });
  }
  progress(turns.length, turns.length);
  return { moves, shares, accuracy: [0, 1].map((side) => accuracy(moves, side)) };
}

async function judgeAfter(rules, position, judge) {
  if (rules.over(position)) return VALUES[rules.result(position)];
  if (rules.turn(position) !== CHANCE) return (await judge(position)).share;
  const likely = rules.outcomes(position).sort((one, other) => other.odds - one.odds).slice(0, MOST_OUTCOMES);
  const total = likely.reduce((sum, { odds }) => sum + odds, 0);
  let mean = 0;
  for (const { code, odds } of likely) {
    mean += (odds / total) * (await judgeAfter(rules, rules.play(position, code), judge));
  }
  return mean;
}

function rateTurn({ side, nodes, own, last }, before, after) {
  const [best, second] = before.lines;
  const played = own.every(({ step }, at) => best.moves[at]?.code === step.code);
  const sign = side === 0 ? 1 : -1;
  const loss = played ? 0 : Math.max(0, sign * (before.share - after));
  let mark = LOSSES.find(([least]) => loss >= least)?.[1] ?? "";
  if (played && second && sign * (before.share - second.share) >= ONLY_MOVE) mark = "!";
  const { text, share, score, unit, win_in, side: view, moves } = best;
  return {
    node: nodes.at(-1).number,
    last: last.number,
    side,
    loss: Math.round(1e4 * loss) / 1e4,
    mark,
    better: loss >= LOSSES.at(-1)[0] ? { text, share, score, unit, win_in, side: view, moves } : null,
  };
}

function accuracy(moves, side) {
  const kept = moves.filter((move) => move.side === side).map(({ loss }) => Math.exp(-SHARPNESS * loss));
  return kept.length ? Math.round(100 * kept.reduce((sum, one) => sum + one, 0) / kept.length) : null;
}
