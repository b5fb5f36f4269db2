/** Who plays in a browser: the engine at its levels, and a random mover. The levels are those of agents/levels.py. */

import { Refusal } from "../refusal.js";
import { apart } from "../agent-text.js";

const FULL = 0; // the level of an engine that holds nothing back
const MOST = 10;

/** The canonical text of a player of this page; a Refusal for any other. */
export function checkPlayer(text) {
  if (typeof text !== "string") {
    throw new Refusal({ error: "unknown-agent", message: "a player is 'human' or 'engine'" });
  }
  const { name, options } = apart(text.trim());
  if (name === "human" || name === "random") return text.trim();
  if (name !== "engine") {
    const message = `no agent for this page is called '${name}', expected engine or random`;
    throw new Refusal({ error: "unknown-agent", message });
  }
  const level = Number(options.level ?? FULL);
  if (!(level >= FULL && level <= MOST)) {
    throw new Refusal({ error: "bad-option", message: `option level is '${options.level}', expected 0 to ${MOST}` });
  }
  return text.trim();
}

/** The turn of an agent: `{ codes, score, depth, nodes, line }`. */
export async function chooseTurn(agent, rules, position, limit, thinker, signal) {
  const { name, options } = apart(agent);
  if (name === "random") return randomTurn(rules, position);
  const level = Number(options.level ?? FULL);
  const bounds = { ...limit, ...given(options) };
  const line = rules.engine.line(position);
  const weaker = rules.facts.levels[level - 1];
  if (!weaker) return turnOf(await thinker.search(line, { ...bounds, lines: 1 }, { signal }));
  const { nodes, overlook } = weaker;
  const seed = 1 + Math.floor(Math.random() * 1e9);
  const least = Math.min(nodes, bounds.nodes ?? nodes);
  return turnOf(await thinker.search(line, { ...bounds, nodes: least, overlook, seed, lines: 1 }, { signal }));
}

function given({ seconds, depth, nodes }) {
  const said = Object.entries({ seconds, depth, nodes }).filter(([, value]) => Number(value) > 0);
  return Object.fromEntries(said.map(([key, value]) => [key, Number(value)]));
}

function turnOf(report) {
  const [best] = report.lines;
  return {
    codes: report.moves,
    score: best?.score ?? null,
    winIn: best?.winIn ?? null,
    depth: report.depth,
    nodes: report.nodes,
    line: best?.line ?? [],
  };
}

function randomTurn(rules, position) {
  const side = rules.turn(position);
  const codes = [];
  for (let here = position; !rules.over(here) && rules.turn(here) === side; here = rules.play(here, codes.at(-1))) {
    const ids = rules.engine.moves(here);
    codes.push(ids[Math.floor(Math.random() * ids.length)]);
  }
  return { codes, score: null, winIn: null, depth: 0, nodes: 0, line: [] };
}
