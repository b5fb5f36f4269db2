/** The buttons beside the board, and which of them there are at the moment. */

import { t } from "/picture/strings.js";
import { copied, download, element, tile, tool, trying } from "./common.js";
import { resign } from "./shared-panel.js";
import { soundOn, switchSound } from "./sound.js";

const PACES = [[0, "tools.fast"], [0.6, "tools.easy"], [2, "tools.slow"]];

export class Toolbar {
  /** `state` answers the state of the game; `begin`, `hint` and `flip` are what the page does itself. */
  constructor(node, table, { state, begin, hint, flip }) {
    const ask = (type, fields) => trying(() => table.ask(type, fields));
    this.undo = tool("undo", t("common.undo"), () => ask("undo"), { id: "undo" });
    this.redo = tool("redo", t("tools.redo"), () => ask("redo"), { id: "redo", hidden: true });
    this.hint = tool("hint", t("common.hint"), hint, { id: "hint" });
    this.pause = tool("pause", t("common.pause"), () => ask("pause", { on: !state().paused }), { id: "pause",
      hidden: true });
    this.pace = element("select", {
      id: "pace",
      ariaLabel: t("tools.pace"),
      onchange: () => ask("players", { pace: Number(this.pace.value) }),
    }, ...PACES.map(([value, key]) => element("option", { value, textContent: t(key) })));
    this.pace.value = 0.6;
    this.pace.style.width = "auto";
    this.sound = tile("sound", t("tools.sound"), t("tools.sound"), () => this.sound.setAttribute("aria-pressed",
      switchSound()));
    this.sound.setAttribute("aria-pressed", soundOn());
    this.swap = tile("swap", t("tools.short.swap"), t("tools.swap"), () => ask("swap"));
    this.resign = tile("flag", t("tools.resign"), t("tools.resign"), () => resign(table));
    this.go = tile("step", t("tools.short.go"), t("tools.go"), () => ask("go"));
    node.append(
      tool("plus", t("tools.new"), begin, { id: "new" }),
      this.undo,
      this.redo,
      this.hint,
      this.pause,
      this.pace,
      this.go,
      tile("flip", t("tools.short.flip"), t("tools.flip"), flip),
      this.swap,
      this.resign,
      this.sound,
      tile("share", t("tools.short.share"), t("tools.share"), () => copied(location.href, "link")),
      tile("save", t("tools.short.save"), t("tools.save"), () => trying(() => save(table))),
    );
  }

  show(state, mayMove) {
    const watching = state.first !== "human" && state.second !== "human";
    const together = Boolean(state.table);
    this.pause.hidden = this.pace.hidden = !watching || state.over;
    this.pause.querySelector("span").textContent = t(state.paused ? "common.go-on" : "common.pause");
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
