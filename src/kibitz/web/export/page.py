"""A game as one file: board, rules and engine in a page that needs no server and no network."""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.core.output_file import check_writable, write_file
from kibitz.web.api.facts import Facts
from kibitz.web.export.bundle import FOLDERS, bundle
from kibitz.web.export.game import ExportedGame, agent_facts

STATIC = FOLDERS["static"]
# Nothing is loaded from anywhere: a page that was saved stays as it is.
ALONE = (
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; "
    "style-src 'unsafe-inline'; img-src data: blob:; connect-src blob: data:; base-uri 'none'; form-action 'none'"
)
TOO_OLD = """
if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
  document.body.innerHTML = "<p class='lobby'>This page plays a game with an engine that runs in your browser, and " +
    "that needs WebAssembly. This browser has none, or has switched it off; any of 2023 or later will do.</p>";
}
"""


def write_page(game: ExportedGame, opening: Mapping[str, str], path: Path) -> int:
    """Write the page of a game; its size in bytes."""
    check_writable(path)
    modules = {game.text: {"module": _packed(game.module), "about": _packed(game.about)}}
    facts = page_facts([game], modules, {"game": game.text, **opening})
    worker = f'<script id="kibitz-worker" type="text/plain">{_in_script(bundle("static/local/worker.js"))}</script>'
    text = fill_page(
        game.plain.rulebook.title, facts, _icon(), _style(), worker + _script(bundle("static/app.js")), ALONE
    )
    content = text.encode()
    write_file(path, content)
    return len(content)


def page_facts(games: Sequence[ExportedGame], modules: Facts, opening: Facts | None) -> Facts:
    """What the page's script is given, instead of a server."""
    names = {name: game.text for game in games for name in (game.plain.label, game.text)}
    return {
        "pages": [],
        "games": [game.card() for game in games],
        "agents": agent_facts(),
        "names": names,
        "modules": modules,
        "worker": {},
        "opening": opening,
    }


def fill_page(title: str, facts: Facts, icon: str, style: str, scripts: str, policy: str) -> str:
    """The page of the board with its style and scripts, for a browser that asks nobody."""
    page = (STATIC / "index.html").read_text()
    head = re.compile(r'<link rel="icon".*?</head>', re.DOTALL)
    said = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n' if policy else ""
    page = head.sub(lambda _: f"{said}{icon}\n{style}\n</head>", page)
    page = page.replace("<title>Kibitz</title>", f"<title>{escape(title)} · Kibitz</title>")
    told = json.dumps(facts, separators=(",", ":")).replace("<", "\\u003c")
    given = f"<script>{TOO_OLD}globalThis.kibitzPage = {told};</script>"
    return page.replace("</body>", f"{given}\n{scripts}\n</body>")


def write_folder(
    games: Sequence[ExportedGame], opening: Facts | None, folder: Path, title: str
) -> list[tuple[Path, int]]:
    """Write a page and files beside it, named by their content, so that browsers may keep them for ever."""
    make_folder(folder)
    written: list[tuple[Path, int]] = []

    def put(stem: str, ending: str, content: bytes) -> str:
        name = f"{stem}-{hashlib.sha256(content).hexdigest()[:12]}.{ending}"
        write_file(folder / name, content)
        written.append((folder / name, len(content)))
        return name

    modules = {}
    for game in games:
        stem = re.sub(r"[^A-Za-z0-9]+", "-", game.text).strip("-")
        module = put(stem, "wasm", game.module)
        modules[game.text] = {"module": {"file": module}, "about": {"file": put(stem, "json", game.about)}}
    facts = page_facts(games, modules, opening)
    facts["worker"] = {"file": put("worker", "js", bundle("static/local/worker.js").encode())}
    style = f'<link rel="stylesheet" href="{put("style", "css", read_style().encode())}">'
    script = f'<script src="{put("app", "js", bundle("static/app.js").encode())}"></script>'
    page = fill_page(title, facts, _icon(), style, script, "").encode()
    write_file(folder / "index.html", page)
    return [(folder / "index.html", len(page)), *written]


def make_folder(folder: Path) -> None:
    """Make a folder where there is none, or say in one line why that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise KibitzError(f"cannot write to folder '{folder}': {problem.strerror}") from None


def _packed(content: bytes) -> dict[str, Any]:
    return {"data": base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()}


def _icon() -> str:
    data = base64.b64encode((STATIC / "icon.svg").read_bytes()).decode()
    return f'<link rel="icon" href="data:image/svg+xml;base64,{data}">'


def read_style(name: str = "style.css") -> str:
    """A style sheet with those that it imports."""
    text = (STATIC / name).read_text()
    return re.sub(r'@import url\("([^"/]+)"\);', lambda found: read_style(found[1]), text)


def _style() -> str:
    return f"<style>{read_style()}</style>"


def _script(text: str) -> str:
    return f"<script>{_in_script(text)}</script>"


def _in_script(text: str) -> str:
    """A script that may stand within a page: nothing in it ends the element."""
    return re.sub("</(?=script)|<(?=!--)", lambda found: found[0][0] + "\\" + found[0][1:], text, flags=re.IGNORECASE)
