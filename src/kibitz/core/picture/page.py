"""A game on one page that needs nothing else: no server, no network, no other file."""

import json
import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from kibitz.core.picture.drawing import Json, drawing, scene, steps

if TYPE_CHECKING:
    from kibitz.core.position import Position

SCRIPTS = files("kibitz.core.picture") / "script"
# Each uses only those before it.
_BOARD = ("strings", "elements", "style", "choosing", "painting", "moving", "asking", "dragging", "board")


def page(title: str, positions: "Sequence[Position]", captions: Sequence[str], *, at: int = 0) -> str:
    """A page that steps through these positions of one game, each with a line of text below it; it opens at one."""
    if len(positions) != len(captions) or not positions:
        raise ValueError(f"{len(positions)} positions with {len(captions)} captions, expected one caption each")
    return _filled(title, {**_facts(title, positions, captions), "at": at}, "kibitz-game")


def games_page(title: str, games: Sequence[Json]) -> str:
    """A page with several games to choose from, each as `facts` gives it; boards that are alike are kept once."""
    drawings: list[Json] = []
    placed = []
    for game in games:
        if game["drawing"] not in drawings:
            drawings.append(game["drawing"])
        placed.append({**game, "drawing": drawings.index(game["drawing"])})
    return _filled(title, {"games": placed, "drawings": drawings}, "kibitz-games")


def facts(title: str, positions: "Sequence[Position]", captions: Sequence[str]) -> Json:
    """What a <kibitz-game> is given, for pages that hold several of them."""
    return _facts(title, positions, captions)


def script() -> str:
    """The board's modules as one script, for a page that cannot load files."""
    return "\n".join(_joined(name) for name in (*_BOARD, "stepping", "game-list"))


def _joined(name: str) -> str:
    text = (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")
    return re.sub(r"^export ", "", re.sub(r"^import .*\n", "", text, flags=re.MULTILINE), flags=re.MULTILINE)


def _facts(title: str, positions: "Sequence[Position]", captions: Sequence[str]) -> Json:
    game = positions[0].game
    frames = [
        {**scene(position), "caption": caption, "position": position.text, "steps": _steps(before, position)}
        for before, position, caption in zip([None, *positions], positions, captions, strict=False)
    ]
    return {"title": title, "game": game.rulebook.title, "drawing": drawing(game.layout), "frames": frames}


def _steps(before: "Position | None", position: "Position") -> list[Json]:
    return [] if before is None else steps(before, position)


def _filled(title: str, facts: Json, element: str) -> str:
    """The template with the script and the facts; `<` is spelt out so that no text can end the script early."""
    data = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    template = (SCRIPTS / "page.html").read_text(encoding="utf-8")
    parts = {
        "title": escape(title),
        "script": script(),
        "facts": data,
        "element": f"<{element}></{element}>",
    }
    return re.sub(r"\{\{(title|script|facts|element)\}\}", lambda match: parts[match[1]], template)
