/** What is said when a game ends: the result, and what one may do next. */

import { t } from "/picture/strings.js";
import { element } from "./common.js";

export class EndCard {
  /** `again` begins another game, `review` goes through this one. */
  constructor(node, { again, review }) {
    Object.assign(this, { node, again, review, known: null });
  }

  /** Told once for each game, when its end is seen; `result` is the line that says how it ended. */
  show(state, result) {
    if (!state.over) {
      this.known = null;
      this.node.hidden = true;
      return;
    }
    const game = `${state.start} ${state.line} ${state.reason}`;
    if (this.known === game) return;
    this.known = game;
    const close = () => {
      this.node.hidden = true;
    };
    const button = (textContent, act, className = "") =>
      element("button", {
        type: "button",
        className,
        textContent,
        onclick: () => {
          close();
          act();
        },
      });
    this.node.replaceChildren(
      element("strong", { textContent: result }),
      element("p", { className: "small quiet", textContent: how(state) }),
      element(
        "div",
        { className: "row" },
        ...(state.table ? [] : [button(t("end.again"), this.again, "main")]),
        button(t("end.review"), this.review),
        button(t("common.close"), () => {}, "bare"),
      ),
    );
    this.node.hidden = false;
  }
}

function how({ ply, reason }) {
  const way = ["time", "resigned", "agreed"].includes(reason) ? reason : "rules";
  return `${t(`end.${way}`)} ${t("end.moves", { n: ply })}`;
}
