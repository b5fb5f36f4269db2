/** A game as a record that `kibitz replay` reads: tags in brackets, then numbered moves, then the result. */

import { CHANCE, TOKENS } from "./rules.js";

const WIDTH = 110;

export function recordFacts(table) {
  const { rules, players, seed, reason, result, clocks } = table;
  const { game } = rules.facts;
  const control = clocks ? `${clocks.clock}+${clocks.increment}` : `${table.seconds}/move`;
  const tags = {
    Format: "1",
    Game: game,
    First: players[0],
    Second: players[1],
    Start: table.start,
    Opening: "0",
    Seed: String(seed),
    Result: TOKENS[result] ?? "*",
    Reason: reason || "unfinished",
    Event: "kibitz page",
    TimeControl: control,
  };
  const head = Object.entries(tags).map(([name, value]) => `[${name} ${JSON.stringify(value)}]`).join("\n");
  const moves = wrap([...tokens(plies(table.steps)), tags.Result]);
  const name = game.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return { format: "text", name: `${name}.txt`, text: `${head}\n\n${moves}\n\n` };
}

/** Moves of one turn joined, outcomes on their own. */
function plies(steps) {
  const found = [];
  let last = CHANCE;
  for (const { side, gesture, note } of steps) {
    if (side === last && side !== CHANCE) found.at(-1).text += `+${gesture.text}`;
    else found.push({ side, text: gesture.text, seconds: note.seconds ?? 0 });
    last = side;
  }
  return found;
}

function* tokens(list) {
  let number = 0;
  let before = null;
  for (const [place, { side, text, seconds }] of list.entries()) {
    if (side === CHANCE) yield text;
    else if (side === 0) {
      number += 1;
      before = 0;
      yield `${number}. ${text}`;
    } else {
      if (before !== 0) number += 1;
      const atOnce = before === 0 && list[place - 1].side === 0;
      before = 1;
      yield atOnce ? text : `${number}... ${text}`;
    }
    if (seconds) yield `{${seconds.toFixed(2)}s}`;
  }
}

function wrap(words) {
  const lines = [""];
  for (const word of words.join(" ").split(" ")) {
    const line = lines.at(-1);
    if (line && line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join("\n");
}
