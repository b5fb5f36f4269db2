/** The dialog in which a visitor chooses language, look and sounds; everything is kept in the browser. */

import { element } from "/picture/elements.js";
import { shape } from "/picture/painting.js";
import { keepLanguage, language, t, TEXTS } from "/picture/strings.js";
import { choice } from "./choice.js";
import { choose, chosen, known } from "./look.js";
import { soundOn, switchSound } from "./sound.js";

/** Open the dialog. */
export function openSettings() {
  const dialog = document.body.appendChild(element("dialog", { id: "settings", ariaLabel: t("page.settings") }));
  const done = element("button", { className: "main", textContent: t("common.close") });
  dialog.append(
    element(
      "form",
      { method: "dialog" },
      element("h2", { textContent: t("page.settings") }),
      languages(),
      looks("theme", () => ""),
      looks("board", swatch),
      looks("pieces", swatch),
      sounds(),
      element("footer", {}, done),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.showModal();
  done.focus();
}

function languages() {
  const rows = Object.entries(TEXTS).map(([tag, texts]) => [tag, texts["language.name"], ""]);
  return choice(t("settings.language"), "language", rows, language, (tag) => {
    keepLanguage(tag);
    location.reload();
  });
}

function looks(kind, about) {
  const rows = known(kind).map((value) => [value, t(`settings.${kind}.${value}`), about(kind, value)]);
  return choice(t(`settings.${kind}`), kind, rows, chosen(kind), (value) => choose(kind, value));
}

/** Two cells with a piece each, as this board or these pieces would look. */
function swatch(kind, value) {
  const view = element("span", { className: "swatch" });
  const board = shape("svg", { viewBox: "0 0 200 100", "aria-hidden": "true" });
  for (const [at, tone, colour, letter] of [[0, "light", "white", "w"], [1, "dark", "black", "b"]]) {
    const part = (name) => `var(--${colour}-${name})`;
    const disc = { r: 36, fill: part("body"), stroke: part("edge"), "stroke-width": "var(--piece-edge)" };
    const ring = { r: 25, fill: "none", stroke: part("detail"), "stroke-width": 4 };
    board.append(
      shape("rect", { x: 100 * at, width: 100, height: 100, fill: `var(--cell-${tone})`, stroke: "var(--board-line)" }),
      shape(
        "g",
        { transform: `translate(${100 * at + 50} 50)` },
        shape("circle", disc),
        shape("circle", { ...ring, display: "var(--figure-display)" }),
        shape("text", { display: "var(--letter-display)", y: 14, "font-size": 40, fill: part("detail") }, letter),
      ),
    );
  }
  const other = kind === "board" ? { board: value, pieces: chosen("pieces") } : { board: chosen("board"),
    pieces: value };
  Object.assign(view.dataset, other);
  view.append(board);
  return view;
}

function sounds() {
  const input = element("input", { type: "checkbox", role: "switch", checked: soundOn(),
    onchange: () => switchSound() });
  return element("label", { className: "switch" }, input, t("settings.sound"));
}
