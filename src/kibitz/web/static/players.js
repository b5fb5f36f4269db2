/** Forms for who plays: a human, or an agent with its options. The answer is an agent's text. */

import { t, term } from "/picture/strings.js";
import { apart } from "./agent-text.js";
import { element } from "./common.js";

const HIDDEN = new Set(["threads", "hash"]); // the server bounds them anyway

/** What people call a player. */
export function called(text) {
  if (text === "human") return t("seats.you");
  const { name, options } = apart(text);
  const more = Object.entries(options).map(([key, value]) => (key === "level" ? t("player.level", { n: value })
    : `${key} ${value}`));
  return [name, ...more].join(", ");
}

/** A form for one side. `text` is read and set as an agent's text. */
export class Player {
  constructor(game, agents) {
    this.game = game;
    this.known = new Map(agents.map((agent) => [agent.name, agent]));
    this.select = element("select", { ariaLabel: t("player.name"), onchange: () => this.#options({}) });
    this.select.append(element("option", { value: "human", textContent: t("seats.human") }));
    for (const name of game.agents) {
      this.select.append(
        element("option", { value: name, textContent: name === game.default_agent ? t("player.strongest", { name })
          : name }),
      );
    }
    this.more = element("div", { className: "fields" });
    this.about = element("p", { className: "small quiet" });
    this.node = element("div", { className: "panel" }, this.select, this.about, this.more);
    this.node.style.padding = "0";
    this.fields = new Map();
  }

  get text() {
    const name = this.select.value;
    const said = [...this.fields].map(([key, { input, option }]) => [key, valueOf(input, option)]).filter((
      [key, value],
    ) => value !== defaultOf(this.fields.get(key).option));
    return said.length ? `${name}:${said.map(([key, value]) => `${key}=${value}`).join(",")}` : name;
  }

  set text(text) {
    const { name, options } = apart(text);
    this.select.value = this.known.has(name) || name === "human" ? name : "human";
    this.#options(options);
  }

  #options(values) {
    const agent = this.known.get(this.select.value);
    this.fields = new Map();
    this.about.textContent = term(agent?.summary ?? "");
    this.about.hidden = !agent;
    const shown = (agent?.options ?? []).filter((option) => !HIDDEN.has(option.name));
    const inputs = shown.map((option) => {
      const input = inputFor(option, values[option.name] ?? option.default);
      this.fields.set(option.name, { input, option });
      return { option, field: labelled(option, input) };
    });
    const main = ["level", "depth"].find((name) => this.fields.has(name));
    const first = inputs.filter(({ option }) => option.name === main);
    const rest = inputs.filter((one) => !first.includes(one));
    const changed = rest.some(({ option }) => option.name in values);
    const more = element(
      "details",
      { open: changed },
      element("summary", { textContent: t("player.more") }),
      element("div", { className: "fields" }, ...rest.map((one) => one.field)),
    );
    this.more.replaceChildren(...first.map((one) => one.field));
    this.node.replaceChildren(this.select, this.about, this.more, ...(rest.length ? [more] : []));
  }
}

function labelled(option, input) {
  if (option.name !== "level") return element("label", { className: "field" }, term(option.name.replaceAll("_", " ")),
    input);
  const shown = element("b");
  const show = () => {
    shown.textContent = Number(input.value) > option.high ? t("player.full-strength") : input.value;
  };
  const given = Number(input.value);
  input.type = "range";
  input.min = 1;
  input.max = option.high + 1; // beyond the last level: full strength, which is level 0 in an agent's text
  input.value = given === option.default ? option.high + 1 : given;
  show();
  input.addEventListener("input", show);
  return element("label", { className: "field" }, element("span", {}, t("player.level-field"), shown), input);
}

/** An input that suits an option's type. */
export function inputFor(option, value) {
  if (option.choices) {
    const select = element(
      "select",
      {},
      ...option.choices.map((choice) =>
        element("option", { value: choice, textContent: choice === "" ? t("player.usual")
          : String(choice).replaceAll("_", " ") })
      ),
    );
    select.value = value;
    return select;
  }
  if (option.type === "bool") {
    return element("input", { type: "checkbox", checked: value === true || value === "yes" || value === "true" });
  }
  if (option.type === "int" || option.type === "float") {
    return element("input", {
      type: "number",
      value,
      min: option.low ?? "",
      max: option.high ?? "",
      step: option.type === "int" ? 1 : "any",
    });
  }
  return element("input", { type: "text", value: value ?? "" });
}

/** The value of such an input, as text. */
export function valueOf(input, option) {
  if (option.type === "bool") return input.checked ? "yes" : "no";
  if (option.name === "level" && Number(input.value) > option.high) return String(option.default);
  return input.value === "" ? String(option.default) : input.value;
}

/** A default as the text of an option has it. */
export function defaultOf(option) {
  return option.type === "bool" ? (option.default ? "yes" : "no") : String(option.default);
}
