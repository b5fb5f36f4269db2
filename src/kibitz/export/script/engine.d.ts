/** A game of Kibitz, its rules and its engine, from a WebAssembly module and its manifest. */

/** A move or an outcome as the rules number it; a decimal string where it is beyond 53 bits. */
export type Id = number | string;

/** The sides: 0 moves first, 1 second, 2 is chance. */
export type Side = 0 | 1 | 2;

/** 1: the first side has won, 2: the second has, 3: a draw. */
export type Result = 1 | 2 | 3;

/** What `kibitz export --wasm` writes beside the module. Further fields belong to engine.js. */
export interface Manifest {
  readonly format: number;
  /** The game's text, such as "breakthrough:5x10". */
  readonly game: string;
  readonly title: string;
  readonly summary: string;
  readonly sides: readonly [string, string];
  readonly heuristic: string;
  /** Of the module, in hexadecimal digits. */
  readonly sha256: string;
  readonly repetition: number;
  readonly chance: boolean;
  readonly [more: string]: unknown;
}

/** A moment of a game, with all that came before it. It is never changed: `play` returns another one. */
export interface Position {
  /** The state's numbers. */
  readonly words: BigInt64Array;
  readonly before: Position | null;
  /** The move that led here. */
  readonly move: Id | null;
  readonly side: Side;
}

export interface Facts {
  readonly side: Side;
  /** Is chance to move? Then `outcomes` and `roll` say how it goes on. */
  readonly chance: boolean;
  readonly over: boolean;
  /** Repetition included; null while the game goes on. */
  readonly result: Result | null;
}

/** A game as plain JSON: the words of its oldest position, and the moves and outcomes since. */
export interface Line {
  words: string[];
  moves: Id[];
}

export interface Limits {
  /** Turns to look ahead. */
  depth?: number;
  /** With depth or nodes alone a search always gives the same answer, the one of Kibitz in Python. */
  nodes?: number;
  /** All of this time is used. */
  seconds?: number;
  /** Seconds that are left for the game: the search takes a share of them. */
  clock?: number;
  increment?: number;
  movesToGo?: number;
}

export interface SearchOptions extends Limits {
  /** How many of the best moves to follow; 1 if left out. */
  lines?: number;
  /** The share of moves, 0 to 1, that the search does not see, as people do not; which ones follows from the seed. */
  overlook?: number;
  seed?: number;
  /** `abort()` ends the search with what is known. Looked at about twenty times a second. */
  signal?: AbortSignal;
  /** Called after every depth. */
  onReport?: (report: Report) => void;
}

/** A line of play. Scores are for the side to move. */
export interface ReportLine {
  readonly move: Id;
  readonly line: readonly Id[];
  /** In the heuristic's points; 1,000,000 less the turns it takes where a win is proven, the negative of it for a loss. */
  readonly score: number;
  readonly proven: boolean;
  /** Turns until the side to move has won, below zero until it has lost; null where neither is proven. */
  readonly winIn: number | null;
  /** What the side to move may expect of the game: 0 a loss, 1 a win. */
  readonly chance: number;
  /** The kernel's own number. */
  readonly value: number;
}

export interface Report {
  readonly depth: number;
  readonly nodes: number;
  readonly seconds: number;
  readonly tableHits: number;
  readonly cutoffs: number;
  /** All moves of the best turn. */
  readonly moves: readonly Id[];
  /** The best first. */
  readonly lines: readonly ReportLine[];
}

/** The generator of Kibitz's kernels (Park and Miller's minimal standard, factor 48271): the same seed, the same game. */
export class Random {
  constructor(seed?: number);
  /** The next number, from 1 to 2147483646. */
  next(): number;
  /** The next number as one from 0 up to but not including 1. */
  fraction(): number;
}

export interface Game {
  readonly manifest: Manifest;
  start(): Position;
  /** The legal moves in the rules' order; none where the game is over or chance is to move. */
  moves(position: Position): Id[];
  /** The position after a legal move or outcome; an Error for any other. */
  play(position: Position, id: Id): Position;
  facts(position: Position): Facts;
  result(position: Position): Result | null;
  outcomes(position: Position): { id: Id; odds: number }[];
  /** The position after a random outcome, where chance is to move. */
  roll(position: Position, random: Random): Position;
  /** What repetition compares. */
  key(position: Position): bigint;
  /** What the heuristic says, for the side to move. */
  evaluate(position: Position): number;
  /** The state as decimal numbers; `read` makes a position without a past of them. */
  words(position: Position): string[];
  read(words: readonly (string | number | bigint)[]): Position;
  line(position: Position): Line;
  replay(line: Line): Position;
  /** The best turn within the limits. With a signal or a time it lets other work of its thread go on meanwhile. */
  search(position: Position, options?: SearchOptions): Promise<Report>;
  /** The same, without a pause. */
  searchNow(position: Position, options?: SearchOptions): Report;
  /** Empties what the search remembers from move to move. */
  forget(): void;
}

/** Compile a module and join it with its manifest; an Error where they do not belong together. */
export function loadGame(
  bytes: ArrayBuffer | Uint8Array,
  manifest: Manifest,
  options?: {
    /** For the transposition table; 16 if left out. */
    megabytes?: number;
  },
): Promise<Game>;
