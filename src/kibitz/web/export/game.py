"""What a page has of one game: its module, and all that is told of it."""

import json
from functools import cached_property
from typing import Any

from kibitz import agents, heuristics
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
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
        """Checked on random positions, or refused."""
        return find_view(self.plain)

    @cached_property
    def module(self) -> bytes:
        return build_module(self.game, self.heuristic)

    @cached_property
    def about(self) -> bytes:
        """The manifest, and what the server would tell of the game."""
        facts = game_facts(self.plain) | {"view": self.view.data}
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


def agent_facts() -> list[dict[str, Any]]:
    """The agents of a page, with the options that mean something there."""
    kept = {"seconds", "depth", "nodes", "level"}
    found = [safe_agents.facts(kind) for name, kind in agents.kinds().items() if name in AGENTS]
    return [agent | {"options": [one for one in agent["options"] if one["name"] in kept]} for agent in found]
