/** A table with a link, beside the board: the link to send, free seats, who is there, and what is offered. */

import { t, term } from "/picture/strings.js";
import { capital, copied, element, page, toast, tool, trying } from "./common.js";

const seatKey = (code) => `kibitz-seat-${code}`;

/** The token of one's seat at a table, if one has a seat. */
export function seatToken(code) {
  return localStorage.getItem(seatKey(code));
}

/** The code in the page's address. */
export function codeInAddress() {
  return page ? null : location.pathname.match(/^\/t\/([^/]+)$/)?.[1] ?? null;
}

/** A question that must be answered before something is given up. */
export function confirmed(question, yes) {
  const dialog = document.body.appendChild(element("dialog", { ariaLabel: question, className: "confirm" }));
  const form = element(
    "form",
    { method: "dialog" },
    element("h2", { textContent: question }),
    element(
      "footer",
      {},
      element("button", { value: "", textContent: t("common.cancel") }),
      element("button", { value: "yes", className: "main", textContent: yes }),
    ),
  );
  dialog.append(form);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}

export class SharedPanel {
  constructor(node, table, { moveOn }) {
    Object.assign(this, { node, table, moveOn });
    table.addEventListener("seated", ({ detail: { code, token } }) => {
      if (token) localStorage.setItem(seatKey(code), token);
    });
  }

  /** Join the table of a code, in one's seat where one has one. */
  async join(code) {
    const token = seatToken(code);
    try {
      return await this.table.ask("join", token ? { code, token } : { code });
    } catch (problem) {
      if (problem.kind !== "forbidden") throw problem;
      localStorage.removeItem(seatKey(code));
      return this.table.ask("join", { code });
    }
  }

  show(state) {
    const { table: shared } = state;
    this.node.hidden = !shared;
    if (!shared) return;
    if (shared.next && shared.seat != null && this.following !== shared.next) {
      this.following = shared.next;
      localStorage.setItem(seatKey(shared.next), seatToken(shared.code));
      this.moveOn(shared.next);
      return;
    }
    this.node.replaceChildren(...[
      this.#people(state),
      ...(shared.taken.every(Boolean) ? [] : this.#invitation(state)),
      ...this.#offered(state),
      this.#buttons(state),
    ].filter(Boolean));
  }

  #people({ table: { seat, taken, online, watching }, sides }) {
    const who = sides.map((name, side) => {
      const there = !taken[side] ? "free" : side === seat ? "you" : online[side] ? "here" : "away";
      return t(`shared.${there}`, { side: capital(term(name)) });
    });
    const more = watching ? `, ${t("shared.watching", { n: watching })}` : "";
    return element("p", { className: "small quiet", id: "people", textContent: who.join(", ") + more });
  }

  #invitation({ table: { code, address, seat, taken }, sides }) {
    const link = `${address || location.origin}/t/${code}`;
    const field = element("input", { readOnly: true, value: link, id: "link", ariaLabel: t("shared.link") });
    field.addEventListener("focus", () => field.select());
    const parts = [
      element("p", { className: "small", textContent: t("shared.send") }),
      element("div", { className: "row nowrap" }, field, tool("copy", t("common.copy"), () => copied(link, "link"))),
    ];
    const free = taken.findIndex((one) => !one);
    if (seat == null) {
      parts.push(element("button", {
        type: "button",
        id: "sit",
        className: "main",
        textContent: t("shared.sit", { side: term(sides[free]) }),
        onclick: () => trying(() => this.table.ask("sit", { side: free })),
      }));
    }
    return seat == null ? parts.slice(-1) : parts;
  }

  #offered({ table: { offers, seat }, sides }) {
    return Object.entries(offers).map(([what, side]) => {
      const offered = t(`shared.${what}.offered`, { side: capital(term(sides[side])) });
      if (side === seat || seat == null) {
        const text = side === seat ? t(`shared.${what}.asked`) : offered;
        return element("p", { className: "small offer", textContent: text });
      }
      return element(
        "div",
        { className: "row offer", role: "alert" },
        element("span", { textContent: offered }),
        this.#button(t("shared.accept"), "main", "offer", what),
        this.#button(t("shared.decline"), "", "decline", what),
      );
    });
  }

  #button(textContent, className, type, what) {
    const button = element("button", { type: "button", className, textContent });
    button.dataset.offer = what;
    button.onclick = () => trying(() => this.table.ask(type, { what }));
    return button;
  }

  #buttons({ table: { seat, offers, taken }, over, ply }) {
    if (seat == null || !taken.every(Boolean)) return null;
    const kinds = over ? ["rematch"] : ply ? ["draw", "undo"] : ["draw"];
    const open = kinds.filter((what) => !(what in offers));
    const buttons = open.map((what) => this.#button(t(`shared.${what}`), "", "offer", what));
    return element("div", { className: "row" }, ...buttons);
  }
}

/** Resign, once it is meant. */
export async function resign(table) {
  if (await confirmed(t("shared.resign"), t("tools.resign"))) await trying(() => table.ask("resign"));
  else toast(t("shared.goes-on"));
}
