"""The engine as an agent, from full strength down to a beginner's."""

import os
import random
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from kibitz import nets
from kibitz.agents import levels
from kibitz.agents.agent import AgentKind
from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.options import in_range
from kibitz.core.position import Position
from kibitz.core.random_numbers import PRIME
from kibitz.core.seam.control import StopSignal
from kibitz.core.seam.slots import ProbeTable
from kibitz.search.engine import Engine
from kibitz.search.report import Report
from kibitz.tables.probe_table import find_probe_table

FULL = 0  # the level of an engine that holds nothing back
SMALL_TABLE = 2  # megabytes: as much as a level of few nodes fills, and quickly emptied


class EngineOptions(NamedTuple):
    seconds: float = 0.0  # 0: as the match says; one second where it says nothing
    depth: int = 0
    nodes: int = 0
    level: int = FULL  # 1 to 10, each so many nodes; 0: full strength
    threads: int = 1
    hash: int = 64  # megabytes
    heuristic: str = ""
    without: str = ""  # steps left out, joined by +
    seed: int = 0


class EngineAgent:
    """The engine, its limits, and the mistakes of its level."""

    def __init__(self, game: Game, options: EngineOptions) -> None:
        heuristic = nets.find_heuristic(game, options.heuristic or None)
        number = in_range("level", options.level, FULL, levels.MOST)
        self.level = None if number == FULL else levels.level_of(game.rulebook.name, number)
        self.planner = None if heuristic.planner is None or self.level else heuristic.planner(game)
        self.options = options
        self.dice = random.Random(options.seed or None)
        table = find_probe_table(game)
        memory = check_memory(options.hash)
        self.engine = Engine(
            game,
            heuristic,
            perfect=table if self.level is None else ProbeTable(table.probe),
            megabytes=memory if self.level is None else min(memory, SMALL_TABLE),
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
        """`lines`, `watch` and `stop` are as in `Engine.search`. A level answers by its seed and the position alone."""
        bounds = narrow_limit(limit, self.options.seconds, self.options.depth, self.options.nodes)
        if self.level is None:
            planned = self._plan(position, bounds)
            return planned or self.engine.search(position, bounds, lines=lines, watch=watch, stop=stop)
        self.engine.forget()
        report = self.engine.search(
            position,
            replace(bounds, nodes=min(self.level.nodes, bounds.nodes or self.level.nodes)),
            lines=lines,
            watch=watch,
            stop=stop,
            overlook=self.level.overlook,
            seed=self.dice.randrange(1, PRIME),
        )
        return replace(report, remarks=(*report.remarks, *self._remarks(bounds)))

    def _remarks(self, bounds: Limit) -> tuple[str, ...]:
        """Where another bound comes before the level's own."""
        if self.level is None or bounds.nodes is None or bounds.nodes >= self.level.nodes:
            return ()
        effect = "overlooks no more" if self.level.overlook else "has no effect"
        number, nodes = self.options.level, self.level.nodes
        return (f"level {number} {effect}: it would be {nodes} nodes, and the limit is {bounds.nodes}",)

    def _plan(self, position: Position, limit: Limit) -> Report | None:
        """What the heuristic's planner says, where it has one."""
        move = None if self.planner is None else self.planner.plan(position, limit)
        return None if self.planner is None or move is None else Report((move,), remarks=(self.planner.remark,))


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
        summary="the full search; level=1..10 are weaker players, each so many nodes",
        make=EngineAgent,
        web=True,
        options=EngineOptions,
    ),
]
