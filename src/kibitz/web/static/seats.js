/** The two seats beside the board: who plays, whose turn it is, how much time is left. */

import { t, term } from "/picture/strings.js";
import { element } from "./common.js";
import { figures, piece, shape } from "/picture/painting.js";
import { called, Player } from "./players.js";

export class Seats {
  constructor(near, far, { games, agents, change }) {
    Object.assign(this, { nodes: [near, far], games, agents, change });
    this.dialog = document.body.appendChild(element("dialog", { ariaLabel: t("seats.who") }));
    setInterval(() => this.#tick(), 200);
  }

  /** `turn` is the side to move at the shown moment; null where nobody is. */
  show(state, drawing, flipped, turn) {
    this.state = state;
    this.turn = turn;
    this.stamp = performance.now();
    const order = flipped ? [1, 0] : [0, 1];
    this.clocks = [];
    order.forEach((side, index) => this.#seat(this.nodes[index], side, drawing));
    this.#tick();
  }

  #seat(node, side, drawing) {
    const { state } = this;
    const player = side === 0 ? state.first : state.second;
    const active = this.turn === side;
    const clock = element("span", { className: "clock", hidden: !state.clocks });
    const name = this.#name(side, player);
    const change = element("button", {
      type: "button",
      className: "bare",
      title: state.table ? "" : t("seats.change"),
      disabled: Boolean(state.table),
      onclick: () => this.#ask(side),
    }, element("span", { className: "who", textContent: name }));
    this.clocks[side] = clock;
    node.className = `seat${active ? " active" : ""}${state.thinking === side ? " thinking" : ""}`;
    node.replaceChildren(
      element("span", { className: "dot" }),
      this.#figure(side, drawing),
      change,
      element("span", { className: "role", textContent: term(state.sides[side]) }),
      clock,
    );
  }

  #name(side, player) {
    const { table, first, second } = this.state;
    if (table && !table.taken[side]) return t("seats.free");
    if (table) return t(side === table.seat ? "seats.you" : table.seat == null ? "seats.player" : "seats.friend");
    return player === "human" && first === second ? t("seats.human") : called(player);
  }

  #figure(side, drawing) {
    const letter = Object.keys(drawing.pieces).find((key) => drawing.pieces[key].side === side);
    const picture = shape("svg", { class: "figure", viewBox: "-46 -46 92 92", "aria-hidden": "true" });
    if (letter) picture.append(figures(drawing), piece(letter, [0, 0], drawing));
    return picture;
  }

  #tick() {
    const clocks = this.state?.clocks;
    if (!clocks) return;
    this.clocks.forEach((node, side) => {
      const spent = clocks.running === side && !this.state.over ? (performance.now() - this.stamp) / 1000 : 0;
      node.textContent = clockText(Math.max(0, clocks.left[side] - spent));
    });
  }

  #ask(side) {
    const game = this.games.find((one) => one.name === this.state.name);
    const player = new Player(game, this.agents);
    player.text = side === 0 ? this.state.first : this.state.second;
    const form = element(
      "form",
      { method: "dialog" },
      element("h2", { textContent: t("seats.ask", { side: term(this.state.sides[side]) }) }),
      player.node,
      element(
        "footer",
        {},
        element("button", { type: "button", textContent: t("common.cancel"), onclick: () => this.dialog.close() }),
        element("button", { className: "main", textContent: t("seats.sit") }),
      ),
    );
    form.addEventListener("submit", () => this.change({ [side === 0 ? "first" : "second"]: player.text }));
    this.dialog.replaceChildren(form);
    this.dialog.showModal();
  }
}

function clockText(seconds) {
  const whole = Math.floor(seconds);
  const tail = seconds < 20 ? `.${Math.floor((seconds * 10) % 10)}` : "";
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}${tail}`;
}
