/** Tabs over panels, with the arrow keys as people expect them. */

import { element } from "./common.js";

export class Tabs {
  constructor(node, names) {
    this.buttons = names.map(([key, textContent]) => {
      const button = element("button", {
        type: "button",
        role: "tab",
        id: `tab-${key}`,
        textContent,
        onclick: () => this.choose(key),
      });
      button.setAttribute("aria-controls", `panel-${key}`);
      document.getElementById(`panel-${key}`).setAttribute("aria-labelledby", `tab-${key}`);
      return button;
    });
    this.keys = names.map(([key]) => key);
    node.append(...this.buttons);
    node.addEventListener("keydown", (event) => this.#key(event));
    this.choose(this.keys[0]);
  }

  /** `chosen` hears which panel is shown. */
  choose(key) {
    this.keys.forEach((other, index) => {
      this.buttons[index].setAttribute("aria-selected", other === key);
      this.buttons[index].tabIndex = other === key ? 0 : -1;
      document.getElementById(`panel-${other}`).hidden = other !== key;
    });
    this.chosen?.(key);
  }

  #key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const index = (this.buttons.indexOf(event.target) + step + this.keys.length) % this.keys.length;
    this.choose(this.keys[index]);
    this.buttons[index].focus();
  }
}
