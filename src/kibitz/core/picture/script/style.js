/** How the board looks around its picture; colours come from the page where it sets them. */

export const STYLE = `
:host { display: block; position: relative; container-type: inline-size; font: 15px/1.4 system-ui, sans-serif;
  --board-surface: var(--surface, Canvas); --board-ink: var(--ink, CanvasText);
  --board-accent: var(--accent, #1b7f93);
  --board-rule: var(--rule, #8886); --board-on: var(--on-accent, #fff); }
.stage { position: relative; }
svg { display: block; width: 100%; height: auto; max-height: var(--board-height, none); user-select: none;
  -webkit-user-select: none; -webkit-tap-highlight-color: transparent; touch-action: pan-y; font-family: inherit; }
.hit { fill: transparent; pointer-events: all; outline: none; touch-action: pan-y; }
.hit.origin, .hit.target { cursor: pointer; touch-action: none; }
.hit:focus-visible { stroke: #0b57d0; stroke-width: 7; paint-order: stroke; }
.hit.picked { fill: #1b7f9322; stroke: #1b7f93; stroke-width: 8; }
.pieces, .marks, .tags, .arrows, .traces { pointer-events: none; }
.piece.lifted { opacity: .35; }
.ghost { filter: drop-shadow(0 6px 6px #0006); pointer-events: none; }
.last { stroke: #a86f00; opacity: .8; } .last .head { fill: #a86f00; }
.arrows .best { stroke: #0b6fd0; opacity: .85; } .arrows .best .head { fill: #0b6fd0; }
.arrows .other { stroke: #5c7f9e; opacity: .6; } .arrows .other .head { fill: #5c7f9e; }
.arrows .hint { stroke: #2a8a3a; opacity: .95; } .arrows .hint .head { fill: #2a8a3a; }
.arrows .look { stroke: #1b7f93; opacity: .95; } .arrows .look .head { fill: #1b7f93; }
.arrows .own { stroke: #b4521a; opacity: .85; } .arrows .own .head { fill: #b4521a; }
.arrows .premove { stroke: #6b4aa0; opacity: .9; stroke-dasharray: 16 12; } .arrows .premove .head { fill: #6b4aa0; }
.marks { opacity: .85; }
.flash { stroke: #d2401f; } .flash-word { fill: #fff; stroke: #2a211c; stroke-width: 8; paint-order: stroke; }
.tag rect { fill: #fffdf7; stroke: #3a312a; stroke-width: 2.5; } .tag text { fill: #1d1815; }
.tag.win rect { fill: #d6f2d4; stroke: #1c6b2a; } .tag.loss rect { fill: #fbdcd6; stroke: #97281a; }
.tag.draw rect { fill: #e6e6ea; }
.card { position: absolute; z-index: 3; box-sizing: border-box; width: min(17rem, 92%); padding: .6rem .8rem .8rem;
  display: grid; gap: .55rem; border-radius: .8rem; background: var(--board-surface); color: var(--board-ink);
  box-shadow: 0 10px 34px #0005, 0 0 0 1px var(--board-rule); }
.card[hidden] { display: none; }
.card.sheet { position: fixed; inset: auto 0 0; width: 100%; max-width: 32rem; margin: 0 auto; border: 0;
  padding: .8rem 1rem calc(1rem + env(safe-area-inset-bottom)); border-radius: 1rem 1rem 0 0; font-size: 1.05rem; }
.card.sheet button { min-height: 2.9rem; }
.card.sheet .away { min-width: 2.9rem; }
.card header { display: flex; justify-content: space-between; align-items: center; }
.card button { font: inherit; color: inherit; padding: .45rem .7rem; min-height: 2.4rem; border-radius: .55rem;
  cursor: pointer;
  border: 1px solid var(--board-rule); background: transparent; text-align: start; }
.card button:hover, .card button:focus-visible { border-color: var(--board-accent);
  outline: 2px solid var(--board-accent); outline-offset: -1px; }
.card .away { border: 0; min-height: 0; padding: 0 .4rem; font-size: 1.3rem; line-height: 1.6rem; }
.card .go { background: var(--board-accent); border-color: transparent; color: var(--board-on); text-align: center;
  font-weight: 600; }
.card .note { margin: 0; font-size: .85rem; opacity: .85; white-space: pre-line; } .card .note:empty { display: none;
  }
.card input { accent-color: var(--board-accent); width: 100%; margin: 0; }
.stepper { display: grid; grid-template-columns: 3rem 1fr 3rem; align-items: center; text-align: center; }
.stepper output { font-size: 1.5rem; font-weight: 650; font-variant-numeric: tabular-nums; } .stepper button {
  text-align: center; }
.below { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; justify-content: center; margin-top: .6rem;
  }
.below:empty { display: none; }
.below button { font: inherit; font-weight: 600; padding: .5rem 1.2rem; border-radius: .6rem; border: 0;
  cursor: pointer;
  background: var(--board-accent); color: var(--board-on); }
.below button:focus-visible { outline: 3px solid var(--board-ink); outline-offset: 2px; }
.typed { position: absolute; inset: auto 0 .7rem; margin: auto; width: fit-content; max-width: 90%;
  padding: .35rem .9rem; z-index: 2;
  border-radius: 2rem; background: #1d1815e6; color: #fff; font-size: .95rem; pointer-events: none; }
.typed[hidden] { display: none; }
.typed b { font-family: ui-monospace, monospace; } .typed i { opacity: .65; font-style: normal; }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) { .hit:focus-visible { stroke: Highlight; } }
`;
