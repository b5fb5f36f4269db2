"""The Breakthrough agents of a course report (UIUC CS440, fall 2017, MP2).

Minimax of depth 3 or alpha-beta of depth 4, moves in a shuffled order, with one of the report's heuristics
(`kibitz.heuristics.breakthrough_report`); to the first two a random number in [0, 1) is added at each leaf.

`offensive-2-shipped` and `defensive-2-shipped` are the formulas as printed. They look at the worker that the searching
side moved last on the way to the leaf, on the square it moved to, and count seven rows whatever the board. What they
say is added to the sum over the way of 1 for each move and 2 for each capture, negative for the other side's.
"""

import random
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.agents.agent import Agent, AgentKind
from kibitz.agents.textbook import TextbookAgent
from kibitz.core.bits import NONE, ONE, count
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.options import in_range
from kibitz.core.position import Position
from kibitz.core.random_numbers import hash_number, shuffle
from kibitz.core.result import ONGOING
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP
from kibitz.core.seam.slots import key, moves, play, result
from kibitz.games.breakthrough import Rules, State
from kibitz.heuristics.breakthrough_report import REPORT, abreast, distance, facing, last_step, workers
from kibitz.search import textbook
from kibitz.search.budget import (
    NODES,
    OWN,
    any_turn,
    control_for,
    count_node,
    depth_within,
    line_of,
    refuse_finished,
    run_within,
)
from kibitz.search.report import PROVEN, Report
from kibitz.search.textbook import final_value

ME, DEPTH, SEED, PRUNES, OFFENSIVE, BEST = range(OWN, OWN + 6)  # of the control array
DEPTHS = {"minimax": 3, "alphabeta": 4}
AS_PRINTED = "-shipped"


class Options(NamedTuple):
    search: Literal["minimax", "alphabeta"] = "alphabeta"
    depth: int = 0  # 0: the report's, 3 for minimax and 4 for alphabeta
    heuristic: Literal[
        "offensive-1", "defensive-1", "offensive-2", "defensive-2", "offensive-2-shipped", "defensive-2-shipped"
    ] = "offensive-2"
    seed: int = 0  # 0: another one each time


def shipped_value(
    state: Any,
    rules: Any,
    depth: int,
    alpha: float,
    beta: float,
    worker: int,
    can_move: int,
    at: int,
    out: NDArray[np.int64],
    control: NDArray[np.int64],
) -> float:
    """The value for ME by minimax, or by alpha-beta if control[PRUNES]. The root leaves its move in BEST.

    `worker` is where ME moved last, `can_move` the sum over the moves so far.
    """
    if not count_node(control):
        return 0.0
    me = control[ME]
    ended = result(state, rules)
    if ended != ONGOING:
        return final_value(ended, control[DEPTH] - depth, me)
    if depth == 0:
        return printed_value(state, worker, me, control[OFFENSIVE], rules) + can_move
    end = moves(state, rules, out, at)
    shuffle(out, at, end, hash_number(key(state, rules), control[SEED]))
    maximises = state.side == me
    best = -np.inf if maximises else np.inf
    for index in range(at, end):
        move = int(out[index])
        child = play(state, move, rules)
        gain = 2 if takes(state, move) else 1
        value = shipped_value(
            child,
            rules,
            depth - 1,
            alpha,
            beta,
            move & 63 if maximises else worker,
            can_move + gain if maximises else can_move - gain,
            end,
            out,
            control,
        )
        if control[STOP] != 0:
            break
        if value > best if maximises else value < best:
            best = value
            if depth == control[DEPTH]:
                control[BEST] = move
        if maximises:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if control[PRUNES] != 0 and alpha >= beta:
            break
    return best


def printed_value(state: State, worker: int, me: int, offensive: int, rules: Rules) -> float:
    """The report's listings."""
    away = distance(worker, me, rules)
    captures = facing(state, worker, me, rules)
    own = workers(state, me)
    if offensive == 0:
        return captures + 0.1 * away * away + 2 * count(own)
    gone = 30 - count(workers(state, 1 - me))
    row = abreast(own, worker, rules)
    return 3 * last_step(state, me, rules) + 0.3 * row + 3 * captures + 0.07 * (7 - away) * (7 - away) + gone


def takes(state: State, move: int) -> bool:
    """Is this move a capture?"""
    return bool((state.white | state.black) & (ONE << (move & 63)) != NONE)


class Shipped:
    """The report's search with the report's own heuristics as printed."""

    def __init__(self, game: Game, search: str, depth: int, heuristic: str, seed: int) -> None:
        self.prunes = search == "alphabeta"
        self.depth = depth
        self.offensive = heuristic.startswith("offensive")
        self.dice = random.Random(seed or None)
        self.search = specialise(game.rulebook, shipped_value)
        self.choose(game.new(), Limit(nodes=1))

    def choose(self, position: Position, limit: Limit) -> Report:
        refuse_finished(position)
        game = position.game
        control = self._control(position, limit)
        depth = int(control[DEPTH])
        out = np.zeros((depth + 1) * game.max_moves, np.int64)
        given = position.state, game.rules, depth, -np.inf, np.inf, 0, 0, 0, out
        value, seconds = run_within(limit, control, self.search, *given)
        found = control[BEST] >= 0
        chosen = (int(control[BEST]),) if found else any_turn(position)
        proven = abs(value) >= PROVEN and not control[STOP]
        return Report(
            chosen,
            (line_of(position, float(value), chosen, proven),) if found else (),
            depth=depth,
            nodes=int(control[NODES]),
            seconds=seconds,
            remarks=("stopped early",) if control[STOP] else (),
        )

    def _control(self, position: Position, limit: Limit) -> NDArray[np.int64]:
        control = control_for(limit)
        control[ME] = position.turn
        control[DEPTH] = depth_within(self.depth, limit)
        control[SEED] = self.dice.randrange(1, 1 << 31)
        control[PRUNES] = self.prunes
        control[OFFENSIVE] = self.offensive
        control[BEST] = -1
        return control


def mp2(game: Game, options: Options) -> Agent:
    depth = in_range("depth", options.depth or DEPTHS[options.search], 1, 20)
    if options.heuristic.endswith(AS_PRINTED):
        return Shipped(game, options.search, depth, options.heuristic, options.seed)
    heuristic = next(known for known in REPORT if known.name == options.heuristic)
    noise = 1.0 if options.heuristic.endswith("-1") else 0.0
    style = textbook.Style(shuffle=True, noise=noise, seed=options.seed)
    search = textbook.minimax if options.search == "minimax" else textbook.alphabeta
    return TextbookAgent(game, search, depth, heuristic, style)


KINDS: list[AgentKind] = [
    AgentKind(
        name="mp2",
        summary="minimax and alpha-beta of a Breakthrough report (UIUC CS440)",
        make=mp2,
        options=Options,
        games=("breakthrough",),
        web=True,
    ),
]
