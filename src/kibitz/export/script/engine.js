// A game of Kibitz: its rules and its engine, from a WebAssembly module and its manifest. No dependencies; the same file
// serves pages, workers and Node.
//
//   import { loadGame, Random } from "./engine.js";
//   const game = await loadGame(bytes, manifest);
//   let position = game.start();
//   position = game.play(position, game.moves(position)[0]);
//   const report = await game.search(position, { seconds: 1, lines: 3, onReport: console.log });
//
// Types and documentation are in engine.d.ts. The search is the one that Kibitz runs in Python: the kernel, compiled from
// the same source, searches one root to one depth; the loop around it below is src/kibitz/search/engine/deepening.py in
// JavaScript, and a test compares the two node by node.

const FORMAT = 1;
const CHANCE = 2;
const ONGOING = 0;
const DRAW = 3;
const FIRST = 0;
const NO_MOVE = -1n;
const POSITIVE = 0x7fffffffffffffffn;
const WORD = 8;

// Time is kept in rations of nodes: nothing can interrupt a running module.
const FIRST_RATION = 2000; // nodes, while the speed is unknown
const SMALLEST_RATION = 500;
const RATION_SECONDS = 0.05; // between two looks at the signal
const GROWTH = 1.5; // of a ration for a root that did not come to an end, so that every one does
const SHARE_OF_REST = 0.8; // of the time that is left, for one ration
const LEAST_SECONDS = 0.002;

const ARRAYS = {
  int8: Int8Array, uint8: Uint8Array, bool: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array,
  uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array, float64: Float64Array,
};

/** Compile a module and join it with its manifest. */
export async function loadGame(bytes, manifest, options = {}) {
  if (typeof WebAssembly === "undefined") throw new Error("this browser has no WebAssembly");
  if (manifest?.format !== FORMAT) throw new Error(`the manifest has format ${manifest?.format}, expected ${FORMAT}`);
  const subtle = globalThis.crypto?.subtle;
  if (subtle && manifest.sha256) {
    const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
    const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (found !== manifest.sha256) throw new Error("the module is not the one of its manifest: its hash is another");
  }
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return new Game(instance.exports, manifest, options);
}

/** The random numbers of Kibitz's kernels: the minimal standard generator of Park and Miller, factor 48271. */
export class Random {
  constructor(seed = 1) {
    this.number = 1 + (Math.abs(Math.trunc(seed)) % 2147483646);
  }

  /** The next number, from 1 to 2147483646. */
  next() {
    this.number = Number((BigInt(this.number) * 48271n) % 2147483647n);
    return this.number;
  }

  /** The next number as one from 0 up to but not including 1. */
  fraction() {
    return (this.next() - 1) / 2147483646;
  }
}

/** A moment of a game; never changed. */
class Position {
  constructor(words, before, move, facts) {
    this.words = words;
    this.before = before;
    this.move = move;
    this.side = facts.side;
    this.ruled = facts.result; // by the rules alone, without repetition
    this.key = facts.key;
    Object.freeze(this);
  }
}

class Game {
  constructor(exports, manifest, { megabytes = 16 } = {}) {
    this.manifest = manifest;
    this._module = new Module(exports, manifest);
    this._megabytes = megabytes;
    this._engine = null;
  }

  start() {
    return this.read(this.manifest.start);
  }

  /** A position of these words, without a past. */
  read(words) {
    return this._position(BigInt64Array.from(words, (word) => BigInt.asIntN(64, BigInt(word))), null, null);
  }

  words(position) {
    return Array.from(position.words, String);
  }

  /** The oldest position and the moves since: plain JSON. */
  line(position) {
    const moves = [];
    let here = position;
    for (; here.before !== null; here = here.before) moves.unshift(here.move);
    return { words: this.words(here), moves };
  }

  replay({ words, moves }) {
    return moves.reduce((position, move) => this.play(position, move), this.read(words));
  }

  facts(position) {
    const result = this.result(position);
    return { side: position.side, chance: position.side === CHANCE, over: result !== null, result };
  }

  /** 1: the first side has won, 2: the second, 3: a draw; null while the game goes on. */
  result(position) {
    if (position.ruled !== ONGOING) return position.ruled;
    const most = this.manifest.repetition;
    if (most === 0) return null;
    let seen = 0;
    for (let here = position; here !== null; here = here.before) seen += here.key === position.key;
    return seen >= most ? DRAW : null;
  }

  moves(position) {
    return this._isOpen(position) && position.side !== CHANCE ? this._module.moves(position.words).map(asId) : [];
  }

  outcomes(position) {
    if (!this._isOpen(position) || position.side !== CHANCE) return [];
    return this._module.outcomes(position.words).map(([odds, id]) => ({ id: asId(id), odds }));
  }

  play(position, id) {
    const known = position.side === CHANCE ? this.outcomes(position).map((each) => each.id) : this.moves(position);
    if (!known.includes(typeof id === "bigint" ? asId(id) : id)) throw new Error(`illegal move ${id}`);
    return this._play(position, id);
  }

  /** The position after a random outcome. */
  roll(position, random) {
    const found = this.outcomes(position);
    if (found.length === 0) throw new Error("chance is not to move");
    let rest = random.fraction();
    for (const { id, odds } of found) {
      rest -= odds;
      if (rest < 0) return this._play(position, id);
    }
    return this._play(position, found[found.length - 1].id);
  }

  key(position) {
    return position.key;
  }

  /** What the heuristic says, for the side to move. */
  evaluate(position) {
    const value = this._module.evaluate(position.words, this.engine.weights, position.side & 1);
    return (position.side === 1 ? -value : value) + 0;
  }

  /** The best turn within the limits; lets other work of this thread go on where there is a signal or a time. */
  async search(position, options = {}) {
    const steps = new Search(this, position, options).run();
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      await pause();
    }
  }

  /** The same without a pause. */
  searchNow(position, options = {}) {
    const steps = new Search(this, position, options).run();
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
    }
  }

  /** Empty the transposition table and all that was learned about moves. */
  forget() {
    this.engine.forget();
  }

  /** The search's memory; a game that is only played needs none. */
  get engine() {
    this._engine ??= new Engine(this._module, this.manifest, this._megabytes);
    return this._engine;
  }

  _isOpen(position) {
    return this.result(position) === null;
  }

  _play(position, id) {
    return this._position(this._module.play(position.words, BigInt(id)), position, id);
  }

  _position(words, before, move) {
    return new Position(words, before, move, this._module.facts(words));
  }
}

/** A move as a number, or as text where it is too large for one. */
function asId(move) {
  const id = Number(move);
  return Number.isSafeInteger(id) ? id : String(move);
}

/** Let messages and timers of this thread have their turn. */
function pause() {
  return new Promise((resolve) => {
    if (typeof MessageChannel === "undefined") return setTimeout(resolve, 0);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

// The module: arrays in its memory, and calls of its kernels. An argument is a 64-bit word, an array its address and shape.

class Module {
  constructor(exports, manifest) {
    this.exports = exports;
    this.layout = manifest.search.facts;
    this.room = manifest.maxMoves;
    this.arguments = this.array(Float64Array, 256);
    this.rules = manifest.rules.flatMap((value) => this._words(value));
    this.given = this.array(BigInt64Array, 2 * manifest.start.length + 64);
    this.after = this.array(BigInt64Array, this.given.length);
    this.out = this.array(BigInt64Array, Math.max(manifest.maxMoves, this.layout.count));
    this.odds = this.array(Float64Array, manifest.maxMoves);
  }

  /** An array in the module's memory, filled with zeros. */
  array(Kind, length) {
    const bytes = Math.max(length, 1) * Kind.BYTES_PER_ELEMENT;
    return new WasmArray(this.exports, Kind, this.exports.reserve(BigInt(bytes)) >>> 0, length);
  }

  /** An array with the content that the manifest has. */
  constant({ type, shape, data }) {
    const bytes = decode(data);
    const Kind = ARRAYS[type];
    const array = this.array(Kind, bytes.length / Kind.BYTES_PER_ELEMENT);
    new Uint8Array(this.exports.memory.buffer, array.address, bytes.length).set(bytes);
    array.shape = shape.map(BigInt);
    return array;
  }

  /** The words of an argument that the manifest has: a number, or an array. */
  _words(value) {
    if (value.shape.length > 0) {
      const array = this.constant(value);
      return [BigInt(array.address), ...array.shape];
    }
    const padded = new Uint8Array(WORD);
    padded.set(decode(value.data));
    return [new BigInt64Array(padded.buffer)[0]];
  }

  facts(words) {
    const { turn, result, key } = this.layout;
    this._call("facts", this._load(words), this.rules, this.out);
    const found = this.out.view;
    return { side: Number(found[turn]), result: Number(found[result]), key: found[key] };
  }

  moves(words) {
    return this.out.slice(this._count("moves", this._load(words), this.rules, this.out));
  }

  outcomes(words) {
    const count = this._count("outcomes", this._load(words), this.rules, this.odds, this.out);
    const odds = this.odds.slice(count);
    return this.out.slice(count).map((id, index) => [odds[index], id]);
  }

  play(words, move) {
    const given = this._load(words);
    let count = this._count("play", given, this.rules, move, this.after);
    if (count > this.after.length) {
      this.after = this.array(BigInt64Array, 2 * count);
      count = this._count("play", given, this.rules, move, this.after);
    }
    return this.after.view.slice(0, count);
  }

  evaluate(words, weights, side) {
    return this._call("evaluate", this._load(words), this.rules, weights, BigInt(side)).getFloat64(0, true);
  }

  visit(words, node, memory) {
    return this._call("visit", this._load(words), this.rules, ...node, ...memory).getFloat64(0, true);
  }

  _load(words) {
    if (words.length > this.given.length) this.given = this.array(BigInt64Array, 2 * words.length);
    this.given.view.set(words);
    return this.given;
  }

  _count(name, ...values) {
    return Number(this._call(name, ...values).getBigInt64(0, true));
  }

  /** Call a kernel; its value is in the first word of what comes back. */
  _call(name, ...values) {
    const words = new DataView(this.exports.memory.buffer, this.arguments.address, this.arguments.length * WORD);
    let at = 0;
    const put = (value) => {
      if (typeof value === "bigint") words.setBigInt64(at, value, true);
      else words.setFloat64(at, value, true);
      at += WORD;
    };
    for (const value of values) {
      if (Array.isArray(value)) value.forEach(put);
      else if (value instanceof WasmArray) [BigInt(value.address), ...value.shape].forEach(put);
      else put(value);
    }
    const status = this.exports[name](this.arguments.address);
    if (status !== 0) throw new Error(`the rules failed in ${name} (status ${status})`);
    return new DataView(this.exports.memory.buffer, this.arguments.address, WORD);
  }
}

class WasmArray {
  constructor(exports, Kind, address, length) {
    Object.assign(this, { exports, Kind, address, length, shape: [BigInt(length)] });
  }

  /** Its content; the view is good until memory grows. */
  get view() {
    return new this.Kind(this.exports.memory.buffer, this.address, this.length);
  }

  slice(count) {
    return Array.from(this.view.subarray(0, count));
  }
}

function decode(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

// What the search remembers from move to move: src/kibitz/search/engine/engine.py for one thread.

class Engine {
  constructor(module, manifest, megabytes) {
    const { search, scale } = manifest;
    const room = (search.maxLevel + 2) * manifest.maxMoves;
    let buckets = 1;
    while (buckets * 2 * search.bucket * WORD <= megabytes * 2 ** 20) buckets *= 2;
    this.module = module;
    this.search = search;
    this.record = module.array(Uint8Array, search.record.size);
    this.table = module.array(BigInt64Array, buckets * search.bucket + search.busySlots);
    this.weights = module.constant(manifest.weights);
    this.stop = module.array(BigInt64Array, 1);
    const moves = module.array(BigInt64Array, room);
    const ranks = module.array(BigInt64Array, room);
    const odds = module.array(Float64Array, room);
    const header = module.array(BigInt64Array, 0); // of a table of perfect play: none
    const data = module.array(Uint8Array, 0);
    const record = new WasmArray(module.exports, Uint8Array, this.record.address, 1); // one record, in an array
    this.memory = [record, moves, ranks, odds, this.weights, this.table, header, data, this.stop];
    this.age = 0;
    this.nearTurns = 0;
    this.set("threads", 1n);
    for (const [name, value] of [["win", scale.win], ["turn_cost", scale.turnCost], ["unit", scale.unit], ["reach", scale.reach]]) {
      this._field(name, Float64Array)[0] = value;
    }
  }

  /** A field of the record: numbers in the module's memory. */
  _field(name, Kind = BigInt64Array) {
    const { offsets, sizes } = this.search.record;
    return new Kind(this.module.exports.memory.buffer, this.record.address + offsets[name], sizes[name] / WORD);
  }

  get(name) {
    return this._field(name)[0];
  }

  set(name, value) {
    this._field(name)[0] = value;
  }

  forget() {
    this.table.view.fill(0n);
    this.age = this.nearTurns = 0;
    this._field("history").fill(0n);
    this._field("pairs").fill(0n);
  }

  prepare(position, repetition, overlook, seed) {
    this.age = (this.age + 1) % this.search.ages;
    const seen = this._seenTooOften(position, repetition);
    this.set("me", BigInt(position.side));
    this.set("age", BigInt(this.age));
    this.set("seen_count", BigInt(seen.length));
    this._field("seen").set(seen);
    this.set("seen_hash", hashKeys(seen, BigInt(this.search.seenFactor)));
    for (const name of ["nodes", "table_hits", "cutoffs", "excluded_count"]) this.set(name, 0n);
    this.set("overlook", BigInt(Math.trunc(overlook * this.search.random.prime)));
    this.set("overlook_seed", BigInt(seed));
    this._field("killers").fill(NO_MOVE);
    halve(this._field("history"));
    halve(this._field("pairs"));
  }

  /** The keys of positions that end the game as a draw when they come up once more. */
  _seenTooOften(position, repetition) {
    if (repetition === 0) return [];
    const counts = new Map();
    for (let here = position; here !== null; here = here.before) counts.set(here.key, (counts.get(here.key) ?? 0) + 1);
    const often = [...counts].filter(([, count]) => count >= repetition - 1).slice(0, this.search.mostSeen);
    return often.map(([key]) => key ^ BigInt(position.side));
  }

  visitRoot(position, depth, alpha, beta) {
    this.nearTurns = Math.max(this.nearTurns, 3 * depth + this.search.quietTurns + 2);
    this.set("near_turns", BigInt(this.nearTurns));
    this.set("root_depth", BigInt(depth));
    const fresh = position.before === null || position.before.side !== position.side ? 1n : 0n;
    const previous = position.move === null ? NO_MOVE : BigInt(position.move);
    const side = BigInt(position.side === CHANCE ? FIRST : position.side);
    return this.module.visit(position.words, [BigInt(depth), alpha, beta, side, fresh, previous], this.memory);
  }

  exclude(moves) {
    const excluded = this._field("excluded");
    moves.forEach((move, index) => (excluded[index] = BigInt(move)));
    this.set("excluded_count", BigInt(moves.length));
  }

  /** The best line from the root on. */
  line() {
    return Array.from(this._field("line").subarray(0, Number(this._field("line_length")[0])), asId);
  }

  get stopped() {
    return this.stop.view[0] !== 0n;
  }

  get proven() {
    return this._field("proven")[0] !== 0n;
  }

  get rootValue() {
    return this._field("root_value", Float64Array)[0];
  }
}

/** One number for a set of keys: hash_keys of the engine in Python. */
function hashKeys(keys, factor) {
  let code = 0n;
  for (const key of [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))) {
    code = ((code ^ key) * factor) & POSITIVE;
    code ^= code >> 32n;
  }
  return code;
}

/** Every number halved, rounded down; most are zero, which is seen sooner in 32-bit halves. */
function halve(words) {
  const halves = new Int32Array(words.buffer, words.byteOffset, 2 * words.length);
  for (let index = 0; index < words.length; index++) {
    if (halves[2 * index] !== 0 || halves[2 * index + 1] !== 0) words[index] >>= 1n;
  }
}

// One search: src/kibitz/search/engine/deepening.py and clock.py for one thread. It is a generator that yields between rations.

class Search {
  constructor(game, position, { depth, nodes, seconds, clock, increment, movesToGo, lines = 1, overlook = 0, seed = 1, signal, onReport }) {
    const { search } = game.manifest;
    this.moves = game.moves(position);
    if (this.moves.length === 0) {
      throw new Error(`no move to choose: ${game.facts(position).over ? "the game is over" : "chance is to move"}`);
    }
    Object.assign(this, { game, position, search, overlook, seed, signal, onReport, engine: game.engine });
    this.began = performance.now();
    this.allowance = allowanceOf({ seconds, clock, increment, movesToGo }, search.clock);
    this.mostNodes = nodes === undefined || nodes === null ? Infinity : Math.max(1, nodes);
    this.lines = Math.max(1, Math.min(lines, search.mostLines, this.moves.length));
    this.most = Math.min(depth || search.mostDepth, search.mostDepth);
    this.rationed = Boolean(signal) || this.allowance.hard !== null;
    this.found = [];
    this.unfinished = null;
    this.depth = 0;
    this.ended = false;
  }

  *run() {
    this.engine.prepare(this.position, this.game.manifest.repetition, this.overlook, this.seed);
    for (let depth = 1; depth <= this.most; depth++) {
      const lines = yield* this._linesAt(depth);
      if (this.ended && lines.length < Math.max(this.found.length, 1)) {
        if (lines.length === 0 && this.lines === 1 && this.unfinished !== null) this.found = [this.unfinished];
        break;
      }
      this.found = lines;
      this.depth = depth;
      this.onReport?.(this._report());
      if (this._isSettled(depth) || !this._mayGoDeeper()) break;
    }
    return this._report();
  }

  *_linesAt(depth) {
    const found = [];
    this.unfinished = null;
    for (let number = 0; number < this.lines; number++) {
      this.engine.exclude(found.map((line) => line.line[0]));
      const guess = number < this.found.length ? this.found[number].value : null;
      const value = yield* this._withinWindows(depth, guess);
      const line = this.engine.line();
      if (this.ended || line.length === 0) break;
      found.push({ value, line, proven: this.engine.proven });
    }
    this.engine.exclude([]);
    return found.sort((a, b) => b.value - a.value);
  }

  *_withinWindows(depth, guess) {
    const { firstWindow, wider, widestWindow, tiny } = this.search;
    const { unit, win, reach } = this.game.manifest.scale;
    const noBound = 2 * win;
    let width = firstWindow * unit;
    let low = -noBound;
    let high = noBound;
    if (guess !== null && depth >= 4 && Math.abs(guess) <= reach) [low, high] = [guess - width, guess + width];
    for (;;) {
      const value = yield* this._visit(depth, low, high);
      if (this.ended || (low < value && value < high)) return value;
      width *= wider;
      if (value <= low) low = width < widestWindow * unit ? value - width : -noBound;
      else high = width < widestWindow * unit ? value + width : noBound;
      if (Math.abs(value) >= noBound - tiny) return value;
    }
  }

  /** A root's value. A ration that ends within it is followed by another: the table remembers what was done. */
  *_visit(depth, low, high) {
    const { engine } = this;
    let patience = 1;
    for (;;) {
      const ration = this._ration(patience);
      engine.stop.view[0] = ration > 0 ? 0n : 1n;
      engine.set("node_limit", this._limit(ration));
      const value = engine.visitRoot(this.position, depth, low, high);
      if (!engine.stopped) return value;
      const line = engine.line();
      if (line.length > 0) this.unfinished = { value: engine.rootValue, line, proven: engine.get("root_proven") !== 0n };
      this.ended = ration <= 0 || Number(engine.get("nodes")) >= this.mostNodes;
      if (this.ended) return value;
      patience *= GROWTH;
      yield;
    }
  }

  _limit(ration) {
    const limit = Math.min(this.mostNodes, Number(this.engine.get("nodes")) + Math.ceil(ration));
    return Number.isFinite(limit) ? BigInt(limit) : BigInt(this.search.unbounded);
  }

  /** So many nodes may go by before the time and the signal are looked at again; 0: none. */
  _ration(patience) {
    if (!this.rationed) return Infinity;
    const spent = this._seconds();
    const left = this.allowance.hard === null ? Infinity : this.allowance.hard - spent;
    if (this.signal?.aborted || left < LEAST_SECONDS) return this.depth === 0 && this.unfinished === null ? SMALLEST_RATION * patience : 0;
    const nodes = Number(this.engine.get("nodes"));
    if (nodes < 2 * FIRST_RATION) return FIRST_RATION * patience;
    const seconds = this.signal ? Math.min(RATION_SECONDS * patience, SHARE_OF_REST * left) : SHARE_OF_REST * left;
    return Math.max(SMALLEST_RATION, (seconds * nodes) / spent);
  }

  _seconds() {
    return (performance.now() - this.began) / 1000;
  }

  _isSettled(depth) {
    const { win, turnCost } = this.game.manifest.scale;
    const best = this.found[0];
    const within = best.proven && depth >= Math.round((win - Math.abs(best.value)) / turnCost);
    return (within && this.lines === 1) || (this.moves.length === 1 && this.allowance.timed);
  }

  _mayGoDeeper() {
    const { soft, hard } = this.allowance;
    const spent = this._seconds();
    return !this.signal?.aborted && (soft === null || spent < soft) && (hard === null || spent < hard);
  }

  _report() {
    const found = this.found.length > 0 ? this.found : [{ value: 0, line: [this.moves[0]], proven: false }];
    return {
      depth: this.depth,
      nodes: Number(this.engine.get("nodes")),
      seconds: this._seconds(),
      tableHits: Number(this.engine.get("table_hits")),
      cutoffs: Number(this.engine.get("cutoffs")),
      moves: this._wholeTurn(found[0].line),
      lines: found.map(({ value, line, proven }) => ({ move: line[0], line, value, ...this._score(value, proven) })),
    };
  }

  /** A kernel's value as people see it, for the side to move: Engine.score and report.py. */
  _score(value, proven) {
    const { win: mostWin, proven: least, smallestChance } = this.search;
    const { chancy, win, turnCost, reach, perOdds } = this.game.manifest.scale;
    if (proven) {
      const turns = Math.round((win - Math.abs(value)) / turnCost);
      const wins = value > 0;
      return { score: wins ? mostWin - turns : turns - mostWin, proven, winIn: wins ? turns : -turns, chance: wins ? 1 : 0 };
    }
    let score = Math.max(-reach, Math.min(reach, value));
    if (chancy) {
      const chance = Math.max(smallestChance, Math.min(1 - smallestChance, (1 + value / win) / 2));
      score = perOdds * Math.log(chance / (1 - chance));
    }
    score = Math.max(1 - least, Math.min(least - 1, score));
    const odds = Math.max(-MOST_SURE, Math.min(MOST_SURE, score / perOdds));
    return { score, proven, winIn: null, chance: 1 / (1 + Math.exp(-odds)) };
  }

  /** The moves of the side to move; where the line stops within its turn, the first legal moves complete it. */
  _wholeTurn(line) {
    const { game, position } = this;
    const rest = [...line];
    const moves = [];
    let here = position;
    while (game.result(here) === null && here.side === position.side) {
      moves.push(rest.length > 0 ? rest.shift() : game.moves(here)[0]);
      here = game._play(here, moves[moves.length - 1]);
    }
    return moves;
  }
}

const MOST_SURE = 3 * Math.log(10); // no estimate gives odds beyond 1000 to 1

/** When to stop at the latest, and when not to begin another depth: clock.py. */
function allowanceOf({ seconds = null, clock = null, increment = 0, movesToGo }, numbers) {
  const { reserve, reserveShare, mostReserved, share, mostOfClock, mostOfLast } = numbers;
  let hard = seconds;
  let soft = null;
  if (clock !== null) {
    const toCome = Math.min(share, movesToGo || share);
    const part = clock / toCome + 0.75 * (increment || 0);
    const most = Math.min(part * 3, clock * Math.max(mostOfClock, mostOfLast / toCome));
    hard = hard === null ? most : Math.min(hard, most);
    soft = Math.min(part, most) * 0.6;
  }
  if (hard !== null) hard = Math.max(hard - Math.min(reserve + reserveShare * hard, mostReserved), hard * 0.5);
  return { hard, soft, timed: clock !== null };
}
