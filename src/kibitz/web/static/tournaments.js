/** The tournaments page: what the server's stores hold, as tables and plots that follow the games. */

import { t } from "/picture/strings.js";
import { ask, element, topLine, trying } from "./common.js";
import { ratingPlot } from "./plots.js";
import { gameLink } from "./share.js";

const PAUSE = 3000; // milliseconds between two looks at the store
const main = document.getElementById("main");

let drawn = ""; // what the page shows now: nothing is drawn anew while the store stands still

async function list() {
  const { tournaments } = await ask("/api/tournaments");
  if (known(tournaments)) return;
  const cards = tournaments.map((one) =>
    element(
      "a",
      { className: "sheet", href: `#${encodeURIComponent(one.name)}` },
      element("h2", { textContent: one.name }),
      element("p", { className: "quiet", textContent: t("tournaments.players", { game: one.game, n: one.players }) }),
      ...progress(one),
    )
  );
  const none = element(
    "section",
    { className: "drop" },
    element("h2", { textContent: t("tournaments.none") }),
    element("p", {
      className: "quiet",
      textContent: t("tournaments.how"),
    }),
    element("code", { className: "mono", textContent: "kibitz serve --store FILE" }),
  );
  main.replaceChildren(
    element("h1", { textContent: t("page.tournaments") }),
    tournaments.length ? element("div", { className: "cards" }, ...cards) : none,
  );
}

async function one(name) {
  const facts = await ask(`/api/tournaments/${encodeURIComponent(name)}`);
  if (known(facts)) return;
  main.replaceChildren(
    element(
      "div",
      { className: "row spread" },
      element("h1", { textContent: facts.name }),
      element("a", { className: "button", href: "#", textContent: t("tournaments.all") }),
    ),
    element(
      "section",
      { className: "sheet" },
      element("p", { className: "quiet", textContent: facts.game }),
      ...progress(facts),
    ),
    element("section", { className: "sheet" }, element("h2", { textContent: t("tournaments.standings") }),
      standings(facts.standings)),
    element(
      "section",
      { className: "sheet" },
      element("h2", { textContent: t("tournaments.ratings") }),
      ratingPlot(facts.standings),
    ),
    element("section", { className: "sheet" }, element("h2", { textContent: t("tournaments.cross") }), cross(facts)),
    element(
      "section",
      { className: "sheet" },
      element("h2", { textContent: t("tournaments.lately") }),
      recent(facts.recent ?? []),
      ...failures(facts.failures ?? []),
    ),
  );
}

function known(facts) {
  const text = JSON.stringify(facts);
  const same = text === drawn;
  drawn = text;
  return same;
}

function progress({ games, planned }) {
  const bar = element("i");
  bar.style.width = `${planned ? (100 * games) / planned : 0}%`;
  return [
    element("p", { className: "small number", textContent: t("tournaments.games", { done: games, n: planned }) }),
    element("div", {
      className: "progress",
      role: "progressbar",
      ariaLabel: t("tournaments.played"),
      ariaValueNow: games,
      ariaValueMax: planned,
    }, bar),
  ];
}

function table(head, rows, className = "") {
  const cells = (row) =>
    row.map((cell, at) =>
      element("td", {
        className: at && typeof cell !== "string" ? "n" : "",
        textContent: typeof cell === "number" ? rounded(cell) : cell.n ?? cell,
      })
    );
  return element(
    "div",
    { className: "scroll" },
    element(
      "table",
      { className },
      element(
        "thead",
        {},
        element("tr", {}, ...head.map((text, at) => element("th", { className: at ? "n" : "", textContent: text }))),
      ),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells(row)))),
    ),
  );
}

function standings(rows) {
  const cells = (
    row,
  ) => [row.player, row.games, { n: `${row.wins} / ${row.draws} / ${row.losses}` }, row.score, {
    n: row.rating == null ? "" : `${row.rating} [${row.interval.join(", ")}]`,
  }];
  const head = ["player", "count", "results", "score", "rating"].map((key) => t(`tournaments.${key}`));
  return table(head, rows.map(cells), "standings");
}

function cross({ standings: rows, cross: cells }) {
  const names = rows.map((row) => row.player);
  return table(
    ["", ...names.map((_, at) => String(at + 1))],
    (cells ?? []).map((
      row,
      at,
    ) => [`${at + 1}. ${names[at]}`, ...row.map((cell) => (cell == null ? "·" : String(cell)))]),
    "heat",
  );
}

function recent(games) {
  return element(
    "ul",
    { className: "lately" },
    ...games.map((game) =>
      element(
        "li",
        {},
        element(
          "span",
          {},
          element("b", { textContent: game.first }),
          t("tournaments.against"),
          element("b", { textContent: game.second }),
        ),
        element("b", { className: "number", textContent: (game.result ?? "").replace("1/2-1/2", "½-½") }),
        element("span", { className: "small quiet", textContent: game.reason === "rules" ? "" : game.reason ?? "" }),
        game.line
          ? element("a", { className: "mono small quiet", href: gameLink(game), textContent: game.moves })
          : element("code", { className: "mono small quiet", textContent: game.moves ?? "" }),
      )
    ),
  );
}

function failures(found) {
  return found.length
    ? [
      element("h2", { textContent: t("tournaments.failures") }),
      table(
        [t("tournaments.what")],
        found.map((failure) => [typeof failure === "string" ? failure : Object.values(failure).join(": ")]),
      ),
    ]
    : [];
}

function rounded(value) {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

async function show() {
  const name = decodeURIComponent(location.hash.slice(1));
  await trying(() => (name ? one(name) : list()));
  document.body.dataset.ready = "yes";
}

topLine("page.tournaments");
addEventListener("hashchange", show);
await show();
setInterval(() => {
  if (document.visibilityState === "visible") show();
}, PAUSE);
