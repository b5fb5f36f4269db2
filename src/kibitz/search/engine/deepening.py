"""One search: deeper and deeper, in windows around the last score, on all threads, until something stops it."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.seam.control import StopSignal
from kibitz.search.budget import line_of
from kibitz.search.clock import Allowance
from kibitz.search.engine.kernel import TINY
from kibitz.search.engine.memory import MAX_LEVEL, MOST_LINES, Memory
from kibitz.search.report import Line, Report

if TYPE_CHECKING:
    from kibitz.search.engine.engine import Engine

MOST_DEPTH = MAX_LEVEL - 28  # room for quiescence and extensions
FIRST_WINDOW = 0.5  # of the heuristic's unit, on either side of the last score
WIDER = 3.0  # how much a window grows that missed the score
WIDEST_WINDOW = 50.0  # of the unit; beyond it there is no bound

Watcher = Callable[[Report], None]


class Found(NamedTuple):
    """A line and its value for the side to move."""

    value: float
    moves: tuple[int, ...]
    proven: bool


class Deepening:
    """The state of one search. Each depth begins with what the one before found."""

    def __init__(
        self,
        engine: "Engine",
        position: Position,
        limit: Limit,
        lines: int,
        watch: Watcher | None,
        stop: StopSignal,
        began: float,
    ) -> None:
        self.engine = engine
        self.position = position
        self.allowance = Allowance.of(limit, began)
        self.lines = max(1, min(lines, MOST_LINES, len(position.move_ids)))
        self.watch = watch
        self.stop = stop
        self.memories = [memory._replace(stop=stop.flag) for memory in engine.memories]
        self.most = min(limit.depth or MOST_DEPTH, MOST_DEPTH)
        self.found: list[Found] = []
        self.depth = 0
        self._failures: list[BaseException] = []

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Stop when the time is up."""
        timer = self.allowance.timer(self.stop.stop)
        try:
            yield
        finally:
            if timer is not None:
                timer.cancel()

    def report(self) -> Report:
        """Deepen until the limit, the last word, or the only move."""
        helpers = [threading.Thread(target=self._help, args=(number,), daemon=True) for number in self._helpers]
        for helper in helpers:
            helper.start()
        try:
            self._deepen()
        finally:
            self.stop.stop()
            for helper in helpers:
                helper.join()
        if self._failures:
            raise self._failures[0]
        return self.answer()

    @property
    def _helpers(self) -> range:
        return range(1, len(self.memories))

    def _deepen(self) -> None:
        for depth in range(1, self.most + 1):
            lines = self._lines_at(depth)
            if self.stop.stopped and len(lines) < len(self.found or [0]):
                if not lines:
                    self._take_unfinished()
                return
            self.found, self.depth = lines, depth
            if self.watch is not None:
                self.watch(self.answer())
            if self._settled(depth) or not self.allowance.another_depth(time.perf_counter()):
                return

    def _lines_at(self, depth: int) -> list[Found]:
        """The best lines at a depth; fewer when the search is stopped."""
        memory = self.memories[0]
        record = memory.record[0]
        found: list[Found] = []
        for number in range(self.lines):
            record.excluded_count = number
            for index, line in enumerate(found):
                record.excluded[index] = line.moves[0]
            guess = self.found[number].value if number < len(self.found) else None
            value = self._within_windows(memory, depth, guess)
            if self.stop.stopped or record.line_length[0] == 0:  # a heuristic's candidates may be fewer
                break
            found.append(Found(value, _line(memory), bool(record.proven[0])))
        record.excluded_count = 0
        return sorted(found, key=lambda line: -line.value)

    def _within_windows(self, memory: Memory, depth: int, guess: float | None) -> float:
        """The value at a depth, first tried in a narrow window around the last one."""
        engine = self.engine
        unit, no_bound = engine.heuristic.unit, 2.0 * engine.win
        width = FIRST_WINDOW * unit
        low, high = -no_bound, no_bound
        if guess is not None and depth >= 4 and abs(guess) <= engine.reach:
            low, high = guess - width, guess + width
        while True:
            value = engine.visit_root(memory, self.position, depth, low, high)
            if self.stop.stopped or low < value < high:
                return value
            width *= WIDER
            if value <= low:
                low = value - width if width < WIDEST_WINDOW * unit else -no_bound
            else:
                high = value + width if width < WIDEST_WINDOW * unit else no_bound
            if abs(value) >= no_bound - TINY:
                return value

    def _take_unfinished(self) -> None:
        """Stopped within a depth: a move that raised the window counts, with the score that it has there. A pass that
        found none below its window says nothing about which move is best.
        """
        record = self.memories[0].record[0]
        if self.lines == 1 and record.line_length[0] > 0:
            self.found = [Found(float(record.root_value), _line(self.memories[0]), bool(record.root_proven))]

    def _settled(self, depth: int) -> bool:
        """Is there nothing more to find? A proven win or loss within the depth, or a single move to make."""
        best = self.found[0]
        turns = round((self.engine.win - abs(best.value)) / self.engine.turn_cost)
        within = best.proven and depth >= turns
        return (within and self.lines == 1) or (len(self.position.move_ids) == 1 and self.allowance.timed)

    def _help(self, number: int) -> None:
        """Another thread searches the same root, every second one a depth ahead, and fills the shared table."""
        memory = self.memories[number]
        depth = 1
        try:
            while depth < MOST_DEPTH and not self.stop.stopped:
                depth = max(depth + 1, self.depth + 1)
                self._within_windows(memory, depth, self.found[0].value if self.found else None)
        except BaseException as error:  # noqa: BLE001 - raised again where the search was asked for
            self._failures.append(error)
            self.stop.stop()

    def answer(self) -> Report:
        """What is known so far."""
        engine, position = self.engine, self.position
        found = self.found or [Found(0.0, (position.move_ids[0],), proven=False)]
        records = [memory.record[0] for memory in self.memories]
        return Report(
            moves=engine.whole_turn(position, found[0].moves),
            lines=tuple(self._report_line(line) for line in found),
            depth=self.depth,
            nodes=int(sum(record.nodes for record in records)),
            seconds=time.perf_counter() - self.allowance.began,
            table_hits=int(sum(record.table_hits for record in records)),
            cutoffs=int(sum(record.cutoffs for record in records)),
            remarks=self._remarks(),
        )

    def _report_line(self, line: Found) -> Line:
        score = self.engine.score(line.value, line.proven, self.position)
        return replace(line_of(self.position, score.value, line.moves), score=score)

    def _remarks(self) -> tuple[str, ...]:
        if len(self.engine.perfect.header):
            return ("perfect play is known by a table",)
        if not self.engine.heuristic.judges:
            return ("there is no heuristic: every unfinished position counts as equal",)
        return ()


def _line(memory: Memory) -> tuple[int, ...]:
    """The best line from the root on."""
    record = memory.record[0]
    return tuple(int(move) for move in record.line[0, : record.line_length[0]])
