"""What a worker keeps between jobs: games, agents, engines, tables, and where it saw each game last."""

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from kibitz import agents, heuristics
from kibitz.agents.agent import Agent
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.games import catalog
from kibitz.search.engine import Engine
from kibitz.tables import folder
from kibitz.tables.probe_table import find_probe_table
from kibitz.tables.table import Table
from kibitz.web.facts import Facts
from kibitz.web.limits import USUAL_HASH

Key = TypeVar("Key")
Thing = TypeVar("Thing")

MOST_AGENTS, MOST_ENGINES, MOST_POSITIONS, MOST_GAMES = 10, 5, 256, 64


class Room:
    """What a worker keeps between jobs, the least recently used thrown away first."""

    def __init__(self) -> None:
        self.games: OrderedDict[str, Game] = OrderedDict()
        self.agents: OrderedDict[tuple[str, str], Agent] = OrderedDict()
        self.engines: OrderedDict[str, Engine] = OrderedDict()
        self.tables: OrderedDict[str, Table | None] = OrderedDict()
        self.positions: OrderedDict[tuple[str, str, str], tuple[list[int], Position]] = OrderedDict()

    def game(self, text: str) -> Game:
        return kept(self.games, text, MOST_GAMES, lambda: catalog.load(text))

    def agent(self, game: str, text: str) -> Agent:
        """The agent of this text, ready to think."""
        return kept(self.agents, (game, text), MOST_AGENTS, lambda: agents.agent(text, self.game(game)))

    def engine(self, game: str) -> Engine:
        """The engine that analyses a game."""
        book = self.game(game)
        chosen = heuristics.find(book.rulebook)

        def make() -> Engine:
            return Engine(book, chosen, perfect=find_probe_table(book), megabytes=USUAL_HASH)

        return kept(self.engines, game, MOST_ENGINES, make)

    def table(self, game: str) -> Table | None:
        """The perfect-play table of a game, if there is one that can be read."""
        return kept(self.tables, game, MOST_GAMES, lambda: found_table(self.game(game)))

    def position(self, given: Facts) -> Position:
        """The position of a table, gone on from where this worker saw it last."""
        key = (given["table"], given["game"], given["start"])
        codes: list[int] = given["codes"]
        seen, here = self.positions.pop(key, ([], None))
        if here is None or seen != codes[: len(seen)]:
            seen, here = [], self.game(given["game"]).position(given["start"])
        for code in codes[len(seen) :]:
            before, here = here, here.play(code)
            before.forget_moves()
        kept(self.positions, key, MOST_POSITIONS, lambda: (codes, here))
        return here


def kept(shelf: OrderedDict[Key, Thing], key: Key, most: int, make: Callable[[], Thing]) -> Thing:
    """What is known under a key, made if it must be."""
    if key not in shelf:
        made = make()
        while len(shelf) >= most:
            shelf.popitem(last=False)
        shelf[key] = made
    shelf.move_to_end(key)
    return shelf[key]


def found_table(game: Game) -> Table | None:
    """The table of a game on this machine."""
    try:
        return folder.find(game)
    except KibitzError:
        return None
