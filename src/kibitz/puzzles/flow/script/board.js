/** <flow-board>: a Flow board to draw on, by pointer or by keyboard. */

import { shape, way } from "/picture/painting.js";
import { Paths } from "./drawing.js";

const COLOURS = [
  "#e6302b",
  "#1f78d1",
  "#f2d51d",
  "#2aa23a",
  "#f58a1f",
  "#35d3e0",
  "#ff6fc4",
  "#8a5a2b",
  "#8e3cc4",
  "#f5f5f5",
  "#9aa0a6",
  "#a6e22e",
  "#174a8c",
  "#b39ddb",
  "#7a1220",
  "#0b7a75",
  "#f4b98f",
  "#4b5320",
];
const UNIT = 60;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

class FlowBoard extends HTMLElement {
  #hits = [];
  #past = [];
  #cursor = 0;
  #hints = [];
  #trail = null;

  set board(board) {
    this.facts = board;
    this.paths = new Paths(board);
    this.#hints = [];
    this.#trail = null;
    this.#past = [];
    this.classList.remove("celebrates");
    this.#cursor = board.nodes.findIndex((node) => node.source);
    this.#build();
  }

  get solvedLook() {
    return this.facts.letters.every((letter) => this.paths.joined(letter)) &&
      (!this.facts.fill || this.paths.filled === this.facts.nodes.length);
  }

  /** Steps to point out; one of them may be the `main` one. */
  set hints(hints) {
    this.#hints = hints;
    this.draw();
  }

  /** A sweep to be seen instead of the paths, or null. */
  set trail(trail) {
    this.#trail = trail;
    this.draw();
  }

  /** Is there a stroke to take back? */
  get canUndo() {
    return this.#past.length > 0;
  }

  /** Keep the drawing as it is, so that `undo` comes back to it. */
  remember() {
    const last = this.#past.at(-1);
    const now = JSON.stringify(this.paths.of);
    if (now !== last) this.#past.push(now);
    if (this.#past.length > 500) this.#past.shift();
  }

  /** Take the last stroke back. */
  undo() {
    this.paths.end();
    const now = JSON.stringify(this.paths.of);
    while (this.#past.length) {
      const before = this.#past.pop();
      if (before === now) continue;
      this.paths.set(JSON.parse(before));
      this.#changed();
      return;
    }
  }

  /** Paths light up one after another, and the sources jump. */
  celebrate() {
    this.classList.remove("celebrates");
    this.getBoundingClientRect();
    this.classList.add("celebrates");
  }

  colour(letter) {
    const at = this.facts.letters.indexOf(letter);
    return at < COLOURS.length ? COLOURS[at] : `hsl(${(at * 137.5) % 360} 70% ${[45, 65, 30][at % 3]}%)`;
  }

  #spot(node) {
    return [node.x * UNIT, node.y * UNIT];
  }

  #build() {
    const { nodes, hexagonal } = this.facts;
    const xs = nodes.map((node) => node.x * UNIT);
    const ys = nodes.map((node) => node.y * UNIT);
    const [left, top] = [Math.min(...xs) - UNIT * 0.62, Math.min(...ys) - UNIT * 0.62];
    const [right, bottom] = [Math.max(...xs) + UNIT * 0.62, Math.max(...ys) + UNIT * 0.62];
    this.svg = shape("svg", {
      viewBox: `${left} ${top} ${right - left} ${bottom - top}`,
      role: "group",
      "aria-label": this.getAttribute("label") ?? this.facts.size,
    });
    this.svg.append(
      shape("rect", { x: left, y: top, width: right - left, height: bottom - top, rx: 14, fill: "#20242b" }),
    );
    const tile = hexagonal ? hexagon(UNIT) : square(UNIT);
    for (const node of nodes) {
      if (node.layer !== "down") {
        this.svg.append(
          shape("path", {
            d: tile,
            transform: `translate(${this.#spot(node)})`,
            fill: "#282d36",
            stroke: "#3d4552",
            "stroke-width": 1.5,
          }),
        );
      }
    }
    this.svg.append(...this.#walls());
    this.lines = shape("g", {
      class: "lines",
      fill: "none",
      "stroke-linejoin": "round",
      "stroke-linecap": "round",
      "pointer-events": "none",
    });
    this.top = shape("g", { "pointer-events": "none" });
    this.#hits = nodes.map((node, index) =>
      shape("path", {
        d: tile,
        transform: `translate(${this.#spot(node)})`,
        fill: "transparent",
        "data-node": index,
        role: "button",
        tabindex: index === this.#cursor ? 0 : -1,
        class: "flow-hit",
      })
    );
    this.svg.append(this.lines, this.#sources(), this.top, shape("g", {}, ...this.#hits));
    this.replaceChildren(this.svg);
    this.#listen();
    this.draw();
  }

  #walls() {
    const spotOf = new Map(this.facts.nodes.map((node) => [`${node.row},${node.column}`, this.#spot(node)]));
    return this.facts.walls.flatMap(([one, other]) => {
      const [a, b] = [spotOf.get(one.join(",")), spotOf.get(other.join(","))];
      if (!a || !b) return [];
      const half = this.facts.hexagonal ? 1 / Math.sqrt(12) : 0.5; // of a side, as a share of the way to a neighbour
      const [x, y, dx, dy] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, half * (b[0] - a[0]), half * (b[1] - a[1])];
      return [
        shape("path", {
          d: `M${x - dy} ${y + dx}L${x + dy} ${y - dx}`,
          stroke: "#e8e2d0",
          "stroke-width": 5,
          "stroke-linecap": "round",
        }),
      ];
    });
  }

  #sources() {
    const group = shape("g", {
      class: "sources",
      "pointer-events": "none",
      "text-anchor": "middle",
      "font-weight": 700,
      "font-size": 22,
    });
    for (const node of this.facts.nodes) {
      if (!node.source) continue;
      const [x, y] = this.#spot(node);
      group.append(
        shape("circle", { cx: x, cy: y, r: 20, fill: this.colour(node.source), stroke: "#0d0f12", "stroke-width": 2 }),
        shape("text", { x, y: y + 8, fill: ink(this.colour(node.source)) }, node.source),
      );
    }
    return group;
  }

  draw() {
    const { nodes } = this.facts;
    const parts = [];
    for (const letter of this.facts.letters) {
      const path = this.paths.of[letter];
      for (let at = 1; at < path.length; at += 1) {
        const step = this.#step(nodes[path[at - 1]], nodes[path[at]], letter);
        step.style.setProperty("--at", at);
        parts.push(step);
      }
      if (path.length > 1 && !this.paths.joined(letter)) {
        const [x, y] = this.#spot(nodes[path.at(-1)]);
        parts.push(
          shape("circle", { cx: x, cy: y, r: 12, fill: this.colour(letter), stroke: "none" }),
          shape("text", {
            x,
            y: y + 5,
            fill: ink(this.colour(letter)),
            stroke: "none",
            "font-size": 14,
            "font-weight": 700,
            "text-anchor": "middle",
          }, letter),
        );
      }
    }
    this.lines.replaceChildren(...(this.#trail ? this.#sweeping(this.#trail) : parts));
    this.top.replaceChildren(...this.#hints.flatMap((hint) => this.#hintMark(hint)));
    this.#hits.forEach((hit, node) => hit.setAttribute("aria-label", this.#described(node)));
  }

  /** A step of a path; over the rim of a board that wraps round it is drawn as two stubs. */
  #step(one, other, letter) {
    const [a, b] = [this.#spot(one), this.#spot(other)];
    const far = Math.hypot(a[0] - b[0], a[1] - b[1]) > 1.6 * UNIT;
    const look = { stroke: this.colour(letter), "stroke-width": 22 };
    if (!far) return shape("path", { d: way([a, b]), ...look });
    const out = (
      [x, y],
      [u, v],
    ) => [
      x - Math.sign(u - x) * (Math.abs(u - x) > UNIT ? 34 : 0),
      y - Math.sign(v - y) * (Math.abs(v - y) > UNIT ? 34 : 0),
    ];
    return shape("path", { d: way([a, out(a, b)]) + way([b, out(b, a)]), ...look });
  }

  /** The cells that a sweep has decided, the steps joined (grey before they meet a source), and its next cell. */
  #sweeping(trail) {
    const spot = (node) => this.#spot(this.facts.nodes[node]);
    const tile = square(UNIT);
    const lit = trail.order.slice(0, trail.at).map((node) =>
      shape("path", {
        class: "decided",
        d: tile,
        transform: `translate(${spot(node)})`,
        fill: "#3a4757",
        stroke: "none",
      })
    );
    const steps = trail.steps().map(([one, other, letter]) =>
      shape("path", {
        d: way([spot(one), spot(other)]),
        stroke: letter ? this.colour(letter) : "#8b95a5",
        "stroke-width": letter ? 22 : 12,
      })
    );
    const next = trail.next == null ? [] : [
      shape("path", {
        class: "frontier",
        d: tile,
        transform: `translate(${spot(trail.next)})`,
        fill: "none",
        stroke: "#ffd75e",
        "stroke-width": 4,
      }),
    ];
    return [...lit, ...steps, ...next];
  }

  /** Dots where two cells are to be joined, a cross where they are not; the hint itself has a ring where to look. */
  #hintMark(hint) {
    const [one, other] = hint.edge.map((node) => this.#spot(this.facts.nodes[node]));
    const look = hint.joined
      ? { stroke: "#7ee08a", "stroke-width": 8, "stroke-dasharray": "2 14" }
      : { stroke: "#ff7b63", "stroke-width": 6 };
    const [x, y] = [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
    const cross = way([[x - 9, y - 9], [x + 9, y + 9]]) + way([[x - 9, y + 9], [x + 9, y - 9]]);
    const drawn = shape("path", {
      class: hint.joined ? "join" : "bar",
      d: hint.joined ? way([one, other]) : cross,
      fill: "none",
      "stroke-linecap": "round",
      ...look,
    });
    const [cx, cy] = this.#spot(this.facts.nodes[hint.node]);
    return hint.main
      ? [drawn, shape("circle", { cx, cy, r: 27, fill: "none", stroke: "#ffd75e", "stroke-width": 4 })]
      : [drawn];
  }

  #described(node) {
    const { name, source } = this.facts.nodes[node];
    const letter = this.paths.letterAt(node);
    return `${name}, ${source ? `source ${source}` : letter ? `path ${letter}` : "empty"}`;
  }

  #under(event) {
    const hit = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-node]");
    if (!hit) return [];
    const node = this.facts.nodes[Number(hit.dataset.node)];
    return this.facts.nodes.flatMap((other, index) => (other.x === node.x && other.y === node.y ? [index] : []));
  }

  #listen() {
    this.svg.addEventListener("pointerdown", (event) => {
      const found = this.#under(event);
      if (!found.length) return;
      event.preventDefault();
      this.svg.setPointerCapture(event.pointerId);
      this.remember();
      this.paths.begin(found.find((node) => this.paths.letterAt(node)) ?? found[0]);
      this.#changed();
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!this.paths.drawing) return;
      const found = this.#under(event);
      if (!found.length) return;
      const back = found.find((node) => this.paths.of[this.paths.drawing].includes(node));
      const steps = back != null ? [back] : this.paths.wayTo(found);
      if (steps.map((node) => this.paths.extend(node)).some(Boolean)) this.#changed();
    });
    const done = () => {
      this.paths.end();
      this.dispatchEvent(new CustomEvent("stroke"));
    };
    this.svg.addEventListener("pointerup", done);
    this.svg.addEventListener("pointercancel", done);
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("focusin", (event) => this.#at(Number(event.target.dataset?.node ?? this.#cursor)));
  }

  #changed() {
    this.classList.remove("celebrates");
    this.#hints = [];
    this.#trail = null;
    this.draw();
    this.dispatchEvent(new CustomEvent("drawn"));
  }

  #at(node) {
    this.#hits[this.#cursor]?.setAttribute("tabindex", "-1");
    this.#cursor = node;
    this.#hits[node].setAttribute("tabindex", "0");
  }

  #key(event) {
    if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)) this.undo();
    else if (KEYS[event.key]) this.#walk(...KEYS[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.#pencil();
    else if (event.key === "Escape") this.paths.end();
    else return;
    event.preventDefault();
  }

  #pencil() {
    if (this.paths.drawing) {
      this.paths.end();
      this.dispatchEvent(new CustomEvent("stroke"));
    } else {
      this.remember();
      this.paths.begin(this.#cursor);
    }
    this.#changed();
  }

  #walk(right, down) {
    const here = this.facts.nodes[this.#cursor];
    const beside = (least, most) =>
      [...this.paths.near[this.#cursor]].find((index) => {
        const there = this.facts.nodes[index];
        const [dx, dy] = [there.x - here.x, there.y - here.y];
        const along = dx * right + dy * down;
        return along > least && along < most && Math.abs(dx * down) + Math.abs(dy * right) < 0.7;
      });
    const toward = beside(0.7, 1.5) ?? beside(-Infinity, -1.5); // or over the rim, where the board wraps round
    if (toward == null) return;
    this.#at(toward);
    this.#hits[toward].focus();
    if (this.paths.drawing && this.paths.extend(toward)) this.#changed();
  }
}

function square(unit) {
  return `M${-unit / 2} ${-unit / 2}h${unit}v${unit}h${-unit}z`;
}

function hexagon(unit) {
  const [half, quarter] = [unit / 2, unit / Math.sqrt(12)];
  return `M0 ${-2 * quarter}L${half} ${-quarter}V${quarter}L0 ${2 * quarter}L${-half} ${quarter}V${-quarter}z`;
}

/** Black or white, whichever can be read on a colour. */
function ink(colour) {
  if (!colour.startsWith("#")) return "#fff";
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return 0.3 * red + 0.59 * green + 0.11 * blue > 125 ? "#111" : "#fff";
}

customElements.define("flow-board", FlowBoard);
