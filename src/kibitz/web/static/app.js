/** The play page: a lobby of games, and a table with a board, two seats and panels. */

import "/picture/board.js";
import { themed } from "/picture/painting.js";
import { t, term } from "/picture/strings.js";
import { AnalysisPanel } from "./analysis-panel.js";
import { ask, capital, page, toast, topLine, trying } from "./common.js";
import { EndCard } from "./end-card.js";
import { Explorer } from "./explorer.js";
import { openTable } from "./local/host.js";
import { flowCard, gameCard, lastGameLink, puzzlesCard } from "./lobby.js";
import { MovesPanel } from "./moves-panel.js";
import { NewGame } from "./new-game.js";
import { foretold, listed } from "./odds.js";
import { Premove } from "./premove.js";
import { Preview } from "./preview.js";
import { prose } from "./prose.js";
import { ReviewPanel } from "./review-panel.js";
import { Seats } from "./seats.js";
import { SetupPanel } from "./setup-panel.js";
import { play as sound } from "./sound.js";
import { fromLink, keepLink, lastGame, wantsReview } from "./share.js";
import { codeInAddress, SharedPanel } from "./shared-panel.js";
import { Tabs } from "./tabs.js";
import { Toolbar } from "./toolbar.js";
import { Tree } from "./tree.js";
import { TreePanel } from "./tree-panel.js";

const WORDS = { end: t("play.end-turn"), pass: t("play.pass") };
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
const AGAIN = t("play.again");
const TABS = ["moves", "analysis", "review", "tree", "setup", "rules"];
const at = (id) => document.getElementById(id);

class App {
  constructor(games, agents) {
    Object.assign(this, {
      games,
      agents,
      table: openTable(),
      state: null, // of the game
      view: null, // of the moment that is shown
      facts: null,
      tree: new Tree(),
      shapes: new Map(), // arrows and rings of one's own, by node
      premove: new Premove(),
      begun: false, // is the game new, and not yet in the history of the browser?
    });
    this.board = at("board");
    this.newGame = new NewGame(games, agents);
    this.seats = new Seats(at("seat-near"), at("seat-far"), {
      games,
      agents,
      change: (fields) => trying(() => this.table.ask("players", fields)),
    });
    this.tabs = new Tabs(at("tabs"), TABS.map((key) => [key, t(`tab.${key}`)]));
    this.tabs.chosen = (key) => key === "moves" && this.moves.reveal();
    this.moves = new MovesPanel(at("panel-moves"), this.tree, {
      look: (node) => this.look(node),
      go: (key) => this.look(this.tree.step(key)),
      goOn: () => trying(() => this.table.ask("back", { node: this.tree.shown })),
      type: (text) => this.board.type(text),
      annotate: (fields) => trying(() => this.annotate(fields)),
      remove: (node) => trying(() => this.remove(node)),
    });
    this.analysis = new AnalysisPanel(at("panel-analysis"), this.table, this.board, this.tree, {
      judge: (share) => this.judge(share),
      preview: (line) => this.previewing.show(line),
      tryOut: (line) => trying(() => this.tryOut(line)),
      look: (node) => this.look(node),
    });
    this.end = new EndCard(at("end"), {
      again: () => this.openNew(this.state.name),
      review: () => {
        this.tabs.choose("review");
        this.review.run();
      },
    });
    this.shared = new SharedPanel(at("shared"), this.table, { moveOn: (code) => trying(() => this.joinTable(code)) });
    this.explorer = new Explorer(at("panel-moves"), this.table, {
      play: (text) => trying(() => this.tryText(text)),
      sides: () => this.state.sides,
    });
    this.review = new ReviewPanel(at("panel-review"), this.table, this.tree, {
      look: (node) => this.look(node),
      retry: (node) => trying(() => this.table.ask("back", { node })),
      preview: (line) => this.previewing.show(line),
      reviewed: (found) => this.#takeReview(found),
    });
    this.searchTree = new TreePanel(at("panel-tree"), this.table, this.board);
    this.setup = new SetupPanel(at("panel-setup"), this.table, this.board, {
      done: (state) => state ?? this.#draw([]),
    });
    this.tools = new Toolbar(at("tools"), this.table, {
      state: () => this.state,
      begin: () => this.openNew(this.state.name),
      hint: () => trying(() => this.askHint()),
      flip: () => this.flip(!this.board.flipped),
    });
    this.previewing = new Preview(this.table, this.board, () => this.#draw([]));
    this.#listen();
  }

  #listen() {
    this.board.addEventListener("move", ({ detail }) => trying(() => this.play(detail.move, detail.dragged)));
    this.board.addEventListener("shapes", ({ detail }) => this.shapes.set(this.tree.shown, detail.shapes));
    this.board.addEventListener("refused", ({ detail }) => toast(t("play.refused", { text: detail.text }), true));
    this.board.addEventListener("consider", ({ detail }) => this.consider(detail.move));
    this.table.addEventListener("state", ({ detail }) => this.heard(detail));
    this.table.addEventListener("error", ({ detail }) => toast(detail.message, true));
    this.table.addEventListener(
      "compiling",
      ({ detail }) => this.busy(t("play.compiling-for", { what: detail.what, seconds: Math.round(detail.seconds) })),
    );
    this.table.addEventListener("compiled", () => this.busy(null));
    this.table.addEventListener("lost", ({ detail }) => {
      if (at("busy").textContent !== AGAIN) toast(detail.message, true);
      this.busy(AGAIN);
    });
    this.table.addEventListener("back", () => this.#again().catch((problem) => this.#giveUp(problem)));
    addEventListener("popstate", () => this.route());
    addEventListener("keydown", (event) => this.#key(event));
  }

  /** The page as its address says: a game, or the lobby. */
  async route() {
    const code = codeInAddress();
    if (code) {
      this.routed = true;
      const joined = await trying(() => this.joinTable(code));
      return joined ? null : this.lobby();
    }
    const fields = fromLink() ?? page?.opening;
    if (!fields) return this.lobby();
    const review = wantsReview();
    this.routed = true;
    const begun = await trying(() => this.start(fields));
    if (begun && review) {
      this.tabs.choose("review");
      this.review.run();
    }
    if (!this.state) this.lobby();
    return null;
  }

  lobby() {
    this.table.rest();
    Object.assign(this, { state: null, view: null });
    at("play").hidden = true;
    at("lobby").hidden = false;
    document.title = "Kibitz";
    const last = lastGame();
    at("last").hidden = !last;
    if (last) at("last").replaceChildren(lastGameLink(last, () => this.route()));
    if (at("cards").children.length) return;
    const card = (game) => gameCard(game, () => this.openNew(game.name));
    const gallery = this.games.filter((game) => game.origin === "gallery");
    const others = this.games.filter((game) => game.origin !== "gallery");
    at("cards").append(...others.map(card), ...(page ? [] : [puzzlesCard(), flowCard()]));
    at("gallery").append(...gallery.map(card));
    at("gallery-title").hidden = !gallery.length;
  }

  openNew(name) {
    this.newGame.open(
      name,
      (fields) => trying(() => this.start(fields)),
      (fields) => trying(() => this.joinTable(null, fields)),
      this.state?.name === name ? { first: this.state.first, second: this.state.second } : {},
    );
  }

  async start(fields) {
    const watching = (fields.first ?? "human") !== "human" && (fields.second ?? "") !== "human";
    const state = await this.table.ask("new", watching ? { pace: Number(this.tools.pace.value), ...fields } : fields);
    this.flip(state.second === "human" && state.first !== "human");
    if (this.analysis.on) await this.analysis.turn(true);
    return state;
  }

  /** Sit down at the table of a code, or open one with these fields. */
  async joinTable(code, fields = null) {
    if (fields && this.analysis.on) await this.analysis.turn(false);
    const state = await (fields ? this.table.ask("open", fields) : this.shared.join(code));
    this.flip(state.table.seat === 1);
    return state;
  }

  /** Everything that a lost connection took: the game with clocks and ending, and what was tried and written. */
  async #again() {
    if (!this.state || at("play").hidden) return;
    if (this.state.table) {
      this.routed = true;
      await this.shared.join(this.state.table.code);
      this.busy(null);
      return;
    }
    const { game, first, second, seconds, start, line, seed, clocks, over, result, reason } = this.state;
    const { shown } = this.tree;
    const shownLine = this.tree.lineTo(shown);
    this.routed = true;
    await this.table.ask("new", {
      ...{ game, first, second, seconds, position: start, line, seed, notes: this.tree.notes() },
      ...(clocks ? { clock: clocks.clock, increment: clocks.increment, left: clocks.left } : {}),
      ...(over && reason !== "rules" ? { ending: { result, reason } } : {}),
    });
    if (this.analysis.on) await this.analysis.turn(true);
    const again = [...this.tree.nodes.keys()].find((node) => this.tree.lineTo(node) === shownLine);
    if (again != null && again !== this.tree.shown) this.look(again);
    this.busy(null);
  }

  /** The nodes of every state are taken in at once: a state that is overtaken by the next is never drawn. */
  #grow(state) {
    if (state.nodes.some((node) => node.parent == null)) {
      this.analysis.forget();
      this.review.forget();
      this.shapes.clear();
      this.premove.cells = null;
      this.begun = state.why !== "setup";
    }
    this.tree.add(state.nodes);
    this.tree.follow(state.live);
    this.tree.shown = state.cursor;
  }

  /** A connection that fails is tried again; a game that cannot be put back is not. */
  #giveUp(problem) {
    if (problem.kind === "offline") return;
    this.lobby();
    toast(problem.message, true);
  }

  async heard(state) {
    const before = this.state;
    this.state = state;
    this.#grow(state);
    if (this.facts?.game !== state.game) await this.#facts(state.game);
    if (this.state !== state) return;
    at("lobby").hidden = true;
    at("play").hidden = false;
    const steps = this.#animation(state, before);
    if (this.tree.atLive) this.view = { ...state, node: state.live };
    this.searchTree.clear();
    this.setup.position(state, this.facts);
    this.#draw(this.tree.atLive ? steps : []);
    keepLink(state, this.facts.start.text, this.begun && !this.routed);
    if (this.begun) this.routed = this.begun = false;
    this.shared.show(state);
    this.end.show(state, outcome(state));
    this.#sound(state);
    this.#playAhead();
    if (state.steps.length) {
      this.board.say(
        state.steps.map(({ side,
          text }) => `${term(state.sides[side] ?? "chance")}: ${text.replace(/^~/, "")}`).join(", "),
      );
    }
  }

  // The cursor.

  /** Show a moment of the tree. */
  async look(node) {
    if (node === this.tree.shown || !this.tree.nodes.has(node)) return;
    this.tree.shown = node;
    const view = await trying(() => this.table.ask("look", { node }));
    if (view && this.tree.shown === node) this.#arriveAt(view);
  }

  #arriveAt(view) {
    this.tree.add(view.nodes);
    const before = this.view;
    this.tree.shown = view.node;
    this.view = this.tree.atLive ? { ...view, over: this.state.over, winner: this.state.winner } : view;
    const child = this.tree.current?.parent?.node === before?.node;
    this.#draw(child && !this.dragged ? view.last.slice(-1) : []);
    this.dragged = false;
    this.searchTree.clear();
    this.board.say(t("play.at", { ply: view.ply, text: this.tree.current?.text ?? t("play.start") }));
  }

  #key(event) {
    if (!KEYS[event.key] || !this.view || at("play").hidden || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const typing = event.composedPath().some((node) =>
      node.matches?.("input:not([type=checkbox]), textarea, select, [role=tab], [role=treeitem], [role=tree]") ||
      (node.matches?.("[data-cell]") && !this.board.pointed && event.key.startsWith("Arrow"))
    );
    if (typing) return;
    event.preventDefault();
    this.look(this.tree.step(KEYS[event.key]));
  }

  async annotate(fields) {
    this.tree.note(await this.table.ask("annotate", { node: this.tree.shown, ...fields }));
    this.#drawMoves();
  }

  async remove(node) {
    const view = await this.table.ask("remove", { node });
    this.tree.remove(view.gone);
    this.#arriveAt(view);
  }

  /** Play the first turn of a line beside the game. */
  tryOut(line) {
    this.previewing.show(null);
    const end = line.moves.findIndex((move) => move.side !== line.moves[0].side);
    return this.tryText(line.moves.slice(0, end < 0 ? undefined : end).map((move) => move.text).join("+"));
  }

  async tryText(words) {
    this.#arriveAt(await this.table.ask("play", { node: this.tree.shown, move: words, variation: true }));
  }

  #sound(state) {
    if (!state.steps.length && !state.over) return;
    const taken = state.steps.some((step) => step.gesture.captured.length);
    if (state.over && state.why !== "new" && state.why !== "presence") sound("end");
    else if (state.steps.length) sound(taken ? "capture" : "move");
  }

  async #facts(game) {
    this.facts = await ask(`/api/game?game=${encodeURIComponent(game)}`);
    this.board.setAttribute("label", term(this.facts.title));
    this.board.drawing = this.facts.drawing;
    at("panel-rules").replaceChildren(prose(this.facts.rules, this.facts));
    at("table").style.setProperty("--aspect", this.board.aspect);
    [0, 1].forEach((side) => at("evaluation").style.setProperty(`--side-${side}`, colourOf(side, this.facts.drawing)));
    document.title = t("page.title", { name: term(this.facts.title) });
    at("title").textContent = term(this.facts.title);
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

  /** May the visitor move here: in the game when it is his turn, elsewhere always. */
  get mayMove() {
    return this.tree.atLive ? this.state.yours && !this.state.over : !this.view.over && this.view.turn < 2;
  }

  #draw(steps) {
    const { state, view } = this;
    const moves = this.mayMove ? view.moves.map((move) => ({ ...move, label: WORDS[move.text] })) : this.#ahead();
    this.board.show({ pieces: view.pieces, moves, last: view.last, quiet: !this.mayMove }, steps);
    this.#drawShapes();
    this.seats.show(state, this.facts.drawing, this.board.flipped, view.over ? null : view.turn);
    this.#drawMoves();
    this.analysis.show(view, state.sides);
    this.review.show(state.sides);
    this.explorer.show(view);
    at("state").textContent = this.tree.atLive ? outcome(state) : `${outcome(view)}, ${this.#where()}`;
    this.busy(
      state.compiling
        ? t("play.compiling", { what: state.compiling })
        : state.thinking != null && !state.over
        ? thinking(state.sides[state.thinking])
        : null,
    );
    this.tools.show(state, this.mayMove);
    this.#foretell();
  }

  #takeReview(found) {
    this.analysis.learn(found.shares);
    this.#drawMoves();
  }

  #where() {
    return this.tree.aside(this.tree.shown) ? t("play.in-variation") : t("play.after", { ply: this.view.ply,
      all: this.state.ply });
  }

  #ahead() {
    return this.tree.atLive ? this.premove.choices(this.state, this.view.pieces, this.facts.drawing) : [];
  }

  #drawMoves() {
    this.moves.show(this.view, this.mayMove);
  }

  /** What chance would make of the orders given so far. */
  async #foretell() {
    const { view } = this;
    const end = view.moves.find((move) => move.cells.length === 0);
    const game = this.games.find((one) => one.name === this.state.name);
    at("odds").hidden = true;
    if (!end || !this.mayMove || !game?.chance) return;
    const told = await this.table.ask("odds", { moves: end.text }).catch(() => null);
    if (!told || this.view !== view || !told.outcomes.length) return;
    at("odds").replaceChildren(...listed(told, this.facts.drawing, this.state.sides));
    at("odds").hidden = false;
  }

  async consider(move) {
    this.considered = move;
    const game = this.games.find((one) => one.name === this.state?.name);
    if (!move || !game?.chance) return;
    const told = await this.table.ask("odds", { moves: move.text }).catch(() => null);
    if (told && this.considered === move) this.board.note(foretold(told, move, this.facts.drawing, this.view.turn));
  }

  #drawShapes() {
    this.board.shapes = [...(this.shapes.get(this.tree.shown) ?? []), ...this.premove.shapes];
  }

  /** The turn has come: play what was chosen ahead, if the rules have exactly one such move. */
  #playAhead() {
    if (!this.premove.cells || !this.mayMove || !this.tree.atLive) return;
    const found = this.premove.take(this.view.moves);
    this.#drawShapes();
    if (found.length === 1) trying(() => this.play(found[0], false));
    else toast(t("play.no-premove"));
  }

  async play(move, dragged) {
    if (move.ahead) {
      this.premove.choose(move);
      this.#drawShapes();
      return;
    }
    this.dragged = dragged;
    const { node, ply } = this.view;
    const answer = await this.table.ask("play", { move: move.text, node, ply });
    if (answer.type === "view") this.#arriveAt(answer);
  }

  async askHint() {
    this.busy(t("play.looking"));
    try {
      const { shown } = this.tree;
      const hint = await this.table.ask("hint");
      if (this.tree.shown !== shown) return;
      this.board.arrows = hint.moves.filter((move) => move.cells.length).map((move) => ({
        cells: move.cells,
        kind: "hint",
      }));
      toast(t("play.try", { text: hint.text }));
    } finally {
      this.busy(null);
    }
  }

  flip(flipped) {
    this.board.flipped = flipped;
    at("evaluation").classList.toggle("flipped", flipped);
    if (this.state && this.facts) this.seats.show(this.state, this.facts.drawing, flipped);
  }

  /** The bar: what the first side may expect, in the colours of the sides. */
  judge(share) {
    const bar = at("evaluation");
    bar.hidden = !this.analysis?.on;
    bar.classList.toggle("unknown", share == null);
    at("arena").classList.toggle("judged", !bar.hidden);
    if (share == null) return;
    bar.querySelector("i").style.height = `${100 * share}%`;
    const [one, other] = this.state.sides.map(term);
    const [first, second] = [share, 1 - share].map((part) => Math.round(100 * part));
    bar.setAttribute("aria-label", t("play.chances", { first, second, one, other }));
  }

  busy(text) {
    at("busy").hidden = !text;
    at("busy").textContent = text ?? "";
  }
}

/** The colour of a side's pieces. */
function colourOf(side, { pieces }) {
  const own = Object.values(pieces).find((piece) => piece.side === side);
  const fill = own?.parts[0]?.fill ?? (side ? "#3a3437" : "#fffaf0");
  return themed(`${own?.colour ?? (side ? "black" : "white")}-body`, fill);
}

function outcome(state) {
  if (!state.over) return capital(t("play.to-move", { side: term(state.to_move) }));
  if (state.winner == null) return t(state.reason === "agreed" ? "play.drawn-agreed" : "play.drawn");
  const won = { time: "play.won-time", resigned: "play.won-resigned" }[state.reason] ?? "play.won";
  return t(won, { side: term(state.sides[state.winner]) });
}

/** Sides are one or many: white thinks, sheep think. */
function thinking(side) {
  return t(/s$|^sheep$/.test(side) ? "play.think" : "play.thinks", { side: term(side) });
}

topLine();
trying(async () => {
  const [{ games }, { agents }] = await Promise.all([ask("/api/games"), ask("/api/agents")]);
  const app = new App(games, agents);
  await app.route();
  document.body.dataset.ready = "yes";
});
