/** Setting up a position: by its text, or by putting pieces on the board; the server says whether it can be. */

import { t, term } from "/picture/strings.js";
import { copied, element, tool, trying } from "./common.js";
import { figures, piece, shape } from "/picture/painting.js";

export class SetupPanel {
  constructor(node, table, board, { done }) {
    Object.assign(this, { table, board, done, editing: false, piece: "", pieces: [] });
    this.text = element("textarea", { id: "position-text", rows: 3, spellcheck: false, ariaLabel: t("setup.text") });
    this.start = element("button", {
      type: "button",
      id: "set-up",
      className: "main",
      textContent: t("setup.use-text"),
      onclick: () => trying(() => this.#use(this.text.value.trim())),
    });
    this.edit = element("button", {
      type: "button",
      id: "edit-board",
      textContent: t("setup.edit"),
      onclick: () => this.#toggle(),
    });
    this.palette = element("div", { className: "palette", role: "group", ariaLabel: t("setup.pieces") });
    this.amount = element("input", { type: "number", min: 1, max: 255, value: 1, ariaLabel: t("setup.amount") });
    this.amountField = element("label", { className: "field" }, t("setup.amount-field"), this.amount);
    this.turn = element("select", { ariaLabel: t("setup.turn") });
    this.use = element("button", {
      type: "button",
      id: "use-board",
      className: "main",
      textContent: t("setup.use"),
      onclick: () => trying(() => this.#compose()),
    });
    this.editor = element(
      "div",
      { className: "panel", hidden: true },
      element("p", {
        className: "small quiet",
        textContent: t("setup.about"),
      }),
      this.palette,
      element(
        "div",
        { className: "fields" },
        element("label", { className: "field" }, t("setup.turn-field"), this.turn),
        this.amountField,
      ),
      element(
        "div",
        { className: "row" },
        this.use,
        element("button", {
          type: "button",
          id: "clear-board",
          textContent: t("common.clear"),
          onclick: () => this.#paint(this.pieces.map(() => "")),
        }),
        element("button", { type: "button", textContent: t("common.cancel"), onclick: () => this.#toggle(false) }),
      ),
    );
    this.editor.style.padding = "0";
    node.append(
      element("label", { className: "field" }, t("setup.text-field"), this.text),
      element("div", { className: "row" }, this.start, tool("copy", t("common.copy"), () => copied(this.text.value,
        "position"))),
      element("button", {
        type: "button",
        textContent: t("setup.start"),
        onclick: () => trying(() => this.#use(this.fresh)),
      }),
      element("hr"),
      this.edit,
      this.editor,
    );
    board.addEventListener("cell", (event) => this.#put(event.detail));
  }

  position(state, facts) {
    this.state = state;
    this.fresh = facts.start.text;
    if (document.activeElement !== this.text) this.text.value = state.position;
    this.counted = [...facts.start.pieces, ...state.pieces].some((text) => text.length > 1);
    if (this.drawing === facts.drawing) return;
    this.drawing = facts.drawing;
    this.#palette();
    this.turn.replaceChildren(...state.sides.map((side, value) => element("option", { value,
      textContent: term(side) })));
  }

  #palette() {
    const letters = ["", ...Object.keys(this.drawing.pieces)];
    this.piece = letters[1];
    this.palette.replaceChildren(...letters.map((letter) => {
      const name = letter ? term(this.drawing.pieces[letter].name) : t("setup.nothing");
      const picture = shape("svg", { viewBox: "-50 -50 100 100" });
      picture.append(
        ...(letter ? [figures(this.drawing), piece(letter, [0, 0], this.drawing)] : [
          shape("path", {
            d: "M-22-22 22 22M22-22-22 22",
            stroke: "currentColor",
            "stroke-width": 7,
            "stroke-linecap": "round",
          }),
        ]),
      );
      const button = element("button", {
        type: "button",
        title: name,
        ariaLabel: name,
        onclick: () => this.#choose(letter),
      }, picture);
      button.dataset.letter = letter;
      return button;
    }));
    this.#choose(this.piece);
  }

  #choose(letter) {
    this.piece = letter;
    for (const button of this.palette.children) button.setAttribute("aria-pressed", button.dataset.letter === letter);
  }

  #toggle(on = !this.editing) {
    this.editing = on;
    this.board.editing = on;
    this.editor.hidden = !on;
    this.amountField.hidden = !this.counted;
    this.turn.value = this.state.turn < 2 ? this.state.turn : 0;
    if (on) this.#paint([...this.state.pieces]);
    else this.done(null);
  }

  #paint(pieces) {
    this.pieces = pieces;
    this.board.show({ pieces, moves: [], last: [] });
  }

  #put({ cell, button }) {
    if (!this.editing) return;
    const text = this.piece && this.counted
      ? `${this.piece}${Math.max(1, Number(this.amount.value) || 1)}`
      : this.piece;
    const pieces = [...this.pieces];
    pieces[cell] = button === 2 || pieces[cell] === text ? "" : text;
    this.#paint(pieces);
  }

  async #compose() {
    const { position } = await this.table.ask("compose", { pieces: this.pieces, turn: Number(this.turn.value) });
    await this.#use(position);
  }

  async #use(position) {
    const state = await this.table.ask("setup", { position });
    this.editing = false;
    this.board.editing = false;
    this.editor.hidden = true;
    this.done(state);
  }
}
