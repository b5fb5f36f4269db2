/** A small alpha-beta tree, opened node by node: what each node was worth, with which window, and what was cut off. */

import { element, trying } from "./common.js";

export class TreePanel {
  constructor(node, table, board) {
    Object.assign(this, { table, board });
    const numbers = (id, from, to, value) =>
      element(
        "select",
        { id, onchange: () => this.grow() },
        ...Array.from(
          { length: to - from + 1 },
          (_, at) => element("option", { value: from + at, textContent: from + at, selected: from + at === value }),
        ),
      );
    this.depth = numbers("tree-depth", 1, 4, 3);
    this.breadth = numbers("tree-breadth", 2, 8, 4);
    this.list = element("ul", { className: "tree", role: "tree", ariaLabel: "search tree" });
    node.append(
      element("p", {
        className: "small quiet",
        textContent:
          "How alpha-beta looks ahead from here: open a node to see its moves. Values speak for the side to move at " +
          "the root; a cut branch cannot change the answer, so nobody looked at it.",
      }),
      element(
        "div",
        { className: "fields" },
        element("label", { className: "field" }, "Turns ahead", this.depth),
        element("label", { className: "field" }, "Moves shown", this.breadth),
      ),
      element("button", {
        type: "button",
        className: "main",
        textContent: "Grow the tree",
        onclick: () => this.grow(),
      }),
      this.list,
    );
  }

  /** Another position: the tree no longer belongs to it. */
  clear() {
    this.list.replaceChildren();
  }

  grow() {
    return trying(async () => {
      const node = await this.#fetched([]);
      const item = this.#item(node, []);
      this.list.replaceChildren(item);
      this.#open(item, node, []);
    });
  }

  async #fetched(path) {
    const { root } = await this.table.ask("tree", {
      depth: Number(this.depth.value),
      breadth: Number(this.breadth.value),
      path,
    });
    return root;
  }

  #item(node, path) {
    const facts = [
      element("b", { className: node.best ? "best" : "", textContent: path.length ? node.move : "the position" }),
    ];
    if (node.cut) facts.push(element("span", { className: "cut", textContent: "✂ cut off" }));
    else {facts.push(
        element("span", { className: "number", textContent: shown(node.value) }),
        element("span", { textContent: node.maximising ? "max" : "min", className: "quiet small" }),
        element("span", {
          className: "window",
          textContent: `α ${node.alpha == null ? "−∞" : shown(node.alpha)}  β ${shown(node.beta)}`,
        }),
      );}
    if (node.best && path.length) facts.push(element("span", { className: "best", textContent: "★ best" }));
    const button = element("button", { type: "button" }, ...facts);
    const item = element("li", { role: "treeitem" }, button);
    item.setAttribute("aria-expanded", "false");
    button.disabled = node.cut;
    button.addEventListener("click", () => trying(() => this.#toggle(item, path)));
    return item;
  }

  async #toggle(item, path) {
    const open = item.querySelector(":scope > ul");
    if (open) {
      open.remove();
      item.setAttribute("aria-expanded", "false");
    } else this.#open(item, await this.#fetched(path), path);
  }

  #open(item, node, path) {
    const children = (node.children ?? []).map((child) => this.#item(child, [...path, child.move]));
    if (node.left_out) children.push(element("li", { className: "small quiet", textContent: `${node.left_out} more` }));
    if (!children.length) {
      children.push(element("li", { className: "small quiet", textContent: "a leaf: here the heuristic speaks" }));
    }
    item.append(element("ul", { role: "group" }, ...children));
    item.setAttribute("aria-expanded", "true");
  }
}

function shown(value) {
  if (value == null) return "∞";
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}
