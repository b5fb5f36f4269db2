"""Where puzzles come from: the positions of games, of stores and records, or of games that two erring engines play."""

import random
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

from kibitz import nets
from kibitz.arena.contest.store import Store
from kibitz.arena.records import files
from kibitz.arena.records.record import Record
from kibitz.arena.records.replay import positions
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.random_play import play_turns
from kibitz.core.result import CHANCE
from kibitz.core.seam.control import StopSignal
from kibitz.games import catalog
from kibitz.search.engine import Engine
from kibitz.tables.file.identity import name_of

SQLITE = b"SQLite format 3\0"
LONGEST_OPENING = 80  # random turns: the more of them, the thinner and the sharper is what follows
NODES = 400  # of an engine's turn
MOST_SLIPS = 0.35  # the share of random moves in the worst games
LONGEST_GAME = 400  # turns
LAST_TURNS = 20  # of a game that are looked at: there wins are near


class GameTask(NamedTuple):
    """A game to be looked through: the engine's of this number, or a recorded one."""

    origin: str
    number: int
    record: Record | None = None


Numbered = Iterator[tuple[int, Position]]  # positions in which a side begins a turn, and which turn it is


def engine_tasks(seed: int, first: int) -> Iterator[GameTask]:
    """Games of the engine against itself, without end."""
    return (GameTask(f"engine game {number + 1} of seed {seed}", number) for number in count(first))


def recorded_tasks(game: Game, paths: Sequence[Path]) -> Iterator[GameTask]:
    """The games of these rules in stores and record files."""
    wanted = name_of(game)
    for path in paths:
        known: dict[str, bool] = {}
        for number, record in enumerate(_records(path), 1):
            if record.game not in known:
                known[record.game] = name_of(catalog.load_known(record.game)) == wanted
            if known[record.game]:
                yield GameTask(f"{path.name}, game {number}", number, record)


def _records(path: Path) -> list[Record]:
    try:
        with path.open("rb") as file:
            is_store = file.read(len(SQLITE)) == SQLITE
    except OSError as problem:
        raise KibitzError(f"cannot read '{path}': {problem.strerror}") from None
    if not is_store:
        return files.load(path)
    with Store(path, create=False) as store:
        return [played.record for number in store.contests() for played in store.games(number)]


def positions_of_record(record: Record) -> Numbered:
    """The positions of a recorded game in which a side is to move."""
    for number, position in enumerate(positions(record), 1):
        if not position.over and position.turn != CHANCE:
            yield number, position


class EnginePlay:
    """Games of the engine against itself, each known by its number and a seed alone."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.engine = Engine(game, nets.find_heuristic(game), megabytes=2)

    def positions(self, number: int) -> Numbered:
        """The last ones of the game of this number; of a game that nobody won, some others in a row."""
        dice = random.Random(f"{self.seed}:{number}")
        self.engine.forget()
        here = self._opening(dice)
        slips = dice.random() * MOST_SLIPS
        seen: list[tuple[int, Position]] = []
        for turn in range(1, LONGEST_GAME + 1):
            if here is None or here.over:
                break
            seen.append((turn, here))
            here = self._take_turn(here, slips, dice)
        decided = here is not None and here.result is not None and here.result.winner is not None
        end = len(seen) if decided or not seen else dice.randrange(len(seen)) + 1
        yield from seen[max(0, end - LAST_TURNS) : end]

    def _opening(self, dice: random.Random) -> Position | None:
        """A position after random turns; fewer, where so many end the game."""
        turns = dice.randrange(LONGEST_OPENING)
        here = play_turns(self.game.new(), turns, dice)
        while here is None and turns:
            turns //= 2
            here = play_turns(self.game.new(), turns, dice)
        return here

    def _take_turn(self, here: Position, slips: float, dice: random.Random) -> Position:
        """The position in which the next side begins its turn."""
        slipping = dice.random() < slips
        moves = [] if slipping else list(self._choose(here))
        side = here.turn
        while not here.over and here.turn == side:
            here = here.play(moves.pop(0) if moves else dice.choice(here.move_ids))
        while not here.over and here.turn == CHANCE:
            here = here.roll(dice)
        return here

    def _choose(self, here: Position) -> tuple[int, ...]:
        stop = StopSignal()
        report = self.engine.search(here, Limit(nodes=NODES), stop=stop)
        if stop.interrupted:
            raise KeyboardInterrupt
        return report.moves
