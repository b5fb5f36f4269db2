/** What a heuristic sees in a position, term by term. */

import { numeral, t, term } from "/picture/strings.js";
import { element } from "./common.js";

/** A table of the terms that count something, and the others folded away. */
export function termTable({ heuristic, side, rows, total }, sides) {
  const head = element(
    "tr",
    {},
    ...["feature", "count", "weight", "score"].map((key, at) =>
      element("th", { className: at ? "n" : "", textContent: t(`terms.${key}`) })
    ),
  );
  const row = ({ feature, count, weight, score }) =>
    element(
      "tr",
      {},
      element("td", { textContent: term(feature.replaceAll("_", " ")) }),
      ...[count, weight, score].map((value) => element("td", { className: "n", textContent: rounded(value) })),
    );
  const [said, silent] = [rows.filter((one) => one.count !== 0), rows.filter((one) => one.count === 0)];
  const foot = element(
    "tr",
    {},
    element("td", { colSpan: 3, textContent: t("terms.for", { heuristic, side: term(sides[side] ?? side) }) }),
    element("td", { className: "n", textContent: rounded(total) }),
  );
  const rest = element(
    "details",
    {},
    element("summary", { textContent: t("terms.silent", { n: silent.length }) }),
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
  return typeof value === "number" ? (Number.isInteger(value) ? String(value) : numeral(value, 2))
    : String(value ?? "");
}
