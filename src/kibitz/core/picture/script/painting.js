/** SVG for a board: what `drawing(layout)` says, put on the screen. */

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and children. */
export function shape(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value != null) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** Where things are: the cells' middles, also with the board turned around. */
export class Places {
  constructor(drawing, flipped = false) {
    this.drawing = drawing;
    this.flipped = flipped;
    const [left, top, right, bottom] = drawing.box;
    this.middle = [(left + right) / 2, (top + bottom) / 2];
  }

  spot(cell) {
    const { x, y } = this.drawing.cells[cell];
    return this.flipped ? this.#mirrored(x, y) : [x, y];
  }

  get turn() {
    return this.flipped ? `rotate(180 ${this.middle.join(" ")})` : null;
  }

  label({ x, y, text }) {
    const [turnedX, turnedY] = this.flipped ? this.#mirrored(x, y) : [x, y];
    const [left, , , bottom] = this.drawing.box;
    return { text, x: x < left ? x : turnedX, y: y > bottom ? y : turnedY };
  }

  /** What is seen of the drawing: its frame is thinner where no label stands. */
  get view() {
    const { width, height, box, labels } = this.drawing;
    const spare = 0.55 * box[1];
    const below = labels.some((label) => label.y > box[3]) ? 0 : spare;
    return `0 ${spare} ${width - spare} ${height - spare - below}`;
  }

  /** The nearest cell in a direction; off the straight line counts double. */
  beyond(cell, right, down) {
    const [x, y] = this.spot(cell);
    let best = null;
    this.drawing.cells.forEach((_, other) => {
      const [a, b] = this.spot(other);
      const along = (a - x) * right + (b - y) * down;
      const aside = Math.abs((a - x) * down) + Math.abs((b - y) * right);
      if (along > 20 && aside <= along * 1.2 && (!best || along + 2 * aside < best.cost)) {
        best = { other, cost: along + 2 * aside };
      }
    });
    return best ? best.other : cell;
  }

  #mirrored(x, y) {
    return [2 * this.middle[0] - x, 2 * this.middle[1] - y];
  }
}

/** A colour of the drawing, unless a theme of the page has another under this name. */
export function themed(name, colour) {
  return `var(--${name}, ${colour})`;
}

/** The figures of the pieces, to be used again and again. */
export function figures(drawing) {
  const made = Object.entries(drawing.pieces).map(([letter, piece]) => {
    const look = { "fill-rule": "evenodd", "stroke-linejoin": "round", "stroke-linecap": "round" };
    const ink = themed(`${piece.colour}-detail`, piece.ink);
    const label = piece.label ? [written(piece.label, ink)] : [];
    return shape(
      "g",
      { id: `figure-${letter.codePointAt(0)}`, "stroke-width": themed("piece-edge", 4), ...look },
      shape("g", { display: themed("figure-display", "inline") }, ...piece.parts.map((part) => figurePart(part,
        piece))),
      shape("g", { display: themed("letter-display", "none") }, ...lettered(piece, ink)),
      ...label,
    );
  });
  return shape("defs", {}, ...made);
}

function figurePart({ path, manner, fill, stroke }, { colour }) {
  const [inside, edge] =
    { body: ["body", "edge"], line: [null, "detail"], ink: ["detail", null], inset: ["body", null] }[manner];
  return shape("path", {
    d: path,
    fill: inside ? themed(`${colour}-${inside}`, fill) : "none",
    stroke: edge ? themed(`${colour}-${edge}`, stroke) : "none",
  });
}

/** A piece as a disc with its letter, for those who like letters better than figures. */
function lettered({ parts, colour, glyph, label, numbered }, ink) {
  const body = parts.find((part) => part.manner === "body");
  const disc = shape("circle", {
    r: 37,
    fill: themed(`${colour}-body`, body.fill),
    stroke: themed(`${colour}-edge`, body.stroke),
  });
  return label || numbered ? [disc] : [disc, written(glyph, ink)];
}

/** Letters or a number on a piece. */
function written(text, fill) {
  const size = text.length < 3 ? 40 : 30;
  const look = { "font-size": size, "font-weight": 600, "text-anchor": "middle", stroke: "none" };
  return shape("text", { x: 0, y: 0.36 * size, fill, ...look }, text);
}

/** Frame, cells, lines and labels: what never changes. */
export function ground(drawing, places) {
  const { colours } = drawing;
  const [x, y, width, height] = places.view.split(" ").map(Number);
  const frame = shape("rect", { x, y, width, height, rx: 0.5 * drawing.text, fill: themed("board-frame",
    colours.frame) });
  const cells = shape("g", { stroke: themed("board-line", colours.line), "stroke-width": 2, transform: places.turn });
  cells.append(...(drawing.shape === "point" ? points(drawing) : tiles(drawing)));
  return shape("g", { "aria-hidden": "true" }, frame, cells, labels(drawing, places), ...words(drawing, places));
}

function tiles(drawing) {
  return drawing.cells.map((cell) => shape("path", { d: cell.path, fill: themed(`cell-${cell.tone}`, cell.fill) }));
}

function points(drawing) {
  const [left, top, right, bottom] = drawing.box;
  const { field: paper, line } = drawing.colours;
  const field = shape("path", {
    d: `M${left} ${top}H${right}V${bottom}H${left}z`,
    fill: themed("cell-light", paper),
  });
  const lines = shape("path", { d: drawing.lines, fill: "none", "stroke-width": 6, "stroke-linecap": "round" });
  const dots = drawing.cells.map((cell) =>
    cell.tone === "beside" ? shape("path", { d: cell.path, fill: cell.fill }) : shape("circle", {
      cx: cell.x,
      cy: cell.y,
      r: cell.tone === "light" ? 8 : 24,
      fill: cell.tone === "light" ? themed("board-line", line) : themed(`cell-${cell.tone}`, cell.fill),
    })
  );
  return [field, lines, ...dots];
}

function labels(drawing, places) {
  const group = shape("g", {
    fill: themed("board-label", drawing.colours.label),
    "font-size": 0.78 * drawing.text,
    "text-anchor": "middle",
    "font-weight": 600,
  });
  for (const label of drawing.labels) {
    const { x, y, text } = places.label(label);
    group.append(shape("text", { x, y: y + 0.28 * drawing.text }, text));
  }
  return group;
}

/** The words at cells, above what stands there. */
function words(drawing, places) {
  return drawing.cells.flatMap(({ label }, cell) => {
    if (!label) return [];
    const [x, y] = places.spot(cell);
    const size = Math.min(16, 150 / label.length);
    const look = { "font-size": size, "font-weight": 600, "text-anchor": "middle" };
    return [shape("text", { x, y: y - 50 + 0.36 * size, fill: themed("board-label", drawing.colours.label), ...look },
      label)];
  });
}

/** A piece with its amount, around the origin; its place is a transform, so that it can travel. */
export function piece(text, [x, y], drawing) {
  const { numbered, ink, colour } = drawing.pieces[text[0]];
  const number = numbered ? text.slice(1) : "";
  const amount = numbered ? "" : text.slice(1);
  const figure = shape("use", { href: `#figure-${text.codePointAt(0)}`, x: amount ? -3 : 0, y: amount ? -8 : 0 });
  const node = shape("g", { class: "piece" }, figure);
  if (amount) node.append(...badge(47, 46, amount));
  if (number) node.append(written(number, themed(`${colour}-detail`, ink)));
  node.style.transform = `translate(${x}px, ${y}px)`;
  return node;
}

function badge(right, bottom, text) {
  const width = 16 + 15 * text.length;
  const box = {
    x: right - width,
    y: bottom - 34,
    width,
    height: 34,
    rx: 12,
    fill: "#fff",
    stroke: "#3a312a",
    "stroke-width": 3,
  };
  const middle = {
    x: right - width / 2,
    y: bottom - 8,
    "font-size": 26,
    "font-weight": 600,
    "text-anchor": "middle",
    fill: "#1d1815",
  };
  return [shape("rect", box), shape("text", middle, text)];
}

/** What the last turn touched and took. */
export function traces(drawing, places, gestures) {
  const { colours } = drawing;
  const touched = new Set(gestures.flatMap((gesture) => gesture.cells));
  const captured = new Set(gestures.flatMap((gesture) => gesture.captured ?? []));
  const shades = [...touched].map((cell) =>
    shape("path", { d: drawing.cells[cell].path, fill: colours.touched, "fill-opacity": 0.42 })
  );
  const rings = [...captured].map((cell) =>
    shape("circle", {
      cx: drawing.cells[cell].x,
      cy: drawing.cells[cell].y,
      r: 44,
      fill: colours.captured,
      "fill-opacity": 0.18,
      stroke: colours.captured,
      "stroke-width": 6,
    })
  );
  return [shape("g", { transform: places.turn }, ...shades, ...rings)];
}

/** A dot on an empty cell, a ring around a piece. */
export function mark(drawing, [x, y], occupied) {
  const look = occupied ? { r: 44, fill: "none", "stroke-width": 9 } : { r: 16 };
  return shape("circle", { cx: x, cy: y, fill: drawing.colours.marked, stroke: drawing.colours.marked, ...look });
}

/** A label in a corner of a cell: what a move is worth. */
export function tag([x, y], text, tone = "plain") {
  const width = 20 + 15.5 * text.length;
  return shape(
    "g",
    { class: `tag ${tone}` },
    shape("rect", { x: x - width / 2, y: y - 50, width, height: 36, rx: 18 }),
    shape("text", { x, y: y - 23, "font-size": 27, "text-anchor": "middle", "font-weight": 650 }, text),
  );
}

/** An arrow along cells, beside the pieces rather than over them. */
export function arrow(spots, className, width = 12) {
  if (spots.length < 2) {
    return shape("circle", {
      class: className,
      cx: spots[0][0],
      cy: spots[0][1],
      r: 42,
      fill: "none",
      "stroke-width": width,
    });
  }
  const start = towards(spots[0], spots[1], 14);
  const end = towards(spots.at(-1), spots.at(-2), 30);
  const neck = towards(end, spots.at(-2), 2.2 * width);
  const [alongX, alongY] = [(end[0] - neck[0]) * 0.62, (end[1] - neck[1]) * 0.62];
  const head = [end, [neck[0] - alongY, neck[1] + alongX], [neck[0] + alongY, neck[1] - alongX]];
  return shape(
    "g",
    { class: className, fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round" },
    shape("path", { d: way([start, ...spots.slice(1, -1), neck]), "stroke-width": width }),
    shape("path", { class: "head", d: `${way(head)}z`, "stroke-width": 3 }),
  );
}

function towards([x, y], [a, b], distance) {
  const share = distance / (Math.hypot(a - x, b - y) || 1);
  return [x + (a - x) * share, y + (b - y) * share];
}

export function way(spots) {
  return `M${spots.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}
