/** What the browser remembers of Flow boards: the drawing and the time of the last ones played. */

const KEY = "kibitz-flow";
const MOST = 60;

/** What was kept of a board: { paths, seconds, won }. */
export function recall(text) {
  return read().find((entry) => entry.text === text) ?? null;
}

/** Keep the drawing of a board; the oldest are forgotten. */
export function keep(text, facts) {
  const entries = [{ text, ...facts }, ...read().filter((entry) => entry.text !== text)];
  try {
    localStorage.setItem(KEY, JSON.stringify(entries.slice(0, MOST)));
  } catch {
    // A browser that keeps nothing plays all the same.
  }
}

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** Counts the seconds that a board is being drawn on; it stands still while the page is out of sight. */
export class Stopwatch {
  constructor(show) {
    this.show = show;
    this.seconds = 0;
    this.running = false;
    setInterval(() => this.#tick(), 1000);
  }

  set(seconds) {
    this.seconds = seconds;
    this.running = false;
    this.show(this.text);
  }

  start() {
    this.running = true;
  }

  stop() {
    this.running = false;
  }

  get text() {
    const minutes = Math.floor(this.seconds / 60);
    return `${minutes}:${String(this.seconds % 60).padStart(2, "0")}`;
  }

  #tick() {
    if (!this.running || document.hidden) return;
    this.seconds += 1;
    this.show(this.text);
  }
}
