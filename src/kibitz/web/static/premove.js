/** A move chosen ahead of the turn: any own piece to any cell; the rules are asked when the turn comes. */

export class Premove {
  cells = null;

  /** What a hand may choose while the other side is to move; nothing where there is no turn to wait for. */
  choices(state, pieces, drawing) {
    const side = waitingSide(state);
    if (side == null) return [];
    const own = pieces.map((text, cell) => (text && drawing.pieces[text[0]]?.side === side ? cell : -1));
    const targets = drawing.cells.map((_, cell) => cell);
    return own.filter((cell) => cell >= 0).flatMap((from) =>
      targets.filter((to) => to !== from).map((to) => ({ text: "", cells: [from, to], captured: [], ahead: true }))
    );
  }

  /** Choose; the same once more takes it back. */
  choose({ cells }) {
    this.cells = String(this.cells) === String(cells) ? null : cells;
  }

  /** The moves that were meant, now that the turn has come; nothing is chosen any more. */
  take(moves) {
    const [from, to] = this.cells;
    this.cells = null;
    return moves.filter((move) => move.cells[0] === from && move.cells.at(-1) === to);
  }

  get shapes() {
    return this.cells ? [{ cells: this.cells, kind: "premove" }] : [];
  }
}

/** The side of the visitor, while the other one is to move. */
function waitingSide({ table, first, second, over, turn }) {
  const seats = [first, second].map((player) => player === "human");
  const mine = table ? table.seat : seats[0] === seats[1] ? null : seats.indexOf(true);
  return mine == null || over || turn === mine ? null : mine;
}
