/** <kibitz-games>: several games to step through, one at a time. */

import { element, icon, ICONS } from "./elements.js";
import { t } from "./strings.js";

class KibitzGames extends HTMLElement {
  /** `games` are what a <kibitz-game> is given, but name their drawing by its place among `drawings`. */
  set facts({ games, drawings }) {
    this.games = games.map((game) => ({ ...game, drawing: drawings[game.drawing] }));
    this.select = element(
      "select",
      { ariaLabel: t("games.which"), onchange: () => this.open(Number(this.select.value)) },
      ...games.map(({ title }, value) => element("option", { value, textContent: `${value + 1}. ${title}` })),
    );
    const button = (name, label, by) =>
      element("button", {
        type: "button",
        title: label,
        ariaLabel: label,
        onclick: () => this.open(this.at + by),
      }, icon(ICONS[name]));
    this.back = button("back", t("games.back"), -1);
    this.on = button("on", t("games.on"), 1);
    this.count = element("span", {});
    this.place = element("div", {});
    this.append(element("nav", { className: "games" }, this.back, this.select, this.on, this.count), this.place);
    this.open(0);
  }

  /** Show one of the games. */
  open(number) {
    this.at = Math.max(0, Math.min(number, this.games.length - 1));
    this.select.value = this.at;
    this.back.disabled = this.at === 0;
    this.on.disabled = this.at === this.games.length - 1;
    this.count.textContent = t("games.number", { n: this.at + 1, all: this.games.length });
    const game = element("kibitz-game", {});
    this.place.replaceChildren(game);
    game.facts = this.games[this.at];
  }
}

customElements.define("kibitz-games", KibitzGames);
