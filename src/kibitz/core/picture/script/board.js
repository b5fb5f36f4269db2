/**
 * <kibitz-board>: any game's board, from its drawing, pieces and gestures. Legal moves come in, a chosen move goes out.
 *
 *   board.drawing = ...                          what `drawing(layout)` gave
 *   board.show({ pieces, moves, last }, steps)   a scene; `steps` are gestures to be seen happening first
 *   board.arrows = [{ cells, kind }]             best, other or hint
 *   board.values = { "a2-a3": { text, tone } }   what moves are worth, shown where they lead
 *   board.notes = { 12: { text, tone } }         a word on a cell, such as what its piece is worth
 *   board.shapes = [{ cells, kind }]             own arrows and rings, drawn with the right button; event `shapes`
 *   board.flipped, board.editing                 turned around; cells are reported instead of moves
 *
 * Events: `move` { move, dragged }, `consider` { move }, `cell` { cell, button } while editing, `refused` { text }.
 */

import { Asking } from "./asking.js";
import { Choosing, typed } from "./choosing.js";
import { Dragging } from "./dragging.js";
import { element } from "./elements.js";
import { motionWelcome, perform } from "./moving.js";
import { arrow, figures, ground, mark, piece, Places, shape, tag, traces } from "./painting.js";
import { t, term } from "./strings.js";
import { STYLE } from "./style.js";

const LAYERS = ["traces", "pieces", "arrows", "marks", "tags", "hits", "hand"];
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

class KibitzBoard extends HTMLElement {
  #drawing = null;
  #scene = { pieces: [], moves: [], last: [] };
  #choosing = new Choosing();
  #flipped = false;
  #cursor = 0;
  #arrows = [];
  #values = {};
  #notes = {};
  #shapes = [];
  #shaping = null; // the cell where the right button went down
  #typed = "";
  #dragged = false; // the hand has already shown the way, nothing is left to animate
  #turn = 0; // counts scenes, so that an old animation notices a new one
  #coming = null; // the scene that an animation leads to
  pointed = false; // did the hand come by pointer last, rather than by Tab?

  constructor() {
    super();
    this.attachShadow({ mode: "open" });
    this.svg = shape("svg", { role: "group" });
    this.heard = element("div", { className: "heard", role: "status" });
    this.heard.setAttribute("aria-live", "polite");
    this.pill = element("div", { className: "typed", hidden: true });
    const card = element("div", { className: "card", hidden: true, role: "dialog", ariaLabel: t("board.which") });
    this.below = element("div", { className: "below" });
    this.stage = element("div", { className: "stage" }, this.svg, this.pill, card);
    this.shadowRoot.append(element("style", { textContent: STYLE }), this.stage, this.below, this.heard);
    this.asking = new Asking(card, {
      consider: (move) => this.#consider(move),
      choose: (move) => this.#send(move),
      cancel: () => {
        this.#choosing.clear();
        this.#marks();
        this.focus();
      },
      nameOf: (cell) => this.#drawing.cells[cell].name,
    });
    this.#listen();
  }

  set drawing(drawing) {
    this.#drawing = drawing;
    this.#cursor = 0;
    this.#scene = { pieces: [], moves: [], last: [] };
    this.#coming = null;
    this.#turn += 1;
    this.#build();
  }

  get drawing() {
    return this.#drawing;
  }

  set flipped(flipped) {
    if (this.#flipped === flipped) return;
    this.#flipped = flipped;
    if (this.#drawing) this.#build();
  }

  get flipped() {
    return this.#flipped;
  }

  set arrows(arrows) {
    this.#arrows = arrows;
    this.#drawArrows();
  }

  set shapes(shapes) {
    this.#shapes = shapes ?? [];
    this.#drawArrows();
  }

  get shapes() {
    return this.#shapes;
  }

  set values(values) {
    this.#values = values ?? {};
    this.#marks();
  }

  set notes(notes) {
    this.#notes = notes ?? {};
    this.#marks();
  }

  /** The legal moves. */
  get moves() {
    return (this.#coming ?? this.#scene).moves.filter((move) => !move.ahead);
  }

  /** What may be chosen ahead of the turn. */
  get ahead() {
    return (this.#coming ?? this.#scene).moves.filter((move) => move.ahead);
  }

  /** Is something still seen happening? */
  get moving() {
    return this.#coming != null;
  }

  /** Width to height. */
  get aspect() {
    const [, , width, height] = this.places.view.split(" ").map(Number);
    return width / height;
  }

  get picked() {
    return this.#choosing.picked;
  }

  focus() {
    this.#hit(this.#cursor)?.focus();
  }

  note(text) {
    this.asking.note(text);
  }

  say(text) {
    this.heard.textContent = text;
  }

  /** Show a scene. The gestures of `steps` are seen happening on the old one first. */
  async show(scene, steps = []) {
    const turn = ++this.#turn;
    const { pieces, moves = [], last = [], quiet = false } = scene; // quiet: where moves lead is not marked
    this.#coming = { pieces, moves, last, quiet };
    this.#choosing = new Choosing([]);
    if (this.asking.open) this.asking.close();
    this.#drawMarks();
    if (steps.length && motionWelcome()) {
      this.layers.traces.replaceChildren();
      this.layers.arrows.replaceChildren();
      await perform(steps, this.layers.pieces, this.nodes, this.places, () => turn !== this.#turn);
      if (turn !== this.#turn) return;
    }
    this.#arrive();
  }

  /** Show what an animation leads to, now: nobody who is quick has to wait for it. */
  #arrive() {
    if (!this.#coming) return;
    this.#turn += 1;
    this.#scene = this.#coming;
    this.#coming = null;
    this.#choosing = new Choosing(this.#scene.moves);
    this.#draw();
  }

  /** Play the move that this text means; say so where there is none. */
  type(text) {
    this.#arrive();
    const exact = this.#scene.moves.find((move) => move.text.toLowerCase() === text.trim().toLowerCase());
    this.#dragged = false;
    if (exact) return this.#send(exact);
    this.say(t("board.no-move", { text }));
    return this.dispatchEvent(new CustomEvent("refused", { detail: { text } }));
  }

  #build() {
    this.places = new Places(this.#drawing, this.#flipped);
    this.svg.setAttribute("viewBox", this.places.view);
    this.svg.setAttribute("aria-label", this.getAttribute("label") ?? t("board.name"));
    this.layers = Object.fromEntries(
      LAYERS.map((name) => [name, shape("g", { class: name, "aria-hidden": name === "hits" ? null : "true" })]),
    );
    this.layers.hits.append(...this.#drawing.cells.map((cell, index) =>
      shape("path", {
        class: "hit",
        d: cell.path,
        transform: this.places.turn,
        "data-cell": index,
        role: "button",
        tabindex: index === this.#cursor ? 0 : -1,
      })
    ));
    this.svg.replaceChildren(figures(this.#drawing), ground(this.#drawing, this.places), ...Object.values(this.layers));
    this.#draw();
  }

  #draw() {
    const { pieces, last } = this.#scene;
    this.nodes = new Map();
    pieces.forEach((text, cell) => {
      if (!text) return;
      const node = piece(text, this.places.spot(cell), this.#drawing);
      node.dataset.text = text;
      this.nodes.set(cell, node);
    });
    this.layers.pieces.replaceChildren(...this.nodes.values());
    const ways = last.filter((step) => step.cells.length > 1).map((step) => this.#arrow(step.cells, "last", 11));
    this.layers.traces.replaceChildren(...traces(this.#drawing, this.places, last), ...ways);
    this.layers.hand.replaceChildren();
    this.below.replaceChildren(
      ...this.#choosing.buttons().map((move) =>
        element("button", { type: "button", textContent: move.label ?? move.text, onclick: () => this.#send(move) })
      ),
    );
    this.#drawArrows();
    this.#marks();
  }

  #drawArrows(look = null) {
    if (!this.layers) return;
    const looked = look ? [{ cells: look.cells, kind: "look" }] : [];
    const drawn = [...this.#arrows, ...this.#shapes, ...looked].filter((step) => step.cells.length);
    this.layers.arrows.replaceChildren(
      ...drawn.map((step) => this.#arrow(step.cells, step.kind ?? "best", step.kind === "other" ? 9 : 13)),
    );
  }

  #arrow(cells, kind, width) {
    return arrow(cells.map((cell) => this.places.spot(cell)), kind, width);
  }

  #marks() {
    if (!this.layers) return;
    this.#drawMarks();
    const origins = this.#choosing.origins();
    const targets = this.#choosing.picked == null ? new Set() : this.#choosing.targets();
    for (const hit of this.layers.hits.children) {
      const cell = Number(hit.dataset.cell);
      hit.classList.toggle("origin", this.editing || origins.has(cell));
      hit.classList.toggle("target", targets.has(cell));
      hit.classList.toggle("picked", this.#choosing.picked === cell);
      hit.setAttribute("aria-label", this.#described(cell, origins, targets));
    }
  }

  #drawMarks() {
    if (!this.layers) return;
    const picked = this.#choosing.picked;
    const targets = picked == null ? this.#placements() : this.#choosing.targets();
    this.layers.marks.replaceChildren(
      ...(picked == null || this.#scene.quiet
        ? []
        : [...targets].map((cell) => mark(this.#drawing, this.places.spot(cell), Boolean(this.#scene.pieces[cell])))),
    );
    const tags = [...targets].map((cell) => this.#tagOf(cell)).filter(Boolean);
    const notes = Object.entries(this.#notes).map(([cell, { text, tone }]) =>
      tag(this.places.spot(Number(cell)), text, tone)
    );
    this.layers.tags.replaceChildren(...notes, ...tags);
  }

  #placements() {
    return new Set(this.#scene.moves.filter((move) => move.cells.length === 1).map((move) => move.cells[0]));
  }

  #tagOf(cell) {
    const leads = this.#choosing.moves.filter((move) =>
      move.cells.at(-1) === cell && (this.picked == null || move.cells[0] === this.picked)
    );
    const known = leads.map((move) => this.#values[move.text]).find(Boolean);
    return known ? tag(this.places.spot(cell), known.text, known.tone) : null;
  }

  #described(cell, origins, targets) {
    const text = this.#scene.pieces[cell];
    const found = text ? this.#drawing.pieces[text[0]] : null;
    const stands = found ? `${text.slice(1)} ${term(found.name)}`.trim() : t("board.empty");
    const said = `${this.#drawing.cells[cell].name}, ${stands}`;
    if (this.#choosing.picked === cell) return t("board.is-picked", { cell: said });
    if (targets.has(cell)) return t("board.is-target", { cell: said });
    if (origins.has(cell)) return t(text ? "board.can-move" : "board.can-choose", { cell: said });
    return said;
  }

  #listen() {
    this.dragging = new Dragging(this.svg, {
      cellUnder: (event) => this.#cellUnder(event),
      movable: (cell) => this.#choosing.origins().has(cell),
      nodeAt: (cell) => this.nodes.get(cell),
      edited: (cell, button) => this.#edited(cell, button),
      lift: (cell, ghost) => this.#lift(cell, ghost),
      drop: (cell, origin, event) => this.#drop(cell, origin, event),
      touch: (cell, event) => this.#touch(cell, event),
    });
    this.svg.addEventListener("contextmenu", (event) => event.preventDefault());
    addEventListener("keydown", (event) => {
      if (event.key === "Tab") this.pointed = false;
    });
    this.svg.addEventListener("pointerdown", (event) => {
      this.pointed = true;
      this.#shaping = event.button === 2 && !this.editing ? this.#cellUnder(event) : null;
    });
    this.svg.addEventListener("pointerup", (event) => this.#shape(event));
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("focusin", (event) => this.#at(Number(event.target.dataset?.cell ?? this.#cursor)));
  }

  /** An arrow or a ring of one's own is drawn; the same once more takes it away. */
  #shape(event) {
    const [from, to] = [this.#shaping, event.button === 2 ? this.#cellUnder(event) : null];
    this.#shaping = null;
    if (from == null || to == null) return;
    const cells = from === to ? [from] : [from, to];
    const kept = this.#shapes.filter((shape) => shape.cells.join() !== cells.join());
    this.shapes = kept.length < this.#shapes.length ? kept : [...kept, { cells, kind: "own" }];
    this.dispatchEvent(new CustomEvent("shapes", { detail: { shapes: this.#shapes } }));
  }

  #cellUnder(event) {
    if (event.type === "pointerdown") this.#arrive();
    const hit = this.shadowRoot.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-cell]");
    return hit ? Number(hit.dataset.cell) : null;
  }

  #edited(cell, button) {
    if (this.editing) this.dispatchEvent(new CustomEvent("cell", { detail: { cell, button } }));
    return this.editing;
  }

  #lift(cell, ghost) {
    this.#choosing.clear();
    this.#choosing.press(cell);
    this.layers.hand.append(ghost);
    this.#marks();
  }

  #drop(cell, origin, event) {
    const found = this.#choosing.press(cell);
    if (!found.length && this.#choosing.picked !== origin) this.#choosing.clear();
    this.#dragged = true;
    this.#answer(found, cell, event);
  }

  #touch(cell, event) {
    this.#dragged = false;
    this.#at(cell);
    this.#answer(this.#choosing.press(cell), cell, event);
  }

  #answer(found, cell, pointer) {
    this.#marks();
    if (found.length) {
      this.asking.ask(found);
      if (this.asking.open) this.asking.place(this.svg, this.places.spot(cell), pointer);
    } else if (this.#choosing.picked === cell) {
      this.say(t("board.picked", { cell: this.#drawing.cells[cell].name, n: this.#choosing.targets().size }));
    }
  }

  #consider(move) {
    this.#drawArrows(move);
    this.dispatchEvent(new CustomEvent("consider", { detail: { move } }));
  }

  #send(move) {
    this.#typed = "";
    this.pill.hidden = true;
    this.#choosing.clear();
    this.#marks();
    this.dispatchEvent(new CustomEvent("move", { detail: { move, dragged: this.#dragged } }));
  }

  #hit(cell) {
    return this.layers?.hits.children[cell];
  }

  #at(cell) {
    this.#hit(this.#cursor)?.setAttribute("tabindex", "-1");
    this.#cursor = cell;
    this.#hit(cell)?.setAttribute("tabindex", "0");
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // Who came by pointer means the game with the arrow keys; who came by Tab walks over the cells.
    if (KEYS[event.key] && this.pointed) return;
    if (KEYS[event.key]) this.#walk(...KEYS[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.#enter();
    else if (event.key === "Escape") this.#escape();
    else if (event.key === "Backspace") this.#spell(this.#typed.slice(0, -1));
    else if (event.key.length === 1) this.#spell(this.#typed + event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #walk(right, down) {
    this.#at(this.places.beyond(this.#cursor, right, down));
    this.focus();
  }

  #enter() {
    this.#arrive();
    if (this.#edited(this.#cursor, 0)) return;
    if (this.#typed) {
      const text = this.#typed;
      this.#spell("");
      this.type(text);
    } else this.#touch(this.#cursor);
  }

  #escape() {
    this.#spell("");
    this.#choosing.clear();
    this.#marks();
  }

  #spell(text) {
    this.#typed = text;
    const possible = text ? typed(this.#scene.moves, text) : [];
    this.pill.hidden = !text;
    const shown = possible.slice(0, 4).map((move) => move.text).join("  ");
    this.pill.replaceChildren(
      element("b", { textContent: text }),
      element("i", { textContent: `  ${shown || t("board.no-such")}` }),
    );
  }
}

customElements.define("kibitz-board", KibitzBoard);
