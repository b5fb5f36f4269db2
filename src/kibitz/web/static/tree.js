/** The moves of a game and the variations beside them, as the server numbers them. */

const CHANCE = 2;

export class Tree {
  constructor() {
    this.reset();
  }

  reset() {
    this.nodes = new Map();
    this.live = 0;
    this.shown = 0;
  }

  get root() {
    return this.nodes.get(0);
  }

  get current() {
    return this.nodes.get(this.shown);
  }

  get atLive() {
    return this.shown === this.live;
  }

  /** Take in what the server tells; a root among it begins another tree. */
  add(list) {
    if (list.some((fact) => fact.parent == null)) this.nodes = new Map();
    for (const fact of list) {
      const parent = fact.parent == null ? null : this.nodes.get(fact.parent);
      const node = { ...fact, parent, children: [], main: null };
      this.nodes.set(fact.node, node);
      parent?.children.push(node);
    }
  }

  /** The game stands here: the way to it is the main line. */
  follow(live) {
    this.live = live;
    for (const node of this.path(live)) node.parent.main = node;
  }

  note({ node, mark, comment }) {
    const known = this.nodes.get(node);
    if (known) Object.assign(known, { mark, comment });
  }

  /** What a review thinks of a move; a mark of one's own stays. */
  mark(number, mark) {
    const node = this.nodes.get(number);
    if (!node || (node.mark && !node.reviewed)) return;
    Object.assign(node, { mark, reviewed: true });
  }

  /** The nodes of the turn that ends with this one; what chance did after it is passed over. */
  turnOf(number) {
    const path = this.path(number);
    while (path.length && path.at(-1).side === CHANCE) path.pop();
    const side = path.at(-1)?.side;
    let first = path.length;
    while (first > 0 && path[first - 1].side === side) first -= 1;
    return path.slice(first);
  }

  turnText(number) {
    return this.turnOf(number).map((node) => node.text).join("+");
  }

  /** The node where the turn that ends here began. */
  beforeTurn(number) {
    return this.turnOf(number)[0]?.parent.node ?? 0;
  }

  remove(number) {
    const node = this.nodes.get(number);
    if (!node) return;
    node.parent.children = node.parent.children.filter((one) => one !== node);
    if (node.parent.main === node) node.parent.main = null;
    const gone = [node];
    while (gone.length) {
      const one = gone.pop();
      this.nodes.delete(one.node);
      gone.push(...one.children);
    }
  }

  /** The nodes from the first step to this one. */
  path(number) {
    const found = [];
    for (let node = this.nodes.get(number); node?.parent; node = node.parent) found.unshift(node);
    return found;
  }

  /** What usually follows a node: the game, or what was tried first. */
  next(node) {
    return node.main ?? node.children[0] ?? null;
  }

  /** The line through a node, from the root on to its end. */
  lineThrough(number) {
    const found = [this.root, ...this.path(number)];
    for (let node = this.next(found.at(-1)); node; node = this.next(node)) found.push(node);
    return found;
  }

  /** Is a node part of a variation? */
  aside(number) {
    const game = new Set(this.lineThrough(this.live));
    return !game.has(this.nodes.get(number));
  }

  /** Where a key leads from the shown node; chance is passed over, for nobody chooses there. */
  step(key) {
    if (key === "first") return 0;
    if (key === "last") return this.lineThrough(this.shown).at(-1).node;
    const way = key === "on" ? (node) => this.next(node) : (node) => node.parent;
    let node = this.current;
    do node = way(node) ?? null; while (node && node.turn === CHANCE && way(node));
    return (node ?? this.current).node;
  }

  /** A node's moves since the start, as the server reads a line. */
  lineTo(number) {
    let text = "";
    let side = null;
    for (const node of this.path(number)) {
      text += (node.side === side && side !== CHANCE ? "+" : " ") + node.text;
      side = node.side;
    }
    return text.trim();
  }

  /** What a lost connection must not lose: the ends of variations, and everything that is written beside moves. */
  notes() {
    const game = new Set(this.path(this.live));
    return [...this.nodes.values()]
      .filter((node) => node.parent && (node.mark || node.comment || (!node.children.length && !game.has(node))))
      .map(({ node, mark, comment }) => ({ line: this.lineTo(node), mark, comment }));
  }
}
