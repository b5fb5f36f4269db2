/** A game as a link: its texts stand behind the `#`, so nothing has to be kept at the server. */

const KEYS = ["game", "first", "second", "seconds", "clock", "increment", "position", "line", "seed", "pace"];
const NUMBERS = new Set(["seconds", "clock", "increment", "seed", "pace"]);

/** The fields of a `new` request that a link holds, or null. */
export function fromLink(hash = location.hash) {
  const said = new URLSearchParams(hash.slice(1));
  if (!said.get("game")) return null;
  const pairs = KEYS.filter((key) => said.get(key)).map((
    key,
  ) => [key, NUMBERS.has(key) ? Number(said.get(key)) : said.get(key)]);
  return Object.fromEntries(pairs);
}

/** Keep the address of the page in step with the game. */
export function keepLink(state, fresh) {
  const said = new URLSearchParams({ game: state.game, first: state.first, second: state.second });
  if (state.seconds && state.seconds !== 1) said.set("seconds", state.seconds);
  if (state.start !== fresh) said.set("position", state.start);
  if (state.line) said.set("line", state.line);
  history.replaceState(null, "", `#${said}`);
}
