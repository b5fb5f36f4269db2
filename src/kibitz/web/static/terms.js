/** What a heuristic sees in a position, term by term. */

import { element } from "./common.js";

/** A table of the terms that count something, and the others folded away. */
export function termTable({ heuristic, side, rows, total }, sides) {
  const head = element(
    "tr",
    {},
    ...["feature", "count", "weight", "score"].map((text, at) =>
      element("th", { className: at ? "n" : "", textContent: text })
    ),
  );
  const row = ({ feature, count, weight, score }) =>
    element(
      "tr",
      {},
      element("td", { textContent: feature.replaceAll("_", " ") }),
      ...[count, weight, score].map((value) => element("td", { className: "n", textContent: rounded(value) })),
    );
  const [said, silent] = [rows.filter((one) => one.count !== 0), rows.filter((one) => one.count === 0)];
  const foot = element(
    "tr",
    {},
    element("td", { colSpan: 3, textContent: `${heuristic}, for ${sides[side] ?? side}` }),
    element("td", { className: "n", textContent: rounded(total) }),
  );
  const rest = element(
    "details",
    {},
    element("summary", { textContent: `${silent.length} more count nothing here` }),
    element("table", {}, element("tbody", {}, ...silent.map(row))),
  );
  const table = element(
    "table",
    { id: "terms" },
    element("thead", {}, head),
    element("tbody", {}, ...said.map(row)),
    element("tfoot", {}, foot),
  );
  return [table, ...(silent.length ? [rest] : [])];
}

function rounded(value) {
  return typeof value === "number" ? (Number.isInteger(value) ? String(value) : value.toFixed(2)) : String(value ?? "");
}
