/** Openings: what the games in the server's stores did at the shown moment. */

import { t, term } from "/picture/strings.js";
import { element } from "./common.js";

export class Explorer {
  constructor(node, table, { play, sides }) {
    Object.assign(this, { table, play, sides });
    this.body = element("div", { className: "scroll" });
    this.node = element(
      "details",
      { className: "explorer", hidden: true, ontoggle: () => this.#ask() },
      element("summary", { textContent: t("explorer.title") }),
      this.body,
    );
    node.append(this.node);
  }

  /** The cursor stands elsewhere. Without a store there is nothing to show. */
  async show(view) {
    if (this.at === view.position && this.line === view.line) return;
    Object.assign(this, { at: view.position, line: view.line });
    await this.#ask();
  }

  async #ask() {
    if (this.without || (!this.node.hidden && !this.node.open)) return;
    const { line, at } = this;
    const found = await this.table.ask("explore").catch(() => null);
    if (!found || this.line !== line || this.at !== at) return;
    this.without = found.stores === 0;
    this.node.hidden = this.without;
    this.body.replaceChildren(found.moves.length ? this.#rows(found) : element("p", {
      className: "small quiet",
      textContent: t("explorer.none"),
    }));
  }

  #rows({ moves }) {
    const [first, second] = this.sides().map(term);
    return element("table", { id: "openings" }, element("tbody", {}, ...moves.map(({ text, games, results }) => {
      const [won, drawn, lost] = results;
      const label = t("explorer.row", { won, drawn, lost, first, second });
      const bar = element("div", { className: "shares", title: label, role: "img", ariaLabel: label });
      bar.append(...results.map((count) => {
        const part = element("i");
        part.style.flexGrow = count;
        return part;
      }));
      const button = element("button", { type: "button", className: "bare", textContent: text });
      button.onclick = () => this.play(text);
      return element(
        "tr",
        {},
        element("td", {}, button),
        element("td", { className: "n", textContent: games }),
        element("td", {}, bar),
      );
    })));
  }
}
