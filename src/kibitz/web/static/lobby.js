/** The cards of the lobby: every game, and the puzzle beside them. */

import { ask, capital, element, trying } from "./common.js";
import { shape } from "/picture/painting.js";
import { t, term } from "/picture/strings.js";

/** A game with its board as it begins. */
export function gameCard(game, open) {
  const thumb = element("div", { className: "thumb" });
  trying(async () => {
    const { drawing, start } = await ask(`/api/game?game=${encodeURIComponent(game.name)}`);
    const board = element("kibitz-board", { inert: true });
    thumb.append(board);
    board.drawing = drawing;
    board.show({ pieces: start.pieces });
  });
  const title = `${term(game.title)}: `;
  const about = term(game.summary);
  const summary = about.startsWith(title) ? about.slice(title.length) : about;
  const text = element(
    "div",
    {},
    element("strong", { textContent: term(game.title) }),
    element("span", { textContent: capital(summary) }),
  );
  const card = element("button", { type: "button", className: "card", onclick: open }, thumb, text);
  card.dataset.game = game.name;
  return card;
}

/** A link that goes on with the game that was played last. */
export function lastGameLink({ title, address }, route) {
  const link = element("a", { className: "button", href: address, textContent: t("lobby.last",
    { title: term(title) }) });
  link.onclick = (event) => {
    event.preventDefault();
    history.pushState(null, "", address);
    route();
  };
  return link;
}

/** The puzzle beside the games. */
export function flowCard() {
  const dots = [["#e6302b", "M20 80V20H50", 20, 80, 50, 20], ["#1f78d1", "M50 50V80H80", 50, 50, 80, 80], [
    "#f2d51d",
    "M80 20V50",
    80,
    20,
    80,
    50,
  ]];
  const board = shape(
    "svg",
    { viewBox: "0 0 100 100" },
    shape("rect", { width: 100, height: 100, rx: 5, fill: "#20242b" }),
  );
  for (const [colour, d, x, y, a, b] of dots) {
    board.append(
      shape("path", {
        d,
        fill: "none",
        stroke: colour,
        "stroke-linejoin": "round",
        "stroke-width": 7,
        "stroke-linecap": "round",
      }),
      ...[[x, y], [a, b]].map(([cx, cy]) => shape("circle", { cx, cy, r: 8, fill: colour })),
    );
  }
  board.style.height = "100%";
  return element(
    "a",
    { className: "card button", href: "/flow" },
    element("div", { className: "thumb" }, board),
    element(
      "div",
      {},
      element("strong", { textContent: t("page.flow") }),
      element("span", { textContent: t("lobby.flow") }),
    ),
  );
}

/** The puzzles of all games. */
export function puzzlesCard() {
  const ground = shape("rect", { width: 100, height: 100, rx: 5, fill: "#d9c19a" });
  const board = shape("svg", { viewBox: "0 0 100 100" }, ground);
  for (let cell = 0; cell < 16; cell += 1) {
    const [x, y] = [25 * (cell % 4), 25 * Math.floor(cell / 4)];
    if ((x + y) % 50) board.append(shape("rect", { x, y, width: 25, height: 25, fill: "#a9804f" }));
  }
  board.append(
    shape("circle", { cx: 37.5, cy: 62.5, r: 9, fill: "#fffaf0", stroke: "#3b332c", "stroke-width": 2 }),
    shape("circle", { cx: 62.5, cy: 37.5, r: 9, fill: "#3b3436", stroke: "#151314", "stroke-width": 2 }),
    shape("path", { d: "M42 58 57 43M57 43h-8M57 43v8", fill: "none", stroke: "#e0a800", "stroke-width": 4 }),
  );
  board.style.height = "100%";
  return element(
    "a",
    { className: "card button", href: "/puzzles" },
    element("div", { className: "thumb" }, board),
    element(
      "div",
      {},
      element("strong", { textContent: t("page.puzzles") }),
      element("span", { textContent: t("lobby.puzzles") }),
    ),
  );
}
