/** A table at the server: one WebSocket, requests with answers, and what the server says unasked. */

import { t } from "/picture/strings.js";
import { Refusal } from "./common.js";

const BEGINNINGS = new Set(["new", "join", "open"]); // what puts a game on the table
const PATIENCE = [300, 1000, 3000, 6000]; // milliseconds before a lost connection is tried again

export class Table extends EventTarget {
  #socket = null;
  #waiting = new Map();
  #number = 0;
  #losses = 0;
  #left = false;

  #gate = null; // while a lost game is not back, everything else waits behind it

  /** Send a request; its answer, or a Refusal. */
  async ask(type, fields = {}) {
    if (this.#gate && !BEGINNINGS.has(type)) await this.#gate.promise;
    const socket = await this.#opened();
    this.#number += 1;
    const id = this.#number;
    socket.send(JSON.stringify({ type, id, ...fields }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, type }));
  }

  /** Hang up for now: the next request opens another connection, and nobody is told of a loss. */
  rest() {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onclose = null;
    socket.onmessage = null;
    socket.close();
    for (const { reject } of this.#waiting.values()) reject(new Refusal({ error: "offline", message: "left" }));
    this.#waiting.clear();
    this.#release();
  }

  leave() {
    this.#left = true;
    this.#socket?.close();
  }

  #opened() {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return this.#ready;
    const address = new URL("/api/play", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#ready = new Promise((resolve, reject) => {
      socket.onopen = () => {
        this.#losses = 0;
        resolve(socket);
      };
      socket.onclose = (event) => this.#lost(event, reject);
    });
    this.#ready.catch(() => {});
    socket.onmessage = (event) => this.#heard(JSON.parse(event.data));
    return this.#ready;
  }

  #ready = null;

  #heard(message) {
    const asked = message.id == null ? null : this.#waiting.get(message.id);
    if (asked) {
      this.#waiting.delete(message.id);
      if (message.type === "error") asked.reject(new Refusal(message));
      else asked.resolve(message);
      if (BEGINNINGS.has(asked.type)) this.#release();
    }
    if (message.type === "state" || !asked) this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
  }

  #release() {
    this.#gate?.resolve();
    this.#gate = null;
  }

  #lost(event, reject) {
    const problem = new Refusal({ error: "offline", message: event.reason || t("common.lost") });
    reject(problem);
    for (const { reject: refuse } of this.#waiting.values()) refuse(problem);
    this.#waiting.clear();
    if (this.#left) return;
    this.#gate ??= Promise.withResolvers();
    this.dispatchEvent(new CustomEvent("lost", { detail: { message: problem.message } }));
    const pause = PATIENCE[Math.min(this.#losses, PATIENCE.length - 1)];
    this.#losses += 1;
    setTimeout(() => {
      if (!this.#left) this.dispatchEvent(new CustomEvent("back", { detail: {} }));
    }, pause);
  }
}
