/** A line that is seen happening on the board as long as somebody looks at it. */

const PAUSE = 650; // milliseconds for each move

export class Preview {
  #turn = 0;
  #shown = false;

  /** `restore` puts the board back as it was. */
  constructor(table, board, restore) {
    Object.assign(this, { table, board, restore });
  }

  /** Play a line out; null ends that. */
  async show(line) {
    this.#turn += 1;
    const turn = this.#turn;
    if (!line) {
      if (this.#shown) this.restore();
      this.#shown = false;
      return;
    }
    const told = await this.table.ask("preview", { line: line.text }).catch(() => null);
    if (!told || turn !== this.#turn) return;
    this.#shown = true;
    this.board.arrows = [];
    for (const { gesture, pieces } of told.frames) {
      await this.board.show({ pieces, moves: [], last: [gesture] }, [gesture]);
      await new Promise((done) => setTimeout(done, PAUSE));
      if (turn !== this.#turn) return;
    }
  }
}
