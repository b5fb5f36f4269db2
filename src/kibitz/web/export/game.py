"""What a page has of one game: its module, and all that is told of it."""

import hashlib
import json
import re
from functools import cached_property
from pathlib import Path
from typing import Any

import kibitz.core.boards
import kibitz.core.view
from kibitz import agents, heuristics
from kibitz.agents.levels import MOST, level_of
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.seam import cache
from kibitz.core.view import View, find_view
from kibitz.export.manifest import describe_game
from kibitz.export.module import build_module
from kibitz.web.api import safe_agents
from kibitz.web.api.facts import Facts, game_facts

AGENTS = ("engine", "random")  # those that play in a browser


class ExportedGame:
    """A game as pages without a server have it. Its name is that of its rules, whatever file they came from."""

    def __init__(self, game: Game, heuristic: Heuristic, origin: str = "built in") -> None:
        self.game, self.heuristic, self.origin = game, heuristic, origin
        self.plain = Game(game.rulebook, game.options, game.rulebook.name)

    @property
    def text(self) -> str:
        return self.plain.text

    @cached_property
    def view(self) -> View:
        """Checked on random positions, or refused; kept in the cache under the hash of what it was made from."""
        owner = re.sub(r"\W", "_", self.plain.rulebook.name)
        name = f"{owner}_{self._sources_hash()[:16]}.view"
        kept = cache.read_sealed(name)
        if kept is not None:
            return View(json.loads(kept))
        found = find_view(self.plain)
        cache.write_sealed(name, json.dumps(found.data).encode())
        return found

    def _sources_hash(self) -> str:
        """The hash of the author's files and of ours that make a view."""
        book = self.plain.rulebook
        rules = (book.pieces, book.gesture, book.play, book.layout, book.move_text, book.write, book.read)
        files = {rule.__code__.co_filename for rule in rules if rule is not None}
        folders = (Path(kibitz.core.view.__file__).parent, Path(kibitz.core.boards.__file__).parent)
        paths = sorted({*map(Path, files), *(path for folder in folders for path in folder.glob("*.py"))})
        told = hashlib.sha256(self.text.encode())
        for path in paths:
            told.update(path.read_bytes() if path.is_file() else b"")
        return told.hexdigest()

    @cached_property
    def module(self) -> bytes:
        return build_module(self.game, self.heuristic)

    @cached_property
    def about(self) -> bytes:
        """The manifest, and what the server would tell of the game."""
        found = [level_of(self.plain.rulebook.name, number) for number in range(1, MOST + 1)]
        graded = [{"nodes": level.nodes, "overlook": level.overlook} for level in found]
        facts = game_facts(self.plain) | {"view": self.view.data, "levels": graded}
        manifest = describe_game(self.game, self.heuristic, self.module) | {"game": self.text}
        return json.dumps({"manifest": manifest, "facts": facts}, separators=(",", ":")).encode()

    def card(self) -> Facts:
        """The game as a lobby lists it; it has no options, for each way to play is a page of its own."""
        book = self.plain.rulebook
        return {
            "name": self.plain.label,
            "title": book.title,
            "summary": book.summary,
            "origin": self.origin,
            "sides": list(book.sides),
            "presets": [],
            "options": [],
            "agents": list(AGENTS),
            "default_agent": AGENTS[0],
            "heuristics": [heuristic.name for heuristic in heuristics.heuristics_of(book)],
            "chance": book.outcomes is not None,
            "winner": book.winner,
        }


def keep_for_browsers(made: ExportedGame) -> list[str]:
    """The names under which the cache has the module and what is told of the game, for a server to hand out."""
    names = []
    for content, ending in ((made.module, "wasm"), (made.about, "json")):
        name = f"browser_{hashlib.sha256(content).hexdigest()[:32]}.{ending}"
        if cache.read_sealed(name) is None:
            cache.write_sealed(name, content)
        names.append(name)
    return names


def agent_facts() -> list[dict[str, Any]]:
    """The agents of a page, with the options that mean something there."""
    kept = {"seconds", "depth", "nodes", "level"}
    found = [safe_agents.facts(kind) for name, kind in agents.kinds().items() if name in AGENTS]
    return [agent | {"options": [one for one in agent["options"] if one["name"] in kept]} for agent in found]
