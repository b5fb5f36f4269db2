/** Plots as SVG. */

import { shape } from "/picture/painting.js";

const ROW = 30;
const NAME = 190;
const WIDTH = 720;

/** Ratings from best to worst: a dot, its interval, its number. */
export function ratingPlot(standings) {
  const rated = standings.filter((row) => row.rating != null).sort((one, other) => other.rating - one.rating);
  const height = ROW * rated.length + 34;
  const plot = shape("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": "ratings" });
  if (!rated.length) return plot;
  const low = Math.min(...rated.map((row) => row.rating - (row.error ?? 0))) - 20;
  const high = Math.max(...rated.map((row) => row.rating + (row.error ?? 0))) + 20;
  const x = (rating) => NAME + ((WIDTH - NAME - 70) * (rating - low)) / (high - low || 1);
  for (const tick of ticks(low, high)) plot.append(shape("path", { class: "axis", d: `M${x(tick)} 4V${height - 22}` }), shape("text", { class: "faint", x: x(tick), y: height - 6, "text-anchor": "middle" }, String(tick)));
  rated.forEach((row, at) => {
    const y = ROW * at + 20;
    const error = row.error ?? 0;
    plot.append(
      shape("text", { x: NAME - 12, y: y + 4, "text-anchor": "end" }, shortened(row.player)),
      shape("path", { class: "whisker", d: `M${x(row.rating - error)} ${y}H${x(row.rating + error)}M${x(row.rating - error)} ${y - 5}v10M${x(row.rating + error)} ${y - 5}v10` }),
      shape("circle", { class: "bar", cx: x(row.rating), cy: y, r: 6 }),
      shape("text", { x: WIDTH - 60, y: y + 4 }, String(Math.round(row.rating))));
  });
  return plot;
}

function ticks(low, high) {
  const step = [10, 20, 50, 100, 200, 500, 1000].find((size) => (high - low) / size <= 8) ?? 2000;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, at) => first + at * step);
}

function shortened(name) { return name.length > 26 ? `${name.slice(0, 25)}…` : name; }
