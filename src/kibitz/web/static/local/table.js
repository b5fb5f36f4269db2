/** What lies on a table: one game with its players, its line of play and its clocks. */

import { Refusal } from "../refusal.js";
import { Random } from "/engine/engine.js";
import { refuseAfterTurn } from "./game-tree.js";
import { CHANCE, joinLine, lastTurn, TOKENS } from "./rules.js";

const HUMAN = "human";

export class GameTable {
  constructor(rules, here, { players, seconds, seed, pace = 0, clocks = null, ending = null }) {
    Object.assign(this, { rules, players, seconds, seed, pace, clocks, paused: false });
    this.settle(here);
    this.ending = ending;
  }

  /** Put a position with its history on the table. */
  settle(here) {
    const trail = [];
    for (let at = here; at; at = at.before) trail.unshift(at);
    this.first = this.here = trail[0];
    this.start = this.rules.text(this.first);
    Object.assign(this, { steps: [], fresh: [], ending: null, random: new Random(this.seed) });
    for (const after of trail.slice(1)) this.#add(after);
    this.fresh = [];
  }

  get result() {
    return this.ending ? this.ending.result : this.rules.result(this.here);
  }

  get over() {
    return this.result !== 0;
  }

  get reason() {
    return this.ending?.reason ?? (this.over ? "rules" : "");
  }

  get ply() {
    return this.steps.length;
  }

  get turn() {
    return this.rules.turn(this.here);
  }

  get humans() {
    return [0, 1].filter((side) => this.players[side] === HUMAN);
  }

  get yours() {
    return !this.over && this.humans.includes(this.turn);
  }

  /** The agent to move, if it is one's turn. */
  get agent() {
    return this.over || this.turn === CHANCE || this.yours ? null : this.players[this.turn];
  }

  /** A turn, or a part of it, by its text; nothing is played unless all of it can be. */
  play(words, note) {
    const side = this.turn;
    let here = this.here;
    const passed = words.split("+").map((word) => {
      refuseAfterTurn(this.rules, here, side, word);
      here = this.rules.playWord(here, word);
      return here;
    });
    this.#follow(passed, note);
  }

  /** The same by the rules' numbers, as agents answer. */
  playCodes(codes, note) {
    const side = this.turn;
    let here = this.here;
    const passed = [];
    for (const code of codes) {
      if (this.rules.over(here) || this.rules.turn(here) !== side) break;
      here = this.rules.play(here, code);
      passed.push(here);
    }
    this.#follow(passed, note);
  }

  #follow(passed, note) {
    passed.forEach((after, number) => this.#add(after, number === 0 ? note : {}));
  }

  /** Let chance have its turn, as often as it comes. */
  roll() {
    while (!this.over && this.turn === CHANCE) this.#add(this.rules.roll(this.here, this.random));
  }

  replay(codes) {
    for (const code of codes) this.#add(this.rules.play(this.here, code));
  }

  #add(after, note = {}) {
    const step = this.rules.step(after, note);
    this.steps.push(step);
    this.fresh.push(step);
    this.here = after;
  }

  takeFresh() {
    const { fresh } = this;
    this.fresh = [];
    return fresh;
  }

  /** To where a human last had to choose; where no human plays, a turn back. */
  undo() {
    const wanted = this.humans.length ? this.humans : [0, 1];
    const ply = this.steps.findLastIndex(({ side }) => wanted.includes(side));
    if (ply < 0) throw new Refusal({ error: "nothing-to-undo", message: "this is where the line begins" });
    this.back(ply);
  }

  back(ply) {
    if (!(ply >= 0 && ply <= this.ply)) {
      const message = `ply ${ply} is not of this line, expected 0 to ${this.ply}`;
      throw new Refusal({ error: "nothing-to-undo", message });
    }
    this.here = ply ? this.steps[ply - 1].after : this.first;
    this.steps.length = ply;
    Object.assign(this, { fresh: [], ending: null });
  }

  end(loser, reason) {
    this.ending = { result: loser === 0 ? 2 : 1, reason };
  }

  facts(why, now) {
    const { rules, result } = this;
    const { facts } = rules;
    return {
      type: "state",
      why,
      game: facts.game,
      name: facts.name,
      title: facts.title,
      sides: facts.sides,
      first: this.players[0],
      second: this.players[1],
      seconds: this.seconds,
      start: this.start,
      line: joinLine(this.steps),
      ...rules.moment(this.here),
      ply: this.ply,
      over: this.over,
      result: TOKENS[result],
      winner: result === 1 ? 0 : result === 2 ? 1 : null,
      reason: this.reason,
      ...(this.over ? { moves: [] } : {}),
      last: lastTurn(this.steps),
      paused: this.paused,
      yours: this.yours,
      clocks: this.clocks?.facts(now) ?? null,
      seed: this.seed,
    };
  }
}

/** Two clocks, of which one runs. Time is handed in, in seconds. */
export class Clocks {
  constructor(clock, increment, left = [clock, clock]) {
    Object.assign(this, { clock, increment, left: [...left], running: null, since: 0 });
  }

  run(side, now) {
    this.stop(now);
    Object.assign(this, { running: side, since: now });
  }

  stop(now) {
    if (this.running != null) this.left[this.running] = this.remaining(this.running, now);
    this.running = null;
  }

  reward(side) {
    this.left[side] += this.increment;
  }

  remaining(side, now) {
    return this.left[side] - (this.running === side ? now - this.since : 0);
  }

  facts(now) {
    const left = [0, 1].map((side) => Math.round(100 * Math.max(0, this.remaining(side, now))) / 100);
    return { left, running: this.running, clock: this.clock, increment: this.increment };
  }
}
