/** Who plays in a browser: the engine at its levels, and a random mover. The levels are those of agents/engine.py. */

import { Refusal } from "../refusal.js";
import { apart } from "../agent-text.js";

// How a weaker player errs: it looks less far, and takes a move that seems almost as good (in pieces).
const LEVELS = [, [1, 1.2], [1, 0.8], [2, 0.7], [2, 0.45], [3, 0.35], [4, 0.25], [5, 0.18], [6, 0.1], [8, 0.05]];
const FULL = 10;
const CHOICES = 6; // moves that a weaker player considers

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
  if (!(level >= 1 && level <= FULL)) {
    throw new Refusal({ error: "bad-option", message: `option level is '${options.level}', expected 1 to ${FULL}` });
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
  if (level >= FULL) return turnOf(await thinker.search(line, { ...bounds, lines: 1 }, { signal }));
  const [depth, slack] = LEVELS[level];
  const most = Math.min(depth, bounds.depth ?? depth);
  const report = await thinker.search(line, { ...bounds, depth: most, lines: CHOICES }, { signal });
  return chooseWeaker(rules, position, report, slack);
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

/** A line that looks at most `slack` worse than the best, the likelier the better it looks. */
function chooseWeaker(rules, position, report, slack) {
  const most = slack * rules.manifest.scale.unit;
  const [best] = report.lines;
  const near = report.lines.filter((line) => best.score - line.score <= most && line.winIn == null);
  if (near.length < 2 || best.winIn != null) return turnOf(report);
  const odds = near.map((line) => 1 - (best.score - line.score) / (most + 1e-9) + 0.05);
  let left = Math.random() * odds.reduce((sum, one) => sum + one, 0);
  const chosen = near.find((_, at) => (left -= odds[at]) <= 0) ?? near[0];
  return { ...turnOf(report), codes: wholeTurn(rules, position, chosen.line), score: chosen.score, line: chosen.line };
}

/** The moves of the side to move along a line, until its turn ends; where the line ends sooner, any that do. */
function wholeTurn(rules, position, line) {
  const side = rules.turn(position);
  const codes = [];
  let here = position;
  while (!rules.over(here) && rules.turn(here) === side) {
    codes.push(line[codes.length] ?? rules.engine.moves(here)[0]);
    here = rules.play(here, codes.at(-1));
  }
  return codes;
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
