// What engine.js says of games and searches: a job as JSON on standard input, the answers as JSON on standard output.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const job = JSON.parse(readFileSync(0, "utf8"));
const { loadGame, Random } = await import(pathToFileURL(`${job.folder}/engine.js`));
const manifest = JSON.parse(readFileSync(`${job.folder}/${job.name}.json`, "utf8"));
const game = await loadGame(readFileSync(`${job.folder}/${job.name}.wasm`), manifest, { megabytes: job.megabytes ?? 16 });

const describe = (position) => ({
  ...game.facts(position),
  words: game.words(position),
  key: String(game.key(position)),
  moves: game.moves(position),
  outcomes: game.outcomes(position),
  value: game.evaluate(position),
});

function* walk(moves) {
  let position = game.start();
  yield describe(position);
  for (const move of moves) {
    position = game.play(position, move);
    yield describe(position);
  }
}

const memory = () => game._module.exports.memory.buffer.byteLength;

function search({ start, moves, ...options }) {
  const position = game.replay({ words: start ?? manifest.start, moves });
  const depths = [];
  game.forget();
  const before = memory();
  const last = game.searchNow(position, { ...options, onReport: (report) => depths.push(report) });
  return { depths, last, grown: memory() - before };
}

async function rationed({ moves, abortAfter, ...options }) {
  const position = game.replay({ words: manifest.start, moves });
  const stop = new AbortController();
  let reports = 0;
  game.forget();
  const report = await game.search(position, {
    ...options,
    signal: stop.signal,
    onReport: () => {
      reports += 1;
      if (reports === abortAfter) stop.abort();
    },
  });
  return { report, reports };
}

const rolls = (seed, count) => {
  const random = new Random(seed);
  return Array.from({ length: count }, () => random.next());
};

const answers = {
  games: (job.games ?? []).map((moves) => [...walk(moves)]),
  searches: (job.searches ?? []).map(search),
  rationed: [],
  rolls: job.rolls ? rolls(...job.rolls) : [],
};
for (const each of job.rationed ?? []) answers.rationed.push(await rationed(each));
process.stdout.write(JSON.stringify(answers));
