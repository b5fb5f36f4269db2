/** A table at the server: one WebSocket, requests with answers, and what the server says unasked. */

import { Refusal } from "./common.js";

const PATIENCE = [300, 1000, 3000, 6000]; // milliseconds before a lost connection is tried again

export class Table extends EventTarget {
  #socket = null;
  #waiting = new Map();
  #number = 0;
  #losses = 0;
  #left = false;

  /** Send a request; its answer, or a Refusal. */
  async ask(type, fields = {}) {
    const socket = await this.#opened();
    this.#number += 1;
    const id = this.#number;
    socket.send(JSON.stringify({ type, id, ...fields }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
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
    }
    if (message.type === "state" || !asked) this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
  }

  #lost(event, reject) {
    const problem = new Refusal({ error: "offline", message: event.reason || "the connection to the server is lost" });
    reject(problem);
    for (const { reject: refuse } of this.#waiting.values()) refuse(problem);
    this.#waiting.clear();
    if (this.#left) return;
    this.dispatchEvent(new CustomEvent("lost", { detail: { message: problem.message } }));
    const pause = PATIENCE[Math.min(this.#losses, PATIENCE.length - 1)];
    this.#losses += 1;
    setTimeout(() => {
      if (!this.#left) this.dispatchEvent(new CustomEvent("back", { detail: {} }));
    }, pause);
  }
}
