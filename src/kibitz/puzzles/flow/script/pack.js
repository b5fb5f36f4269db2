/** A book of puzzles: a picture opens the board to draw on; what is solved is remembered. */

const PUZZLES = JSON.parse(document.getElementById("facts").textContent);
const KEY = `kibitz-pack-${document.title}`;
const at = (id) => document.getElementById(id);

class Book {
  constructor() {
    this.kept = this.#read();
    this.board = at("board");
    this.board.addEventListener("drawn", () => this.#drawn());
    this.board.addEventListener("stroke", () => this.#judge());
    for (const button of document.querySelectorAll(".open")) {
      button.addEventListener("click", () => this.open(Number(button.dataset.number)));
    }
    at("undo").onclick = () => this.board.undo();
    at("clear").onclick = () => this.clear();
    at("previous").onclick = () => this.open(Math.max(1, this.number - 1));
    at("next").onclick = () => this.open(Math.min(PUZZLES.length, this.number + 1));
    at("close").onclick = () => at("player").close();
    const answers = document.querySelector("details");
    addEventListener("beforeprint", () => {
      answers.open = true;
    });
    addEventListener("afterprint", () => {
      answers.open = false;
    });
    this.#mark();
  }

  open(number) {
    this.number = number;
    const facts = PUZZLES[number - 1];
    this.board.board = facts;
    this.board.paths.set(this.kept[number]?.paths ?? {});
    this.board.draw();
    at("name").textContent = `${number}. ${facts.size}, ${facts.difficulty}`;
    at("previous").disabled = number === 1;
    at("next").disabled = number === PUZZLES.length;
    if (!at("player").open) at("player").showModal();
    this.#say("");
  }

  clear() {
    this.board.remember();
    this.board.paths.clear();
    this.board.draw();
    this.#drawn();
  }

  #drawn() {
    this.kept[this.number] = { ...this.kept[this.number], paths: this.board.paths.drawn };
    this.#write();
    this.#say("");
  }

  #judge() {
    if (!this.board.solvedLook) return;
    const wrong = this.board.paths.touching;
    if (wrong) return this.#say(`Not yet: the path of ${wrong} touches itself.`);
    this.kept[this.number] = { ...this.kept[this.number], solved: true };
    this.#write();
    this.#mark();
    this.board.celebrate();
    return this.#say("Solved!");
  }

  #say(text) {
    const { filled } = this.board.paths;
    at("message").textContent = text || `${filled} of ${this.board.facts.nodes.length} cells`;
  }

  #mark() {
    let solved = 0;
    PUZZLES.forEach((_, index) => {
      const done = Boolean(this.kept[index + 1]?.solved);
      at(`puzzle-${index + 1}`).classList.toggle("solved", done);
      solved += done;
    });
    at("solved").textContent = `${solved} of ${PUZZLES.length} solved`;
  }

  /** What was drawn before; pages opened from a file may have no memory. */
  #read() {
    try {
      return JSON.parse(localStorage.getItem(KEY)) ?? {};
    } catch {
      return {};
    }
  }

  #write() {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.kept));
    } catch {
      // Without memory the book is played all the same.
    }
  }
}

new Book();
