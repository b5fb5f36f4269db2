/** The Flow page: draw, ask for hints, generate, play the puzzle of the day, and learn how solvers work. */

import "/flow-script/board.js";
import { numeral, t } from "/picture/strings.js";
import { ask, capital, copied, element, toast, tool, topLine, trying } from "./common.js";
import { unlessGone } from "./flow-answers.js";
import { Lesson } from "./flow-lesson.js";
import { keep, recall, Stopwatch } from "./flow-memory.js";

const FIRST = "_AB__\nACD__\n__B__\nCE_D_\nE____";
const SIZES = ["5x5", "6x6", "7x7", "8x8", "9x9", "10x10", "12x12", "14x14"];
const CLASSES = ["easy", "medium", "hard", "expert"];
const SOLVERS = ["dumb", "smart", "smarter", "sweep"];
const EXTRAS = [["", "plain"], ["bridges", "bridges"], ["walls", "walls"], ["holes", "holes"], ["wrap", "wraps"]];
const at = (id) => document.getElementById(id);

class FlowPage {
  constructor() {
    this.board = at("board");
    this.told = [];
    this.opened = 0;
    this.lesson = null;
    this.timer = element("span", { className: "number", id: "timer", textContent: "0:00" });
    this.watch = new Stopwatch((text) => {
      this.timer.textContent = text;
    });
    this.board.addEventListener("drawn", () => this.#drawn());
    this.board.addEventListener("stroke", () => trying(() => this.#judge()));
    addEventListener("pagehide", () => this.#keep());
    addEventListener("hashchange", () => trying(() => this.openAddress()));
    this.#buildStatus();
    this.#buildSide();
  }

  #buildStatus() {
    this.title = element("h2");
    this.filled = element("span", { className: "number", id: "filled" });
    this.difficultyShown = element("span", { id: "rated" });
    this.message = element("p", { id: "message", className: "hint-line", role: "status", hidden: true });
    this.undoButton = tool("undo", t("common.undo"), () => this.undo(), { id: "undo" });
    at("status").append(
      this.title,
      element("p", { className: "small quiet facts" }, this.filled, this.difficultyShown, this.timer),
      element(
        "div",
        { className: "row" },
        tool("hint", t("common.hint"), () => trying(() => this.hint()), { id: "hint" }),
        this.undoButton,
        tool("cross", t("common.clear"), () => this.clear(), { id: "clear" }),
        tool("step", t("flow.solve"), () => trying(() => this.solve()), { id: "solve" }),
      ),
      this.message,
    );
  }

  #buildSide() {
    const choice = (id, values, value) =>
      element(
        "select",
        { id, value },
        ...values.map(([key, textContent]) => element("option", { value: key, textContent, selected: key === value })),
      );
    const same = (names) => names.map((name) => [name, name]);
    const said = (pairs) => pairs.map(([key, name]) => [key, t(`flow.${name}`)]);
    this.size = choice("size", same(SIZES), "7x7");
    this.difficulty = choice("difficulty", said([["", "any"], ...same(CLASSES)]), "");
    this.shape = choice("shape", said([["square", "squares"], ["hexagon", "hexagons"]]), "square");
    this.extra = choice("extra", said(EXTRAS), "");
    this.solver = choice("solver", same(SOLVERS), "smarter");
    this.speed = element("input", { type: "range", id: "speed", min: 1, max: 200, value: 30 });
    this.speed.ariaLabel = t("flow.steps-a-second");
    this.text = element("textarea", { id: "board-text", rows: 7, spellcheck: false, ariaLabel: t("flow.text") });
    this.watchButton = tool("play", t("flow.watch"), () => trying(() => this.watchSolver()), { id: "watch" });
    this.lessonPlace = at("lesson-place");
    const field = (name, input) => element("label", { className: "field" }, name, input);
    const use = element("button", { type: "button", id: "use-text", className: "main", textContent: t("flow.use") });
    use.onclick = () => trying(() => this.open(this.text.value));
    at("side").append(
      element("p", { className: "small quiet" }, t("flow.about")),
      element("h3", { textContent: t("flow.new") }),
      element(
        "div",
        { className: "fields" },
        field(t("flow.size"), this.size),
        field(t("flow.difficulty"), this.difficulty),
        field(t("flow.cells"), this.shape),
        field(t("flow.with"), this.extra),
      ),
      element(
        "div",
        { className: "row" },
        tool("dice", t("flow.generate"), () => trying(() => this.generate()), { id: "generate", className: "main" }),
        tool("flag", t("flow.daily"), () => trying(() => this.daily()), { id: "daily" }),
      ),
      element("h3", { textContent: t("flow.teach") }),
      element("div", { className: "fields" }, field(t("flow.solver"), this.solver), field(t("flow.speed"), this.speed)),
      this.watchButton,
      element(
        "details",
        {},
        element("summary", { textContent: t("flow.as-text") }),
        element(
          "div",
          { className: "panel" },
          this.text,
          element("div", { className: "row" }, use, tool("copy", t("common.copy"), () => copied(this.text.value,
            "board"))),
        ),
      ),
    );
  }

  /** Open what the address names: a day's puzzle, a board, or the first one. */
  async openAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (wanted.get("board") === this.facts?.text) return;
    if (wanted.has("daily")) await this.daily(wanted.get("daily") || undefined);
    else await this.open(wanted.get("board") ?? FIRST);
  }

  async open(text) {
    this.#show(await this.#askForBoard("/api/flow/parse", { board: text }));
  }

  /** A board to be shown; of several that are asked for the last one counts. */
  #askForBoard(path, wanted) {
    this.opened += 1;
    const { opened } = this;
    return unlessGone(ask(path, wanted), () => this.opened === opened);
  }

  /** What the server says about the board that is shown. */
  #askAbout(path, wanted = {}) {
    const { facts } = this;
    return unlessGone(ask(path, { board: facts.text, ...wanted }), () => this.facts === facts);
  }

  /** The same about the drawing on it: whoever draws on while the server thinks is told nothing about before. */
  #askAboutDrawing(path, wanted) {
    const drawn = JSON.stringify(this.board.paths.drawn);
    return unlessGone(this.#askAbout(path, wanted), () => JSON.stringify(this.board.paths.drawn) === drawn);
  }

  #show(facts, name = title(facts), address = { board: facts.text }) {
    this.#keep();
    this.#endLesson();
    this.facts = facts;
    this.told = [];
    this.board.setAttribute("label", t("flow.board", { size: facts.size }));
    this.board.board = facts;
    this.text.value = facts.text;
    this.title.textContent = name;
    const before = recall(facts.text);
    this.board.paths.set(before?.paths ?? {});
    this.board.draw();
    this.won = Boolean(before?.won);
    this.watch.set(before?.seconds ?? 0);
    this.say(this.won ? t("flow.solved-before") : null, this.won);
    this.#count();
    history.replaceState(null, "", `#${new URLSearchParams(address)}`);
    this.#rate();
    document.body.dataset.ready = "yes";
  }

  /** Say how hard the board is, when that is known; boards without a solution have no class. */
  async #rate() {
    this.difficultyShown.textContent = "";
    const rating = await this.#askAbout("/api/flow/rate", { seconds: 10 }).catch(() => null);
    if (rating?.difficulty) {
      this.difficultyShown.textContent = t("flow.points", {
        difficulty: t(`flow.${rating.difficulty}`),
        n: Math.round(rating.score),
      });
    }
  }

  async generate() {
    const extra = this.extra.value;
    const [columns] = this.size.value.split("x").map(Number);
    const few = Math.max(1, Math.round(columns / 3));
    const wanted = extra === "wrap" ? { wrap: "both" } : extra ? { [extra]: few } : {};
    await this.#make("/api/flow/generate", {
      size: this.size.value,
      shape: this.shape.value,
      seconds: 25,
      ...(this.difficulty.value ? { difficulty: this.difficulty.value } : {}),
      ...wanted,
    });
  }

  /** The puzzle of a day, by the visitor's own calendar. */
  async daily(date = today()) {
    await this.#make("/api/flow/daily", { date, seconds: 25 }, t("flow.daily-of", { date }), { daily: date });
  }

  async #make(path, wanted, ...name) {
    this.say(t("flow.generating"));
    try {
      this.#show(await this.#askForBoard(path, wanted), ...name);
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
    this.#endLesson();
    const { hints, main } = (await this.#next(40)) ?? (await this.#next(1000)) ?? {};
    if (!main) {
      return this.say(t(this.#dots().length ? "flow.all-told" : "flow.all-right"));
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
    const { drawn } = this.board.paths;
    const { hints } = await this.#askAboutDrawing("/api/flow/hint", { drawn, steps, seconds: 20 });
    const main = hints.find((hint) => hint.kind === "wrong") ??
      hints.find((hint) => hint.joined && !this.told.some((one) => same(one, hint)));
    return main ? { hints, main } : null;
  }

  #dots() {
    return this.told.filter(({ edge }) => !this.board.paths.linked(edge));
  }

  #drawn() {
    this.#endLesson();
    if (!this.won) this.watch.start();
    this.board.hints = this.#dots();
    this.say(null);
    this.#count();
    this.#keep();
  }

  undo() {
    this.#endLesson();
    this.board.undo();
    this.#count();
  }

  clear() {
    this.#endLesson();
    this.told = [];
    this.board.remember();
    this.board.paths.clear();
    this.board.hints = [];
    this.say(null);
    this.#count();
    this.#keep();
  }

  async solve() {
    this.#endLesson();
    const found = await this.#askAbout("/api/flow/solve");
    if (found.status !== "solved") return this.say(`${found.status}${found.note ? `: ${found.note}` : ""}`);
    this.watch.stop();
    this.board.remember();
    this.board.paths.set(found.paths);
    this.told = [];
    this.board.hints = [];
    this.#count();
    const how = { solver: found.solver, ms: numeral(1000 * found.seconds, 1) };
    return this.say(t(found.unique ? "flow.solved-only" : "flow.solved-others", how));
  }

  /** Show a solver step by step; pressed again, stop or go on. */
  async watchSolver() {
    if (this.lesson?.playing) return this.#pause();
    const name = this.solver.value;
    if (this.lesson?.found.solver === name && this.lesson.at < this.lesson.found.frames.length) return this.#play();
    this.#endLesson();
    this.say(t("flow.at-work", { solver: name }));
    const found = await this.#askAbout("/api/flow/watch", { solver: name, most: 5000, seconds: 20 });
    this.say(null);
    this.#keep();
    this.board.remember();
    this.told = [];
    this.board.hints = [];
    this.lesson = new Lesson(this.board, found, () => this.#watched(found));
    this.lessonPlace.hidden = false;
    this.lessonPlace.replaceChildren(element("h3", { textContent: t("flow.how", { solver: name }) }), this.lesson.view);
    return this.#play();
  }

  #play() {
    this.#label(t("common.pause"));
    this.lesson.play(() => Number(this.speed.value));
  }

  #pause() {
    this.lesson.pause();
    this.#label(t("common.go-on"));
  }

  #label(text) {
    this.watchButton.querySelector("span").textContent = text;
  }

  #watched(found) {
    this.#label(t("flow.watch"));
    this.board.trail = null;
    if (found.status === "solved") this.board.paths.set(found.paths);
    this.board.draw();
    this.#count();
    const why = found.note ? ` (${found.note})` : "";
    this.say(`${found.solver}: ${found.status}${why}${found.cut ? t("flow.in-part") : ""}`);
  }

  #endLesson() {
    if (!this.lesson) return;
    this.lesson.pause();
    this.lesson = null;
    this.lessonPlace.hidden = true;
    this.lessonPlace.replaceChildren();
    this.board.trail = null;
    this.#label(t("flow.watch"));
  }

  #count() {
    this.filled.textContent = t("flow.filled", { filled: this.board.paths.filled, all: this.facts.nodes.length });
    this.undoButton.disabled = !this.board.canUndo;
  }

  /** Keep the drawing for the next visit; a lesson's is none. */
  #keep() {
    if (!this.facts || this.lesson) return;
    const paths = this.board.paths.drawn;
    if (!Object.keys(paths).length && !recall(this.facts.text)) return;
    keep(this.facts.text, { paths, seconds: this.watch.seconds, won: this.won });
  }

  async #judge() {
    this.#count();
    if (!this.board.solvedLook) return;
    const { filling } = this.board.paths;
    const { correct, faults } = await this.#askAboutDrawing("/api/flow/judge", { filling });
    if (!correct) return this.say(t("flow.not-yet", { fault: faults[0] }));
    this.watch.stop();
    this.won = true;
    this.#keep();
    this.board.celebrate();
    return this.say(t("flow.won", { time: this.watch.text }), true);
  }

  say(text, won = false) {
    this.message.hidden = !text;
    this.message.classList.toggle("won", won);
    this.message.textContent = text ?? "";
  }
}

function same(one, other) {
  return one.edge.join() === other.edge.join();
}

function title({ size, letters, wrap }) {
  const key = { none: "flow.title", across: "flow.title-across", down: "flow.title-down" }[wrap] ?? "flow.title-both";
  return t(key, { size, n: letters.length });
}

/** The date here, as 2026-12-31. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

topLine("page.flow");
trying(async () => {
  const page = new FlowPage();
  await page.openAddress().catch(async (problem) => {
    toast(problem.message, true);
    await page.open(FIRST);
  });
});
