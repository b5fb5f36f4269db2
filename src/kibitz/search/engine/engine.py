"""The engine as Python sees it: what it is compiled for, what it remembers, and the report."""

import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.heuristic import NO_HEURISTIC, Heuristic
from kibitz.core.limit import UNBOUNDED, Limit
from kibitz.core.position import Position
from kibitz.core.random_numbers import PRIME
from kibitz.core.result import CHANCE, FIRST
from kibitz.core.seam import specialise
from kibitz.core.seam.control import StopSignal, run_stoppable
from kibitz.core.seam.slots import NO_PROBE_TABLE, ProbeTable, key
from kibitz.search.budget import refuse_finished
from kibitz.search.engine.deepening import Deepening, Watcher
from kibitz.search.engine.kernel import turns_within, visit
from kibitz.search.engine.memory import MAX_LEVEL, MOST_SEEN, NO_MOVE, POSITIVE, Memory, new_record
from kibitz.search.engine.scale import Scale, constants_of
from kibitz.search.engine.transpositions import AGES, BUSY_SLOTS, new_table
from kibitz.search.report import WIN, Report, Score, score_of_chance

SEEN_FACTOR = 0x9E3779B97F4A7C15  # of the hash of keys that the game has seen: the golden ratio


def hash_key(state: Any, rules: Any) -> int:
    """A kernel: the key of a state as the search compares it."""
    return int(key(state, rules) & np.uint64(POSITIVE))


def hash_keys(keys: Iterable[int]) -> int:
    """One number for a set of keys; 0 where there is none."""
    code = 0
    for each in sorted(keys):
        code = (code ^ each) * SEEN_FACTOR & POSITIVE
        code ^= code >> 32
    return code


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
        if heuristic.game not in ("", game.rulebook.name):
            raise BadOption(f"heuristic {heuristic.name} is of {heuristic.game}, not of {game.rulebook.name}")
        self.game = game
        self.heuristic = heuristic
        self.perfect = perfect
        self.scale = Scale.of(game.rulebook, heuristic)
        self.chancy = self.scale.chancy
        self.reach, self.win, self.turn_cost = self.scale.reach, self.scale.win, self.scale.turn_cost
        constants = constants_of(game.rulebook, heuristic, without)
        self._visit = specialise(game.rulebook, visit, heuristic, probe=perfect.probe, constants=constants)
        self._hash: Callable[..., int] = specialise(game.rulebook, hash_key)
        self._hashes: dict[tuple[Any, ...], int] = {}
        self.table = new_table(megabytes)
        self.memories = [self._new_memory() for _ in range(threads)]
        self.age = 0
        self._near_turns = 0
        self._growing = threading.Lock()
        self._compile()

    def _new_memory(self) -> Memory:
        room = (MAX_LEVEL + 2) * self.game.max_moves
        record = new_record()
        record.win, record.turn_cost = self.win, self.turn_cost
        record.unit, record.reach = self.heuristic.unit, self.reach
        return Memory(
            record,
            moves=np.zeros(room, np.int64),
            ranks=np.zeros(room, np.int64),
            odds=np.zeros(room, np.float64),
            weights=self.heuristic.weight_array,
            table=self.table,
            header=self.perfect.header,
            data=self.perfect.data,
            stop=np.ones(1, np.int64),
        )

    def _compile(self) -> None:
        """Compile before any clock starts: a search that is stopped gives up at once."""
        start = self.game.new()
        self.visit_root(self.memories[0], start, 1, -1.0, 1.0)
        if self.game.rulebook.repetition:
            self._hash(start.state, self.game.rules)

    def forget(self) -> None:
        """Empty the table and everything learned about moves."""
        self.table[:] = 0
        self.age = self._near_turns = 0
        for memory in self.memories:
            memory.record.history[:] = 0
            memory.record.pairs[:] = 0

    def search(
        self,
        position: Position,
        limit: Limit,
        *,
        lines: int = 1,
        watch: Watcher | None = None,
        stop: StopSignal | None = None,
        overlook: float = 0.0,
        seed: int = 1,
    ) -> Report:
        """The best turn within the limit; a limit of nodes is shared by the threads. `watch` is called with a report
        after every depth. `stop` is for this search alone: it ends it from elsewhere, also before it has begun, and is
        set when the search has ended. `overlook` is the share of moves, its own and the other side's, that the search
        does not see, wherever it looks; which ones follows from the seed.
        """
        began = time.perf_counter()
        refuse_finished(position)
        stop = stop or StopSignal()
        self._prepare(position, limit)
        for memory in self.memories:
            memory.record.overlook, memory.record.overlook_seed = int(overlook * PRIME), seed
        run = Deepening(self, position, limit, lines, watch, stop, began)
        with run.timed():
            try:
                report: Report = run_stoppable(stop.flag, run.report)
            except KeyboardInterrupt:
                stop.interrupted = True
                report = run.answer()
        return report

    def _prepare(self, position: Position, limit: Limit) -> None:
        self.age = (self.age + 1) % AGES
        self.table[-BUSY_SLOTS:] = 0
        seen = self._seen_too_often(position)
        for memory in self.memories:
            record = memory.record[0]
            record.me = position.turn
            record.node_limit = UNBOUNDED if limit.nodes is None else max(1, limit.nodes // len(self.memories))
            record.age = self.age
            record.threads = len(self.memories)
            record.seen_count = len(seen)
            record.seen[: len(seen)] = seen
            record.seen_hash = hash_keys(seen)
            record.nodes = record.table_hits = record.cutoffs = record.excluded_count = 0
            record.killers[:] = NO_MOVE
            np.floor_divide(record.history, 2, out=record.history)
            np.floor_divide(record.pairs, 2, out=record.pairs)

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

    def visit_root(self, memory: Memory, position: Position, depth: int, alpha: float, beta: float) -> float:
        """The value of the root within a window, for the side to move."""
        with self._growing:
            self._near_turns = max(self._near_turns, turns_within(depth))
            for other in self.memories:
                other.record.near_turns = self._near_turns
        memory.record.root_depth = depth
        before = position.before
        fresh = int(before is None or before.turn != position.turn)
        previous = NO_MOVE if position.last_move is None else position.last_move
        side = FIRST if position.turn == CHANCE else position.turn
        node = (depth, alpha, beta, side, fresh, 0, 0, 0, previous, 0)
        return float(self._visit(position.state, self.game.rules, *node, memory))

    def score(self, value: float, proven: bool, position: Position) -> Score:
        """A kernel's value as people see it."""
        side = self.game.rulebook.sides[position.turn]
        if proven:
            turns = round((self.win - abs(value)) / self.turn_cost)
            return Score(WIN - turns if value > 0 else turns - WIN, side, proven=True)
        per_odds = self.scale.per_odds
        known = 0.0 if self.heuristic.network is None else per_odds
        if self.chancy:
            return Score.estimate(score_of_chance((1.0 + value / self.win) / 2.0, per_odds), side, known)
        return Score.estimate(max(-self.reach, min(self.reach, value)), side, known)

    def whole_turn(self, position: Position, line: tuple[int, ...]) -> tuple[int, ...]:
        """The moves of the side to move; where the line stops within its turn, the first legal moves complete it."""
        here = position
        moves: list[int] = []
        rest = list(line)
        while not here.over and here.turn == position.turn:
            moves.append(rest.pop(0) if rest else here.move_ids[0])
            here = here.play(moves[-1])
        return tuple(moves)
