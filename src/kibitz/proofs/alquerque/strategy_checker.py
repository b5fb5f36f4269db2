"""The checker of strategies: it plays one against every defence there is, with the game's rules, and sees that it never
loses.

From the start on it makes the move that the strategy wants and tries every reply, and goes on from each position that
arises, once. If none of the replies ever takes the last piece, the side with the strategy at least draws, for the game
always ends. No table and no search is trusted, and the preferences need not be: they only say which move is tried.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import count
from kibitz.core.game import Game
from kibitz.core.result import FIRST, ONGOING, SECOND_WINS
from kibitz.core.seam import specialise
from kibitz.core.seam.slots import moves, play, result
from kibitz.games.alquerque import BOARD, FIELDS, FLIP, State
from kibitz.proofs.alquerque.preferences import canonical, score
from kibitz.proofs.alquerque.strategy import Strategy
from kibitz.proofs.certificate import BadCertificate
from kibitz.proofs.control import FOUND, STOP, WAITING, new_control
from kibitz.proofs.monitor import run_monitored
from kibitz.tables.errors import CannotSolve
from kibitz.tables.resources import budget_memory, format_bytes

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]

HOLDS, LOST, CROWDED = 0, -1, -2
SPREAD, SCATTERED = 0x1E3779B97F4A7C15, 20  # an odd number; from this bit on its products are scattered
PLIES = 160  # more than a game has


class StrategyArrays(NamedTuple):
    """A strategy as the kernels read it."""

    weights: Integers
    few: int
    book: Integers
    skips: Small


def play_out(
    rules: Any,
    strategy: StrategyArrays,
    seen: Integers,
    waiting: Integers,
    scores: Integers,
    out: Integers,
    control: Integers,
) -> int:
    """Follow up the positions that wait and all that come of them. HOLDS when none is left; or the code of a position
    where the strategy fails; or CROWDED where more positions arise than there is room for.
    """
    while control[WAITING] > 0 and control[STOP] == 0:
        control[WAITING] -= 1
        code = waiting[control[WAITING]]
        after = answer(code, rules, strategy, scores, out)
        if after == LOST:
            return int(code)
        state = State(after & BOARD, after >> FIELDS, 1 - FIRST, 0, 0, 0, 0)
        if result(state, rules) != ONGOING:
            continue
        for index in range(moves(state, rules, out, 0)):
            reply = play(state, out[index], rules)
            outcome = result(reply, rules)
            if outcome == SECOND_WINS:
                return int(code)
            if outcome == ONGOING and not add_to_set(canonical(reply.white | reply.black << FIELDS), seen):
                waiting[control[WAITING]] = canonical(reply.white | reply.black << FIELDS)
                control[WAITING] += 1
                control[FOUND] += 1
        if control[FOUND] * 8 > seen.size * 7:
            return CROWDED
    return HOLDS


def answer(code: int, rules: Any, strategy: StrategyArrays, scores: Integers, out: Integers) -> int:
    """The code of the position after the move that the strategy wants; LOST where there is no such move."""
    state = State(code & BOARD, code >> FIELDS, FIRST, 0, 0, 0, 0)
    end = moves(state, rules, out, 0)
    for index in range(end):
        after = play(state, out[index], rules)
        captured = count(state.black) - count(after.black)
        scores[index] = score(after.white, after.black, captured, strategy.weights, strategy.few)
    better = count_skips(code, strategy)
    for index in range(end):
        ahead = 0
        for other in range(end):
            if scores[other] > scores[index]:
                ahead += 1
        if ahead == better:
            after = play(state, out[index], rules)
            return int(after.white | after.black << FIELDS)
    return LOST


def count_skips(code: int, strategy: StrategyArrays) -> int:
    """How many preferred moves the book skips."""
    at = np.searchsorted(strategy.book, code)
    return int(strategy.skips[at]) if at < strategy.book.size and strategy.book[at] == code else 0


def add_to_set(code: int, seen: Integers) -> bool:
    """Put a position into a hash set; was it there before?"""
    place = (code * SPREAD >> SCATTERED & (1 << 40) - 1) % seen.size
    while seen[place] != 0:
        if seen[place] == code:
            return True
        place += 1
        if place == seen.size:
            place = 0
    seen[place] = code
    return False


class StrategyChecker:
    """Goes through one strategy."""

    def __init__(self, game: Game, strategy: Strategy) -> None:
        self.game, self.strategy = game, strategy
        self._control = new_control()

    def check(self, watch: Callable[[int], None] = lambda done: None) -> None:
        """Refuse the strategy, naming the position where it fails, unless it holds."""
        strategy, control, most = self.strategy, self._control, self.game.max_moves
        self._check_shape()
        waiting = np.zeros(PLIES * most, np.int64)
        starts = np.array(sorted({self._code(state) for state in self._after_the_start()}), np.int64)
        waiting[: starts.size] = starts
        control[FOUND] = control[WAITING] = starts.size
        arrays = StrategyArrays(*strategy.preferences, strategy.book, strategy.skips)
        scores, out = np.zeros(most, np.int64), np.zeros(most, np.int64)
        arguments = self.game.rules, arrays, self._make_set(), waiting, scores, out, control
        run = specialise(self.game.rulebook, play_out)
        failed = run_monitored(control, lambda: watch(int(control[FOUND])), run, *arguments)
        if failed == CROWDED or (failed == HOLDS and control[FOUND] != strategy.positions):
            found = f"{'more than ' if failed == CROWDED else ''}{int(control[FOUND]):,}"
            raise BadCertificate(f"{found} positions can arise, but it names {strategy.positions:,}")
        if failed != HOLDS:
            raise BadCertificate(f"the strategy fails in '{self._text(int(failed))}'")

    def _make_set(self) -> Integers:
        """A hash set for the positions that arise, a third larger than what there is to be put in."""
        size = self.strategy.positions * 4 // 3 + 1024
        if 8 * size > budget_memory(None).bytes:
            raise CannotSolve(
                f"checking takes {format_bytes(8 * size)} of memory, but {budget_memory(None)} may be used"
            )
        return np.zeros(size, np.int64)

    def _check_shape(self) -> None:
        book = self.strategy.book
        if bool(np.any(book[1:] <= book[:-1])) or self.strategy.positions < 0 or self.strategy.winner not in (0, 1):
            raise BadCertificate("the book is no sorted list of positions")

    def _after_the_start(self) -> list[Any]:
        """The states in which the strategy has to move first, its side going up."""
        position, winner = self.game.position(self.strategy.position), self.strategy.winner
        states = [position.state]
        if position.turn != winner:
            states = [self.game.play(position.state, move) for move in self.game.moves(position.state)]
        states = [state if winner == FIRST else self.game.transform(state, FLIP) for state in states]
        lost = [state for state in states if self.game.result(state) == SECOND_WINS]
        if lost:
            raise BadCertificate(f"'{self.game.write(lost[0])}', to which the start leads, is lost")
        return [state for state in states if self.game.result(state) == ONGOING]

    def _code(self, state: Any) -> int:
        return canonical(int(state.white) | int(state.black) << FIELDS)

    def _text(self, code: int) -> str:
        """The position where it fails, as the strategy's side sees it."""
        return self.game.write(State(code & BOARD, code >> FIELDS, FIRST, 0, 0, 0, 0))


def check(game: Game, strategy: Strategy, watch: Callable[[int], None]) -> None:
    """Refuse a strategy unless it holds."""
    StrategyChecker(game, strategy).check(watch)
