/** A worker that thinks about positions of one game. What is asked later waits, or stops what is under way. */

import { Refusal } from "../refusal.js";

export class Thinker {
  #worker = null;
  #number = 0;
  #waiting = new Map();

  /** `open` makes a worker, `module` are the bytes of the game. */
  constructor(open, module, manifest) {
    Object.assign(this, { open, module, manifest });
  }

  #started() {
    if (this.#worker) return this.#worker;
    this.#worker = this.open();
    this.#worker.onmessage = ({ data }) => this.#heard(data);
    this.#worker.onerror = (event) => this.#fail(event.message || "the worker does not start");
    this.#ask({ type: "load", module: this.module, manifest: this.manifest });
    return this.#worker;
  }

  /** Search a position (as `engine.line` tells it); `watch` hears reports on the way, `signal` stops it. */
  async search(line, limit, { watch, signal } = {}) {
    this.#started();
    const stop = () => this.#worker?.postMessage({ type: "stop" });
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const { report } = await this.#ask({ type: "search", line, limit }, watch);
      return report;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  #ask(message, watch) {
    this.#number += 1;
    const id = this.#number;
    this.#worker.postMessage({ id, ...message });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, watch }));
  }

  #heard({ id, done, report, error }) {
    const asked = this.#waiting.get(id);
    if (!asked) return;
    if (!done) {
      asked.watch?.(report);
      return;
    }
    this.#waiting.delete(id);
    if (error) asked.reject(new Refusal({ error: "agent-failed", message: error }));
    else asked.resolve({ report });
  }

  #fail(message) {
    for (const { reject } of this.#waiting.values()) reject(new Refusal({ error: "agent-failed", message }));
    this.#waiting.clear();
    this.end();
  }

  end() {
    this.#worker?.terminate();
    this.#worker = null;
  }
}
