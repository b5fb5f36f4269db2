/** The replay page: open the record of a game and step through it. */

import "/picture/board.js";
import "/picture/stepping.js";
import { t } from "/picture/strings.js";
import { element, topLine, trying, worth } from "./common.js";
import { gameLink } from "./share.js";
import { Table } from "./table.js";

const LARGEST = 900_000; // characters; the server takes a little more

class ReplayPage {
  constructor(node) {
    this.stage = element("div");
    this.file = element("input", {
      type: "file",
      id: "file",
      ariaLabel: t("replay.file"),
      accept: ".txt,.json,.jsonl,.pgn,text/plain,application/json",
      onchange: () => this.#opened(this.file.files[0]),
    });
    this.text = element("textarea", {
      id: "record-text",
      rows: 6,
      placeholder: '[Game "breakthrough"] ...',
      ariaLabel: t("replay.record"),
    });
    this.number = element("input", { type: "number", min: 1, value: 1, ariaLabel: t("replay.which") });
    this.number.style.width = "5.5rem";
    this.drop = element(
      "section",
      { className: "drop" },
      element("h1", { textContent: t("replay.title") }),
      element("p", {
        className: "quiet",
        textContent: t("replay.about"),
      }),
      this.file,
      this.text,
      element(
        "div",
        { className: "row" },
        element("label", { className: "row small quiet" }, t("replay.number"), this.number),
        element("button", {
          type: "button",
          id: "show",
          className: "main",
          textContent: t("replay.show"),
          onclick: () => trying(() => this.show(this.text.value)),
        }),
      ),
    );
    this.drop.addEventListener("dragover", (event) => {
      event.preventDefault();
      this.drop.classList.add("over");
    });
    this.drop.addEventListener("dragleave", () => this.drop.classList.remove("over"));
    this.drop.addEventListener("drop", (event) => {
      event.preventDefault();
      this.drop.classList.remove("over");
      this.#opened(event.dataTransfer.files[0]);
    });
    this.on = element("a", { className: "button", textContent: t("replay.on") });
    this.review = element("a", { className: "button", id: "review", textContent: t("review.begin") });
    this.links = element("div", { className: "row", hidden: true }, this.review, this.on);
    node.append(this.stage, this.links, this.drop);
  }

  async #opened(file) {
    if (!file) return;
    this.text.value = (await file.text()).slice(0, LARGEST);
    await trying(() => this.show(this.text.value));
  }

  async show(record) {
    const table = new Table();
    try {
      this.#stepThrough(await table.ask("replay", { record, number: Number(this.number.value) || 1 }));
    } finally {
      table.leave();
    }
  }

  #stepThrough(found) {
    const frames = found.frames.map((frame, index) => ({
      pieces: frame.pieces,
      last: frame.gestures,
      position: frame.position,
      caption: caption(frame, index),
      steps: frame.gestures.map((gesture) => ({
        ...gesture,
        chance: frame.side === 2,
        label: frame.text.replace(/^~/, ""),
      })),
      status: index === found.frames.length - 1
        ? [found.result ?? t("replay.unfinished"), found.reason === "rules" ? ""
          : found.reason].filter(Boolean).join(", ")
        : "",
    }));
    const game = element("kibitz-game");
    game.addEventListener("step", ({ detail }) => {
      this.on.href = `/#${new URLSearchParams({ game: found.game, position: detail.frame.position })}`;
    });
    this.stage.replaceChildren(game);
    game.facts = { title: t("replay.against", found), drawing: found.drawing, frames };
    const [start, ...turns] = found.frames;
    const line = turns.map((frame) => frame.text).join(" ");
    this.review.href = gameLink({ game: found.game, start: start.position, line, review: true });
    this.links.hidden = false;
  }
}

function caption(frame, index) {
  if (!index) return t("game.start");
  const said = [
    frame.score == null ? "" : worth(frame),
    frame.depth ? t("replay.depth", { n: frame.depth }) : "",
    frame.odds == null ? "" : `${Math.round(100 * frame.odds)} %`,
  ].filter(Boolean);
  const text = frame.text.startsWith("~") ? t("replay.chance", { text: frame.text.slice(1) }) : frame.text;
  return `${text}${said.length ? `  (${said.join(", ")})` : ""}`;
}

topLine("page.replay");
new ReplayPage(document.getElementById("main"));
document.body.dataset.ready = "yes";
