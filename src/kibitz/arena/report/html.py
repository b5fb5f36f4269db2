"""The frame of a report: one page that needs nothing from elsewhere, light and dark, wide and narrow."""

from html import escape

from kibitz.core.picture.page import script

STYLE = """
:root { color-scheme: light dark; --surface: #fffdf9; --ink: #241f1b; --quiet: #6d645c; --rule: #ddd4c8;
  --paper: #f6f1e9; --accent: #1b7f93; --bad: #b3402e; }
@media (prefers-color-scheme: dark) { :root { --surface: #262320; --ink: #f1ebe2; --quiet: #a89e92; --rule: #45403a;
  --paper: #191715; --accent: #3aa5ba; --bad: #e07a66; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: clamp(.8rem, 3vw, 2rem); display: grid; gap: 1.2rem;
  grid-template-columns: minmax(0, 1fr); }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0 0 .6rem; font-size: 1.1rem; }
section { background: var(--surface); border: 1px solid var(--rule); border-radius: .8rem; padding: 1rem 1.1rem; }
p { margin: .2rem 0; overflow-wrap: anywhere; } .quiet { color: var(--quiet); } .bad { color: var(--bad); }
.said { font-size: 1.1rem; font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
th { text-align: right; color: var(--quiet); font-weight: 500; font-size: .85rem; }
th, td { padding: .28rem .6rem; white-space: nowrap; } td { text-align: right; border-top: 1px solid var(--rule); }
th.name, td.name { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 9rem; }
th.place, td.place { width: 2.5rem; } td.self { color: var(--quiet); text-align: center; }
a { color: var(--accent); }
code, .moves { font: .85rem/1.6 ui-monospace, monospace; overflow-wrap: anywhere; }
details { border-top: 1px solid var(--rule); padding: .35rem 0; } summary { cursor: pointer; overflow-wrap: anywhere; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.plot { display: block; width: 100%; height: auto; }
.plot text { font: 12px system-ui, sans-serif; fill: var(--ink); } .plot .number { fill: var(--quiet); }
.plot .axis { stroke: var(--rule); } .plot .whisker { stroke: var(--quiet); stroke-width: 2; }
.plot .dot, .plot .bar { fill: var(--accent); } .plot .down { fill: var(--bad); }
.shade { background: color-mix(in srgb, var(--accent) calc(var(--share) * 45%), transparent); }
kibitz-game { display: block; margin: .8rem 0; }
"""

# A replay is built when its line is opened, so that a page with many games opens at once.
OPENING = """
document.addEventListener("toggle", (event) => {
  const facts = event.target.querySelector?.("script[type='application/json']");
  if (!event.target.open || !facts || event.target.querySelector("kibitz-game")) return;
  const game = document.createElement("kibitz-game");
  event.target.append(game);
  game.facts = JSON.parse(facts.textContent);
}, true);
const open = () => location.hash && document.querySelector(location.hash)?.setAttribute("open", "");
addEventListener("hashchange", open);
open();
"""

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"


def page(title: str, body: str, *, replays: bool) -> str:
    """A whole page. The script that replays games is there only if some can be replayed."""
    code = f'<script type="module">\n{script()}\n{OPENING}</script>\n' if replays else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n{code}"
        "</body>\n</html>\n"
    )


def section(head: str, *parts: str) -> str:
    """A part of a report; nothing at all where there is nothing to show."""
    inside = "".join(part for part in parts if part)
    return f"<section><h2>{escape(head)}</h2>{inside}</section>" if inside else ""


def table(heads: list[str], rows: list[list[str]], names: int = 1) -> str:
    """A table of cells that are HTML already; the first `names` columns are text, the others numbers."""
    if not rows:
        return ""
    kinds = [_kind(head, place < names) for place, head in enumerate(heads)]
    top = "".join(f"<th{kind}>{escape(head)}</th>" for head, kind in zip(heads, kinds, strict=True))
    body = "".join(
        "<tr>"
        + "".join(
            cell if cell.startswith("<td") else f"<td{kind}>{cell}</td>" for cell, kind in zip(row, kinds, strict=False)
        )
        + "</tr>"
        for row in rows
    )
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def _kind(head: str, text: bool) -> str:
    return ' class="place"' if head == "#" else ' class="name"' if text else ""


def lines(texts: list[str], kind: str = "") -> str:
    """Sentences, each a paragraph."""
    mark = f' class="{kind}"' if kind else ""
    return "".join(f"<p{mark}>{escape(text)}</p>" for text in texts)
