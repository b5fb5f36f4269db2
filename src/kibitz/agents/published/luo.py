"""The wolves and sheep agent of a course report (CityU CS4386, 2023).

Alpha-beta over all moves in a shuffled order, four plies for wolves, three for sheep. A won game is worth 100,000, a
lost one the negative; other leaves are compared with the root (`kibitz.heuristics.wolves_report`). Among equal scores
the shallower leaf wins, whoever is to move and also in a lost game, then the first met. Draws are unknown to it.

As shipped:

- after a wolf it is a wolf's move again, all the way down;
- a wolf does not consider a step where it could go on and eat in the same direction;
- a sheep counts as threatened if another sheep stands two squares from it, with an empty square between;
- blocked ways are counted in one sum for both wolves, and four of them, whoever's they are, make a trapped wolf;
- a tie may be a mere bound, for branches are cut where alpha equals beta.
"""

import random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.agents.agent import Agent, AgentKind
from kibitz.core.bits import count
from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.options import in_range
from kibitz.core.position import Position
from kibitz.core.random_numbers import hash_number, shuffle
from kibitz.core.result import FIRST, FIRST_WINS, ONGOING
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP
from kibitz.core.seam.slots import key, moves
from kibitz.games.wolves import BOARD, SHIFTS, State, beside, play, result, shifted
from kibitz.heuristics.wolves_report import KILLED, blocked_ways, menace, standing, threatened_sheep
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
from kibitz.search.report import Report
from kibitz.search.textbook import NO_LIMIT

SHIPPED = 0  # 1 builds the search with the bugs
ME, DEPTH, SEED, ROOT, SHEEP_WORTH, BEST = range(OWN, OWN + 6)  # of the control array; ROOT: how the root stands
WON = 100_000
INFINITE = 1 << 40
WOLF_DEPTH, SHEEP_DEPTH = 4, 3


class Options(NamedTuple):
    killed: int = KILLED  # what a sheep is worth to the sheep; a listing in the report says 8000
    seed: int = 0  # 0: another one each time


def luo_value(
    state: State,
    rules: Any,
    played: int,
    alpha: int,
    beta: int,
    at: int,
    out: NDArray[np.int64],
    control: NDArray[np.int64],
) -> tuple[int, int]:
    """The score for ME, and how many plies away from the root its leaf lies. The root leaves its move in BEST."""
    if not count_node(control):
        return 0, played
    ended = result(state)
    if ended != ONGOING:
        return (WON if ended == FIRST_WINS + control[ME] else -WON), played
    if played == control[DEPTH]:
        return leaf_value(state, control), played
    end = shuffled_moves(state, rules, at, out, control)
    maximises = state.side == control[ME]
    best, nearest = (-INFINITE if maximises else INFINITE), INFINITE
    for index in range(at, end):
        child = after(state, out[index])
        score, leaf = luo_value(child, rules, played + 1, alpha, beta, end, out, control)
        if control[STOP] != 0:
            break
        if (score > best if maximises else score < best) or (score == best and leaf < nearest):
            best, nearest = score, leaf
            if played == 0:
                control[BEST] = out[index]
        if maximises:
            alpha = max(alpha, score)
        else:
            beta = min(beta, score)
        if alpha > beta or (SHIPPED == 1 and alpha == beta):
            break
    return best, nearest


def leaf_value(state: State, control: NDArray[np.int64]) -> int:
    """The report's score of a leaf, relative to the root."""
    me = control[ME]
    threats = sheep_with_a_gap(state) if SHIPPED == 1 else threatened_sheep(state)
    blocked_now = blocked_in_one_sum(state) if SHIPPED == 1 else blocked_ways(state)
    return int(standing(state, me, control[SHEEP_WORTH], blocked_now) - control[ROOT] + menace(me) * threats)


def shuffled_moves(state: State, rules: Any, at: int, out: NDArray[np.int64], control: NDArray[np.int64]) -> int:
    """Write the moves in a random order; the index behind the last one."""
    end = int(moves(state, rules, out, at))
    if SHIPPED == 1 and state.side == FIRST:
        kept = at
        for index in range(at, end):
            if not short_of_prey(state, out[index]):
                out[kept] = out[index]
                kept += 1
        end = kept
    shuffle(out, at, end, hash_number(key(state, rules), control[SEED]))
    return end


def after(state: State, move: int) -> State:
    """The next position; as shipped it is a wolf's move, whoever moved."""
    child = play(state, move)
    if SHIPPED == 1:
        return State(child.wolves, child.sheep, FIRST, child.ply)
    return child


# What the shipped program gets wrong.


def short_of_prey(state: State, move: int) -> bool:
    """Is this a wolf's step where it could have gone on to eat?"""
    origin, target = move >> 5, move & 31
    for direction in range(4):
        if target - origin == SHIFTS[direction]:
            return shifted(1 << target, direction) & state.sheep != 0
    return False


def sheep_with_a_gap(state: State) -> int:
    """The sheep with another sheep two squares away and nothing between."""
    empty = BOARD & ~(state.wolves | state.sheep)
    found = 0
    for direction in range(4):
        found |= shifted(shifted(state.sheep, direction) & empty, direction) & state.sheep
    return count(found)


def blocked_in_one_sum(state: State) -> tuple[int, int]:
    """Blocked ways, counted on from wolf to wolf, and how often the sum was four."""
    empty = BOARD & ~(state.wolves | state.sheep)
    ways, trapped = 0, 0
    wolves = state.wolves
    while wolves:
        ways += 4 - count(beside(wolves & -wolves) & empty)
        wolves &= wolves - 1
        if ways == 4:
            trapped += 1
            ways -= 4
    return ways, trapped


class Luo:
    """The agent, as meant or as shipped."""

    def __init__(self, game: Game, options: Options, shipped: bool) -> None:
        if shipped and count(game.rules.wolves) != 2:
            raise BadOption(f"agent luo-shipped knows two wolves, not the {count(game.rules.wolves)} of {game.text}")
        self.shipped = shipped
        self.killed = in_range("killed", options.killed, 0, 1_000_000)
        self.dice = random.Random(options.seed or None)
        self.search = specialise(game.rulebook, luo_value, constants={"SHIPPED": int(shipped)})
        self.choose(game.new(), Limit(nodes=1))

    def choose(self, position: Position, limit: Limit) -> Report:
        refuse_finished(position)
        control = self._control(position, limit)
        value, seconds = self._search(position, position.state, 0, limit, control)
        found = control[BEST] >= 0
        moves = (int(control[BEST]),) if found else any_turn(position)
        return Report(
            moves,
            (line_of(position, value, moves),) if found else (),
            depth=int(control[DEPTH]),
            nodes=int(control[NODES]),
            seconds=seconds,
            remarks=("stopped early",) if control[STOP] else (),
        )

    def value_of(self, position: Position, move: str) -> int:
        """The exact score of one move."""
        child = position.play(move).state
        if self.shipped:
            child = child._replace(side=FIRST)
        return self._search(position, child, 1, NO_LIMIT, self._control(position, NO_LIMIT))[0]

    def _control(self, root: Position, limit: Limit) -> NDArray[np.int64]:
        control = control_for(limit)
        blocked_now = blocked_in_one_sum(root.state) if self.shipped else blocked_ways(root.state)
        control[ME] = root.turn
        control[DEPTH] = depth_within(WOLF_DEPTH if root.turn == FIRST else SHEEP_DEPTH, limit)
        control[SEED] = self.dice.randrange(1, 1 << 31)
        control[ROOT] = standing(root.state, root.turn, self.killed, blocked_now)
        control[SHEEP_WORTH] = self.killed
        control[BEST] = -1
        return control

    def _search(
        self, root: Position, state: State, played: int, limit: Limit, control: NDArray[np.int64]
    ) -> tuple[int, float]:
        """The score of a state so many plies below the root, and the seconds it took."""
        out = np.zeros((WOLF_DEPTH + 1) * root.game.max_moves, np.int64)
        given = state, root.game.rules, played, -INFINITE, INFINITE, 0, out
        (value, _), seconds = run_within(limit, control, self.search, *given)
        return int(value), seconds


def as_meant(game: Game, options: Options) -> Agent:
    return Luo(game, options, shipped=False)


def as_shipped(game: Game, options: Options) -> Agent:
    return Luo(game, options, shipped=True)


KINDS: list[AgentKind] = [
    AgentKind(
        name="luo",
        summary="alpha-beta of a wolves and sheep report (CityU CS4386)",
        make=as_meant,
        options=Options,
        games=("wolves",),
        web=True,
    ),
    AgentKind(
        name="luo-shipped",
        summary="the same with its bugs: wolves move on and on",
        make=as_shipped,
        options=Options,
        games=("wolves",),
        web=True,
    ),
]
