/** The dialog in which a game, its options, the players and the clocks are chosen. */

import { ask, element, trying } from "./common.js";
import { defaultOf, inputFor, Player, valueOf } from "./players.js";
import { prose } from "./prose.js";

const CLOCKS = [["", "No clock"], ["60+0", "1 minute"], ["180+2", "3 minutes + 2 s"], ["300+3", "5 minutes + 3 s"], [
  "900+10",
  "15 minutes + 10 s",
]];

export class NewGame {
  constructor(games, agents) {
    this.games = games;
    this.agents = agents;
    this.dialog = document.body.appendChild(element("dialog", { id: "new-game", ariaLabel: "new game" }));
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  /** Ask; `start` hears the fields of a `new` request. */
  open(name, start, current = {}) {
    this.game = this.games.find((game) => game.name === name) ?? this.games[0];
    const form = element("form", { method: "dialog" }, ...this.#parts(current));
    form.addEventListener("submit", () => start(this.#fields()));
    this.dialog.replaceChildren(form);
    if (!this.dialog.open) this.dialog.showModal();
    form.querySelector("button.main").focus();
    this.again = (other) => this.open(other, start, {});
  }

  #parts(current) {
    const { game } = this;
    this.which = element(
      "select",
      { ariaLabel: "game", onchange: () => this.again(this.which.value) },
      ...this.games.map((one) => element("option", { value: one.name, textContent: one.title })),
    );
    this.which.value = game.name;
    this.seats = game.sides.map(() => new Player(game, this.agents));
    this.seats[0].text = current.first ?? "human";
    this.seats[1].text = current.second ?? opponent(game, this.agents);
    const sides = this.seats.map((seat, side) =>
      element("fieldset", {}, element("legend", { textContent: game.sides[side] }), seat.node)
    );
    this.clock = element(
      "select",
      {},
      ...CLOCKS.map(([value, textContent]) => element("option", { value, textContent })),
    );
    this.seconds = element("input", { type: "number", value: 1, min: 0.05, max: 60, step: "any" });
    return [
      element("h2", { textContent: "New game" }),
      element("label", { className: "field" }, "Game", this.which),
      this.#rules(),
      ...this.#options(),
      element("div", { className: "sides" }, ...sides),
      element(
        "div",
        { className: "fields" },
        element("label", { className: "field" }, "Clock for each side", this.clock),
        element("label", { className: "field" }, "Seconds a machine thinks", this.seconds),
      ),
      element(
        "footer",
        {},
        element("button", { type: "button", textContent: "Cancel", onclick: () => this.dialog.close() }),
        element("button", { className: "main", textContent: "Play", value: "play" }),
      ),
    ];
  }

  /** The game in a line, and its rulebook for those who want it. */
  #rules() {
    const { game } = this;
    const about = element("details", { className: "rules" }, element("summary", { textContent: game.summary }));
    about.addEventListener("toggle", () =>
      trying(async () => {
        const { rules } = await ask(`/api/game?game=${encodeURIComponent(game.name)}`);
        about.append(prose(rules.slice(rules.indexOf("\n")))); // its first line is the summary
      }), { once: true });
    return about;
  }

  #options() {
    const { game } = this;
    this.preset = element(
      "select",
      {},
      element("option", { value: "", textContent: "Standard" }),
      ...game.presets.map((preset) => element("option", { value: preset, textContent: preset })),
    );
    this.inputs = new Map(
      game.options.map((option) => [option.name, { option, input: inputFor(option, option.default) }]),
    );
    const fields = [...this.inputs].map(([name, { input }]) =>
      element("label", { className: "field" }, name.replaceAll("_", " "), input)
    );
    const parts = [];
    if (game.presets.length) parts.push(element("label", { className: "field" }, "Variant", this.preset));
    if (fields.length) {
      parts.push(
        element(
          "details",
          {},
          element("summary", { textContent: "Rules and sizes" }),
          element("div", { className: "fields" }, ...fields),
        ),
      );
    }
    return parts;
  }

  #fields() {
    const [clock, increment] = this.clock.value.split("+").map(Number);
    const timed = this.clock.value ? { clock, increment } : {};
    return {
      game: this.#text(),
      first: this.seats[0].text,
      second: this.seats[1].text,
      seconds: Number(this.seconds.value) || 1,
      ...timed,
    };
  }

  #text() {
    const said = [...this.inputs].map(([name, { option, input }]) => [name, valueOf(input, option), defaultOf(option)])
      .filter(([, value, usual]) => value !== usual);
    const head = this.preset.value ? `${this.game.name}:${this.preset.value}` : this.game.name;
    return [head, ...said.map(([name, value]) => `${name}=${value}`)].join(",");
  }
}

/** Who plays against a newcomer: the strongest agent, not at its strongest. */
export function opponent(game, agents) {
  const agent = agents.find((one) => one.name === game.default_agent);
  return agent?.options.some((option) => option.name === "level") ? `${agent.name}:level=3` : game.default_agent;
}
