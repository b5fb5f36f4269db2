/** Which move a hand means. There is no game in here: only the gestures of the legal moves. */

export class Choosing {
  constructor(moves = []) {
    this.moves = moves;
    this.trail = []; // the cells touched so far: picked, then waypoints
  }

  get picked() {
    return this.trail.length ? this.trail[0] : null;
  }

  clear() {
    this.trail = [];
  }

  /** The cells where a hand may begin. */
  origins() {
    return new Set(this.moves.filter((move) => move.cells.length).map((move) => move.cells[0]));
  }

  /** Where the picked piece may go: the last cell of each move that the trail leads to. */
  targets() {
    return new Set(this.#going(this.trail).map((move) => move.cells.at(-1)));
  }

  /** The moves without a cell, such as the end of a turn. */
  buttons() {
    return this.moves.filter((move) => move.cells.length === 0);
  }

  /** Touch a cell. Answers the moves that this touch may mean; none as long as it only picks, passes or lets go. */
  press(cell) {
    const going = this.trail.length ? this.#going([...this.trail, cell]) : [];
    const ended = going.filter((move) => move.cells.at(-1) === cell);
    if (ended.length) return this.#chosen(ended);
    if (cell === this.picked) return this.#again(cell);
    if (going.length) {
      this.trail.push(cell);
      return [];
    }
    return this.#first(cell);
  }

  #first(cell) {
    const begun = this.moves.filter((move) => move.cells[0] === cell);
    this.trail = begun.some((move) => move.cells.length > 1) ? [cell] : [];
    return this.trail.length ? [] : begun;
  }

  #again(cell) {
    this.clear();
    return this.moves.filter((move) => move.cells.length === 1 && move.cells[0] === cell);
  }

  #chosen(moves) {
    this.clear();
    return moves;
  }

  /** The moves of several cells that begin with the trail's first cell and pass through the rest in order. */
  #going(trail) {
    return this.moves.filter((move) =>
      move.cells.length > 1 && move.cells[0] === trail[0] && passes(move.cells, trail)
    );
  }
}

function passes(cells, trail) {
  let at = 0;
  for (const cell of cells) if (cell === trail[at]) at += 1;
  return at === trail.length;
}

/** Moves that share their cells, gathered: the hand can tell the groups apart, an amount the moves within one. */
export function byPath(moves) {
  const groups = new Map();
  for (const move of moves) {
    const path = move.cells.join(" ");
    groups.set(path, [...(groups.get(path) ?? []), move]);
  }
  return [...groups.values()];
}

/** The legal moves that a typed text may still become. */
export function typed(moves, text) {
  const sought = text.toLowerCase();
  return moves.filter((move) => move.text.toLowerCase().startsWith(sought));
}
