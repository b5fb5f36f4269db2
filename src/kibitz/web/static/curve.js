/** The chances of the first side over a line of play: a curve to look at and to click on. */

import { shape } from "/picture/painting.js";
import { t, term } from "/picture/strings.js";
import { element } from "./common.js";
import { MARK_NAMES } from "./moves-panel.js";

export class Curve {
  constructor(look) {
    this.look = look;
    this.svg = shape("svg", { class: "graph", viewBox: "0 0 100 100", preserveAspectRatio: "none" });
    this.svg.addEventListener("click", (event) => this.#press(event));
    this.slider = element("input", {
      type: "range",
      className: "visually-hidden",
      min: 0,
      ariaLabel: t("curve.moment"),
      oninput: () => this.look(this.spots[Number(this.slider.value)].node),
    });
    this.node = element("div", { className: "curve-box" }, this.slider, this.svg);
    this.spots = [];
  }

  /** `spots` are moments { node, share or null, mark }; `at` is the node that is shown; `side` whose chances go up. */
  show(spots, at, side) {
    this.spots = spots;
    const last = Math.max(1, spots.length - 1);
    const x = (index) => ((100 * index) / last).toFixed(2);
    const y = (share) => (96 - 92 * share).toFixed(2);
    const known = spots.map((spot, index) => ({ ...spot, index })).filter((spot) => spot.share != null);
    const line = known.map((spot) => `${x(spot.index)} ${y(spot.share)}`).join("L");
    const here = spots.findIndex((spot) => spot.node === at);
    const parts = [shape("path", { class: "half", d: "M0 50H100", "vector-effect": "non-scaling-stroke" })];
    if (known.length) {
      parts.push(
        shape("path", { class: "under", d: `M${x(known[0].index)} 50L${line}L${x(known.at(-1).index)} 50z` }),
        shape("path", { class: "curve", d: `M${line}` }),
        ...known.filter((spot) => spot.mark).map((spot) =>
          shape("path", { class: `spot ${MARK_NAMES[spot.mark]}`, d: `M${x(spot.index)} ${y(spot.share)}h0.01` })
        ),
      );
    }
    if (here >= 0) parts.push(shape("path", { class: "now", d: `M${x(here)} 0V100` }));
    this.svg.replaceChildren(...parts);
    this.slider.max = spots.length - 1;
    this.slider.value = Math.max(0, here);
    const share = spots[here]?.share;
    const percent = Math.round(100 * share);
    const said = share == null ? t("curve.unknown") : t("curve.share", { percent, side: term(side) });
    this.slider.setAttribute("aria-valuetext", t("curve.at", { number: Math.max(0, here), said }));
  }

  #press(event) {
    const box = this.svg.getBoundingClientRect();
    const index = Math.round(((event.clientX - box.left) / box.width) * Math.max(1, this.spots.length - 1));
    const spot = this.spots[Math.max(0, Math.min(index, this.spots.length - 1))];
    if (spot) this.look(spot.node);
  }
}
