/** The paths that a player draws on a Flow board: what a stroke does to them. No screen in here. */

export class Paths {
  constructor(board) {
    this.board = board;
    this.near = board.nodes.map(() => new Set());
    for (const [one, other] of board.edges) {
      this.near[one].add(other);
      this.near[other].add(one);
    }
    this.of = Object.fromEntries(board.letters.map((letter) => [letter, []]));
    this.drawing = null;
  }

  /** The letter that fills a node: a path's, or a source's. */
  letterAt(node) {
    const found = Object.entries(this.of).find(([, path]) => path.includes(node));
    return found ? found[0] : this.board.nodes[node].source;
  }

  /** Put the pencil down: on a source a path begins anew, on a path it goes on from there. */
  begin(node) {
    const letter = this.letterAt(node);
    this.drawing = letter || null;
    if (!letter) return;
    const path = this.of[letter];
    this.of[letter] = this.board.nodes[node].source === letter ? [node] : path.slice(0, path.indexOf(node) + 1);
  }

  end() {
    this.drawing = null;
  }

  /** Go on to a node beside the pencil. Answers whether anything changed. */
  extend(node) {
    const path = this.of[this.drawing];
    if (!this.drawing || !path.length) return false;
    const at = path.indexOf(node);
    if (at >= 0) {
      this.of[this.drawing] = path.slice(0, at + 1);
      return at !== path.length - 1;
    }
    const end = path.at(-1);
    const { source } = this.board.nodes[node];
    const closed = path.length > 1 && this.board.nodes[end].source === this.drawing;
    if (closed || !this.near[end].has(node) || (source && source !== this.drawing)) return false;
    this.#cut(node);
    path.push(node);
    return true;
  }

  /** A path that is crossed ends before the crossing. */
  #cut(node) {
    for (const [letter, path] of Object.entries(this.of)) {
      if (letter !== this.drawing && path.includes(node)) this.of[letter] = path.slice(0, path.indexOf(node));
    }
  }

  /** The node that leads there from the pencil's end, in as few steps as possible within `most`; [] where none. */
  wayTo(targets, most = 6) {
    const end = this.of[this.drawing]?.at(-1);
    let waiting = [[end]];
    const seen = new Set([end]);
    for (let step = 0; step < most && waiting.length; step += 1) {
      const next = [];
      for (const way of waiting) {
        for (const node of this.near[way.at(-1)]) {
          if (targets.includes(node)) return [...way.slice(1), node];
          const { source } = this.board.nodes[node];
          if (seen.has(node) || source || this.letterAt(node)) continue;
          seen.add(node);
          next.push([...way, node]);
        }
      }
      waiting = next;
    }
    return [];
  }

  set(paths) {
    for (const letter of this.board.letters) this.of[letter] = [...(paths[letter] ?? [])];
  }

  clear() {
    this.set({});
  }

  /** What is drawn so far, for a request. */
  get drawn() {
    return Object.fromEntries(Object.entries(this.of).filter(([, path]) => path.length > 1));
  }

  get filling() {
    return this.board.nodes.map((_, node) => this.letterAt(node));
  }

  get filled() {
    return this.board.nodes.filter((_, node) => Object.values(this.of).some((path) => path.includes(node))).length;
  }

  /** The first letter whose path touches itself: two of its cells are neighbours but not joined. */
  get touching() {
    return this.board.letters.find((letter) => {
      const path = this.of[letter];
      return path.some((node, at) => path.some((other, there) => there > at + 1 && this.near[node].has(other)));
    });
  }

  joined(letter) {
    const path = this.of[letter];
    return path.length > 1 && this.board.nodes[path[0]].source === letter &&
      this.board.nodes[path.at(-1)].source === letter;
  }

  /** Are these two nodes neighbours on a path? */
  linked([one, other]) {
    return Object.values(this.of).some((path) =>
      path.some((node, at) => (node === one && path[at + 1] === other) || (node === other && path[at + 1] === one))
    );
  }
}

/** A sweep under way: the cells that it has decided so far, each with the later cells that it is joined to. */
export class SweepTrail {
  constructor(board, order) {
    Object.assign(this, { board, order, decided: [], alive: 0 });
  }

  step([, kept, decided, alive]) {
    this.decided = [...this.decided.slice(0, kept), ...decided];
    this.alive = alive;
  }

  get at() {
    return this.decided.length;
  }

  /** The cell that is decided next; none at the end. */
  get next() {
    return this.order[this.at];
  }

  /** Every step joined so far, with the letter of its path where that has come to a source. */
  steps() {
    const found = this.decided.flatMap((others, at) => others.map((other) => [this.order[at], other]));
    const part = this.board.nodes.map((_, node) => node);
    const root = (node) => {
      while (part[node] !== node) node = part[node] = part[part[node]];
      return node;
    };
    for (const [one, other] of found) part[root(one)] = root(other);
    const letters = new Map(this.board.nodes.flatMap(({ source }, node) => (source ? [[root(node), source]] : [])));
    return found.map(([one, other]) => [one, other, letters.get(root(one)) ?? ""]);
  }
}
