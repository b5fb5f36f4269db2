/** A pointer over the board: a press, a drag with a piece in the hand, a drop. It tells the board what was meant. */

const SLACK = 6; // pixels a pointer may tremble without dragging

export class Dragging {
  #press = null;

  /** `board` answers cellUnder, movable and nodeAt, and hears of lift, drop and touch. */
  constructor(svg, board) {
    this.svg = svg;
    this.board = board;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => this.let());
  }

  /** Open the hand. */
  let() {
    this.#press?.ghost?.remove();
    this.#press?.node?.classList.remove("lifted");
    this.#press = null;
  }

  #down(event) {
    const cell = this.board.cellUnder(event);
    if (cell == null || this.board.edited(cell, event.button) || event.button !== 0) return;
    this.#press = { cell, x: event.clientX, y: event.clientY, dragging: false };
    if (this.board.movable(cell)) this.svg.setPointerCapture(event.pointerId);
  }

  #move(event) {
    const press = this.#press;
    if (!press) return;
    if (!press.dragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLACK) this.#lift(press);
    if (!press.ghost) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    press.ghost.style.transform = `translate(${at.x}px, ${at.y}px) scale(1.08)`;
  }

  #lift(press) {
    press.dragging = true;
    press.node = this.board.nodeAt(press.cell);
    if (!this.board.movable(press.cell) || !press.node) return;
    press.ghost = press.node.cloneNode(true);
    press.ghost.classList.add("ghost");
    press.node.classList.add("lifted");
    this.board.lift(press.cell, press.ghost);
  }

  #up(event) {
    const press = this.#press;
    this.let();
    const cell = this.board.cellUnder(event);
    if (!press || cell == null) return;
    if (press.ghost && cell !== press.cell) this.board.drop(cell, press.cell, event);
    else if (!press.ghost && cell === press.cell) this.board.touch(cell, event);
  }
}
