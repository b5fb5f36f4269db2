/** One visitor without a server: the game, its tree, the analysis that follows the cursor. It answers the messages of
 * docs/api.md as the server's session does, with rules and search of a compiled module.
 */

import { Refusal } from "../refusal.js";
import { Random } from "/engine/engine.js";
import { analysisFacts, lineFacts, scoreText } from "./analysis.js";
import { GameTree } from "./game-tree.js";
import { oddsFacts } from "./odds.js";
import { checkPlayer, chooseTurn } from "./players.js";
import { recordFacts } from "./record.js";
import { reviewLine } from "./review.js";
import { CHANCE, joinLine, lastTurn, TOKENS } from "./rules.js";
import { treeFacts } from "./search-tree.js";
import { Clocks, GameTable } from "./table.js";

const STAYS = new Set(["agent", "time", "failed", "state", "resign"]); // news that leave the cursor where it is
const refuse = (error, message) => new Refusal({ error, message });
const now = () => performance.now() / 1000;
const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

export class Session {
  #table = null;
  #tree = null;
  #cursor = null;
  #request = null; // the id of the message that is being answered
  #thinking = null; // of the agent to move: an AbortController
  #failed = false;
  #analysing = null;
  #lines = 0;
  #patience = 600;
  #flag = 0;
  #reviewing = false;
  #dice = new Random(1 + Math.floor(Math.random() * 1e9));

  /** `load` gives the Rules of a game's text and two thinkers, `send` hears messages. */
  constructor(load, send) {
    Object.assign(this, { load, send });
  }

  /** Do what a message asks, or throw a Refusal. */
  async answer({ type, id, ...message }) {
    const handler = HANDLERS[type];
    if (!handler) throw refuse("unknown-type", `this page has no message of the type '${type}'`);
    if (type !== "new" && type !== "ping" && !this.#table) {
      throw refuse("no-game", "there is no game on this table yet, expected 'new' first");
    }
    await handler.call(this, message, id);
  }

  /** Nobody looks any more. */
  close() {
    this.#stopWork();
    this.#stopAnalysis();
    this.#table = this.#tree = this.#cursor = null;
  }

  // The game.

  async begin(message, id) {
    const loaded = await this.load(message.game);
    const { rules } = loaded;
    const players = [checkPlayer(message.first ?? "human"), checkPlayer(message.second ?? "engine")];
    const clocks = message.clock ? new Clocks(message.clock, message.increment ?? 0, message.left) : null;
    const here = this.#read(rules, message);
    this.close();
    Object.assign(this, loaded);
    this.#table = new GameTable(rules, here, {
      players,
      seconds: message.seconds ?? 1,
      seed: message.seed ?? 1 + Math.floor(Math.random() * 2 ** 31),
      pace: message.pace ?? 0,
      clocks,
      ending: message.ending ? { result: TOKENS.indexOf(message.ending.result), reason: message.ending.reason } : null,
    });
    this.#resetTree();
    this.#tree.restore(message.notes ?? []);
    this.#goOn("new", id);
  }

  #read(rules, { position, line }) {
    const start = position == null ? rules.start() : rules.read(position);
    return rules.playLine(start, line ?? "").at(-1) ?? start;
  }

  #resetTree() {
    this.#stopAnalysis();
    this.#tree = new GameTree(this.rules, this.#table.first);
    this.#cursor = this.#tree.follow(this.#table.steps);
  }

  #goOn(why, id = null) {
    const table = this.#table;
    this.#request = id;
    table.roll();
    this.#runClocks();
    if (table.agent && !table.paused && !this.#failed) this.#think(table.agent);
    this.#tell(why);
  }

  #tell(why) {
    const before = this.#cursor;
    const atLive = before === this.#tree.live;
    this.#tree.follow(this.#table.steps);
    if (atLive || !STAYS.has(why) || !this.#tree.nodes.has(before.number)) this.#cursor = this.#tree.live;
    this.#sendState(why, this.#table.takeFresh());
    if (this.#cursor !== before || why === "new" || why === "setup") this.#analyse();
  }

  #sendState(why, fresh = []) {
    const tree = this.#tree;
    const told = {
      ...this.#table.facts(why, now()),
      thinking: this.#thinking && !this.#table.over ? this.#table.turn : null,
      compiling: null,
      steps: fresh.map((step) => this.rules.stepFacts(step)),
      live: tree.live.number,
      cursor: this.#cursor.number,
      nodes: tree.takeFresh(),
      redo: tree.nextSteps().length > 0,
    };
    const request = this.#request;
    this.#request = null;
    this.send(request == null ? told : { ...told, id: request });
  }

  async #think(agent) {
    const table = this.#table;
    const stopper = new AbortController();
    this.#thinking = stopper;
    const [began, side] = [now(), table.turn];
    try {
      const found = await chooseTurn(agent, this.rules, table.here, this.#limit(), this.player, stopper.signal);
      await pause(Math.max(0, table.pace - (now() - began)));
      if (stopper.signal.aborted) return;
      const who = this.rules.toMove(table.here);
      if (!found.codes.length) throw refuse("agent-failed", `the agent of ${who} gives no move`);
      const seconds = now() - began;
      if (table.clocks) {
        table.clocks.stop(now());
        if (table.clocks.left[side] <= 0) {
          this.#loseOnTime(side);
          return;
        }
        table.clocks.reward(side);
      }
      this.#thinking = null;
      table.playCodes(found.codes, { seconds, ...found });
      this.#goOn("agent");
    } catch (problem) {
      if (stopper.signal.aborted) return;
      this.#thinking = null;
      this.#failed = true;
      this.send({ type: "error", id: null, error: problem.kind ?? "agent-failed", message: problem.message });
      this.#tell("failed");
    }
  }

  #limit() {
    const { clocks, seconds, turn } = this.#table;
    if (!clocks) return { seconds };
    const left = Math.max(0.01, clocks.remaining(turn, now()));
    return { clock: left, increment: clocks.increment, seconds: Math.min(60, left) };
  }

  #stopWork() {
    clearTimeout(this.#flag);
    this.#table?.clocks?.stop(now());
    this.#thinking?.abort();
    this.#thinking = null;
    this.#failed = false;
  }

  #runClocks() {
    const { clocks, over, paused, turn, humans } = this.#table;
    clearTimeout(this.#flag);
    if (!clocks) return;
    clocks.stop(now());
    if (over || paused) return;
    clocks.run(turn, now());
    if (!humans.includes(turn)) return;
    this.#flag = setTimeout(() => this.#loseOnTime(turn), 1000 * Math.max(0, clocks.remaining(turn, now())));
  }

  #loseOnTime(side) {
    if (this.#table.over) return;
    this.#stopWork();
    this.#table.end(side, "time");
    this.#goOn("time");
  }

  play({ move = "", node: number, ply, variation }, id) {
    const [table, tree] = [this.#table, this.#tree];
    const node = number == null ? tree.live : tree.node(number);
    const there = tree.path(node).length;
    if (ply != null && ply !== there) {
      throw refuse("stale", `the move is for ply ${ply}, the game is at ply ${there}`);
    }
    if (!move || /\s/.test(move)) {
      throw refuse("illegal-move", "a move is a text without spaces, those of one turn joined by '+'");
    }
    if (node !== tree.live || variation === true) {
      this.#look(tree.play(node, move, this.#dice));
      this.send({ ...this.#view(), id });
      return;
    }
    this.#refuseOver();
    if (!table.yours) {
      throw refuse("not-your-turn", `it is the turn of ${this.rules.toMove(table.here)}, and no human plays it`);
    }
    const side = table.turn;
    table.play(move, { seconds: table.clocks ? now() - table.clocks.since : 0 });
    this.#stopWork();
    if (table.clocks && (table.over || table.turn !== side)) table.clocks.reward(side);
    this.#goOn("play", id);
  }

  #refuseOver() {
    if (this.#table.over) throw refuse("game-over", `the game is over (${this.#table.reason})`);
  }

  undo(_, id) {
    this.#table.undo();
    this.#stopWork();
    this.#goOn("undo", id);
  }

  redo(_, id) {
    const steps = this.#tree.nextSteps();
    if (!steps.length) throw refuse("nothing-to-redo", "nothing was taken back here");
    const wanted = this.#table.humans.length ? this.#table.humans : [0, 1];
    const end = steps.findIndex(({ side }, at) => at > 0 && wanted.includes(side));
    this.#stopWork();
    this.#table.replay(steps.slice(0, end < 0 ? undefined : end).map(({ code }) => code));
    this.#goOn("redo", id);
  }

  back({ node, ply }, id) {
    if (node == null) this.#table.back(ply);
    else {
      const codes = this.#tree.steps(this.#tree.node(node)).map(({ code }) => code);
      this.#table.back(0);
      this.#table.replay(codes);
    }
    this.#stopWork();
    this.#goOn("back", id);
  }

  swap(_, id) {
    this.#stopWork();
    this.#table.players.reverse();
    this.#goOn("swap", id);
  }

  players({ first, second, seconds, pace: least }, id) {
    const table = this.#table;
    const chosen = [checkPlayer(first ?? table.players[0]), checkPlayer(second ?? table.players[1])];
    this.#stopWork();
    Object.assign(table, { players: chosen, seconds: seconds ?? table.seconds, pace: least ?? table.pace });
    this.#goOn("players", id);
  }

  setup(message, id) {
    const here = this.#read(this.rules, message);
    this.#stopWork();
    this.#table.settle(here);
    this.#resetTree();
    this.#goOn("setup", id);
  }

  compose({ pieces, turn }, id) {
    const here = this.rules.read(this.rules.view.compose(pieces, turn));
    if (this.rules.turn(here) !== turn) {
      throw refuse("bad-position", `these pieces with ${this.rules.sides[turn]} to move are no position of this game`);
    }
    this.send({ type: "composed", id, position: this.rules.text(here) });
  }

  resign({ side }, id) {
    this.#refuseOver();
    const { turn, humans } = this.#table;
    const own = humans.includes(turn) || !humans.length ? turn : humans[0];
    this.#stopWork();
    this.#table.end(side ?? own, "resigned");
    this.#goOn("resign", id);
  }

  pause({ on }, id) {
    this.#stopWork();
    this.#table.paused = on;
    this.#goOn("pause", id);
  }

  go(_, id) {
    this.#refuseOver();
    this.#stopWork();
    if (this.#table.agent) {
      this.#table.paused = false;
      this.#goOn("go", id);
      return;
    }
    this.#think("engine");
    this.#request = id;
    this.#sendState("go");
  }

  state(_, id) {
    this.#request = id;
    this.#sendState("state");
  }

  moves(_, id) {
    const { over, here } = this.#table;
    this.send({ type: "moves", id, moves: over ? [] : this.rules.moment(here).moves });
  }

  record(_, id) {
    this.send({ type: "record", id, ...recordFacts(this.#table) });
  }

  ping(_, id) {
    this.send({ type: "pong", id });
  }

  // The cursor.

  #look(node) {
    if (node === this.#cursor) return;
    this.#cursor = node;
    this.#analyse();
  }

  #view() {
    const steps = this.#tree.steps(this.#cursor);
    return {
      type: "view",
      node: this.#cursor.number,
      ply: steps.length,
      line: joinLine(steps),
      ...this.rules.moment(this.#cursor.position),
      last: lastTurn(steps),
      live: this.#tree.live.number,
      nodes: this.#tree.takeFresh(),
    };
  }

  look({ node }, id) {
    this.#look(this.#tree.node(node));
    this.send({ ...this.#view(), id });
  }

  annotate({ node: number, mark, comment }, id) {
    const node = this.#tree.node(number);
    this.#tree.annotate(node, mark ?? node.mark, (comment ?? node.comment).slice(0, 1000));
    this.send({ type: "annotated", id, ...this.#tree.facts(node) });
  }

  remove({ node }, id) {
    const parent = this.#tree.remove(this.#tree.node(node));
    if (!this.#tree.nodes.has(this.#cursor.number)) this.#look(parent);
    this.send({ ...this.#view(), type: "removed", gone: node, id });
  }

  preview({ line }, id) {
    const passed = this.rules.playLine(this.#cursor.position, line);
    const frames = passed.map((position) => ({
      gesture: this.rules.step(position).gesture,
      pieces: this.rules.pieces(position),
    }));
    this.send({ type: "preview", id, frames });
  }

  // The engine.

  analyse({ on, lines = 1, seconds = 600 }, id) {
    this.#stopAnalysis();
    this.#lines = on ? lines : 0;
    this.#patience = seconds;
    this.send({ type: "analysing", id, on });
    this.#analyse();
  }

  #stopAnalysis() {
    this.#analysing?.abort();
    this.#analysing = null;
  }

  async #analyse() {
    this.#stopAnalysis();
    const { number, position } = this.#cursor;
    if (!this.#lines || this.rules.over(position) || this.rules.turn(position) === CHANCE) return;
    const stopper = new AbortController();
    this.#analysing = stopper;
    const ply = this.#tree.path(this.#cursor).length;
    const tell = (report, done = false) => {
      if (stopper.signal.aborted || !report.lines.length) return;
      this.send({ type: "analysis", node: number, ply, ...analysisFacts(this.rules, position, report), done });
    };
    const limit = { seconds: this.#patience, lines: this.#lines };
    try {
      const line = this.rules.engine.line(position);
      tell(await this.analyst.search(line, limit, { watch: tell, signal: stopper.signal }), true);
    } catch (problem) {
      const { kind: error, message } = problem;
      if (!stopper.signal.aborted) this.send({ type: "error", id: null, error, message });
    }
  }

  async hint({ seconds = 1 }, id) {
    const { position } = this.#cursor;
    if (this.rules.over(position)) throw refuse("game-over", "nothing can be played here: the game is over");
    const found = await chooseTurn("engine", this.rules, position, { seconds }, this.player);
    const moves = [];
    let here = position;
    for (const code of found.codes) {
      moves.push(this.rules.gesture(here, code));
      here = this.rules.play(here, code);
    }
    const side = this.rules.turn(position);
    this.send({
      type: "hint",
      id,
      moves,
      text: moves.map(({ text }) => text).join("+"),
      score: found.score == null ? null : scoreText(this.rules, found, side),
      side,
      line: lineFacts(this.rules, position, { score: 0, ...found }).text,
      remarks: [],
    });
  }

  async review({ seconds = 0.3 }, id) {
    const nodes = this.#tree.path(this.#tree.live);
    if (!nodes.length) throw refuse("bad-message", "nothing has been played yet, so there is nothing to review");
    if (this.#reviewing) throw refuse("busy", "the game is being reviewed already");
    const tree = this.#tree;
    const lines = this.#lines;
    this.#reviewing = true;
    this.#lines = 0;
    this.#stopAnalysis();
    const known = new Map();
    const judge = async (position) => {
      if (!known.has(position)) {
        const report = await this.analyst.search(this.rules.engine.line(position), { seconds, lines: 2 });
        known.set(position, analysisFacts(this.rules, position, report));
      }
      return known.get(position);
    };
    try {
      const found = await reviewLine(this.rules, nodes, judge, (done, total) => {
        this.send({ type: "reviewing", done, total });
      });
      for (const { node, mark } of found.moves) tree.markReviewed(node, mark);
      this.send({ type: "reviewed", id, ...found });
    } finally {
      this.#reviewing = false;
      this.#lines ||= lines;
      if (this.#table) this.#analyse();
    }
  }

  odds({ moves = "" }, id) {
    this.send({ type: "odds", id, ...oddsFacts(this.rules, this.#cursor.position, moves) });
  }

  tree({ depth = 2, breadth = 4, path = null }, id) {
    if (this.rules.over(this.#cursor.position)) throw refuse("game-over", "the game is over here");
    this.send({ type: "tree", id, ...treeFacts(this.rules, this.#cursor.position, { depth, breadth, path }) });
  }

  explore(_, id) {
    this.send({ type: "explored", id, stores: 0, games: 0, moves: [] });
  }

  /** Where the visitor looks, for a server that knows more about it. */
  get place() {
    if (!this.#table) return null;
    return { game: this.rules.facts.game, position: this.#table.start, line: joinLine(this.#tree.steps(this.#cursor)) };
  }
}

const {
  begin, state, moves, play, undo, redo, back, swap, players, setup, compose, resign, pause: rest, go, record, ping,
  look, annotate, remove, preview, analyse, hint, review, odds, tree, explore,
} = Session.prototype;

const HANDLERS = {
  new: begin, state, moves, play, undo, redo, back, swap, players, setup, compose, resign, pause: rest, go, record,
  ping,
  look, annotate, remove, preview, analyse, hint, review, odds, tree, explore,
};
