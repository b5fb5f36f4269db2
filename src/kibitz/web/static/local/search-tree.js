/** A small alpha-beta tree to look at, grown with rules and evaluation alone; values for the side at its root. */

import { CHANCE } from "./rules.js";

const WIN = 1e6;

/** The tree of a position, or of the node that a path of moves leads to, with its children only. */
export function treeFacts(rules, position, { depth, breadth, path }) {
  const grower = { rules, me: rules.turn(position), breadth };
  let node = grow(grower, "", position, depth, -WIN, WIN);
  for (const word of path ?? []) node = node.children.find(({ move }) => move === word) ?? node;
  return { root: told(node, path ? 1 : depth) };
}

function grow(grower, move, position, depth, alpha, beta) {
  const { rules, me } = grower;
  const side = rules.turn(position);
  const node = { move, maximising: side === me, alpha, beta, value: null, children: [], left_out: 0, cut: false };
  if (rules.over(position) || depth === 0) node.value = leaf(grower, position);
  else if (side === CHANCE) addOutcomes(grower, node, position, depth);
  else addMoves(grower, node, position, depth);
  return node;
}

function leaf({ rules, me }, position) {
  if (rules.over(position)) return { 1: me === 0 ? WIN : -WIN, 2: me === 1 ? WIN : -WIN }[rules.result(position)] ?? 0;
  const side = rules.turn(position);
  const value = rules.engine.evaluate(position);
  return (side === CHANCE ? me === 0 : side === me) ? value : -value;
}

function addOutcomes(grower, node, position, depth) {
  const { rules, breadth } = grower;
  const rolls = rules.outcomes(position);
  let mean = 0;
  for (const [number, { code, odds }] of rolls.entries()) {
    const { text } = rules.gesture(position, code);
    const child = grow(grower, text, rules.play(position, code), depth, -WIN, WIN);
    if (number < breadth) node.children.push(child);
    mean += odds * child.value;
  }
  node.left_out = rolls.length - node.children.length;
  node.value = mean;
}

function addMoves(grower, node, position, depth) {
  const { rules, breadth } = grower;
  const moves = rules.moves(position);
  let { alpha, beta } = node;
  let best = node.maximising ? -Infinity : Infinity;
  let shownBest = null;
  for (const [number, { text, code }] of moves.entries()) {
    if (alpha >= beta) {
      const cut = { move: text, cut: true, alpha, beta, value: null, children: [], left_out: 0, maximising: false };
      if (number < breadth || !node.children.some((child) => child.cut)) node.children.push(cut);
      if (number >= breadth) break;
      continue;
    }
    const child = grow(grower, text, rules.play(position, code), depth - 1, alpha, beta);
    if (number < breadth) node.children.push(child);
    if (node.maximising ? child.value > best : child.value < best) {
      best = child.value;
      shownBest = child;
    }
    if (node.maximising) alpha = Math.max(alpha, best);
    else beta = Math.min(beta, best);
  }
  if (shownBest && !node.children.includes(shownBest)) {
    const at = node.children.findLastIndex((child) => !child.cut);
    node.children[at] = shownBest;
  }
  if (shownBest) shownBest.best = true;
  node.left_out = moves.length - node.children.length;
  node.value = best;
}

function told(node, depth) {
  const endless = (bound) => (Math.abs(bound) >= WIN ? null : bound);
  return {
    move: node.move,
    maximising: node.maximising,
    alpha: endless(node.alpha),
    beta: endless(node.beta),
    value: node.value,
    cut: node.cut,
    best: Boolean(node.best),
    left_out: node.left_out,
    inner: node.children.length,
    children: depth > 0 ? node.children.map((child) => told(child, 0)) : [],
  };
}
