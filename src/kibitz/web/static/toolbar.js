/** The buttons beside the board, and which of them there are at the moment. */

import { copied, download, element, small, tool, trying } from "./common.js";
import { resign } from "./shared-panel.js";
import { soundOn, switchSound } from "./sound.js";

const PACES = [[0, "as fast as they can"], [0.6, "at an easy pace"], [2, "slowly"]];

export class Toolbar {
  /** `state` answers the state of the game; `begin`, `hint` and `flip` are what the page does itself. */
  constructor(node, table, { state, begin, hint, flip }) {
    const ask = (type, fields) => trying(() => table.ask(type, fields));
    this.undo = tool("undo", "Undo", () => ask("undo"), { id: "undo" });
    this.redo = tool("redo", "Redo", () => ask("redo"), { id: "redo", hidden: true });
    this.hint = tool("hint", "Hint", hint, { id: "hint" });
    this.pause = tool("pause", "Pause", () => ask("pause", { on: !state().paused }), { id: "pause", hidden: true });
    this.pace = element("select", {
      id: "pace",
      ariaLabel: "pace",
      onchange: () => ask("players", { pace: Number(this.pace.value) }),
    }, ...PACES.map(([value, textContent]) => element("option", { value, textContent })));
    this.pace.value = 0.6;
    this.pace.style.width = "auto";
    this.sound = small("sound", "Sounds", () => this.sound.setAttribute("aria-pressed", switchSound()));
    this.sound.setAttribute("aria-pressed", soundOn());
    this.swap = small("swap", "Swap sides", () => ask("swap"));
    this.resign = small("flag", "Resign", () => resign(table));
    this.go = small("step", "Let the machine move", () => ask("go"));
    node.append(
      tool("plus", "New game", begin, { id: "new" }),
      this.undo,
      this.redo,
      this.hint,
      this.pause,
      this.pace,
      this.go,
      small("flip", "Turn the board", flip),
      this.swap,
      this.resign,
      this.sound,
      small("share", "Copy a link to this game", () => copied(location.href, "link")),
      small("save", "Download the record", () => trying(() => save(table))),
    );
  }

  show(state, mayMove) {
    const watching = state.first !== "human" && state.second !== "human";
    const together = Boolean(state.table);
    this.pause.hidden = this.pace.hidden = !watching || state.over;
    this.pause.querySelector("span").textContent = state.paused ? "Go on" : "Pause";
    for (const own of [this.undo, this.hint, this.swap]) own.hidden = together;
    this.resign.hidden = state.over || (together && state.table.seat == null);
    this.hint.disabled = this.go.disabled = !mayMove;
    this.go.hidden = watching || together;
    this.undo.disabled = state.ply === 0;
    this.redo.hidden = !state.redo;
  }
}

async function save(table) {
  const { name, text } = await table.ask("record", { format: "text" });
  download(name, text);
}
