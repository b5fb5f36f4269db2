/** The Flow page: draw, ask for hints, generate, paste, and watch the solvers at work. */

import "./flow-board.js";
import { ask, capital, copied, element, tool, topLine, trying } from "./common.js";
import { SweepTrail } from "./flow-drawing.js";

const FIRST = "_AB__\nACD__\n__B__\nCE_D_\nE____";
const SIZES = ["5x5", "6x6", "7x7", "8x8", "9x9", "10x10", "12x12", "14x14"];
const at = (id) => document.getElementById(id);

class FlowPage {
  constructor() {
    this.board = at("board");
    this.told = [];
    this.board.addEventListener("drawn", () => this.#drawn());
    this.board.addEventListener("stroke", () => trying(() => this.#judge()));
    this.#build();
  }

  #build() {
    const choice = (id, values, value) =>
      element(
        "select",
        { id, value },
        ...values.map(([key, textContent]) => element("option", { value: key, textContent, selected: key === value })),
      );
    this.size = choice("size", SIZES.map((size) => [size, size]), "7x7");
    this.difficulty = choice("difficulty", [["", "any"], ["easy", "easy"], ["medium", "medium"], ["hard", "hard"], [
      "expert",
      "expert",
    ]], "");
    this.shape = choice("shape", [["square", "squares"], ["hexagon", "hexagons"]], "square");
    this.extra = choice("extra", [["", "plain"], ["bridges", "bridges"], ["walls", "walls"], ["holes", "holes"], [
      "wrap",
      "wraps round",
    ]], "");
    this.solver = choice("solver", ["dumb", "smart", "smarter", "sweep"].map((name) => [name, name]), "smarter");
    this.speed = element("input", { type: "range", min: 1, max: 200, value: 30, ariaLabel: "steps a second" });
    this.text = element("textarea", { id: "board-text", rows: 7, spellcheck: false, ariaLabel: "board text" });
    this.filled = element("span", { className: "number", id: "filled" });
    this.title = element("h2");
    this.watchButton = tool("play", "Watch", () => trying(() => this.watch()), { id: "watch" });
    this.count = element("p", { className: "small quiet number", id: "watched" });
    const field = (name, input) => element("label", { className: "field" }, name, input);
    at("side").append(
      this.title,
      element("p", { className: "small quiet" }, "Join equal letters by paths that fill the board. ", this.filled),
      element(
        "div",
        { className: "row" },
        tool("hint", "Hint", () => trying(() => this.hint()), { id: "hint" }),
        tool("undo", "Clear", () => this.clear(), { id: "clear" }),
        tool("step", "Solve", () => trying(() => this.solve()), { id: "solve" }),
      ),
      element("h3", { textContent: "A new board" }),
      element(
        "div",
        { className: "fields" },
        field("Size", this.size),
        field("Difficulty", this.difficulty),
        field("Cells", this.shape),
        field("With", this.extra),
      ),
      tool("dice", "Generate", () => trying(() => this.generate()), { id: "generate", className: "main" }),
      element("h3", { textContent: "Watch a solver" }),
      element("div", { className: "fields" }, field("Solver", this.solver), field("Speed", this.speed)),
      this.watchButton,
      this.count,
      element(
        "details",
        {},
        element("summary", { textContent: "Board as text" }),
        element(
          "div",
          { className: "panel" },
          this.text,
          element(
            "div",
            { className: "row" },
            element("button", {
              type: "button",
              id: "use-text",
              className: "main",
              textContent: "Use this board",
              onclick: () => trying(() => this.open(this.text.value)),
            }),
            tool("copy", "Copy", () => copied(this.text.value, "board")),
          ),
        ),
      ),
    );
  }

  async open(text) {
    this.#show(await ask("/api/flow/parse", { board: text }));
  }

  #show(facts) {
    this.facts = facts;
    this.told = [];
    this.board.board = facts;
    this.#stop();
    this.text.value = facts.text;
    this.title.textContent = `Flow ${facts.size}, ${facts.letters.length} colours`;
    this.say(null);
    this.#count();
    history.replaceState(null, "", `#${new URLSearchParams({ board: facts.text })}`);
  }

  async generate() {
    const extra = this.extra.value;
    const [columns] = this.size.value.split("x").map(Number);
    const few = Math.max(1, Math.round(columns / 3));
    const wanted = extra === "wrap" ? { wrap: "both" } : extra ? { [extra]: few } : {};
    this.say("Generating…");
    try {
      this.#show(
        await ask("/api/flow/generate", {
          size: this.size.value,
          shape: this.shape.value,
          seconds: 25,
          ...(this.difficulty.value ? { difficulty: this.difficulty.value } : {}),
          ...wanted,
        }),
      );
    } catch (problem) {
      this.say(null);
      throw problem;
    }
  }

  /**
   * What is drawn wrong; else the next step that was not told yet, with what rules the other ways out. Steps once told
   * stay on the board as dots until they are drawn.
   */
  async hint() {
    this.#stop();
    const { hints, main } = (await this.#next(40)) ?? (await this.#next(1000)) ?? {};
    if (!main) {
      return this.say(this.#dots().length ? "All is told: follow the dots." : "Everything is drawn, and it is right.");
    }
    const before = hints.slice(0, hints.indexOf(main)).filter((hint) =>
      !hint.joined && hint.edge.some((node) => main.edge.includes(node))
    );
    const reasons = ["forced", "corner"].includes(main.kind) ? before : [];
    this.board.hints = [...this.#dots(), ...reasons, { ...main, main: true }];
    if (main.joined) this.told.push(main);
    return this.say([main, ...reasons.slice(0, 3)].map((hint) => capital(hint.text)).join("\n"));
  }

  /** The first of so many hints that is news, and those around it. */
  async #next(steps) {
    const { hints } = await ask("/api/flow/hint", {
      board: this.facts.text,
      drawn: this.board.paths.drawn,
      steps,
      seconds: 20,
    });
    const main = hints.find((hint) => hint.kind === "wrong") ??
      hints.find((hint) => hint.joined && !this.told.some((one) => same(one, hint)));
    return main ? { hints, main } : null;
  }

  #dots() {
    return this.told.filter(({ edge }) => !this.board.paths.linked(edge));
  }

  #drawn() {
    this.#stop();
    this.board.hints = this.#dots();
    this.say(null);
    this.#count();
  }

  clear() {
    this.#stop();
    this.told = [];
    this.board.paths.clear();
    this.board.hints = [];
    this.say(null);
    this.#count();
  }

  async solve() {
    this.#stop();
    const found = await ask("/api/flow/solve", { board: this.facts.text });
    if (found.status !== "solved") return this.say(`${found.status}${found.note ? `: ${found.note}` : ""}`);
    this.board.paths.set(found.paths);
    this.told = [];
    this.board.hints = [];
    this.#count();
    return this.say(
      `Solved by ${found.solver} in ${(1000 * found.seconds).toFixed(1)} ms; ${
        found.unique ? "the only solution" : "there are others"
      }.`,
    );
  }

  async watch() {
    if (this.timer) return this.#stop();
    this.say(`${this.solver.value} is at work…`);
    const found = await ask("/api/flow/watch", {
      board: this.facts.text,
      solver: this.solver.value,
      most: 5000,
      seconds: 20,
    });
    this.say(null);
    this.board.paths.clear();
    this.told = [];
    this.board.hints = [];
    this.trail = found.order ? new SweepTrail(this.facts, found.order) : null;
    this.watchButton.querySelector("span").textContent = "Stop";
    this.#frames(found, 0);
    return null;
  }

  #frames(found, next) {
    const many = Math.max(1, Math.round(Number(this.speed.value) / 30));
    const end = Math.min(next + many, found.frames.length);
    for (const frame of found.frames.slice(next, end)) this.#frame(frame);
    if (this.trail) this.board.trail = this.trail;
    else this.board.draw();
    this.count.textContent = this.#told(found, end);
    if (end < found.frames.length) {
      this.timer = setTimeout(() => this.#frames(found, end), 1000 / Math.min(30, Number(this.speed.value)));
    } else this.#watched(found);
  }

  #frame(frame) {
    const [verb, letter, path] = frame;
    if (verb === "sweep") this.trail.step(frame);
    else this.board.paths.of[letter] = verb === "put" ? [...path] : [];
  }

  #told(found, end) {
    const step = `step ${end} of ${found.frames.length}${found.cut ? " (and more)" : ""}`;
    const tried = found.assignments ? `${count(found.assignments, "assignment")}, ` : "";
    const cells = this.trail
      ? `; ${this.trail.at} of ${this.trail.order.length} cells decided, ${
        count(this.trail.alive, "partial board")
      } left to try`
      : "";
    return `${step}${cells}; ${tried}${count(found.nodes, "node")}, ${found.seconds.toFixed(3)} s in all`;
  }

  #watched(found) {
    this.#stop();
    if (found.status === "solved") this.board.paths.set(found.paths);
    this.board.draw();
    this.#count();
    this.say(`${found.solver}: ${found.status}${found.cut ? ", seen in part" : ""}`);
  }

  #stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.board.trail = null;
    this.watchButton.querySelector("span").textContent = "Watch";
  }

  #count() {
    this.filled.textContent = `${this.board.paths.filled} of ${this.facts.nodes.length} cells.`;
  }

  async #judge() {
    if (!this.board.solvedLook) return;
    const { correct, faults } = await ask("/api/flow/judge", {
      board: this.facts.text,
      filling: this.board.paths.filling,
    });
    this.say(correct ? "Solved! Every letter is joined and every cell is filled." : `Not yet: ${faults[0]}`, correct);
  }

  say(text, won = false) {
    at("message").hidden = !text;
    at("message").classList.toggle("won", won);
    at("message").textContent = text ?? "";
  }
}

function same(one, other) {
  return one.edge.join() === other.edge.join();
}

/** A number with its word: 1 node, 2,500 nodes. */
function count(number, word) {
  return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}

topLine();
trying(async () => {
  const page = new FlowPage();
  await page.open(new URLSearchParams(location.hash.slice(1)).get("board") ?? FIRST);
  document.body.dataset.ready = "yes";
});
