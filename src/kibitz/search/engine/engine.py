"""The engine as Python sees it: deepening, windows, time, threads, and the report."""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.heuristic import NO_HEURISTIC, Heuristic
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP, stoppable
from kibitz.core.seam.slots import NO_PROBE_TABLE, ProbeTable, key
from kibitz.search.budget import line_of, refuse_finished
from kibitz.search.clock import Allowance
from kibitz.search.engine.kernel import TINY, visit
from kibitz.search.engine.memory import (
    AGE,
    CONTROL_SIZE,
    CUTOFFS,
    EXCLUDED,
    HISTORY,
    HITS,
    LINES_TAKEN,
    MAX_LEVEL,
    ME,
    MOST_LINES,
    MOST_SEEN,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    POSITIVE,
    PV,
    PV_LENGTH,
    ROOT_DEPTH,
    SEEN,
    SEEN_COUNT,
    WORK_SIZE,
)
from kibitz.search.engine.steps import constants_without
from kibitz.search.engine.transpositions import AGES, new_table
from kibitz.search.report import WIN, Report, Score

ENDLESS = 1 << 60
MOST_DEPTH = MAX_LEVEL - 28  # room for quiescence and extensions
FIRST_WINDOW = 0.5  # of the heuristic's unit, on either side of the last score
CHANCE_WIN = 1.05  # a win in units of the heuristic's bound, where chance mixes wins with scores
CHANCE_TURN = 1e-4  # what a turn's delay of a win costs there, in the same unit

Watcher = Callable[[Report], None]


def hash_key(state: Any, rules: Any) -> int:
    """A kernel: the key of a state as the search compares it."""
    return int(key(state, rules) & np.uint64(POSITIVE))


@dataclass
class Thread:
    """What belongs to one searching thread alone."""

    out: NDArray[np.int64]
    order: NDArray[np.int64]
    odds: NDArray[np.float64]
    control: NDArray[np.int64] = field(default_factory=lambda: np.zeros(CONTROL_SIZE, np.int64))
    work: NDArray[np.int64] = field(default_factory=lambda: np.zeros(WORK_SIZE, np.int64))

    @classmethod
    def of_size(cls, moves: int) -> "Thread":
        """A thread with room for so many moves on its line."""
        return cls(np.zeros(moves, np.int64), np.zeros(moves, np.int64), np.zeros(moves, np.float64))


class Engine:
    """A search for one game. It keeps its table from move to move; `forget` empties it.

    Without a heuristic every unfinished position is worth the same. `perfect` is a table of perfect play. `without`
    leaves steps out.
    """

    def __init__(
        self,
        game: Game,
        heuristic: Heuristic = NO_HEURISTIC,
        *,
        perfect: ProbeTable = NO_PROBE_TABLE,
        megabytes: int = 64,
        threads: int = 1,
        without: Iterable[str] = (),
    ) -> None:
        if not 1 <= threads <= 256:
            raise BadOption(f"threads is {threads}, expected 1 to 256")
        self.game = game
        self.chancy = game.rulebook.outcomes is not None
        if heuristic.game not in ("", game.rulebook.name):
            raise BadOption(f"heuristic {heuristic.name} is of {heuristic.game}, not of {game.rulebook.name}")
        self.reach = max(abs(heuristic.bounds[0]), abs(heuristic.bounds[1]), 1.0)
        win, cost = (CHANCE_WIN * self.reach, CHANCE_TURN * self.reach) if self.chancy else (WIN, 1.0)
        self.win, self.cost, self.unit = win, cost, heuristic.unit
        self.weights = np.concatenate([heuristic.weight_array, [win, cost, heuristic.unit]]).astype(np.float64)
        if heuristic.is_tactical is None:
            without = {*without, "quiescence"}
        constants = constants_without(without) | {
            "REPEATS": int(game.rulebook.repetition > 0),
            "NARROW": int(heuristic.candidates is not None and game.rulebook.alternating is True),
        }
        self._visit = specialise(game.rulebook, visit, heuristic, probe=perfect.probe, constants=constants)
        self._hash = specialise(game.rulebook, hash_key)
        self.selective = heuristic.candidates is not None and game.rulebook.alternating is not True
        self.perfect = perfect
        self.blind = not heuristic.judges
        self.table = new_table(megabytes)
        size = (MAX_LEVEL + 2) * game.max_moves
        self.threads = [Thread.of_size(size) for _ in range(threads)]
        self.age = 0
        self._hashes: dict[tuple[Any, ...], int] = {}
        self.search(game.new(), Limit(depth=1))
        self.forget()

    def forget(self) -> None:
        """Empty the table and everything learned about moves."""
        self.table[:] = 0
        self.age = 0
        for thread in self.threads:
            thread.work[:] = 0

    def search(self, position: Position, limit: Limit, *, lines: int = 1, watch: Watcher | None = None) -> Report:
        """The best turn within the limit. `watch` is called with a report after every depth."""
        refuse_finished(position)
        began = time.perf_counter()
        allowance = Allowance.of(limit, began)
        self._prepare(position, limit)
        control = self.threads[0].control
        run = _Deepening(self, position, limit, allowance, min(lines, MOST_LINES), watch)
        timer = allowance.timer(lambda: self._stop(run))
        try:
            return stoppable(control, run.report)  # type: ignore[no-any-return]
        except KeyboardInterrupt:
            run.interrupted = True
            return run.answer()
        finally:
            if timer is not None:
                timer.cancel()

    def _stop(self, run: "_Deepening") -> None:
        run.out_of_time = True
        for thread in self.threads:
            thread.control[STOP] = 1

    def _prepare(self, position: Position, limit: Limit) -> None:
        self.age = (self.age + 1) % AGES
        seen = self._seen_too_often(position)
        for number, thread in enumerate(self.threads):
            thread.control[:] = 0
            thread.control[AGE] = self.age
            thread.control[ME] = position.turn
            thread.control[NODE_LIMIT] = limit.nodes if limit.nodes is not None and number == 0 else ENDLESS
            thread.control[SEEN_COUNT] = len(seen)
            thread.work[SEEN : SEEN + len(seen)] = seen
            thread.work[:PV] = NO_MOVE  # killers
            thread.work[HISTORY:] //= 2

    def _seen_too_often(self, position: Position) -> list[int]:
        """The keys of positions that end the game as a draw when they come up once more."""
        most = self.game.rulebook.repetition
        if most == 0:
            return []
        counts: dict[tuple[Any, ...], int] = {}
        states: dict[tuple[Any, ...], Any] = {}
        for earlier in position.trail():
            counts[earlier.key] = counts.get(earlier.key, 0) + 1
            states[earlier.key] = earlier.state
        often = [known for known, count in counts.items() if count >= most - 1][:MOST_SEEN]
        for known in often:
            if known not in self._hashes:
                self._hashes[known] = int(self._hash(states[known], self.game.rules))
        return [self._hashes[known] ^ position.turn for known in often]

    def visit_root(self, thread: Thread, position: Position, depth: int, alpha: float, beta: float) -> float:
        """The value of the root within a window, for the side to move."""
        thread.control[ROOT_DEPTH] = depth
        before = position.before
        fresh = int(before is None or before.turn != position.turn)
        previous = NO_MOVE if position.last_move is None else position.last_move
        node = (depth, alpha, beta, position.turn, fresh, 0, 0, 0, previous, 0)
        buffers = (thread.out, thread.order, thread.odds, thread.work, self.table, self.table.view(np.float64))
        rest = (*buffers, self.perfect.header, self.perfect.data, thread.control)
        return float(self._visit(position.state, self.game.rules, *node, self.weights, *rest))

    @staticmethod
    def whole_turn(position: Position, line: tuple[int, ...]) -> tuple[int, ...]:
        """The moves of the side to move; where the line stops within its turn, the first legal moves complete it."""
        here = position
        moves: list[int] = []
        rest = list(line)
        while not here.over and here.turn == position.turn:
            moves.append(rest.pop(0) if rest else here.move_ids[0])
            here = here.play(moves[-1])
        return tuple(moves)

    def score(self, value: float, position: Position) -> Score:
        """A kernel's value as people see it."""
        side = self.game.rulebook.sides[position.turn]
        if self.chancy and abs(value) > self.reach:
            turns = round((self.win - abs(value)) / self.cost)
            return Score.read(WIN - turns if value > 0 else turns - WIN, side)
        return Score.read(value, side)


class _Deepening:
    """One search: deeper and deeper until something stops it."""

    def __init__(
        self, engine: Engine, position: Position, limit: Limit, allowance: Allowance, lines: int, watch: Watcher | None
    ) -> None:
        self.engine = engine
        self.position = position
        self.allowance = allowance
        self.lines = max(1, min(lines, len(position.move_ids)))
        self.watch = watch
        self.most = min(limit.depth or MOST_DEPTH, MOST_DEPTH)
        self.found: list[tuple[float, tuple[int, ...]]] = []
        self.depth = 0
        self.out_of_time = False
        self.interrupted = False

    def report(self) -> Report:
        """Deepen until the limit, the last word, or the only move."""
        helpers = [threading.Thread(target=self._help, args=(number,), daemon=True) for number in range(1, self._count)]
        for helper in helpers:
            helper.start()
        try:
            self._deepen()
        finally:
            for thread in self.engine.threads[1:]:
                thread.control[STOP] = 1
            for helper in helpers:
                helper.join()
        return self.answer()

    @property
    def _count(self) -> int:
        return len(self.engine.threads)

    def _deepen(self) -> None:
        thread = self.engine.threads[0]
        for depth in range(1, self.most + 1):
            lines = self._lines_at(depth)
            if len(lines) == self.lines or (lines and not self.found):
                self.found = lines
            if thread.control[STOP]:
                self._take_partial(lines)
                return
            self.depth = depth
            if self.watch is not None:
                self.watch(self.answer())
            if self._settled(depth) or not self.allowance.another_depth(time.perf_counter()):
                return

    def _lines_at(self, depth: int) -> list[tuple[float, tuple[int, ...]]]:
        """The best lines at a depth; fewer when the search is stopped."""
        thread = self.engine.threads[0]
        found: list[tuple[float, tuple[int, ...]]] = []
        for number in range(self.lines):
            thread.control[LINES_TAKEN] = number
            for index, (_, line) in enumerate(found):
                thread.work[EXCLUDED + index] = line[0]
            guess = self.found[number][0] if number < len(self.found) else None
            value = self._within_windows(thread, depth, guess)
            if thread.control[STOP]:
                break
            found.append((value, self._line(thread)))
        thread.control[LINES_TAKEN] = 0
        return sorted(found, key=lambda pair: -pair[0])

    def _within_windows(self, thread: Thread, depth: int, guess: float | None) -> float:
        """The value at a depth, first tried in a narrow window around the last one."""
        engine = self.engine
        endless = 2.0 * engine.win
        width = FIRST_WINDOW * engine.unit
        low, high = -endless, endless
        if guess is not None and depth >= 4 and abs(guess) < engine.win - 1000 * engine.cost:
            low, high = guess - width, guess + width
        while True:
            value = engine.visit_root(thread, self.position, depth, low, high)
            if thread.control[STOP] or low < value < high:
                return value
            width *= 3
            if value <= low:
                low = value - width if width < 50 * engine.unit else -endless
            else:
                high = value + width if width < 50 * engine.unit else endless
            if value >= endless - TINY or value <= TINY - endless:
                return value

    def _line(self, thread: Thread) -> tuple[int, ...]:
        length = int(thread.work[PV_LENGTH])
        return tuple(int(move) for move in thread.work[PV : PV + length])

    def _take_partial(self, lines: list[tuple[float, tuple[int, ...]]]) -> None:
        """Stopped within a depth: what its first moves showed counts, since the best one was searched first."""
        line = self._line(self.engine.threads[0])
        if self.lines == 1 and line and self.found and line[0] != self.found[0][1][0] and not lines:
            self.found = [(self.found[0][0], line)]

    def _settled(self, depth: int) -> bool:
        """Is there nothing more to find? A proven win or loss within the depth, or a single move to make."""
        value = self.found[0][0]
        sure = abs(value) > self.engine.win - 1000 * self.engine.cost
        within = sure and depth >= round((self.engine.win - abs(value)) / self.engine.cost)
        return (within and self.lines == 1) or (len(self.position.move_ids) == 1 and self.allowance.timed)

    def _help(self, number: int) -> None:
        """Another thread searches the same root, every second one a depth ahead, and fills the shared table."""
        thread = self.engine.threads[number]
        endless = 2.0 * self.engine.win
        depth = 1
        while depth < MOST_DEPTH and not thread.control[STOP]:
            depth = max(depth + 1, self.depth + 1 + number % 2)
            self.engine.visit_root(thread, self.position, depth, -endless, endless)

    def answer(self) -> Report:
        """What is known so far."""
        engine, position = self.engine, self.position
        found = self.found or [(0.0, (position.move_ids[0],))]
        lines = [
            replace(line_of(position, value, moves), score=engine.score(value, position)) for value, moves in found
        ]
        controls = [thread.control for thread in engine.threads]
        return Report(
            moves=engine.whole_turn(position, found[0][1]),
            lines=tuple(lines),
            depth=self.depth,
            nodes=int(sum(control[NODES] for control in controls)),
            seconds=time.perf_counter() - self.allowance.began,
            table_hits=int(sum(control[HITS] for control in controls)),
            cutoffs=int(sum(control[CUTOFFS] for control in controls)),
            remarks=self._remarks(lines[0].score),
        )

    def _remarks(self, score: Score) -> tuple[str, ...]:
        if len(self.engine.perfect.header):
            return ("perfect play is known by a table",)
        if self.engine.blind:
            return ("there is no heuristic: every unfinished position counts as equal",)
        if self.engine.selective and score.win_in is not None:
            return ("forced among the turns worth trying, not among all",)
        return ()
