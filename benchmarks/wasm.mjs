// Searches positions of an exported game: a job as JSON on standard input, nodes and processor seconds as JSON on output.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const job = JSON.parse(readFileSync(0, "utf8"));
const { loadGame } = await import(pathToFileURL(`${job.folder}/engine.js`));
const manifest = JSON.parse(readFileSync(`${job.folder}/${job.name}.json`, "utf8"));
const game = await loadGame(readFileSync(`${job.folder}/${job.name}.wasm`), manifest, { megabytes: 16 });

const positions = job.games.map((moves) => game.replay({ words: manifest.start, moves }));
game.searchNow(positions[0], { nodes: 20000 }); // the browser's compiler has done its best before the clock starts
let nodes = 0;
let seconds = 0;
for (const position of positions) {
  game.forget();
  const before = process.cpuUsage();
  nodes += game.searchNow(position, { nodes: job.nodes }).nodes;
  const { user, system } = process.cpuUsage(before);
  seconds += (user + system) / 1e6;
}
process.stdout.write(JSON.stringify({ nodes, seconds }));
