/** What this browser remembers of puzzles: which were solved, and how many in a row without help. */

const KEY = "kibitz-puzzles";
export const SHOWN = 0, SOLVED = 1, AT_ONCE = 2; // how a puzzle ended

export class Memory {
  constructor() {
    try {
      this.kept = JSON.parse(localStorage.getItem(KEY)) ?? {};
    } catch {
      this.kept = {};
    }
  }

  /** What is known of a game's puzzles. */
  of(game) {
    const found = this.kept[game];
    const solved = typeof found?.solved === "object" && found.solved ? found.solved : {};
    return { solved, streak: Number(found?.streak) || 0, best: Number(found?.best) || 0 };
  }

  /** A puzzle is over, with a grade. Only one that is new and solved at once lengthens the streak. */
  note(game, id, grade) {
    const known = this.of(game);
    if (grade === AT_ONCE && known.solved[id] === undefined) {
      known.streak += 1;
      known.best = Math.max(known.best, known.streak);
    }
    known.solved[id] = Math.max(grade, known.solved[id] ?? SHOWN);
    this.#keep(game, known);
  }

  /** A mistake, or help, ends the streak; not in a puzzle that was solved before. */
  fail(game, id) {
    const known = this.of(game);
    if (known.solved[id]) return;
    this.#keep(game, { ...known, streak: 0 });
  }

  /** How many were solved. */
  count(game) {
    return Object.values(this.of(game).solved).filter(Boolean).length;
  }

  #keep(game, known) {
    this.kept[game] = known;
    try {
      localStorage.setItem(KEY, JSON.stringify(this.kept));
    } catch {
      // a browser that keeps nothing still shows puzzles
    }
  }
}
