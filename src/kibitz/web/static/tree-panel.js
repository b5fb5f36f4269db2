/** A small alpha-beta tree, opened node by node: what each node was worth, with which window, and what was cut off. */

import { numeral, t } from "/picture/strings.js";
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
    this.paths = new WeakMap(); // of each item, the moves that lead there
    this.list = element("ul", { className: "tree", role: "tree", ariaLabel: t("tree.name"), hidden: true });
    this.list.addEventListener("keydown", (event) => this.#key(event));
    node.append(
      element("p", {
        className: "small quiet",
        textContent: t("tree.about"),
      }),
      element(
        "div",
        { className: "fields" },
        element("label", { className: "field" }, t("tree.depth"), this.depth),
        element("label", { className: "field" }, t("tree.breadth"), this.breadth),
      ),
      element("button", {
        type: "button",
        id: "grow",
        className: "main",
        textContent: t("tree.grow"),
        onclick: () => this.grow(),
      }),
      this.list,
    );
  }

  /** Another position: the tree no longer belongs to it. */
  clear() {
    this.list.replaceChildren();
    this.list.hidden = true;
  }

  grow() {
    return trying(async () => {
      const node = await this.#fetched([]);
      const item = this.#item(node, []);
      this.list.replaceChildren(item);
      this.list.hidden = false;
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
    const leaf = node.cut || (!node.inner && !node.left_out);
    const chevron = element("span", { className: "chevron", textContent: leaf ? "" : "▸" });
    chevron.setAttribute("aria-hidden", "true");
    const row = element("div", { className: "node-row" }, chevron, ...this.#facts(node, path));
    const item = element("li", { role: "treeitem", tabIndex: path.length ? -1 : 0 }, row);
    if (node.best && path.length) item.classList.add("best-move");
    if (node.cut) item.classList.add("is-cut");
    if (leaf) item.setAttribute("aria-disabled", String(node.cut));
    else item.setAttribute("aria-expanded", "false");
    row.addEventListener("click", () => {
      this.#focus(item);
      if (!leaf) trying(() => this.#toggle(item));
    });
    this.paths.set(item, path);
    return item;
  }

  #facts(node, path) {
    const facts = [
      element("b", { className: node.best ? "best" : "", textContent: path.length ? node.move : t("tree.root") }),
    ];
    if (node.cut) return [...facts, element("span", { className: "cut", textContent: t("tree.cut") })];
    facts.push(
      element("span", { className: "number", textContent: shown(node.value) }),
      element("span", { textContent: t(node.maximising ? "tree.max" : "tree.min"), className: "quiet small" }),
      element("span", {
        className: "window",
        textContent: `α ${node.alpha == null ? "−∞" : shown(node.alpha)}  β ${shown(node.beta)}`,
      }),
    );
    if (node.best && path.length) facts.push(element("span", { className: "best", textContent: t("tree.best") }));
    return facts;
  }

  async #toggle(item) {
    const open = item.querySelector(":scope > ul");
    if (open) {
      open.remove();
      item.setAttribute("aria-expanded", "false");
      item.querySelector(".chevron").textContent = "▸";
    } else {
      const path = this.paths.get(item);
      this.#open(item, await this.#fetched(path), path);
    }
  }

  #open(item, node, path) {
    if (item.querySelector(":scope > ul")) return;
    const children = (node.children ?? []).map((child) => this.#item(child, [...path, child.move]));
    const note = node.left_out ? t("tree.left-out", { n: node.left_out }) : "";
    item.append(element("ul", { role: "group" }, ...children));
    if (note) item.lastChild.append(element("li", { role: "none", className: "small quiet", textContent: note }));
    item.setAttribute("aria-expanded", "true");
    item.querySelector(".chevron").textContent = "▾";
  }

  #focus(item) {
    for (const other of this.list.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    item.tabIndex = 0;
    item.focus();
  }

  /** Arrow keys as people expect them in a tree. */
  #key(event) {
    const item = event.target.closest("[role=treeitem]");
    const seen = [...this.list.querySelectorAll("[role=treeitem]")];
    const at = seen.indexOf(item);
    const open = item?.getAttribute("aria-expanded") === "true";
    const closed = item?.getAttribute("aria-expanded") === "false";
    const go = {
      ArrowDown: () => this.#focus(seen[Math.min(at + 1, seen.length - 1)]),
      ArrowUp: () => this.#focus(seen[Math.max(at - 1, 0)]),
      Home: () => this.#focus(seen[0]),
      End: () => this.#focus(seen.at(-1)),
      ArrowRight: () => (closed ? trying(() => this.#toggle(item)) : open && this.#focus(seen[at + 1])),
      ArrowLeft: () =>
        open ? trying(() => this.#toggle(item)) : this.#focus(item.parentElement.closest("[role=treeitem]") ?? item),
      Enter: () => (open || closed) && trying(() => this.#toggle(item)),
    }[event.key];
    if (!go || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    go();
  }
}

function shown(value) {
  if (value == null) return "∞";
  return Number.isInteger(value) ? String(value) : numeral(value, 2);
}
