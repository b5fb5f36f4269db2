/** The dialog in which a game, its options, the players and the clocks are chosen. */

import { t, term } from "/picture/strings.js";
import { choice } from "./choice.js";
import { ask, element, page, trying } from "./common.js";
import { defaultOf, inputFor, Player, valueOf } from "./players.js";
import { prose } from "./prose.js";

const CLOCKS = ["", "60+0", "180+2", "300+3", "900+10"];

const FULL = 11; // beyond the last level

/** How strong the other side is, in words: the level of the strongest agent, 0 for a human. */
const STRENGTHS = [1, 3, 5, 8, FULL, 0].map((level) => [
  level,
  t(`new.strength.${level}`),
  t(`new.strength.${level}.about`),
]);
const USUAL = 3;

export class NewGame {
  constructor(games, agents) {
    this.games = games;
    this.agents = agents;
    this.dialog = document.body.appendChild(element("dialog", { id: "new-game", ariaLabel: t("new.name") }));
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  /** Ask; `start` hears the fields of a `new` request, `invite` those of an `open` request. */
  open(name, start, invite, current = {}) {
    this.invite = invite;
    this.game = this.games.find((game) => game.name === name) ?? this.games[0];
    const form = element("form", { method: "dialog" }, ...this.#parts(current));
    form.addEventListener("submit", () => start(this.#fields()));
    this.dialog.replaceChildren(form);
    if (!this.dialog.open) this.dialog.showModal();
    form.querySelector("button.main").focus();
    this.again = (other) => this.open(other, start, invite, {});
  }

  #parts(current) {
    const { game } = this;
    this.which = element(
      "select",
      { ariaLabel: t("new.game-choice"), onchange: () => this.again(this.which.value) },
      ...this.games.map((one) => element("option", { value: one.name, textContent: term(one.title) })),
    );
    this.which.value = game.name;
    this.seats = game.sides.map(() => new Player(game, this.agents));
    const mine = game.winner ?? 0; // nobody begins with a game that is lost already
    this.seats[mine].text = "human";
    this.seats[1 - mine].text = opponent(game, this.agents);
    if (current.first) [this.seats[0].text, this.seats[1].text] = [current.first, current.second];
    const sides = this.seats.map((seat, side) =>
      element("fieldset", {}, element("legend", { textContent: term(game.sides[side]) }), seat.node)
    );
    this.clock = element(
      "select",
      {},
      ...CLOCKS.map((value) => element("option", { value, textContent: t(`new.clock.${value || "none"}`) })),
    );
    this.seconds = element("input", { type: "number", value: 1, min: 0.05, max: 60, step: "any" });
    return [
      element("h2", { textContent: t("new.title") }),
      element("label", { className: "field" }, t("new.game"), this.which),
      this.#rules(),
      this.#strength(),
      this.#colour(),
      element("label", { className: "field" }, t("new.clock"), this.clock),
      element(
        "details",
        { id: "more", open: Boolean(current.first && !this.#isPlain()) },
        element("summary", { textContent: t("new.more") }),
        element(
          "div",
          { className: "panel bare" },
          ...this.#options(),
          element("div", { className: "sides" }, ...sides),
          element("label", { className: "field" }, t("new.seconds"), this.seconds),
        ),
      ),
      element(
        "footer",
        {},
        element("button", { type: "button", textContent: t("common.cancel"), onclick: () => this.dialog.close() }),
        element("button", {
          type: "button",
          id: "invite",
          hidden: Boolean(page), // a table with a link needs a server
          textContent: t("new.invite"),
          title: t("new.invite-about"),
          onclick: () => this.#invite(),
        }),
        element("button", { className: "main", textContent: t("new.play"), value: "play" }),
      ),
    ];
  }

  /** Is it what strength and colour can say: a human, and a human or the usual machine? */
  #isPlain() {
    const texts = this.seats.map((seat) => seat.text);
    const usual = (text) => text === "human" || text.split(":")[0] === this.game.default_agent;
    return texts.includes("human") && texts.every(usual);
  }

  #strength() {
    const levels = this.agents.find((one) => one.name === this.game.default_agent)?.options;
    const graded = levels?.some((option) => option.name === "level");
    const known = graded ? STRENGTHS : [[FULL, t("new.machine"), t("new.machine.about")], STRENGTHS.at(-1)];
    const now = this.seats.map((seat) => seat.text).find((text) => text !== "human");
    const level = now == null ? 0 : Number(now.match(/level=(\d+)/)?.[1] ?? FULL);
    const near = known.map(([value]) => value).reduce((one, other) =>
      Math.abs(other - level) < Math.abs(one - level) && (other === 0) === (level === 0) ? other : one
    );
    return choice(t("new.strength"), "strength", known, near, (value) => {
      const other = this.seats[1 - this.#mine()];
      const agent = this.game.default_agent;
      other.text = value === 0 ? "human" : graded && value < FULL ? `${agent}:level=${value}` : agent;
    });
  }

  #mine() {
    return this.seats[0].text === "human" || this.seats[1].text !== "human" ? 0 : 1;
  }

  #colour() {
    const known = this.game.sides.map((name, side) => [side, term(name), this.#prospect(side)]);
    return choice(t("new.side"), "side", known, this.#mine(), (side) => {
      if (side === this.#mine()) return;
      [this.seats[0].text, this.seats[1].text] = [this.seats[1].text, this.seats[0].text];
    });
  }

  #prospect(side) {
    const { winner } = this.game;
    const begins = side === 0 ? "first" : "second";
    if (winner == null) return t(`new.${begins}`);
    return t(`new.${begins}-${side === winner ? "wins" : "loses"}`);
  }

  /** A table with a link; whoever invites has the side that a human plays here. */
  #invite() {
    const { game, clock, increment, first } = this.#fields();
    this.dialog.close();
    this.invite({ game, clock, increment, side: first === "human" ? 0 : 1 });
  }

  /** The game in a line, and its rulebook for those who want it. */
  #rules() {
    const { game } = this;
    const about = element("details", { className: "rules" }, element("summary", { textContent: term(game.summary) }));
    about.addEventListener("toggle", () =>
      trying(async () => {
        const facts = await ask(`/api/game?game=${encodeURIComponent(game.name)}`);
        about.append(prose(facts.rules.slice(facts.rules.indexOf("\n")), facts)); // its first line is the summary
      }), { once: true });
    return about;
  }

  #options() {
    const { game } = this;
    this.preset = element(
      "select",
      {},
      element("option", { value: "", textContent: t("new.standard") }),
      ...game.presets.map((preset) => element("option", { value: preset, textContent: term(preset) })),
    );
    this.inputs = new Map(
      game.options.map((option) => [option.name, { option, input: inputFor(option, option.default) }]),
    );
    const fields = [...this.inputs].map(([name, { input }]) =>
      element("label", { className: "field" }, term(name.replaceAll("_", " ")), input)
    );
    const parts = [];
    if (game.presets.length) parts.push(element("label", { className: "field" }, t("new.variant"), this.preset));
    if (fields.length) {
      parts.push(
        element(
          "details",
          {},
          element("summary", { textContent: t("new.sizes") }),
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
  return agent?.options.some((option) => option.name === "level") ? `${agent.name}:level=${USUAL}` : game.default_agent;
}
