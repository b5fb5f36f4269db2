"""What a worker keeps between jobs: games, agents, engines, tables, and where it saw each game last."""

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from kibitz import agents, nets
from kibitz.agents.agent import Agent
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.seam.slots import NO_PROBE_TABLE
from kibitz.games import catalog
from kibitz.search.engine import Engine
from kibitz.tables import folder
from kibitz.tables.probe_table import find_probe_table
from kibitz.tables.table import Table
from kibitz.web.api.facts import Facts
from kibitz.web.api.limits import USUAL_HASH

Key = TypeVar("Key")
Thing = TypeVar("Thing")

MOST_AGENTS, MOST_ENGINES, MOST_POSITIONS, MOST_GAMES = 10, 5, 256, 64


class WorkerCache:
    """What a worker keeps between jobs, the least recently used thrown away first."""

    def __init__(self) -> None:
        self.games: OrderedDict[str, Game] = OrderedDict()
        self.agents: OrderedDict[tuple[str, str], Agent] = OrderedDict()
        self.engines: OrderedDict[tuple[str, bool], Engine] = OrderedDict()
        self.tables: OrderedDict[str, Table | None] = OrderedDict()
        self.positions: OrderedDict[tuple[str, str, str], tuple[list[int], Position]] = OrderedDict()

    def game(self, text: str) -> Game:
        return get_or_make(self.games, text, MOST_GAMES, lambda: catalog.load(text))

    def agent(self, game: str, text: str) -> Agent:
        """The agent of this text, ready to think."""
        return get_or_make(self.agents, (game, text), MOST_AGENTS, lambda: agents.agent(text, self.game(game)))

    def engine(self, game: str, exact: bool) -> Engine:
        """The engine that analyses a game, with its table of perfect play or without."""
        rules = self.game(game)
        chosen = nets.find_heuristic(rules)

        def make() -> Engine:
            table = find_probe_table(rules) if exact else NO_PROBE_TABLE
            return Engine(rules, chosen, perfect=table, megabytes=USUAL_HASH)

        return get_or_make(self.engines, (game, exact), MOST_ENGINES, make)

    def table(self, game: str) -> Table | None:
        """The perfect-play table of a game, if there is one that can be read."""
        return get_or_make(self.tables, game, MOST_GAMES, lambda: find_table(self.game(game)))

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
        get_or_make(self.positions, key, MOST_POSITIONS, lambda: (codes, here))
        return here


def get_or_make(store: OrderedDict[Key, Thing], key: Key, most: int, make: Callable[[], Thing]) -> Thing:
    """What is known under a key, made if it must be."""
    if key not in store:
        made = make()
        while len(store) >= most:
            store.popitem(last=False)
        store[key] = made
    store.move_to_end(key)
    return store[key]


def find_table(game: Game) -> Table | None:
    """The table of a game on this machine."""
    try:
        return folder.find(game)
    except KibitzError:
        return None
