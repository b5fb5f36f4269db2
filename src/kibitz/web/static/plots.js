/** Plots as SVG. */

import { shape } from "/picture/painting.js";
import { t } from "/picture/strings.js";

const WIDE = { width: 720, row: 30, name: 190, drop: 0 };
const NARROW = { width: 340, row: 46, name: 8, drop: 18 }; // the names stand above their rows

/** Ratings from best to worst: a dot, its interval, its number. */
export function ratingPlot(standings) {
  const { width, row: step, name, drop } = innerWidth < 560 ? NARROW : WIDE;
  const rated = standings.filter((row) => row.rating != null).sort((one, other) => other.rating - one.rating);
  const height = step * rated.length + 34;
  const plot = shape("svg", {
    class: "plot",
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": t("plot.ratings", { list: rated.map((row) => `${row.player} ${row.rating}`).join(", ") }),
  });
  if (!rated.length) return plot;
  const low = Math.min(...rated.map((row) => row.interval?.[0] ?? row.rating)) - 20;
  const high = Math.max(...rated.map((row) => row.interval?.[1] ?? row.rating)) + 20;
  const x = (rating) => name + ((width - name - 70) * (rating - low)) / (high - low || 1);
  for (const tick of ticks(low, high, drop ? 4 : 8)) {
    plot.append(
      shape("path", { class: "axis", d: `M${x(tick)} 4V${height - 22}` }),
      shape("text", { class: "faint", x: x(tick), y: height - 6, "text-anchor": "middle" }, String(tick)),
    );
  }
  rated.forEach((row, at) => {
    const y = step * at + 20 + drop;
    const [from, to] = row.interval ?? [row.rating, row.rating];
    plot.append(
      drop
        ? shape("text", { x: 0, y: y - 14 }, shortened(row.player))
        : shape("text", { x: name - 12, y: y + 4, "text-anchor": "end" }, shortened(row.player)),
      shape("path", {
        class: "whisker",
        d: `M${x(from)} ${y}H${x(to)}M${x(from)} ${y - 5}v10M${x(to)} ${y - 5}v10`,
      }),
      shape("circle", { class: "bar", cx: x(row.rating), cy: y, r: 6 }),
      shape("text", { x: width - 60, y: y + 4 }, String(Math.round(row.rating))),
    );
  });
  return plot;
}

function ticks(low, high, most) {
  const step = [10, 20, 50, 100, 200, 500, 1000].find((size) => (high - low) / size <= most) ?? 2000;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, at) => first + at * step);
}

function shortened(name) {
  return name.length > 26 ? `${name.slice(0, 25)}…` : name;
}
