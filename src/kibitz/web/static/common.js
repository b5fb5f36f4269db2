/** What every page has: the top line, the theme, toasts, and requests that answer or say what went wrong. */

import { element, icon } from "/picture/elements.js";
import { numeral, t, translate } from "/picture/strings.js";
import { choose, isDark } from "./look.js";
import { Refusal } from "./refusal.js";
import { openSettings } from "./settings.js";

/** What an exported page has within it (local/exported.js); null on the pages of a server. */
export const page = globalThis.kibitzPage ?? null;

const PAGES = page?.pages ?? [
  ["/", "page.play"],
  ["/puzzles", "page.puzzles"],
  ["/flow", "page.flow"],
  ["/tournaments", "page.tournaments"],
  ["/replay", "page.replay"],
];
const MARK = "M4 20V4M4 13 14 4M8.5 9.5 15 20M18 4v.01M21 9v.01M18 14v.01";
const MOON = "M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z";
export const MARKS = {
  undo: "M9 7H4V2M4.5 7A8.5 8.5 0 1 1 4 14",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 1 3.5 10.9c-.6.5-.5 1.1-.5 2.1H9c0-1 .1-1.6-.5-2.1A6 6 0 0 1 12 3z",
  flip: "M7 4v16M7 20l-3-3M7 20l3-3M17 20V4M17 4l-3 3M17 4l3 3",
  swap: "M4 8h15M19 8l-4-4M20 16H5M5 16l4 4",
  share: "M12 15V3M12 3 8 7M12 3l4 4M5 12v8h14v-8",
  save: "M12 3v12M12 15l-4-4M12 15l4-4M5 20h14",
  plus: "M12 5v14M5 12h14",
  copy: "M8 8h12v12H8zM16 8V4H4v12h4",
  flag: "M6 21V4M6 4h12l-3 4 3 4H6",
  pause: "M8 5v14M16 5v14",
  play: "M7 4l13 8-13 8z",
  gear: "M4 7h10M18 7h2M4 17h2M10 17h10M14 4v6M6 14v6",
  dice: "M4 4h16v16H4zM8 8v.01M16 16v.01M12 12v.01",
  step: "M6 5l9 7-9 7zM18 5v14",
  redo: "M15 7h5V2M19.5 7A8.5 8.5 0 1 0 20 14",
  first: "M18 5l-9 7 9 7M6 5v14",
  back: "M15 5l-7 7 7 7",
  on: "M9 5l7 7-7 7",
  last: "M6 5l9 7-9 7M18 5v14",
  sound: "M4 9h4l5-4v14l-5-4H4zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  cross: "M6 6l12 12M18 6 6 18",
};

export { element, Refusal };

/** The chance of the side that a score speaks for, as the first thing to be read. */
export function winPercent({ share, side }) {
  return `${Math.round(100 * (side === 0 ? share : 1 - share))} %`;
}

/** What a score is worth in its unit; only a proven one is called exact. */
export function worth({ score, win_in: turns, unit = "" }) {
  if (turns != null) return t(turns >= 0 ? "common.win-in" : "common.loss-in", { n: Math.abs(turns) });
  const digits = unit ? 1 : 2;
  const sign = score < 0 && Number(score.toFixed(digits)) ? "−" : "+";
  return `${sign}${numeral(Math.abs(score), digits)}${unit ? ` ${unit}` : ""}`;
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A button with a picture. */
export function tool(name, text, onclick, properties = {}) {
  return element(
    "button",
    { type: "button", title: text, onclick, ...properties },
    icon(MARKS[name]),
    element("span", { textContent: text }),
  );
}

/** A button that is a picture only; its name is there to be heard and hovered. */
export function small(name, text, onclick) {
  return element(
    "button",
    { type: "button", id: name, className: "round", title: text, ariaLabel: text, onclick },
    icon(MARKS[name]),
  );
}

/** A button with a picture and its name below; the whole sentence is there to be heard and hovered. */
export function tile(name, word, text, onclick) {
  return element(
    "button",
    { type: "button", id: name, className: "tile", title: text, ariaLabel: text, onclick },
    icon(MARKS[name]),
    element("span", { textContent: word }),
  );
}

/** Put the top line on the page, and its texts; `name` is the key of its title. */
export function topLine(name = null) {
  translate();
  if (name) document.title = t("page.title", { name: t(name) });
  const here = location.pathname === "/index" ? "/" : location.pathname;
  const home = page ? location.pathname : "/";
  const word = element("span", { textContent: "Kibitz" });
  const brand = element("a", { className: "brand", href: home }, icon(MARK), word);
  brand.setAttribute("aria-label", t("page.home"));
  const links = PAGES.map(([href, key]) => {
    const link = element("a", { href, textContent: t(key) });
    if (href === here) link.setAttribute("aria-current", "page");
    return link;
  });
  const round = (path, text, onclick, id = "") =>
    element(
      "button",
      { type: "button", id, className: "bare round", title: text, ariaLabel: text, onclick },
      icon(path),
    );
  document.body.prepend(
    element(
      "header",
      { className: "top" },
      brand,
      element("nav", { ariaLabel: t("page.pages") }, ...links),
      round(MOON, t("page.dark"), () => choose("theme", isDark() ? "light" : "dark"), "dark-switch"),
      round(MARKS.gear, t("page.settings"), openSettings, "open-settings"),
    ),
  );
}

const toasts = element("div", { className: "toasts", role: "status" });
toasts.setAttribute("aria-live", "polite");

/** Tell something in passing: beside the board where there is one, and only the latest. */
export function toast(text, wrong = false) {
  const place = document.getElementById("messages");
  const beside = place?.offsetParent ? place : null;
  const home = document.querySelector("dialog[open]") ?? beside ?? document.body;
  if (toasts.parentElement !== home) home.append(toasts);
  toasts.classList.toggle("beside", home === beside);
  const line = element("div", { className: wrong ? "toast wrong" : "toast", textContent: text });
  toasts.replaceChildren(line);
  setTimeout(() => line.remove(), wrong ? 7000 : 3500);
}

/** Ask the server over HTTP. */
export async function ask(path, body) {
  if (page) return page.answer(path);
  const post = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const reply = await fetch(path, body === undefined ? {} : post).catch(() => {
    throw new Refusal({ error: "offline", message: t("common.no-server") });
  });
  const facts = await reply.json().catch(() => {
    throw new Refusal({ error: "offline", message: t("common.bad-answer", { status: reply.status }) });
  });
  if (!reply.ok) throw new Refusal({ message: t("common.no-answer"), ...facts });
  return facts;
}

/** Do something and show in a toast why it could not be done. */
export async function trying(work) {
  try {
    return await work();
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    toast(problem.message, true);
    return null;
  }
}

/** Put a text where it can be pasted from; `what` it is: a link, a position or a board. */
export async function copied(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t(`common.copied.${what}`));
  } catch {
    toast(t("common.no-copy", { text }), true);
  }
}

/** Give the reader a file. */
export function download(name, text) {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
