/** How a visitor wants pages to look: light or dark, the board, the pieces. It is kept in the browser; what the names
 * mean is in themes.css. */

const KEYS = { theme: "kibitz-theme", board: "kibitz-board", pieces: "kibitz-pieces" };
const KNOWN = {
  theme: ["system", "light", "dark"],
  board: ["wood", "slate", "forest", "paper", "night"],
  pieces: ["carved", "vivid", "contrast", "letters"],
};

/** What is chosen of a kind; the first is what everybody begins with. */
export function chosen(kind) {
  const kept = localStorage.getItem(KEYS[kind]);
  return KNOWN[kind].includes(kept) ? kept : KNOWN[kind][0];
}

export function known(kind) {
  return KNOWN[kind];
}

/** Choose, for this and all later visits. */
export function choose(kind, value) {
  localStorage.setItem(KEYS[kind], value);
  apply();
}

/** Is the page dark at the moment? */
export function isDark() {
  const theme = chosen("theme");
  return theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}

function apply() {
  for (const kind of Object.keys(KEYS)) {
    const value = chosen(kind);
    if (value === KNOWN[kind][0]) delete document.documentElement.dataset[kind];
    else document.documentElement.dataset[kind] = value;
  }
}

apply();
addEventListener("storage", apply); // another tab has chosen
