/** The moves as a tree: the game in two columns, variations between its rows, and what is written beside a move. */

import { t } from "/picture/strings.js";
import { element, small, tool } from "./common.js";

const CHANCE = 2;
const MARKS = [["!", "good"], ["?!", "doubtful"], ["?", "mistake"], ["??", "blunder"]];
export const MARK_NAMES = Object.fromEntries(MARKS);

/** What a mark is called. */
export function markWord(mark) {
  return mark in MARK_NAMES ? t(`mark.${MARK_NAMES[mark]}`) : "";
}

/** The line of a game, token by token, each with the ply at which it ends. */
export function tokens(line) {
  let ply = 0;
  return line.split(" ").filter(Boolean).map((text) => {
    ply += text.split("+").length;
    return { text, ply, chance: text.startsWith("~") };
  });
}

/** The turn that begins with a node: the nodes of one side that follow each other on the usual way. */
function turnFrom(node, tree) {
  const found = [node];
  for (let next = tree.next(node); next && next.side === node.side && node.side !== CHANCE; next = tree.next(next)) {
    found.push(next);
  }
  return found;
}

/** What else was tried where these nodes were. */
function siblings(nodes) {
  return nodes.flatMap((node) => node.parent.children.filter((one) => one !== node));
}

/** Is it what a die shows, rather than what became of a battle? It then stands before the move that it allows. */
function isRoll(node) {
  return node.text.length <= 3;
}

function roll(node) {
  return element("span", { className: "roll", textContent: node.text.slice(1), title: t("play.chance") });
}

export class MovesPanel {
  constructor(node, tree, { look, go, goOn, type, annotate, remove }) {
    Object.assign(this, { tree, look, annotate });
    this.list = element("ol", { className: "moves", ariaLabel: t("moves.list"), tabIndex: 0 });
    this.typed = element("input", {
      type: "text",
      id: "typed",
      autocomplete: "off",
      spellcheck: false,
      ariaLabel: t("moves.type"),
    });
    const form = element("form", { className: "row" }, this.typed);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.typed.value.trim()) type(this.typed.value.trim());
      this.typed.value = "";
    });
    this.known = element("datalist", { id: "known-moves" });
    this.typed.setAttribute("list", "known-moves");
    this.steps = element(
      "div",
      { className: "steps" },
      small("first", t("moves.first"), () => go("first")),
      small("back", t("moves.back"), () => go("back")),
      small("on", t("moves.on"), () => go("on")),
      small("last", t("moves.last"), () => go("last")),
    );
    this.past = element(
      "div",
      { className: "row", hidden: true },
      element("button", {
        type: "button",
        id: "present",
        textContent: t("moves.present"),
        onclick: () => look(tree.live),
      }),
      tool("undo", t("moves.go-on"), goOn, { id: "go-on" }),
      tool("cross", t("moves.remove"), () => remove(this.#branch()), { id: "remove" }),
    );
    node.append(this.list, this.steps, this.past, this.#notes(), form, this.known);
  }

  #notes() {
    this.marks = MARKS.map(([mark]) => {
      const name = markWord(mark);
      const button = element("button", { type: "button", textContent: mark, title: name, ariaLabel: name });
      button.onclick = () => this.annotate({ mark: this.tree.current.mark === mark ? "" : mark });
      button.dataset.mark = mark;
      return button;
    });
    this.comment = element("input", {
      type: "text",
      id: "comment",
      maxLength: 1000,
      placeholder: t("moves.write"),
      ariaLabel: t("moves.comment"),
      onchange: () => this.annotate({ comment: this.comment.value }),
    });
    this.notes = element("div", { className: "notes" }, ...this.marks, this.comment);
    return this.notes;
  }

  /** The first node of the variation that is shown. */
  #branch() {
    return this.tree.path(this.tree.shown).find((node) => this.tree.aside(node.node))?.node;
  }

  /** The tree has grown, or the cursor moved. `view` is what the cursor shows, `mayMove` whether moves can be typed. */
  show(view, mayMove) {
    const { tree } = this;
    this.list.replaceChildren(...this.#rows());
    this.reveal();
    const aside = tree.aside(tree.shown);
    this.past.hidden = tree.atLive;
    this.past.querySelector("#remove").hidden = !aside;
    const node = tree.current;
    this.notes.hidden = !node?.parent;
    if (document.activeElement !== this.comment) this.comment.value = node?.comment ?? "";
    for (const button of this.marks) button.setAttribute("aria-pressed", node?.mark === button.dataset.mark);
    this.known.replaceChildren(...view.moves.slice(0, 200).map((move) => element("option", { value: move.text })));
    this.typed.placeholder = mayMove && view.moves.length ? t("moves.such-as", { move: view.moves[0].text }) : "";
    this.typed.disabled = !mayMove;
  }

  /** Scroll the list, never the page, to the shown move. */
  reveal() {
    const item = this.list.querySelector("[aria-current=true]");
    if (!item) return;
    const top = item.offsetTop - this.list.clientHeight / 2;
    if (Math.abs(this.list.scrollTop - top) > this.list.clientHeight / 2 - 40) this.list.scrollTop = top;
  }

  #rows() {
    const rows = [];
    let [node, number, open, rolled] = [this.tree.root && this.tree.next(this.tree.root), 0, false, []];
    while (node) {
      const turn = turnFrom(node, this.tree);
      const last = turn.at(-1);
      if (node.side === CHANCE && isRoll(node)) {
        rolled.push(roll(node));
      } else if (node.side === CHANCE) {
        if (open) rows.push(element("li"));
        open = false;
        rows.push(element("li", { className: "chance", textContent: node.text.slice(1), title: t("play.chance") }));
      } else {
        if (node.side === 0 || !open) {
          if (open) rows.push(element("li"));
          number += node.side === 0 || number === 0 ? 1 : 0;
          rows.push(element("li", { className: "nr", textContent: number }));
          if (node.side === 1) rows.push(element("li", { className: "quiet", textContent: "…" }));
        }
        rows.push(element("li", {}, ...rolled, this.#button(turn)));
        open = node.side === 0;
        rolled = [];
      }
      const beside = this.#beside(turn);
      if (beside.length && open) {
        rows.push(element("li"));
        open = false;
      }
      rows.push(...beside);
      node = this.tree.next(last);
    }
    if (rolled.length) rows.push(element("li", { className: open ? "" : "chance" }, ...rolled));
    return rows;
  }

  /** What stands between the rows after a turn: comments, and the variations that leave it. */
  #beside(turn) {
    const comments = turn.filter((node) => node.comment).map((node) =>
      element("li", { className: "comment", textContent: node.comment })
    );
    return [...comments, ...this.#variations(turn)];
  }

  #variations(turn) {
    return siblings(turn).map((other) => element("li", { className: "variation" }, ...this.#line(other)));
  }

  /** A variation as running text; those that leave it stand in brackets. */
  #line(begin) {
    const parts = [];
    for (let node = begin; node;) {
      const turn = turnFrom(node, this.tree);
      if (node.side === CHANCE) parts.push(element("span", { className: "quiet", textContent: node.text.slice(1) }));
      else parts.push(this.#button(turn));
      for (const one of turn) if (one.comment) parts.push(element("i", { textContent: one.comment }));
      const leaving = siblings(node === begin ? turn.slice(1) : turn);
      parts.push(...leaving.map((other) => element("span", {}, "(", ...this.#line(other), ")")));
      node = this.tree.next(turn.at(-1));
    }
    return parts;
  }

  #button(turn) {
    const last = turn.at(-1);
    const mark = turn.map((node) => node.mark).filter(Boolean).at(-1);
    const text = turn.map((node) => node.text).join("+");
    const button = element("button", { type: "button", onclick: () => this.look(last.node) }, text);
    if (mark) {
      const name = markWord(mark);
      const className = `mark ${MARK_NAMES[mark]}`;
      button.append(element("b", { className, textContent: ` ${mark}`, title: name, ariaLabel: name }));
    }
    button.dataset.node = last.node;
    button.setAttribute("aria-current", turn.some((node) => node.node === this.tree.shown));
    return button;
  }
}
