/** The play page: a lobby of games, and a table with a board, two seats and panels. */

import "/picture/board.js";
import { AnalysisPanel } from "./analysis-panel.js";
import { ask, capital, copied, download, element, small, toast, tool, topLine, trying } from "./common.js";
import { flowCard, gameCard } from "./lobby.js";
import { MovesPanel } from "./moves-panel.js";
import { NewGame } from "./new-game.js";
import { foretold, listed } from "./odds.js";
import { prose } from "./prose.js";
import { Seats } from "./seats.js";
import { SetupPanel } from "./setup-panel.js";
import { fromLink, keepLink } from "./share.js";
import { Table } from "./table.js";
import { Tabs } from "./tabs.js";
import { TreePanel } from "./tree-panel.js";

const WORDS = { end: "End the turn", pass: "Pass" };
const PACES = [[0, "as fast as they can"], [0.6, "at an easy pace"], [2, "slowly"]];
const at = (id) => document.getElementById(id);

class App {
  constructor(games, agents) {
    Object.assign(this, {
      games,
      agents,
      table: new Table(),
      state: null,
      facts: null,
      moments: new Map(),
      looking: null,
    });
    this.board = at("board");
    this.newGame = new NewGame(games, agents);
    this.seats = new Seats(at("seat-near"), at("seat-far"), {
      games,
      agents,
      change: (fields) => trying(() => this.table.ask("players", fields)),
    });
    this.tabs = new Tabs(at("tabs"), [["moves", "Moves"], ["analysis", "Analysis"], ["tree", "Tree"], [
      "setup",
      "Set up",
    ], ["rules", "Rules"]]);
    this.moves = new MovesPanel(at("panel-moves"), {
      look: (ply) => this.look(ply),
      rewind: () => this.rewind(),
      type: (text) => this.board.type(text),
    });
    this.analysis = new AnalysisPanel(at("panel-analysis"), this.table, this.board, {
      judged: (share) => this.judged(share),
    });
    this.tree = new TreePanel(at("panel-tree"), this.table, this.board);
    this.setup = new SetupPanel(at("panel-setup"), this.table, this.board, {
      done: (state) => state ?? this.#draw([]),
    });
    this.#tools();
    this.#listen();
  }

  #tools() {
    this.undo = tool("undo", "Undo", () => trying(() => this.table.ask("undo")), { id: "undo" });
    this.hint = tool("hint", "Hint", () => trying(() => this.askHint()), { id: "hint" });
    this.pause = tool("pause", "Pause", () => trying(() => this.table.ask("pause", { on: !this.state.paused })), {
      id: "pause",
      hidden: true,
    });
    this.pace = element("select", {
      id: "pace",
      ariaLabel: "pace",
      onchange: () => trying(() => this.table.ask("players", { pace: Number(this.pace.value) })),
    }, ...PACES.map(([value, textContent]) => element("option", { value, textContent })));
    this.pace.value = 0.6;
    this.pace.style.width = "auto";
    this.go = small("step", "Let the machine move", () => trying(() => this.table.ask("go")));
    at("tools").append(
      tool("plus", "New game", () => this.openNew(this.state.name), { id: "new" }),
      this.undo,
      this.hint,
      this.pause,
      this.pace,
      this.go,
      small("flip", "Turn the board", () => this.flip(!this.board.flipped)),
      small("swap", "Swap sides", () => trying(() => this.table.ask("swap"))),
      small("flag", "Resign", () => trying(() => this.table.ask("resign"))),
      small("share", "Copy a link to this game", () => copied(location.href, "link")),
      small("save", "Download the record", () => trying(() => this.save())),
    );
  }

  #listen() {
    this.board.addEventListener("move", ({ detail }) => trying(() => this.play(detail.move, detail.dragged)));
    this.board.addEventListener("refused", ({ detail }) => toast(`${detail.text} is no legal move here`, true));
    this.board.addEventListener("consider", ({ detail }) => this.consider(detail.move));
    this.table.addEventListener("state", ({ detail }) => this.heard(detail));
    this.table.addEventListener("error", ({ detail }) => toast(detail.message, true));
    this.table.addEventListener(
      "compiling",
      ({ detail }) => this.busy(`Compiling ${detail.what}, once: ${Math.round(detail.seconds)} s`),
    );
    this.table.addEventListener("compiled", () => this.busy(null));
    this.table.addEventListener("lost", ({ detail }) => {
      this.busy("Connecting again");
      toast(detail.message, true);
    });
    this.table.addEventListener("back", () => trying(() => this.#again()));
    addEventListener("hashchange", () => this.route());
  }

  /** The page as its address says: a game, or the lobby. */
  async route() {
    const fields = fromLink();
    if (fields) await trying(() => this.start(fields));
    if (!this.state) this.lobby();
    else if (!location.hash) this.lobby();
  }

  lobby() {
    at("play").hidden = true;
    at("lobby").hidden = false;
    document.title = "Kibitz";
    if (at("cards").children.length) return;
    at("cards").append(...this.games.map((game) => gameCard(game, () => this.openNew(game.name))), flowCard());
  }

  openNew(name) {
    this.newGame.open(
      name,
      (fields) => trying(() => this.start(fields)),
      this.state?.name === name ? { first: this.state.first, second: this.state.second } : {},
    );
  }

  async start(fields) {
    this.moments.clear();
    const watching = (fields.first ?? "human") !== "human" && (fields.second ?? "") !== "human";
    const state = await this.table.ask("new", watching ? { pace: Number(this.pace.value), ...fields } : fields);
    this.flip(state.second === "human" && state.first !== "human");
    if (this.analysis.on) await this.analysis.turn(true);
  }

  async #again() {
    if (!this.state) return;
    const { game, first, second, seconds, start, line } = this.state;
    await this.table.ask("new", { game, first, second, seconds, position: start, line });
    if (this.analysis.on) await this.analysis.turn(true);
    this.busy(null);
  }

  async heard(state) {
    const fresh = state.why === "new" || state.why === "setup" || this.state?.game !== state.game;
    const before = this.state;
    this.state = state;
    if (this.facts?.game !== state.game) await this.#facts(state.game);
    if (this.state !== state) return;
    at("lobby").hidden = true;
    at("play").hidden = false;
    if (fresh || !before) this.moments.clear();
    this.#remember(state);
    this.looking = null;
    const steps = this.#animation(state, before);
    this.analysis.position(state, fresh);
    this.tree.clear();
    this.setup.position(state, this.facts);
    this.#draw(steps);
    keepLink(state, this.facts.start.text);
    if (state.steps.length) {
      this.board.say(
        state.steps.map((step) => `${state.sides[step.side] ?? "chance"}: ${step.text.replace(/^~/, "")}`).join(", "),
      );
    }
  }

  async #facts(game) {
    this.facts = await ask(`/api/game?game=${encodeURIComponent(game)}`);
    this.board.setAttribute("label", this.facts.title);
    this.board.drawing = this.facts.drawing;
    at("panel-rules").replaceChildren(prose(this.facts.rules));
    at("table").style.setProperty("--aspect", this.board.aspect);
    document.title = `${this.facts.title} · Kibitz`;
  }

  /** Keep what stood on the board, so that earlier moments can be looked at. */
  #remember(state) {
    const first = state.ply - state.steps.length;
    state.steps.forEach((step, index) =>
      this.moments.set(first + index + 1, { pieces: step.pieces, last: [step.gesture] })
    );
    this.moments.set(state.ply, { pieces: state.pieces, last: state.last });
    for (const ply of this.moments.keys()) if (ply > state.ply) this.moments.delete(ply);
  }

  /** The steps to be seen: without what the player's own hand has just shown. */
  #animation(state, before) {
    let pieces = before?.pieces ?? [];
    const steps = state.steps.map((step) => {
      const chance = step.side === 2;
      const changed = step.pieces.findIndex((text, cell) => text !== pieces[cell]);
      pieces = step.pieces;
      const cells = chance && !step.gesture.cells.length && changed >= 0 ? [changed] : step.gesture.cells;
      return { ...step.gesture, cells, chance, label: chance ? `${step.text.replace(/^~/, "")}` : "" };
    });
    if (this.dragged) steps.shift();
    this.dragged = false;
    return steps;
  }

  #draw(steps) {
    const { state } = this;
    const mine = state.yours && !state.over;
    const moves = mine ? state.moves.map((move) => ({ ...move, label: WORDS[move.text] })) : [];
    this.board.show({ pieces: state.pieces, moves, last: state.last }, steps);
    this.seats.show(state, this.facts.drawing, this.board.flipped);
    this.moves.show(state, this.#firstSide(), state.ply);
    at("state").textContent = outcome(state);
    this.busy(
      state.compiling
        ? `Compiling ${state.compiling}, once`
        : state.thinking != null && !state.over
        ? `${state.sides[state.thinking]} think` + (state.sides[state.thinking].endsWith("s") ? "" : "s")
        : null,
    );
    const watching = state.first !== "human" && state.second !== "human";
    this.pause.hidden = this.pace.hidden = !watching || state.over;
    this.pause.querySelector("span").textContent = state.paused ? "Go on" : "Pause";
    this.hint.disabled = this.go.disabled = !mine;
    this.go.hidden = watching;
    this.undo.disabled = state.ply === 0;
    this.#foretell();
  }

  #firstSide() {
    const turns = this.state.line.split(" ").filter((token) => token && !token.startsWith("~")).length;
    if (this.startSide == null || this.state.ply === 0) {
      this.startSide = this.state.ply === 0 ? this.state.turn % 2 : (this.state.turn + turns) % 2;
    }
    return this.startSide;
  }

  /** What chance would make of the orders given so far. */
  async #foretell() {
    const { state } = this;
    const end = state.moves.find((move) => move.cells.length === 0);
    const game = this.games.find((one) => one.name === state.name);
    at("odds").hidden = true;
    if (!end || !state.yours || !game?.chance) return;
    const told = await this.table.ask("odds", { moves: end.text }).catch(() => null);
    if (!told || this.state !== state || !told.outcomes.length) return;
    at("odds").replaceChildren(...listed(told, this.facts.drawing, state.sides));
    at("odds").hidden = false;
  }

  async consider(move) {
    this.considered = move;
    const game = this.games.find((one) => one.name === this.state?.name);
    if (!move || !game?.chance) return;
    const told = await this.table.ask("odds", { moves: move.text }).catch(() => null);
    if (told && this.considered === move) this.board.note(foretold(told, move, this.facts.drawing, this.state.turn));
  }

  async play(move, dragged) {
    this.dragged = dragged;
    await this.table.ask("play", { move: move.text, ply: this.state.ply });
  }

  async askHint() {
    this.busy("Looking for a good move");
    try {
      const { ply } = this.state;
      const hint = await this.table.ask("hint");
      if (this.state.ply !== ply) return;
      this.board.arrows = hint.moves.filter((move) => move.cells.length).map((move) => ({
        cells: move.cells,
        kind: "hint",
      }));
      toast(`Try ${hint.text}`);
    } finally {
      this.busy(null);
    }
  }

  /** Look at an earlier moment without changing the game; null is the present. */
  look(ply) {
    const moment = this.moments.get(ply);
    if (ply == null || ply === this.state.ply) {
      this.looking = null;
      this.#draw([]);
      return;
    }
    this.looking = ply;
    if (!moment) {
      trying(() => this.#fetchMoment(ply));
      return;
    }
    this.board.arrows = [];
    this.board.show({ pieces: moment.pieces, moves: [], last: moment.last });
    this.moves.show(this.state, this.#firstSide(), ply);
  }

  /** A moment of a game that came by link: a second table knows it. */
  async #fetchMoment(ply) {
    const other = new Table();
    const { game, start, line } = this.state;
    try {
      await other.ask("new", { game, position: start, line, first: "human", second: "human" });
      const state = await other.ask("back", { ply });
      this.moments.set(ply, { pieces: state.pieces, last: state.last });
      if (this.looking === ply) this.look(ply);
    } finally {
      other.leave();
    }
  }

  async rewind() {
    if (this.looking != null) await trying(() => this.table.ask("back", { ply: this.looking }));
  }

  flip(flipped) {
    this.board.flipped = flipped;
    at("evaluation").classList.toggle("flipped", flipped);
    if (this.state && this.facts) this.seats.show(this.state, this.facts.drawing, flipped);
  }

  judged(share) {
    at("evaluation").hidden = share == null;
    at("arena").classList.toggle("judged", share != null);
    if (share == null) return;
    at("evaluation").querySelector("i").style.height = `${100 * share}%`;
    at("evaluation").setAttribute(
      "aria-label",
      `evaluation: ${Math.round(100 * share)} of 100 for ${this.state.sides[0]}`,
    );
  }

  busy(text) {
    at("busy").hidden = !text;
    at("busy").textContent = text ?? "";
  }

  async save() {
    const { name, text } = await this.table.ask("record", { format: "text" });
    download(name, text);
  }
}

function outcome(state) {
  if (!state.over) return capital(`${state.to_move} to move`);
  const how = { time: " on time", resigned: " by resignation" }[state.reason] ?? "";
  return state.winner == null ? "Drawn" : `Won by ${state.sides[state.winner]}${how}`;
}

topLine();
trying(async () => {
  const [{ games }, { agents }] = await Promise.all([ask("/api/games"), ask("/api/agents")]);
  const app = new App(games, agents);
  await app.route();
  document.body.dataset.ready = "yes";
});
