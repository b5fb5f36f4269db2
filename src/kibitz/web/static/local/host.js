/** Where games are played. A page that was exported has its games within it and answers every question itself; the
 * pages of a server ask there.
 */

import { ask as request, page, Refusal } from "../common.js";
import { fetchGame, openWorker } from "./exported.js";
import { Session } from "./session.js";
import { Thinker } from "./thinker.js";
import { Rules } from "./rules.js";
import { Table } from "../table.js";
import { apart } from "../agent-text.js";
import { loadGame } from "/engine/engine.js";

/** The table of this page. */
export function openTable() {
  if (page) return new LocalTable(fetchGame, openWorker);
  const here = new URLSearchParams(location.search).get("engine") !== "server" && typeof WebAssembly === "object";
  return here ? new ServedTable() : new Table();
}

/** A table in this browser: the same questions and events as a table at the server. */
export class LocalTable extends EventTarget {
  #waiting = new Map();
  #number = 0;
  #loaded = new Map();

  /** `fetchGame` gives `{ module, manifest, facts }` of a game's text, `openWorker` a worker that thinks. */
  constructor(fetchGame, openWorker) {
    super();
    Object.assign(this, { fetchGame, openWorker });
    this.session = new Session((text) => this.#load(text), (message) => this.#heard(message));
  }

  async #load(text) {
    if (!this.#loaded.has(text)) this.#loaded.set(text, this.#open(text));
    try {
      return await this.#loaded.get(text);
    } catch (problem) {
      this.#loaded.delete(text);
      if (problem instanceof Refusal) throw problem;
      throw new Refusal({ error: "compile-failed", message: `the game cannot run here: ${problem.message}` });
    }
  }

  async #open(text) {
    const { module, manifest, facts } = await this.fetchGame(text);
    const rules = new Rules(await loadGame(module, manifest), facts);
    const think = () => new Thinker(this.openWorker, module, manifest);
    return { rules, player: think(), analyst: think() };
  }

  /** Ask; the answer, or a Refusal. */
  ask(type, fields = {}) {
    this.#number += 1;
    const id = this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve);
      this.session.answer({ type, id, ...fields }).catch((problem) => {
        this.#waiting.delete(id);
        reject(problem);
      });
    });
  }

  #heard(message) {
    const asked = message.id == null ? null : this.#waiting.get(message.id);
    if (asked) {
      this.#waiting.delete(message.id);
      asked(message);
    }
    if (message.type === "state" || !asked) this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
  }

  /** Nobody plays for now. */
  rest() {
    this.session.close();
  }

  leave() {
    this.session.close();
  }
}

const HEARD = ["state", "analysis", "waiting", "compiling", "compiled", "reviewing", "seated", "error", "lost", "back"];
const AT_THE_SERVER = new Set(["open", "join", "sit", "offer", "decline", "replay"]);
const KNOWN_BETTER = new Set(["explain", "explore"]); // of which the server knows more
const LOCAL_AGENTS = new Set(["human", "engine", "random"]);

/** A table of a server's page: games of one's own run in this browser as soon as the server has their modules, with the
 * agents that it has; all else is the server's.
 */
class ServedTable extends EventTarget {
  #remote = new Table();
  #local = new LocalTable((text) => this.#fetch(text), openServedWorker);
  #aside = null; // a table at the server that is asked about what is looked at here
  #now = this.#remote;
  #state = null;
  #stores = 0; // of games, at the server

  constructor() {
    super();
    for (const source of [this.#remote, this.#local]) {
      for (const type of HEARD) {
        source.addEventListener(type, ({ detail }) => {
          if (source !== this.#now) return;
          if (type === "state") this.#state = detail;
          this.dispatchEvent(new CustomEvent(type, { detail }));
        });
      }
    }
  }

  async ask(type, fields = {}) {
    if (type === "new") return this.#begin(fields);
    if (AT_THE_SERVER.has(type)) this.#turnTo(this.#remote);
    if (this.#now === this.#remote) return this.#remote.ask(type, fields);
    if (type === "players" && !playsHere(fields)) return this.#moveOver(fields);
    if (KNOWN_BETTER.has(type) && (type !== "explore" || this.#stores)) return this.#askAside(type, fields);
    return this.#local.ask(type, fields);
  }

  async #begin(fields) {
    const facts = playsHere(fields) ? await this.#moduleFacts(fields.game) : null;
    this.#turnTo(facts ? this.#local : this.#remote);
    if (!facts) return this.#remote.ask("new", fields);
    try {
      return await this.#local.ask("new", fields);
    } catch (problem) {
      if (problem.kind !== "compile-failed") throw problem;
      this.#turnTo(this.#remote);
      return this.#remote.ask("new", fields);
    }
  }

  #turnTo(table) {
    if (table === this.#now) return;
    this.#now.rest();
    this.#now = table;
  }

  /** The modules of a game, if they are ready and the server knows nothing better. */
  async #moduleFacts(game) {
    const found = await request(`/api/module?game=${encodeURIComponent(game)}`).catch(() => null);
    this.#stores = found?.stores ?? 0;
    return found?.ready && !found.exact ? found : null;
  }

  async #fetch(text) {
    const found = await this.#moduleFacts(text);
    if (!found) throw new Refusal({ error: "compile-failed", message: "the game's module is not there yet" });
    const [module, about] = await Promise.all(found.files.map(async (name) => {
      const reply = await fetch(`/api/module/${name}`);
      if (!reply.ok) throw new Error(`the module is missing (${reply.status})`);
      return new Uint8Array(await reply.arrayBuffer());
    }));
    return { module, ...JSON.parse(new TextDecoder().decode(about)) };
  }

  /** A player that only the server has: the game goes on there. */
  #moveOver(fields) {
    const { game, first, second, seconds, start, line, seed } = this.#state;
    this.#turnTo(this.#remote);
    return this.#remote.ask("new", { game, first, second, seconds, position: start, line, seed, ...fields });
  }

  async #askAside(type, fields) {
    this.#aside ??= new Table();
    await this.#aside.ask("new", { ...this.#local.session.place, first: "human", second: "human" });
    return this.#aside.ask(type, fields);
  }

  rest() {
    this.#local.rest();
    this.#remote.rest();
    this.#aside?.rest();
  }

  leave() {
    this.#local.leave();
    this.#remote.leave();
  }
}

function playsHere({ first = "human", second = "engine" }) {
  return [first, second].every((text) => LOCAL_AGENTS.has(apart(text).name));
}

function openServedWorker() {
  return new Worker("/static/local/worker.js", { type: "module" });
}
