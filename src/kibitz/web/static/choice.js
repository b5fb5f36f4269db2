/** One of several words, each with a line or a picture that says what it means. */

import { element } from "/picture/elements.js";

/** `known` are [value, word, about]; `about` is a text or an element. */
export function choice(title, name, known, chosen, change) {
  const rows = known.map(([value, word, about]) =>
    element(
      "label",
      { className: "choice" },
      element("input", { type: "radio", name, value, checked: value === chosen, onchange: () => change(value) }),
      element("b", { textContent: word }),
      typeof about === "string" ? element("span", { className: "small quiet", textContent: about }) : about,
    )
  );
  return element("fieldset", { className: "choices" }, element("legend", { textContent: title }), ...rows);
}
