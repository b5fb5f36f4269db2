/** A game in the browser: its compiled rules, and what people see of them, in the words of docs/api.md. */

import { Refusal } from "../refusal.js";
import { View } from "./view.js";

export const CHANCE = 2;
export const TOKENS = [null, "1-0", "0-1", "1/2-1/2"];
const byText = (one, other) => (one.text < other.text ? -1 : one.text > other.text ? 1 : 0);

export class Rules {
  #seen = new WeakMap(); // of each position, what was worked out

  /** `engine` is what `loadGame` gives, `facts` what the server tells of a game. */
  constructor(engine, facts) {
    Object.assign(this, { engine, facts, manifest: engine.manifest, view: new View(facts.view) });
  }

  get sides() {
    return this.facts.sides;
  }

  start() {
    return this.engine.start();
  }

  #about(position) {
    let about = this.#seen.get(position);
    if (!about) this.#seen.set(position, about = { ...this.engine.facts(position) });
    return about;
  }

  turn(position) {
    return this.#about(position).side;
  }

  over(position) {
    return this.#about(position).over;
  }

  result(position) {
    return this.#about(position).result ?? 0;
  }

  toMove(position) {
    const turn = this.turn(position);
    return turn === CHANCE ? "chance" : this.sides[turn];
  }

  pieces(position) {
    const about = this.#about(position);
    about.pieces ??= this.view.pieces(position);
    return about.pieces;
  }

  text(position) {
    const about = this.#about(position);
    about.text ??= this.view.write(position);
    return about.text;
  }

  /** The legal moves as gestures with their codes, sorted by text. */
  moves(position) {
    const about = this.#about(position);
    if (about.over || about.side === CHANCE) return [];
    about.moves ??= this.engine.moves(position).map((code) => this.gesture(position, code)).sort(byText);
    return about.moves;
  }

  /** A move or an outcome as a gesture; nobody's hand makes an outcome. */
  gesture(position, code) {
    const turn = this.turn(position);
    let after = null;
    const play = () => (after ??= this.engine.play(position, code));
    const text = this.view.moveText(position, code, turn, play);
    const hand = turn === CHANCE
      ? { cells: [], amount: null, captured: [] }
      : this.view.gesture(position, code, turn, play);
    return { text, ...hand, code };
  }

  play(position, code) {
    return this.engine.play(position, code);
  }

  outcomes(position) {
    return this.engine.outcomes(position).map(({ id, odds }) => ({ code: id, odds }));
  }

  roll(position, random) {
    return this.engine.roll(position, random);
  }

  /** The position after one word: a move's text, or an outcome's. */
  playWord(position, word) {
    const known = this.turn(position) === CHANCE && !this.over(position)
      ? this.outcomes(position).map(({ code }) => this.gesture(position, code))
      : this.moves(position);
    const found = known.find(({ text }) => text === word);
    if (found) return this.play(position, found.code);
    const place = `${this.facts.game} position '${this.text(position)}'`;
    const some = known.slice(0, 6).map(({ text }) => text).join(", ") + (known.length > 6 ? ", ..." : "");
    const why = this.over(position) ? `no move '${word}': the game is over in ${place}` : `illegal move '${word}' in ${
      place} (legal: ${some})`;
    throw new Refusal({ error: "illegal-move", message: why });
  }

  /** The positions along a line of text, without the first. */
  playLine(position, line) {
    const passed = [];
    for (const word of line.split(/[\s+]+/).filter(Boolean)) {
      passed.push(this.playWord(passed.at(-1) ?? position, word));
    }
    return passed;
  }

  /** The position of a text, or a Refusal that says why there is none. */
  read(text) {
    const { words, moves } = this.view.read(text);
    let here = this.engine.read(words);
    for (const word of moves) here = this.playWord(here, word);
    const going = this.over(here) || this.turn(here) === CHANCE || this.engine.moves(here).length > 0;
    if (!going) {
      throw new Refusal({ error: "bad-position", message: "the game is not over there, but nobody can move" });
    }
    return here;
  }

  /** The step that led to a position. */
  step(position, note = {}) {
    const { before, move } = position;
    const side = this.turn(before);
    const odds = side === CHANCE ? this.outcomes(before).find(({ code }) => code === move)?.odds ?? null : null;
    return { side, code: move, gesture: told(this.gesture(before, move)), after: position, odds, note };
  }

  /** All that a page shows of a moment, beside its place in the game. */
  moment(position) {
    const result = this.result(position);
    return {
      turn: this.turn(position),
      to_move: this.toMove(position),
      position: this.text(position),
      over: this.over(position),
      result: TOKENS[result],
      winner: result === 1 ? 0 : result === 2 ? 1 : null,
      pieces: this.pieces(position),
      moves: this.moves(position).map(told),
    };
  }

  stepFacts(step) {
    const { side, gesture, odds, after } = step;
    return { side, text: gesture.text, gesture, odds, pieces: this.pieces(after) };
  }
}

/** A gesture as it is told: without the rules' number. */
export function told({ text, cells, amount, captured }) {
  return { text, cells, amount, captured };
}

/** The moves as a line: those of one turn joined by `+`. */
export function joinLine(steps) {
  let text = "";
  let last = null;
  for (const { side, gesture } of steps) {
    text += (last === side && side !== CHANCE ? "+" : " ") + gesture.text;
    last = side;
  }
  return text.trim();
}

/** What the hand did in the last turn; outcomes after it are passed over. */
export function lastTurn(steps) {
  const found = [];
  let turn = null;
  for (const { side, gesture } of [...steps].reverse()) {
    if (side === CHANCE && turn == null) continue;
    if (turn != null && side !== turn) break;
    turn = side;
    found.push(gesture);
  }
  return found.reverse();
}
