/** An exported page: what it has within it or beside it, instead of a server. `kibitz export` writes `kibitzPage`. */

import { page, Refusal } from "../common.js";


/** The game's module, manifest and facts, from the page itself or from the files beside it. */
export async function fetchGame(text) {
  const found = page.modules[text];
  if (!found) throw new Refusal({ error: "unknown-game", message: `this page has no game called '${text}'` });
  const [module, about] = await Promise.all([bytesOf(found.module), bytesOf(found.about)]);
  const { manifest, facts } = JSON.parse(new TextDecoder().decode(about));
  return { module, manifest, facts };
}

async function bytesOf({ data, file }) {
  if (file) {
    const reply = await fetch(file);
    if (!reply.ok) throw new Error(`${file} is missing (${reply.status})`);
    return new Uint8Array(await reply.arrayBuffer());
  }
  const packed = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** A worker that thinks: from a file, or from the text within the page. */
export function openWorker() {
  if (page.worker.file) return new Worker(page.worker.file);
  const source = document.getElementById("kibitz-worker").textContent;
  return new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
}

/** What a server would answer to a path. */
async function answer(path) {
  const address = new URL(path, "http://page/");
  if (address.pathname === "/api/games") return { games: page.games };
  if (address.pathname === "/api/agents") return { agents: page.agents, limits: {} };
  if (address.pathname === "/api/game") return (await fetchGame(page.names[address.searchParams.get("game")])).facts;
  throw new Refusal({ error: "not-found", message: "this page has no such part" });
}

if (page) page.answer = answer;
