/** The moves so far, one field to type a move, and the way back to an earlier moment. */

import { element, tool } from "./common.js";

/** The line of a game, token by token, each with the ply at which it ends. */
export function tokens(line) {
  let ply = 0;
  return line.split(" ").filter(Boolean).map((text) => {
    ply += text.split("+").length;
    return { text, ply, chance: text.startsWith("~") };
  });
}

export class MovesPanel {
  constructor(node, { look, rewind, type }) {
    this.look = look;
    this.list = element("ol", { className: "moves", ariaLabel: "moves" });
    this.typed = element("input", {
      type: "text",
      id: "typed",
      autocomplete: "off",
      spellcheck: false,
      ariaLabel: "type a move",
    });
    const form = element("form", { className: "row" }, this.typed);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.typed.value.trim()) type(this.typed.value.trim());
      this.typed.value = "";
    });
    this.known = element("datalist", { id: "known-moves" });
    this.typed.setAttribute("list", "known-moves");
    this.past = element(
      "div",
      { className: "row", hidden: true },
      element("span", { className: "quiet small", textContent: "You are looking at an earlier moment." }),
      element("button", { type: "button", textContent: "To the present", onclick: () => look(null) }),
      tool("undo", "Go on from here", () => rewind()),
    );
    node.append(this.list, this.past, form, this.known);
  }

  /** `first` is the side that began; `at` the ply on the board. */
  show(state, first, at) {
    const rows = [];
    let column = first;
    let number = 1;
    for (const token of tokens(state.line)) {
      if (token.chance) {
        rows.push(element("li", { className: "chance", textContent: token.text.slice(1), title: "chance" }));
        continue;
      }
      if (column === 0 || !rows.length) rows.push(element("li", { className: "nr", textContent: number }));
      if (column === 1 && rows.length === 1) rows.push(element("li"));
      const button = element("button", {
        type: "button",
        textContent: token.text,
        onclick: () => this.look(token.ply),
      });
      button.setAttribute("aria-current", token.ply === at);
      rows.push(element("li", {}, button));
      if (column === 1) number += 1;
      column = 1 - column;
    }
    this.list.replaceChildren(...rows);
    this.list.scrollTop = at === state.ply ? this.list.scrollHeight : this.list.scrollTop;
    this.past.hidden = at === state.ply;
    this.known.replaceChildren(...state.moves.slice(0, 200).map((move) => element("option", { value: move.text })));
    this.typed.placeholder = state.moves.length ? `Type a move, such as ${state.moves[0].text}` : "";
    this.typed.disabled = !state.yours || at !== state.ply;
  }
}
