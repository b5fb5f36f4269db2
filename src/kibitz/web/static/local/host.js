/** Where games are played. A page that was exported has its games within it and answers every question itself; the
 * pages of a server ask there.
 */

import { page, Refusal } from "../common.js";
import { fetchGame, openWorker } from "./exported.js";
import { Session } from "./session.js";
import { Thinker } from "./thinker.js";
import { Rules } from "./rules.js";
import { Table } from "../table.js";
import { loadGame } from "/engine/engine.js";

/** The table of this page. */
export function openTable() {
  return page ? new LocalTable(fetchGame, openWorker) : new Table();
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
