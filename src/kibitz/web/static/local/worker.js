/** In a worker: rules and search of one game, asked by messages. One question at a time; `stop` ends it early. */

import { loadGame } from "/engine/engine.js";

const STREAM = 100; // milliseconds between two reports

let game = null;
let stopper = null;

async function answer({ id, type, ...given }) {
  if (type === "load") {
    game = await loadGame(given.module, given.manifest);
    return {};
  }
  const position = game.replay(given.line);
  stopper = new AbortController();
  let last = 0;
  const onReport = (report) => {
    if (performance.now() - last < STREAM) return;
    last = performance.now();
    postMessage({ id, report });
  };
  return { report: await game.search(position, { ...given.limit, signal: stopper.signal, onReport }) };
}

let turn = Promise.resolve();

addEventListener("message", ({ data }) => {
  if (data.type === "stop") {
    stopper?.abort();
    return;
  }
  turn = turn.then(() =>
    answer(data).then(
      (found) => postMessage({ id: data.id, done: true, ...found }),
      (problem) => postMessage({ id: data.id, done: true, error: String(problem?.message ?? problem) }),
    )
  );
});
