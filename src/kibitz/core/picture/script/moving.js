/** What happened, seen happening: pieces travel their path, the taken ones fade, chance flashes. */

import { piece, shape } from "./painting.js";

const LEG = 190; // milliseconds from one cell of a path to the next
const LONGEST = 900;

export function motionWelcome() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches && document.visibilityState === "visible";
}

/** Play the gestures one after the other on the pieces' layer, then let the caller draw what is true. */
export async function perform(steps, layer, nodes, places, still) {
  for (const step of steps) {
    if (still()) return;
    await (step.cells.length > 1 ? travel(step, layer, nodes, places) : flash(step, layer, places));
  }
}

async function travel(step, layer, nodes, places) {
  const [origin, target] = [step.cells[0], step.cells.at(-1)];
  const standing = nodes.get(origin);
  if (!standing) return;
  const walker = step.amount ? detachment(standing, step.amount, origin, places) : standing;
  layer.append(walker);
  const spots = step.cells.map((cell) => places.spot(cell));
  const time = Math.min(LEG * (spots.length - 1), LONGEST);
  const taken = (step.captured ?? []).map((cell) => nodes.get(cell)).filter((node) => node && node !== walker);
  const frames = spots.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
  const fading = taken.map((node) => ended(node.animate({ opacity: [1, 0] }, { duration: time, fill: "forwards" })));
  await ended(walker.animate(frames, { duration: time, easing: "ease-in-out", fill: "forwards" }));
  await Promise.all(fading);
  if (walker === standing) nodes.delete(origin);
  nodes.set(target, walker);
}

/** Part of a group goes, the rest stays. */
function detachment(standing, amount, origin, places) {
  return piece(`${standing.dataset.text[0]}${amount}`, places.spot(origin), places.drawing);
}

async function flash(step, layer, places) {
  if (!step.cells.length) return;
  const [x, y] = places.spot(step.cells[0]);
  const ring = shape("circle", { class: "flash", cx: x, cy: y, r: 40, fill: "none", "stroke-width": 10 });
  const word = shape("text", {
    class: "flash-word",
    x,
    y: y - 52,
    "text-anchor": "middle",
    "font-size": 34,
    "font-weight": 700,
  }, step.chance ? step.label ?? "" : "");
  layer.append(ring, word);
  const time = step.chance ? 800 : 260;
  await ended(
    ring.animate({ opacity: [1, 0], strokeWidth: [16, 2], r: ["18px", "52px"] }, {
      duration: time,
      easing: "ease-out",
    }),
  );
  ring.remove();
  word.remove();
}

function ended(animation) {
  return animation.finished.catch(() => {});
}
