/** The rulebook of a game as elements: paragraphs, lists, diagrams, tables in letters, and words in `quotes`. */

import { t, term } from "/picture/strings.js";
import { element } from "./common.js";

/** A rulebook's text; its diagrams are drawn on the board of the game. */
export function prose(text, { drawing = null, diagrams = [] } = {}) {
  const left = [...diagrams];
  const parts = text.split(/\n\s*\n/).filter((part) => part.trim());
  return element("div", { className: "prose" }, ...parts.map((part) => block(part, drawing, left)));
}

function block(part, drawing, diagrams) {
  const lines = part.replace(/^\n+|\s+$/g, "").split("\n");
  if (lines[0].startsWith("    diagram:")) {
    const scene = diagrams.shift();
    if (scene) return diagram(drawing, scene);
    lines.shift(); // these options do not have the position: the characters say it
    if (!lines.length) return "";
  }
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

function diagram(drawing, scene) {
  const board = element("kibitz-board", { inert: true });
  const said = t("rules.diagram", { pieces: standing(drawing, scene) });
  const figure = element("figure", { className: "diagram", role: "img", ariaLabel: said }, board);
  board.drawing = drawing;
  board.show({ pieces: scene.pieces, last: scene.last });
  return figure;
}

/** What stands where, for those who cannot see it. */
function standing(drawing, { pieces }) {
  const named = pieces.map((text, cell) => text && `${drawing.cells[cell].name} ${term(drawing.pieces[text[0]].name)}`);
  return named.filter(Boolean).join(", ");
}

function words(text) {
  return text.split("`").map((word, at) => (at % 2 ? element("code", { className: "mono", textContent: word }) : word));
}
