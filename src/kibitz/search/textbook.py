"""Minimax and alpha-beta at a fixed depth, as textbooks have them: for reading, and to hold other searches against.

Let v be the value of a position for `me`, the side to move at the root, `depth` turns ahead:

    a decided game      WIN less the turns it took if `me` has won, the negative of that if the other side has
    a draw              0
    chance to move      the mean over what chance may do, weighed by its probability; that costs no depth
    no turns left       what the heuristic says to `me`
    `me` to move        the largest v among the moves
    the other to move   the smallest v among the moves

A side may make several moves in one turn; only the end of the turn costs depth. The ply limit counts, repetition does
not. `minimax` returns v. `alphabeta` returns v too, and visits no node that `minimax` would not visit.

A win or loss is proven where no estimate, no chance that might fall otherwise and no move left out stands behind it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.heuristic import NO_HEURISTIC, Heuristic
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.random_numbers import PRIME, hash_number, shuffle
from kibitz.core.result import CHANCE, DRAW, FIRST, FIRST_WINS, ONGOING
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP
from kibitz.core.seam.slots import evaluate, key, moves_once, outcomes, play, result, turn
from kibitz.search.budget import (
    NODES,
    OWN,
    STOPPED,
    any_turn,
    control_for,
    count_node,
    depth_within,
    line_of,
    refuse_finished,
    run_within,
    seed_of,
)
from kibitz.search.report import PROVEN, WIN, Report, first_turn

# What a search's memory holds behind the entries that every search has.
CUTOFFS, ME, DEPTH, BREADTH, SHALLOW, SHUFFLE, SEED, LEVELS = range(OWN, OWN + 8)
LINES = STOPPED.size

WITHIN_A_TURN = 64  # levels of recursion for each turn, where turns have several moves or end in chance
MOST_WEIGHTS = 1000


class Style(NamedTuple):
    """How to search, apart from how deep."""

    shuffle: bool = False  # try the moves of each position in an order drawn by the seed, not in that of the rules
    breadth: int = 0  # look at the first so many moves of each position only; 0: at all
    shallow: bool = False  # among equal scores prefer the shallower leaf, whoever is to move; otherwise the first met
    noise: float = 0.0  # add so much times a number in [0, 1), drawn by the leaf's key and the seed
    seed: int = 0  # 0: another one each time


PLAIN_STYLE = Style()
NO_LIMIT = Limit()


def minimax(
    position: Position,
    depth: int,
    heuristic: Heuristic = NO_HEURISTIC,
    style: Style = PLAIN_STYLE,
    limit: Limit = NO_LIMIT,
) -> Report:
    """The best turn by minimax, with its exact score and the number of calls of the search function."""
    return _search(minimax_value, (), position, depth, heuristic, style, limit)


def alphabeta(
    position: Position,
    depth: int,
    heuristic: Heuristic = NO_HEURISTIC,
    style: Style = PLAIN_STYLE,
    limit: Limit = NO_LIMIT,
) -> Report:
    """The same turn and score as `minimax` with the same style and seed, from fewer nodes."""
    return _search(alphabeta_value, (-np.inf, np.inf), position, depth, heuristic, style, limit)


# The two searches. They return a value for `me`, how many turns away from the root its leaf lies, and whether a win or
# loss of that value is in doubt, and leave the line of best moves that leads there in the memory. Two arrays hold all
# they work with, for each array more makes a call a good deal slower. `memory` begins with the control entries, then
# come the lines, one for each level of the recursion, then a stack of moves, free from `at` on. `numbers` begins with
# the weights; beside the stack of moves it has the probabilities of outcomes.


def minimax_value(
    state: Any,
    rules: Any,
    depth: int,
    noise: float,
    level: int,
    at: int,
    numbers: NDArray[np.float64],
    memory: NDArray[np.int64],
) -> tuple[float, int, bool]:
    """v, the turns to its leaf, and whether it is in doubt."""
    turns = memory[DEPTH] - depth
    if not enter_node(level, memory):
        return 0.0, turns, True
    ended = result(state, rules)
    if ended != ONGOING:
        return final_value(ended, turns, memory[ME]), turns, False
    side = turn(state, rules)
    if side == CHANCE:
        end = outcomes(state, rules, numbers, memory, at)
        mean, farthest, least, most, doubt = 0.0, turns, np.inf, -np.inf, False
        for index in range(at, end):
            child = play(state, memory[index], rules)
            value, leaf, doubtful = minimax_value(child, rules, depth, noise, level + 1, end, numbers, memory)
            mean += numbers[index] * value
            farthest = max(farthest, leaf)
            least, most, doubt = min(least, value), max(most, value), doubt or doubtful
        return mean, farthest, doubt or (least < PROVEN and most > -PROVEN)
    if depth == 0:
        return leaf_value(state, rules, noise, numbers, memory), turns, False
    end = ordered_moves(state, rules, at, memory)
    maximises = side == memory[ME]
    best, nearest = -np.inf if maximises else np.inf, turns
    best_doubt, any_doubt = False, memory[BREADTH] > 0
    for index in range(at, end):
        child = play(state, memory[index], rules)
        left = turns_left(child, rules, side, depth)
        if is_leaf(child, rules, left):  # most nodes are: valued here they cost no call, and count as one
            value, leaf, doubt = leaf_value(child, rules, noise, numbers, memory), turns + 1, False
            enter_node(level + 1, memory)
        else:
            value, leaf, doubt = minimax_value(child, rules, left, noise, level + 1, end, numbers, memory)
        if memory[STOP] != 0:
            break
        any_doubt = any_doubt or doubt
        if better(value, leaf, best, nearest, maximises, memory):
            best, nearest, best_doubt = value, leaf, doubt
            remember(memory[index], level, memory)
    return best, nearest, best_doubt if (best > 0) == maximises else any_doubt


def alphabeta_value(
    state: Any,
    rules: Any,
    depth: int,
    alpha: float,
    beta: float,
    noise: float,
    level: int,
    at: int,
    numbers: NDArray[np.float64],
    memory: NDArray[np.int64],
) -> tuple[float, int, bool]:
    """Some r, the turns to its leaf, and whether it is in doubt. `me` can already get alpha elsewhere, the other side
    can keep it to beta:

    r <= alpha        =>  v <= r     (upper bound)
    alpha < r < beta  =>  v == r     (exact)
    r >= beta         =>  v >= r     (lower bound)

    Where ties go to the shallower leaf, r == alpha and r == beta are exact as well: a tie must not be a mere bound.
    """
    turns = memory[DEPTH] - depth
    if not enter_node(level, memory):
        return 0.0, turns, True
    ended = result(state, rules)
    if ended != ONGOING:
        return final_value(ended, turns, memory[ME]), turns, False
    side = turn(state, rules)
    if side == CHANCE:
        end = outcomes(state, rules, numbers, memory, at)
        mean, farthest, least, most, doubt = 0.0, turns, np.inf, -np.inf, False
        for index in range(at, end):
            child = play(state, memory[index], rules)
            value, leaf, doubtful = alphabeta_value(
                child, rules, depth, -np.inf, np.inf, noise, level + 1, end, numbers, memory
            )
            mean += numbers[index] * value
            farthest = max(farthest, leaf)
            least, most, doubt = min(least, value), max(most, value), doubt or doubtful
        return mean, farthest, doubt or (least < PROVEN and most > -PROVEN)
    if depth == 0:
        return leaf_value(state, rules, noise, numbers, memory), turns, False
    end = ordered_moves(state, rules, at, memory)
    maximises = side == memory[ME]
    best, nearest = -np.inf if maximises else np.inf, turns
    best_doubt, any_doubt = False, memory[BREADTH] > 0
    for index in range(at, end):
        child = play(state, memory[index], rules)
        left = turns_left(child, rules, side, depth)
        if is_leaf(child, rules, left):  # most nodes are: valued here they cost no call, and count as one
            value, leaf, doubt = leaf_value(child, rules, noise, numbers, memory), turns + 1, False
            enter_node(level + 1, memory)
        else:
            value, leaf, doubt = alphabeta_value(
                child, rules, left, alpha, beta, noise, level + 1, end, numbers, memory
            )
        if memory[STOP] != 0:
            break
        any_doubt = any_doubt or doubt
        if better(value, leaf, best, nearest, maximises, memory):
            best, nearest, best_doubt = value, leaf, doubt
            remember(memory[index], level, memory)
        if maximises:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha > beta or (alpha == beta and memory[SHALLOW] == 0):
            memory[CUTOFFS] += 1
            break
    return best, nearest, best_doubt if (best > 0) == maximises else any_doubt


def enter_node(level: int, memory: NDArray[np.int64]) -> bool:
    """Count this call of the search and begin its line, unless the search is to stop."""
    if not count_node(memory):
        return False
    if level + 1 >= memory[LEVELS]:
        raise RecursionError("a turn has too many moves for a search by recursion")
    memory[line_at(level, memory)] = 0
    return True


def line_at(level: int, memory: NDArray[np.int64]) -> int:
    """Where the line of a level lies: its length, then its moves, which are fewer than there are levels."""
    return int(LINES + level * memory[LEVELS])


def remember(move: int, level: int, memory: NDArray[np.int64]) -> None:
    """The best line from here is this move and then the best line one level deeper."""
    here, deeper = line_at(level, memory), line_at(level + 1, memory)
    memory[here] = memory[deeper] + 1
    memory[here + 1] = move
    for step in range(1, memory[deeper] + 1):
        memory[here + 1 + step] = memory[deeper + step]


def final_value(ended: int, turns: int, me: int) -> float:
    """What a finished game is worth to `me`."""
    if ended == DRAW:
        return 0.0
    return WIN - turns if ended == FIRST_WINS + me else turns - WIN


def is_leaf(child: Any, rules: Any, left: int) -> bool:
    """Is there nothing to look at but what the heuristic says?"""
    return bool(left == 0 and turn(child, rules) != CHANCE and result(child, rules) == ONGOING)


def leaf_value(state: Any, rules: Any, noise: float, numbers: NDArray[np.float64], memory: NDArray[np.int64]) -> float:
    """What the heuristic says to `me`, never as much as a proven win."""
    score = evaluate(state, rules, numbers, memory[ME])
    if memory[ME] != FIRST:
        score = -score
    if noise != 0.0:
        score += noise * (hash_number(key(state, rules), memory[SEED]) / PRIME)
    return float(max(1.0 - PROVEN, min(score, PROVEN - 1.0)))


def ordered_moves(state: Any, rules: Any, at: int, memory: NDArray[np.int64]) -> int:
    """Write the moves to look at, in the order to look at them; the index behind the last one."""
    end = int(moves_once(state, rules, memory, at))
    if memory[SHUFFLE] != 0:
        shuffle(memory, at, end, hash_number(key(state, rules), memory[SEED]))
    if memory[BREADTH] > 0:
        end = min(end, at + memory[BREADTH])
    return end


def turns_left(child: Any, rules: Any, side: int, depth: int) -> int:
    """The depth for what follows a move of this side: one less if the move ended the turn."""
    if turn(child, rules) == side and result(child, rules) == ONGOING:
        return depth
    return depth - 1


def better(
    value: float, leaf: int, best: float, nearest: int, maximises: bool, memory: NDArray[np.int64]
) -> bool:  # fmt: skip
    """Does this move replace the best so far?"""
    if value == best:
        return bool(memory[SHALLOW] != 0 and leaf < nearest)
    return value > best if maximises else value < best


# Around them.


def _search(
    kernel: Callable[..., Any],
    window: tuple[float, ...],
    position: Position,
    depth: int,
    heuristic: Heuristic,
    style: Style,
    limit: Limit,
) -> Report:
    refuse_finished(position)
    depth = depth_within(depth, limit)
    game = position.game
    memory = _new_memory(position, depth, style, limit)
    numbers = np.zeros(memory.size)
    weights = heuristic.weight_array
    numbers[: weights.size] = weights
    stack = max(line_at(int(memory[LEVELS]), memory), weights.size)
    given = position.state, game.rules, depth, *window, style.noise, 0, stack, numbers
    (value, _, doubt), seconds = run_within(limit, memory, specialise(game.rulebook, kernel, heuristic), *given)
    proven = abs(value) >= PROVEN and not (doubt or memory[STOP] or _may_repeat(position))
    line = tuple(int(code) for code in memory[LINES + 1 : LINES + 1 + memory[LINES]])
    return Report(
        moves=first_turn(position, line) or any_turn(position),
        lines=(line_of(position, float(value), line, proven),) if line else (),
        depth=depth,
        nodes=int(memory[NODES]),
        seconds=seconds,
        cutoffs=int(memory[CUTOFFS]),
        remarks=("stopped early",) if memory[STOP] else (),
    )


def _may_repeat(position: Position) -> bool:
    """Is a position of the game's past drawn when it comes up once more?"""
    most = position.game.rulebook.repetition
    past = [] if most == 0 or position.before is None else list(position.before.trail())
    return any(place.seen >= most - 1 for place in past)


def _new_memory(position: Position, depth: int, style: Style, limit: Limit) -> NDArray[np.int64]:
    game = position.game
    levels = 2 + depth * (1 if game.alternating and not game.rulebook.outcomes else WITHIN_A_TURN)
    head = control_for(limit)
    head[ME] = position.turn
    head[DEPTH] = depth
    head[BREADTH] = style.breadth
    head[SHALLOW] = style.shallow
    head[SHUFFLE] = style.shuffle
    head[SEED] = seed_of(style.seed)
    head[LEVELS] = levels
    return np.concatenate([head, np.zeros(levels * (levels + game.max_moves) + MOST_WEIGHTS, np.int64)])
