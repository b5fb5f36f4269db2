"""Agents that play games on to see how they end."""

from dataclasses import replace
from typing import NamedTuple

from kibitz import nets
from kibitz.agents.agent import AgentKind
from kibitz.agents.engine import check_memory, narrow_limit
from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.options import in_range
from kibitz.core.position import Position
from kibitz.core.seam.control import StopSignal
from kibitz.search.mcts import Leaf, Settings, Tree
from kibitz.search.report import Report
from kibitz.tables.probe_table import find_probe_table


class MctsOptions(NamedTuple):
    seconds: float = 0.0  # 0: as the match says; one second where it says nothing
    nodes: int = 0  # simulations
    leaf: Leaf = "rollout"
    exploration: float = 0.7
    mixing: float = 0.4  # of the heuristic's minimax value, with leaf=implicit
    cap: int = 400  # moves in a playout
    hash: int = 256  # megabytes of tree
    heuristic: str = ""
    seed: int = 0  # 0: another one each time


class MctsAgent:
    """Monte Carlo tree search that keeps its tree from move to move."""

    def __init__(self, game: Game, options: MctsOptions) -> None:
        if options.exploration < 0.0 or not 0.0 <= options.mixing <= 1.0:
            raise BadOption(
                f"exploration is {options.exploration:g} and mixing {options.mixing:g}, expected at least 0, and 0 to 1"
            )
        self.options = options
        settings = Settings(
            leaf=options.leaf,
            exploration=options.exploration,
            mixing=options.mixing,
            cap=in_range("cap", options.cap, 0, 1_000_000),
            megabytes=check_memory(options.hash),
            seed=options.seed,
        )
        self.tree = Tree(game, nets.find_heuristic(game, options.heuristic or None), settings, find_probe_table(game))

    def choose(self, position: Position, limit: Limit, *, lines: int = 1, stop: StopSignal | None = None) -> Report:
        """A limit of depth means nothing here. `lines` and `stop` are as in `Tree.search`."""
        bounds = narrow_limit(replace(limit, depth=None), self.options.seconds, 0, self.options.nodes)
        return self.tree.search(position, bounds, lines, stop=stop)


KINDS = [
    AgentKind(
        name="mcts",
        summary="Monte Carlo tree search",
        make=MctsAgent,
        web=True,
        options=MctsOptions,
    ),
]
