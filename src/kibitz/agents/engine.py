"""The engine as an agent, from full strength down to a beginner's."""

import os
import random
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from kibitz import nets
from kibitz.agents.agent import AgentKind
from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.options import in_range
from kibitz.core.position import Position
from kibitz.core.seam.control import StopSignal
from kibitz.search.engine import Engine
from kibitz.search.report import Report
from kibitz.tables.probe_table import find_probe_table

FULL = 10


class Level(NamedTuple):
    """How a weaker player errs: it looks less far, and takes a move that seems almost as good."""

    depth: int
    slack: float  # how much worse a move may look and still be played, in pieces


LEVELS = {
    1: Level(1, 1.2),
    2: Level(1, 0.8),
    3: Level(2, 0.7),
    4: Level(2, 0.45),
    5: Level(3, 0.35),
    6: Level(4, 0.25),
    7: Level(5, 0.18),
    8: Level(6, 0.1),
    9: Level(8, 0.05),
}
CHOICES = 6  # moves that a weaker player considers


class EngineOptions(NamedTuple):
    seconds: float = 0.0  # 0: as the match says; one second where it says nothing
    depth: int = 0
    nodes: int = 0
    level: int = FULL
    threads: int = 1
    hash: int = 64  # megabytes
    heuristic: str = ""
    without: str = ""  # steps left out, joined by +
    seed: int = 0


class EngineAgent:
    """The engine, its limits, and the mistakes of its level."""

    def __init__(self, game: Game, options: EngineOptions) -> None:
        heuristic = nets.find_heuristic(game, options.heuristic or None)
        self.planner = None if heuristic.planner is None else heuristic.planner(game)
        self.level = in_range("level", options.level, 1, FULL)
        self.options = options
        self.dice = random.Random(options.seed or None)
        self.engine = Engine(
            game,
            heuristic,
            perfect=find_probe_table(game),
            megabytes=check_memory(options.hash),
            threads=in_range("threads", options.threads, 1, 256),
            without=tuple(filter(None, options.without.split("+"))),
        )

    def choose(
        self,
        position: Position,
        limit: Limit,
        *,
        lines: int = 1,
        watch: Callable[[Report], None] | None = None,
        stop: StopSignal | None = None,
    ) -> Report:
        """`stop` is as in `Engine.search`, and at full strength so are `lines` and `watch`."""
        bounds = narrow_limit(limit, self.options.seconds, self.options.depth, self.options.nodes)
        if self.level == FULL:
            planned = self._plan(position, bounds)
            return planned or self.engine.search(position, bounds, lines=lines, watch=watch, stop=stop)
        level = LEVELS[self.level]
        depth = min(level.depth, bounds.depth or level.depth)
        report = self.engine.search(position, replace(bounds, depth=depth), lines=CHOICES, stop=stop)
        return self._choose_weaker(position, report, level)

    def _plan(self, position: Position, limit: Limit) -> Report | None:
        """What the heuristic's planner says, where it has one."""
        move = None if self.planner is None else self.planner.plan(position, limit)
        return None if self.planner is None or move is None else Report((move,), remarks=(self.planner.remark,))

    def _choose_weaker(self, position: Position, report: Report, level: Level) -> Report:
        """A line that looks at most `slack` worse than the best, the likelier the better it looks."""
        slack = level.slack * self.engine.heuristic.unit
        best = report.lines[0].score.value
        lines = [line for line in report.lines if best - line.score.value <= slack and line.score.win_in is None]
        if len(lines) < 2 or report.lines[0].score.win_in is not None:
            return report
        odds = [1.0 - (best - line.score.value) / (slack + 1e-9) + 0.05 for line in lines]
        chosen = self.dice.choices(lines, odds)[0]
        rest = tuple(line for line in report.lines if line is not chosen)
        return replace(report, moves=self.engine.whole_turn(position, chosen.moves), lines=(chosen, *rest))


def narrow_limit(limit: Limit, seconds: float, depth: int, nodes: int) -> Limit:
    """The smaller of a match's bounds and an agent's own; a second where neither says anything."""

    def smaller(given: float | None, own: float) -> float | None:
        return given if not own else own if given is None else min(given, own)

    both = Limit(
        seconds=smaller(limit.seconds, seconds),
        depth=_whole(smaller(limit.depth, depth)),
        nodes=_whole(smaller(limit.nodes, nodes)),
        clock=limit.clock,
        increment=limit.increment,
        moves_to_go=limit.moves_to_go,
    )
    unbounded = both.seconds is None and both.depth is None and both.nodes is None and both.clock is None
    return replace(both, seconds=1.0) if unbounded else both


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def check_memory(megabytes: int) -> int:
    """The size of a table, refused where this machine does not have so much."""
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    if not 1 <= megabytes <= there // 2:
        raise BadOption(f"hash is {megabytes} MB, expected 1 to {there // 2} (half of this machine's memory)")
    return megabytes


KINDS = [
    AgentKind(
        name="engine",
        summary="the full search; level=1..10 sets its strength",
        make=EngineAgent,
        web=True,
        options=EngineOptions,
    ),
]
