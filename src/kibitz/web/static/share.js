/** A game as a link: its texts stand behind the `#`, so nothing has to be kept at the server. */

import { page } from "./common.js";

const KEYS = ["game", "first", "second", "seconds", "clock", "increment", "position", "line", "seed", "pace"];
const NUMBERS = new Set(["seconds", "clock", "increment", "seed", "pace"]);

const LAST = page ? `kibitz-last ${location.pathname}` : "kibitz-last";
const home = () => (page ? location.pathname + location.search : "/");

/** The fields of a `new` request that a link holds, or null. */
export function fromLink(hash = location.hash) {
  const said = new URLSearchParams(hash.slice(1));
  if (!said.get("game")) return null;
  const pairs = KEYS.filter((key) => said.get(key)).map((
    key,
  ) => [key, NUMBERS.has(key) ? Number(said.get(key)) : said.get(key)]);
  return Object.fromEntries(pairs);
}

/** Does a link ask for a review of its game? */
export function wantsReview(hash = location.hash) {
  return new URLSearchParams(hash.slice(1)).has("review");
}

/** The link that opens a finished game on the board. */
export function gameLink({ game, start, line, review }) {
  const said = new URLSearchParams({ game, first: "human", second: "human", position: start, line });
  if (review) said.set("review", "yes");
  return `/#${said}`;
}

/** The game that was played last and is not over, if there is one. */
export function lastGame() {
  try {
    const last = JSON.parse(localStorage.getItem(LAST) ?? "null");
    return last && !last.over && last.address.startsWith("/") ? last : null;
  } catch {
    return null;
  }
}

/** Keep the address of the page in step with the game; a game that was begun here gets a place of its own in the
 * history, so that Back leads to where one came from. */
export function keepLink(state, fresh, begun) {
  const said = new URLSearchParams({ game: state.game, first: state.first, second: state.second });
  if (state.seconds && state.seconds !== 1) said.set("seconds", state.seconds);
  if (state.start !== fresh) said.set("position", state.start);
  if (state.line) said.set("line", state.line);
  const address = state.table ? `/t/${state.table.code}` : `${home()}#${said}`;
  if (begun) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  localStorage.setItem(LAST, JSON.stringify({ address, title: state.title, over: state.over }));
}
