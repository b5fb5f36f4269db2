/** The rulebook of a game as elements: paragraphs, lists, boards in letters, and words in `quotes`. */

import { element } from "./common.js";

/** A rulebook's text. */
export function prose(text) {
  return element("div", { className: "prose" }, ...text.split(/\n\s*\n/).filter((part) => part.trim()).map(block));
}

function block(part) {
  const lines = part.replace(/^\n+|\s+$/g, "").split("\n");
  if (lines.every((line) => line.startsWith("    "))) {
    return element("pre", {
      className: "mono",
      textContent: lines.map((line) => line.slice(4)).join("\n"),
    });
  }
  if (!lines[0].startsWith("- ")) return element("p", {}, ...words(lines.join(" ")));
  const items = lines.join("\n").split(/\n(?=- )/).map((item) => item.slice(2).replace(/\s+/g, " "));
  return element("ul", {}, ...items.map((item) => element("li", {}, ...words(item))));
}

function words(text) {
  return text.split("`").map((word, at) => (at % 2 ? element("code", { className: "mono", textContent: word }) : word));
}
