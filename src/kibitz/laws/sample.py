"""Where the laws look: the positions of random games."""

import random
import time
import traceback
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from kibitz.core.errors import KibitzError, RulesError
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, DRAW, FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS
from kibitz.core.rulebook import Rule, asks
from kibitz.laws.law import Scope, describe

LONGEST = 5000  # moves of a game that should have ended by then
SIDES = (FIRST, SECOND, CHANCE)
RESULTS = (ONGOING, FIRST_WINS, SECOND_WINS, DRAW)

Playout = list[Position]


class Sample:
    """Random games, played once and looked at by every law. The same seed gives the same games.

    `positions` bounds how many of their positions a law is asked about, and `until`, a moment of time.monotonic(),
    stops the playing early.
    """

    def __init__(
        self, game: Game, games: int = 20, seed: int = 0, positions: int | None = None, until: float | None = None
    ) -> None:
        self.game = game
        self.games = games
        self.seed = seed
        self.most = positions
        self.until = until

    def cases(self, scope: Scope, basic: bool = False) -> Iterator[Any]:
        """What a law of this scope is asked about; only a basic one meets positions whose moves are in doubt."""
        if scope == "game":
            yield self.game
        elif scope == "playout":
            yield from self.playouts
        else:
            yield from islice(self.positions if basic else self.sound_positions, self.most)

    @cached_property
    def playouts(self) -> list[Playout]:
        """The games from start to end."""
        dice = random.Random(self.seed)
        played = []
        for _ in range(self.games):
            played.append(list(walk(self.game.new(), dice)))
            if self.until is not None and time.monotonic() > self.until:
                break
        return played

    @cached_property
    def positions(self) -> list[Position]:
        """The positions of all games, shuffled, so that a law that runs out of time has seen something of each."""
        found = [position for playout in self.playouts for position in playout]
        random.Random(self.seed).shuffle(found)
        return found

    @cached_property
    def sound_positions(self) -> list[Position]:
        """Those of them that most laws are about."""
        return [position for position in self.positions if is_sound(position)]


def walk(position: Position, dice: random.Random) -> Iterator[Position]:
    """A random game from here on, up to its end or to the first position whose moves are in doubt."""
    for _ in range(LONGEST):
        yield position
        try:
            if not is_sound(position) or position.over:
                return
            position = position.roll(dice) if position.turn == CHANCE else position.play(dice.choice(position.move_ids))
        except KibitzError:
            raise
        except Exception as problem:  # rules may fail in any way
            raise RulesError(f"{blame(problem, position.game)}, in {describe(position)}") from problem
    yield position


def is_sound(position: Position) -> bool:
    """Can the game go on from here, or has it ended? Where not, a basic law says why."""
    code = position.game.result(position.state)
    if code not in RESULTS or position.turn not in SIDES:
        return False
    return position.over or 1 <= len(list_moves(position)) <= position.game.max_moves


def list_moves(position: Position) -> list[Any]:
    """What `moves` or `outcomes` yields here, unchecked; one more than declared is enough."""
    game = position.game
    rule = game.rulebook.outcomes if position.turn == CHANCE else game.rulebook.moves
    return [] if rule is None else list(islice(run(game, rule, position.state), game.max_moves + 1))


def run(game: Game, rule: Rule, *given: Any) -> Any:
    """What a function of the rulebook says."""
    return rule(*given, rules=game.rules) if asks(rule, "rules") else rule(*given)


def choices(position: Position) -> list[int]:
    """The codes of the moves here, or of the outcomes where chance is to move."""
    return list(position.move_ids) or [code for _, code in position.game.outcomes(position.state)]


def children(position: Position) -> Iterator[tuple[int, Position]]:
    """Every move or outcome and the position after it."""
    for code in [] if position.over else choices(position):
        yield code, position.play(code)


def blame(problem: Exception, game: Game) -> str:
    """What went wrong, and in which line of the rules file."""
    what = f"{type(problem).__name__}: {problem}".splitlines()[0]
    frames = list(traceback.extract_tb(problem.__traceback__))
    rules_file = game.rulebook.play.__code__.co_filename
    mine = [frame for frame in frames if frame.filename == rules_file] or frames
    return f"{Path(mine[-1].filename).name}:{mine[-1].lineno}: {mine[-1].name}() fails with {what}"
