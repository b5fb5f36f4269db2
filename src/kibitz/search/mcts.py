"""Monte Carlo tree search (UCT): estimate moves by playing on from them, and look longest at the best.

For every game, with chance and with turns of several moves. A new leaf is worth what a random playout brings
(`rollout`), what the heuristic says (`heuristic`), or a playout while the choice of moves also follows the heuristic's
minimax values (`implicit`: Lanctot, Winands, Pepels and Sturtevant, 2014). Proven results back up as such.
"""

import random
import time
from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadLimit, BadOption
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import UNBOUNDED, Limit
from kibitz.core.network import POINTS
from kibitz.core.position import Position
from kibitz.core.random_numbers import PRIME
from kibitz.core.random_play import first_decision
from kibitz.core.result import CHANCE, DRAW, FIRST, FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.core.seam import specialise
from kibitz.core.seam.control import StopSignal, run_stoppable
from kibitz.core.seam.slots import NO_PROBE_TABLE, ProbeTable
from kibitz.search.budget import any_turn, line_of, refuse_finished, seed_of
from kibitz.search.clock import Allowance
from kibitz.search.mcts_kernel import NODE, PLAN, STEP, Records, TreeMemory, grow
from kibitz.search.report import WIN, Line, Report, first_turn

Leaf = Literal["rollout", "heuristic", "implicit"]
LEAVES: tuple[Leaf, ...] = ("rollout", "heuristic", "implicit")

LONGEST_PATH = 1024  # moves from the root to a leaf
UNITS = 2.0  # so many pieces ahead are worth 1 / (1 + 1/e), a score of 0.46


class Settings(NamedTuple):
    leaf: Leaf = "rollout"
    exploration: float = 0.7
    mixing: float = 0.4  # how far `implicit` follows the heuristic, from 0 to 1
    cap: int = 400  # moves in a playout before the heuristic decides
    megabytes: int = 256  # of nodes
    seed: int = 0  # 0: another one each time


class Tree:
    """A search tree for one game that is kept from move to move, as long as the game at hand goes on from it."""

    def __init__(
        self,
        game: Game,
        heuristic: Heuristic | None = None,
        settings: Settings | None = None,
        table: ProbeTable = NO_PROBE_TABLE,
    ) -> None:
        self.game = game
        self.settings = settings or Settings()
        self.heuristic = heuristic
        self._partial = heuristic is not None and heuristic.candidates is not None
        self._judges = heuristic is not None and heuristic.judges
        self._table = table
        self._grow = specialise(game.rulebook, grow, heuristic, probe=table.probe)
        learned = heuristic is not None and heuristic.network is not None
        self._scale = POINTS if learned else UNITS * heuristic.unit if heuristic else 1.0
        self._weights = heuristic.weight_array if heuristic else np.zeros(1)
        self._make_room()
        start = first_decision(game)
        if start is not None:  # compiled before any clock starts
            self._start_anew(start)
            self._simulate(start, Limit(nodes=1), time.perf_counter(), StopSignal())
        self._place: Position | None = None

    # The pool of nodes.

    def _make_room(self) -> None:
        settings, most = self.settings, self.game.max_moves
        if not 1 <= settings.megabytes <= 1 << 20:
            raise BadOption(f"a tree of {settings.megabytes} megabytes, expected 1 to {1 << 20}")
        size = max((settings.megabytes << 20) // NODE.itemsize, 4 * most)
        try:
            self.pool: Records = np.zeros(size, NODE).view(np.recarray)
        except MemoryError:
            raise BadOption(f"a tree of {settings.megabytes} megabytes is larger than memory") from None
        self._path: Records = np.zeros(LONGEST_PATH, STEP).view(np.recarray)
        self._moves, self._odds = np.zeros(most, np.int64), np.zeros(most, np.float64)

    @property
    def simulations(self) -> int:
        """How often the position at hand has been simulated, in earlier searches too."""
        return int(self.pool[self.root].visits)

    def _start_anew(self, position: Position) -> None:
        self.root, self.used = 0, 1
        self.pool[0] = np.zeros((), NODE)
        self._place = position

    def _go_to(self, position: Position) -> None:
        """Make the node of this position the root: found along the moves played since, or a new one."""
        found = self._node_of(position)
        if found is None or self.pool[found].children == 0:
            self._start_anew(position)
            return
        self.root, self._place = found, position
        if 2 * self.used > len(self.pool):
            self._forget_the_rest()
            if 2 * self.used > len(self.pool):
                self._start_anew(position)

    def _node_of(self, position: Position) -> int | None:
        played: list[int] = []
        for place in position.trail():
            if self._place is not None and place == self._place and self._same_past(place):
                return self._descendant(reversed(played))
            if place.last_move is not None:
                played.append(place.last_move)
        return None

    def _same_past(self, place: Position) -> bool:
        """Repetition looks at the past; without it a position is all that counts."""
        assert self._place is not None
        if not self.game.rulebook.repetition:
            return True
        return [earlier.key for earlier in place.trail()] == [earlier.key for earlier in self._place.trail()]

    def _descendant(self, played: Iterator[int]) -> int | None:
        node = self.root
        for move in played:
            found = [child for child in self._children(node) if self.pool[child].move == move]
            if not found:
                return None
            node = found[0]
        return node

    def _children(self, node: int) -> range:
        first = int(self.pool[node].first_child)
        return range(first, first + int(self.pool[node].children))

    def _forget_the_rest(self) -> None:
        """Move the root and all below it to the front of the pool, level by level."""
        level = np.array([self.root])
        kept, used = [level], 1
        firsts: list[NDArray[np.int64]] = []
        while level.size:
            counts = self.pool.children[level].astype(np.int64)
            ends = np.cumsum(counts)
            firsts.append(np.where(counts > 0, used + ends - counts, 0))
            used += int(ends[-1])
            within = np.arange(ends[-1]) - np.repeat(ends - counts, counts)
            level = np.repeat(self.pool.first_child[level].astype(np.int64), counts) + within
            kept.append(level)
        rows = np.concatenate(kept)
        self.pool[:used] = self.pool[rows]
        self.pool.first_child[:used] = np.concatenate(firsts)
        self.root, self.used = 0, used

    # Searching.

    def search(self, position: Position, limit: Limit, lines: int = 1, *, stop: StopSignal | None = None) -> Report:
        """The best turn within the limit, where a node is a simulation. The score is the expected result, from -1 for
        a loss to 1 for a win, or a proven one with its distance. `stop` ends it from elsewhere, also before it has
        begun.
        """
        began = time.perf_counter()
        refuse_finished(position)
        if limit.seconds is None and limit.nodes is None and limit.clock is None:
            raise BadLimit("monte carlo search never ends by itself, expected a limit of seconds or nodes")
        self._go_to(position)
        reused = self.simulations
        done = self._simulate(position, limit, began, stop or StopSignal())
        found = self._lines(position, lines)
        return Report(
            moves=self._turn(position, found[0].moves),
            lines=tuple(found),
            depth=_turns(position, found[0].moves),
            nodes=done,
            seconds=time.perf_counter() - began,
            remarks=tuple(self._remarks(reused)),
        )

    def _simulate(self, position: Position, limit: Limit, began: float, stop: StopSignal) -> int:
        game = self.game
        *_, origin = position.trail() if game.rulebook.repetition else [position]
        past = [place.last_move or 0 for place in position.trail() if place.before] if origin is not position else []
        played = np.array(past[::-1], np.int64)
        memory = self._memory(position.turn, len(played), stop)
        given = origin.state, game.rules, played, self.root, limit.nodes or UNBOUNDED, memory
        alarm = Allowance.of(limit, began).timer(stop.stop)
        try:
            return int(run_stoppable(stop.flag, self._grow, *given))
        finally:
            if alarm is not None:
                alarm.cancel()
            self.used = int(memory.plan[0].used)

    def _memory(self, me: int, past: int, stop: StopSignal) -> TreeMemory:
        plan: Records = np.zeros(1, PLAN).view(np.recarray)
        plan.leaf = LEAVES.index(self.settings.leaf)
        plan.cap = self.settings.cap
        plan.repetition = self.game.rulebook.repetition
        plan.complete = not self._partial
        plan.me = me
        plan.exploration = self.settings.exploration
        plan.mixing = self.settings.mixing
        plan.scale = self._scale
        plan.used = self.used
        plan.random = random.Random(seed_of(self.settings.seed)).randrange(1, PRIME)
        return TreeMemory(
            pool=self.pool,
            path=self._path,
            plan=plan,
            keys=np.zeros(past + LONGEST_PATH, np.uint64),
            moves=self._moves,
            odds=self._odds,
            weights=self._weights,
            header=self._table.header,
            data=self._table.data,
            stop=stop.flag,
        )

    # What was found.

    def _lines(self, position: Position, most: int) -> list[Line]:
        found = []
        for child in self._ranked(self.root, position.turn)[:most]:
            here = Position(self.game, position.state).play(int(self.pool[child].move))
            line = [int(self.pool[child].move)]
            below = self._best(child, here)
            while below is not None:
                line.append(int(self.pool[below].move))
                here = here.play(line[-1])
                below = self._best(below, here)
            proven = self.pool[child].proven in (FIRST_WINS, SECOND_WINS)
            found.append(line_of(position, self._value(child, position.turn), tuple(line), proven))
        return found

    def _best(self, node: int, here: Position) -> int | None:
        """The child most looked at, or a proven one that is better; None at the end of what is known."""
        if here.over or self.pool[node].children == 0:
            return None
        best = self._ranked(node, here.turn)[0]
        return best if self.pool[best].visits > 0 or self.pool[best].proven != ONGOING else None

    def _ranked(self, node: int, side: int) -> list[int]:
        """The children, the best for the side to move first; for chance the likeliest."""
        children = self._children(node)
        has_draw = any(self.pool[child].proven == DRAW for child in children)

        def rank(index: int) -> tuple[float, float, float]:
            child = self.pool[index]
            visits, distance = float(child.visits), float(child.distance)
            if side == CHANCE:
                return 0.0, visits, float(child.odds)
            if child.proven == FIRST_WINS + side:
                return 2.0, -distance, visits
            if child.proven == SECOND_WINS - side:
                return -2.0, distance, visits
            mean = self._mean(index) if side == FIRST else 1.0 - self._mean(index)
            return (-1.0 if has_draw and child.proven == ONGOING and mean <= 0.5 else 0.0), visits, mean

        return sorted(children, key=rank, reverse=True)

    def _mean(self, node: int) -> float:
        visits = int(self.pool[node].visits)
        return 0.5 if visits == 0 else float(self.pool[node].total) / visits

    def _value(self, child: int, side: int) -> float:
        """What a move is worth to the side that makes it."""
        node = self.pool[child]
        if node.proven == ONGOING:
            value = 2.0 * self._mean(child) - 1.0
        elif node.proven == DRAW:
            value = 0.0
        else:
            value = WIN - float(node.distance + node.ends_turn)
            value = value if node.proven == FIRST_WINS else -value
        return value if side == FIRST else -value

    def _turn(self, position: Position, line: tuple[int, ...]) -> tuple[int, ...]:
        """The first turn of a line; where the tree does not reach its end, with the first moves of the rules."""
        moves = first_turn(position, line)
        here = position
        for move in moves:
            here = here.play(move)
        return moves + any_turn(here) if here.turn == position.turn and not here.over else moves

    def _remarks(self, reused: int) -> Iterator[str]:
        if self.pool[self.root].proven != ONGOING:
            yield "solved"
        if reused:
            yield f"{reused} simulations kept from earlier moves"
        if self.used + self.game.max_moves > len(self.pool):
            yield f"the tree of {self.settings.megabytes} megabytes is full"
        if self.settings.leaf != "rollout" and not self._judges:
            yield "there is no heuristic"


def _turns(position: Position, line: tuple[int, ...]) -> int:
    """How many turns a line has, the last one perhaps unfinished."""
    turns, here = 0, Position(position.game, position.state)
    mover = CHANCE
    for move in line:
        turns += here.turn not in (mover, CHANCE)
        mover = here.turn
        here = here.play(move)
    return turns
