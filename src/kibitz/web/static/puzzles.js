/** The page of puzzles: choose a game, find the one move, and see played out why another one fails. */

import "/picture/board.js";
import { t, term } from "/picture/strings.js";
import { ask, capital, element, tool, topLine, trying } from "./common.js";
import { AT_ONCE, Memory, SHOWN, SOLVED } from "./puzzles-memory.js";

const MAKE = "kibitz puzzles GAME --count 50";
const PAUSE = 650; // milliseconds for each move that is played out
const BANDS = [["all", 1, 10], ["easy", 1, 3], ["middle", 4, 6], ["hard", 7, 10]];
const at = (id) => document.getElementById(id);
const moment = () => new Promise((done) => setTimeout(done, PAUSE));

class PuzzlePage {
  constructor() {
    this.board = at("board");
    this.memory = new Memory();
    this.turn = 0; // counts what is shown, so that an old answer notices a new puzzle
    this.board.addEventListener("move", ({ detail }) => trying(() => this.play(detail.move, detail.dragged)));
    addEventListener("hashchange", () => trying(() => this.openAddress()));
    addEventListener("keydown", (event) => this.#key(event));
    this.#build();
  }

  #build() {
    this.title = element("h1");
    this.task = element("p", { id: "goal" });
    this.facts = element("p", { className: "small quiet", id: "facts" });
    this.verdict = element("p", { className: "verdict", id: "verdict", role: "status" });
    this.whyButton = tool("hint", t("puzzles.why"), () => trying(() => this.why()), { id: "why", hidden: true });
    this.againButton = tool("undo", t("puzzles.again"), () => this.again(), { id: "again", hidden: true });
    this.solutionButton = tool("step", t("puzzles.solution"), () => trying(() => this.solution()), { id: "solution" });
    this.nextButton = tool("on", t("puzzles.next"), () => this.next(), { id: "next" });
    at("task").append(
      this.title,
      this.task,
      this.verdict,
      element("div", { className: "row" }, this.againButton, this.whyButton, this.solutionButton, this.nextButton),
      this.facts,
    );
    const number = (name, id) => {
      const shown = element("dd", { id, textContent: "0" });
      return [element("div", {}, element("dt", { textContent: name }), shown), shown];
    };
    const [solved, solvedShown] = number(t("puzzles.solved"), "solved");
    const [streak, streakShown] = number(t("puzzles.streak"), "streak");
    const [best, bestShown] = number(t("puzzles.best-streak"), "best");
    Object.assign(this, { solvedShown, streakShown, bestShown });
    this.games = element("select", { id: "games", onchange: () => this.#go(this.games.value) });
    this.band = element(
      "select",
      { id: "band", onchange: () => this.next() },
      ...BANDS.map(([value]) => element("option", { value, textContent: t(`puzzles.levels.${value}`) })),
    );
    at("choice").append(
      element("dl", { className: "streaks" }, solved, streak, best),
      element("label", { className: "field" }, t("puzzles.game"), this.games),
      element("label", { className: "field" }, t("puzzles.level"), this.band),
    );
  }

  /** Letters stand for buttons, wherever nothing is being typed. */
  #key(event) {
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, kibitz-board");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const button = { n: this.nextButton, w: this.whyButton, s: this.solutionButton, t: this.againButton }[event.key];
    if (button && !button.hidden && !at("puzzle").hidden) {
      event.preventDefault();
      button.click();
    }
  }

  /** Open what the address names: a puzzle, the puzzles of a game, or the list of games. */
  async openAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    this.sets ??= (await ask("/api/puzzles")).sets;
    if (!wanted.has("game")) {
      this.#list();
      return;
    }
    if (this.set?.game !== wanted.get("game")) {
      const game = encodeURIComponent(wanted.get("game"));
      const [set, drawn] = await Promise.all([ask(`/api/puzzles/${game}`), ask(`/api/game?game=${game}`)]);
      this.set = set;
      this.sides = drawn.sides;
      this.board.drawing = drawn.drawing;
      at("table").style.setProperty("--aspect", this.board.aspect);
      this.games.replaceChildren(
        ...this.sets.map(({ game: value, title }) =>
          element("option", { value, textContent: term(title), selected: value === set.game })
        ),
      );
    }
    const number = Number(wanted.get("number"));
    if (number >= 1 && number <= this.set.count) await this.open(number);
    else this.next();
  }

  #go(game, number = 0) {
    location.hash = new URLSearchParams(number ? { game, number } : { game });
  }

  /** The games that there are puzzles of. */
  #list() {
    this.turn += 1;
    at("puzzle").hidden = true;
    at("sets").hidden = false;
    const cards = this.sets.map((set) => this.#card(set));
    const none = element(
      "section",
      { className: "drop" },
      element("h2", { textContent: t("puzzles.none") }),
      element("p", { className: "quiet", textContent: t("puzzles.make") }),
      element("code", { className: "mono", textContent: MAKE }),
    );
    at("sets").replaceChildren(
      element("h1", { textContent: t("page.puzzles") }),
      element("p", {
        className: "quiet",
        textContent: t("puzzles.about"),
      }),
      cards.length ? element("div", { className: "cards" }, ...cards) : none,
    );
  }

  /** A set with the board of its first puzzle. */
  #card(set) {
    const thumb = element("div", { className: "thumb" });
    trying(async () => {
      const { drawing } = await ask(`/api/game?game=${encodeURIComponent(set.game)}`);
      const board = element("kibitz-board", { inert: true });
      thumb.append(board);
      board.drawing = drawing;
      board.show({ pieces: set.pieces });
    });
    const count = this.memory.count(set.game);
    const text = element(
      "div",
      {},
      element("strong", { textContent: term(set.title) }),
      element("span", { textContent: said(set) }),
      element("span", { textContent: count ? t("puzzles.count", { n: count }) : t("puzzles.count.none") }),
    );
    const link = element("a", { className: "card button", href: `#${new URLSearchParams({ game: set.game })}` });
    link.append(thumb, text);
    link.dataset.game = set.game;
    return link;
  }

  /** The next puzzle of the chosen levels that was not solved, the easiest first; when all were, any. */
  next() {
    const [, low, high] = BANDS.find(([value]) => value === this.band.value);
    const { solved } = this.memory.of(this.set.game);
    const fitting = this.set.puzzles.filter(({ level }) => level >= low && level <= high);
    if (!fitting.length) {
      this.#report("", t("puzzles.no-level"), t("puzzles.other-level"));
      return;
    }
    const order = fitting.toSorted((one, other) => one.level - other.level || one.number - other.number);
    const open = order.filter(({ id, number }) => !solved[id] && number !== this.number);
    const later = open.filter(({ level }) => level >= (this.puzzle?.level ?? 0));
    const others = order.filter(({ number }) => number !== this.number);
    const chosen = later[0] ?? open[0] ?? others[Math.floor(Math.random() * others.length)] ?? order[0];
    const address = `#${new URLSearchParams({ game: this.set.game, number: chosen.number })}`;
    if (location.hash === address) trying(() => this.open(chosen.number));
    else if (this.number) location.hash = address;
    else location.replace(address);
  }

  async open(number) {
    this.turn += 1;
    const turn = this.turn;
    const shown = await this.#ask("show", { number });
    if (turn !== this.turn) return;
    at("sets").hidden = true;
    at("puzzle").hidden = false;
    Object.assign(this, { number, puzzle: shown, done: 0, moves: [], clean: true, over: false });
    this.row = this.set.puzzles[number - 1];
    this.start = shown.board;
    this.board.flipped = shown.board.turn === 1;
    this.title.textContent = t("puzzles.title", { title: term(this.set.title), number });
    this.task.textContent = task(shown);
    this.facts.textContent = [
      t("puzzles.found-by", { level: shown.level }),
      t(`puzzles.evidence.${shown.evidence}`),
      t("puzzles.origin", { origin: shown.origin }),
    ].join(" ");
    this.#report("", t("puzzles.your-move"), "");
    this.#buttons(false);
    this.#count();
    await this.#show(shown.board, []);
    document.body.dataset.puzzle = number;
  }

  #ask(verb, fields = {}) {
    const { done = 0 } = this;
    return ask(`/api/puzzles/${verb}`, { game: this.set.game, number: this.number, done, ...fields });
  }

  /** One move of the solver's turn. */
  async play(move, dragged = false) {
    if (this.over || this.wrong) return;
    this.turn += 1;
    const turn = this.turn;
    const moves = [...this.moves, move.text];
    const found = await this.#ask("play", { moves: moves.join("+") });
    if (turn !== this.turn) return;
    await this.#playOut(found.frames.slice(-1), turn, dragged ? 0 : 1);
    if (turn !== this.turn) return;
    this.moves = moves;
    await this[`_${found.verdict}`](found, turn);
  }

  async _partial({ board }) {
    await this.#show(board, []);
    this.#report("", t("common.go-on"), t("puzzles.partial"));
  }

  async _wrong({ board }) {
    this.wrong = this.moves.join("+");
    this.clean = false;
    this.memory.fail(this.set.game, this.row.id);
    this.#count();
    await this.#show({ ...board, moves: [] }, this.last);
    const known = board.ended ? this.#ending(board.ended) : failing(this.puzzle);
    this.#report("bad", t("puzzles.wrong", { move: this.wrong }), known);
    this.#buttons(true);
    this.whyButton.focus();
  }

  async _right({ answer, done, board }, turn) {
    this.#report("good", t("puzzles.right", { move: this.moves.join("+") }), t("puzzles.and-now"));
    await moment();
    await this.#playOut(answer, turn);
    if (turn !== this.turn) return;
    Object.assign(this, { done, moves: [], start: board });
    await this.#show(board, this.last);
  }

  async _solved({ board }) {
    this.over = true;
    this.memory.note(this.set.game, this.row.id, this.clean ? AT_ONCE : SOLVED);
    this.#count();
    await this.#show({ ...board, moves: [] }, this.last);
    this.#report("good", t("puzzles.is-solved", { move: this.moves.join("+") }), this.#outcome(board));
    this.#buttons(false);
    this.nextButton.focus();
  }

  /** The other side's answer to a wrong turn, played out on the board. */
  async why() {
    this.turn += 1;
    const turn = this.turn;
    this.#report("bad", t("puzzles.wrong", { move: this.wrong }), t("puzzles.looking"));
    const found = await this.#ask("why", { moves: this.moves.join("+") });
    if (turn !== this.turn) return;
    const line = found.frames.map(({ gesture }) => gesture.text).join(" ");
    const known = found.ends.known ? "" : failing(this.puzzle);
    const said = [line && `${line}.`, known, this.#ending(found.ends)].filter(Boolean).join(" ");
    this.#report("bad", t("puzzles.refuted", { move: this.wrong }), said);
    await this.#playOut(found.frames, turn);
    document.body.dataset.refuted = turn;
  }

  /** Back to where the wrong turn was made. */
  again() {
    this.turn += 1;
    this.moves = [];
    this.#report("", t("puzzles.your-move"), "");
    this.#buttons(false);
    this.#show(this.start, []);
    this.board.focus();
  }

  /** The rest of the line; that is help. */
  async solution() {
    this.turn += 1;
    const turn = this.turn;
    this.clean = false;
    this.moves = [];
    this.memory.fail(this.set.game, this.row.id);
    const found = await this.#ask("solution");
    if (turn !== this.turn) return;
    this.over = true;
    this.memory.note(this.set.game, this.row.id, SHOWN);
    this.#count();
    await this.#show({ ...this.start, moves: [] }, []);
    const line = found.frames.map(({ gesture }) => gesture.text).join(" ");
    this.#report("", line, this.#outcome(found.board));
    this.#buttons(false);
    await this.#playOut(found.frames, turn);
    this.nextButton.focus();
  }

  /** Moves one after the other; the first `seen` of them are animated at once, without a pause before them. */
  async #playOut(frames, turn, seen = 1) {
    for (const [index, { gesture, pieces, chance }] of frames.entries()) {
      if (index) await moment();
      if (turn !== this.turn) return;
      this.last = [gesture];
      const steps = seen ? [{ ...gesture, chance }] : [];
      await this.board.show({ pieces, moves: [], last: [gesture] }, steps);
    }
  }

  async #show({ pieces, moves: legal }, last) {
    await this.board.show({ pieces, moves: legal, last: last ?? [] });
  }

  #buttons(wrong) {
    if (!wrong) this.wrong = null;
    this.whyButton.hidden = !wrong;
    this.againButton.hidden = !wrong;
    this.solutionButton.hidden = this.over;
    this.nextButton.classList.toggle("main", this.over);
  }

  #report(kind, head, text) {
    this.verdict.dataset.kind = kind;
    this.verdict.replaceChildren(element("strong", { textContent: head }), text);
  }

  #count() {
    const known = this.memory.of(this.set.game);
    this.solvedShown.textContent = this.memory.count(this.set.game);
    this.streakShown.textContent = known.streak;
    this.bestShown.textContent = known.best;
  }

  /** How a game ends, or what the engine thinks of it. */
  #ending({ known, winner, turns, chances, side }) {
    if (!known) return t("puzzles.chances", { percent: Math.round(100 * chances), side: term(this.sides[side]) });
    if (winner == null) return t("puzzles.drawn");
    const name = capital(term(this.sides[winner]));
    return turns ? t("puzzles.wins-in", { side: name, n: turns }) : t("puzzles.won", { side: name });
  }

  /** What the solution has reached. */
  #outcome(board) {
    if (board.ended) return this.#ending(board.ended);
    const { goal, turns, line } = this.puzzle;
    if (goal === "draw") return t("puzzles.holds");
    return goal === "best" ? t("puzzles.is-best") : t("puzzles.goes-on", { n: turns - line });
  }
}

/** What a set has to offer. */
function said({ count, proven, levels }) {
  const known = Object.keys(levels).map(Number);
  const shown = proven === count ? t("puzzles.proven.all") : proven ? t("puzzles.proven.some", { n: proven }) : "";
  const range = t("puzzles.range", { n: count, low: Math.min(...known), high: Math.max(...known) });
  return [range, shown].filter(Boolean).join(", ");
}

/** What is to be done. */
function task({ board, goal, choices, margin }) {
  const side = capital(term(board.to_move));
  if (goal === "best") return t("puzzles.task.best", { side, percent: Math.round(100 * margin) });
  return t(`puzzles.task.${goal}`, { side, n: choices });
}

/** What is known of every other turn. */
function failing({ goal, evidence }) {
  return t(evidence === "checked" ? "puzzles.fails.checked" : `puzzles.fails.${goal}`);
}

topLine("page.puzzles");
const page = new PuzzlePage();
await trying(() => page.openAddress());
document.body.dataset.ready = "yes";
