"""The compiled part of Monte Carlo tree search: one simulation after another in a pool of nodes.

The children of a node are neighbours in the pool. States are not kept: a simulation plays the moves from the root anew.
Values lie between 0 and 1, all for the first player. Because every node has one path to the root, repetition counts
what was really on the board.

A subtree whose result is proven is never searched again (Winands, Bjornsson and Saito, MCTS-Solver, 2008).
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.random_numbers import PRIME, next_number, number_below, shuffle
from kibitz.core.result import CHANCE, DRAW, FIRST, FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.core.seam.control import STOP
from kibitz.core.seam.slots import (
    UNKNOWN,
    candidates,
    evaluate,
    horizon,
    key,
    known_result,
    moves_once,
    outcomes,
    play,
    probe,
    result,
    turn,
)

ROLLOUT, HEURISTIC, IMPLICIT = range(3)  # what a new leaf is worth

Records = Any  # an array of records, whose fields are read as attributes

NODE = np.dtype(
    [
        ("total", np.float64),  # the sum of the values of all visits
        ("minimax", np.float64),  # what the heuristic says, backed up
        ("odds", np.float64),  # of the outcome that leads here
        ("move", np.int64),  # that leads here
        ("visits", np.int32),
        ("first_child", np.int32),
        ("children", np.int32),
        ("proven", np.int32),  # a result, or ONGOING
        ("distance", np.int32),  # the turns until then
        ("ends_turn", np.int32),  # does the move to this node end a turn?
    ],
    align=True,
)
STEP = np.dtype([("node", np.int64), ("mover", np.int64), ("takes_draw", np.int64)])  # one node of a simulation's path
PLAN = np.dtype(
    [
        ("leaf", np.int64),  # ROLLOUT, HEURISTIC or IMPLICIT
        ("cap", np.int64),  # moves of a playout
        ("repetition", np.int64),  # the rules' number
        ("complete", np.int64),  # are all moves in the tree?
        ("me", np.int64),  # the side that searches
        ("exploration", np.float64),
        ("mixing", np.float64),
        ("scale", np.float64),  # of the heuristic's scores
        ("used", np.int64),  # nodes of the pool
        ("random", np.int64),  # the last random number
    ],
    align=True,
)


class TreeMemory(NamedTuple):
    """All that a search works with."""

    pool: Records  # of NODE
    path: Records  # of STEP: from the root to the leaf of a simulation
    plan: Records  # one PLAN
    keys: NDArray[np.uint64]  # of the positions before the root, then of those on the path
    moves: NDArray[np.int64]  # of one position
    odds: NDArray[np.float64]
    weights: NDArray[np.float64]
    header: NDArray[np.int64]  # of a table of perfect play; both are empty where there is none
    data: NDArray[np.uint8]
    stop: NDArray[np.int64]


def grow(state: Any, rules: Any, played: NDArray[np.int64], root: int, simulations: int, memory: TreeMemory) -> int:
    """Simulate until the root is proven, the number is reached or the flag is raised, but once at least. The moves
    `played` lead from the state to the root; their keys are what repetition remembers.
    """
    for index in range(played.size):
        memory.keys[index] = key(state, rules)
        state = play(state, played[index], rules)
    done = 0
    while memory.pool[root].proven == ONGOING and done < simulations and (memory.stop[STOP] == 0 or done == 0):
        leaf, depth = descend(state, rules, root, played.size, memory)
        back_up(depth, leaf_worth(leaf, rules, memory.path[depth].node, memory), memory)
        done += 1
    return done


def descend(state: Any, rules: Any, root: int, past: int, memory: TreeMemory) -> tuple[Any, int]:
    """Follow the most promising children to a leaf, giving it children if it was visited before: its state, and how
    deep it lies. `past` positions came before the root.
    """
    pool, path, plan = memory.pool, memory.path, memory.plan[0]
    node, depth = root, 0
    while True:
        side = turn(state, rules)
        path[depth].node = node
        path[depth].mover = side
        path[depth].takes_draw = 0
        if plan.repetition > 0:
            memory.keys[past + depth] = key(state, rules)
        if pool[node].proven != ONGOING:
            break
        if pool[node].children == 0:
            new = node != root and pool[node].visits == 0
            if new or depth + 1 >= path.size or plan.used + memory.moves.size > pool.size:
                break
            expand(state, rules, node, side, past + depth + 1, memory)
            if pool[node].children == 0 or pool[node].proven != ONGOING:
                break
        if side == CHANCE:
            node = random_child(node, memory)
        else:
            node, path[depth].takes_draw = promising_child(node, side, memory)
        state = play(state, pool[node].move, rules)
        depth += 1
    return state, depth


def expand(state: Any, rules: Any, node: int, side: int, past: int, memory: TreeMemory) -> None:
    """Give a node its children and look which of them are decided. `past` keys lie on the way here."""
    plan = memory.plan[0]
    if side == CHANCE:
        end = outcomes(state, rules, memory.odds, memory.moves, 0)
    else:
        end = candidates(state, rules, memory.moves, 0)
        if plan.complete != 0:
            plan.random = shuffle(memory.moves, 0, end, plan.random)
    first = plan.used
    plan.used += end
    memory.pool[node].first_child = first
    memory.pool[node].children = end
    for index in range(end):
        after = play(state, memory.moves[index], rules)
        ended = result(after, rules)
        same_turn = ended == ONGOING and turn(after, rules) == side
        child = memory.pool[first + index]
        child.total = 0.0
        child.odds = memory.odds[index] if side == CHANCE else 1.0
        child.move = memory.moves[index]
        child.visits = 0
        child.first_child = 0
        child.children = 0
        child.ends_turn = 0 if side == CHANCE or same_turn else 1
        child.distance = 0
        if ended == ONGOING and plan.repetition > 0 and is_repeated(key(after, rules), past, memory):
            ended = DRAW
        if ended == ONGOING and not same_turn and turn(after, rules) != CHANCE:
            ended, child.distance = look_up(after, rules, memory)
        child.proven = ended
        if ended != ONGOING:
            child.minimax = worth_of(ended)
        elif plan.leaf == IMPLICIT:
            child.minimax = static_worth(after, rules, memory)
    if end > 0:
        settle(node, side, memory)


def is_repeated(code: np.uint64, past: int, memory: TreeMemory) -> bool:
    """Has a position been on the board so often that the game is drawn?"""
    times = 1
    for index in range(past):
        if memory.keys[index] == code:
            times += 1
    return bool(times >= memory.plan[0].repetition)


def look_up(state: Any, rules: Any, memory: TreeMemory) -> tuple[int, int]:
    """What the heuristic or a table knows at the beginning of a turn: a result and the turns until then; ONGOING where
    neither knows, or where the rules may change before that.
    """
    turns = known_result(state, rules)
    if turns != 0 and abs(turns) <= horizon(state, rules):
        return (FIRST_WINS if turns > 0 else SECOND_WINS), abs(turns)
    if memory.header.size > 0:
        solved = probe(state, rules, memory.header, memory.data)
        if solved == 0:
            return DRAW, 0
        if solved != UNKNOWN and abs(solved) <= horizon(state, rules):
            return (FIRST_WINS if solved > 0 else SECOND_WINS), abs(solved) - 1
    return ONGOING, 0


def promising_child(node: int, side: int, memory: TreeMemory) -> tuple[int, int]:
    """The undecided child of the highest upper confidence bound for the side to move, and whether a proven draw would
    be better. A child that was never visited counts as much as its parent, visited once.
    """
    pool, plan, parent = memory.pool, memory.plan[0], memory.pool[node]
    first = int(parent.first_child)
    visits = max(1, parent.visits)
    expected = parent.total / visits if parent.visits > 0 else 0.5
    reach = plan.exploration * math.sqrt(math.log(visits + 1.0))
    best, draw = -1, -1
    highest = -1.0
    for index in range(first, first + parent.children):
        child = pool[index]
        if child.proven != ONGOING:
            if child.proven == DRAW:
                draw = index
            continue
        mean = child.total / child.visits if child.visits > 0 else expected
        if plan.leaf == IMPLICIT:
            mean += plan.mixing * (child.minimax - mean)
        if side != FIRST:
            mean = 1.0 - mean
        bound = mean + reach / math.sqrt(max(1, child.visits))
        if bound > highest:
            highest = bound
            best = index
    if best < 0:  # all that the heuristic thought worth trying is decided
        return (draw if draw >= 0 else first), 0
    if draw >= 0 and highest < 0.5:
        pool[draw].visits += 1
        pool[draw].total += 0.5
        return best, 1
    return best, 0


def random_child(node: int, memory: TreeMemory) -> int:
    """A child of a chance node, by its odds."""
    plan = memory.plan[0]
    first = int(memory.pool[node].first_child)
    last = first + int(memory.pool[node].children) - 1
    plan.random = next_number(plan.random)
    left = plan.random / PRIME
    for child in range(first, last):
        left -= memory.pool[child].odds
        if left < 0.0:
            return child
    return last


def leaf_worth(state: Any, rules: Any, node: int, memory: TreeMemory) -> float:
    """What a leaf is worth: a proven result, the heuristic's score, or the end of a playout."""
    if memory.pool[node].proven != ONGOING:
        return worth_of(memory.pool[node].proven)
    if memory.plan[0].leaf == HEURISTIC:
        return static_worth(state, rules, memory)
    return playout(state, rules, memory)


def playout(state: Any, rules: Any, memory: TreeMemory) -> float:
    """How a game of random moves ends; where it is cut off, what the heuristic thinks of it."""
    number = int(memory.plan[0].random)
    ended = result(state, rules)
    for _ in range(memory.plan[0].cap):
        if ended != ONGOING or memory.stop[STOP] != 0:
            break
        number = next_number(number)
        if turn(state, rules) == CHANCE:
            end = outcomes(state, rules, memory.odds, memory.moves, 0)
            move = memory.moves[outcome_by_odds(end, number, memory)]
        else:
            end = moves_once(state, rules, memory.moves, 0)
            move = memory.moves[number_below(number, end)]
        state = play(state, move, rules)
        ended = result(state, rules)
    memory.plan[0].random = number
    return static_worth(state, rules, memory) if ended == ONGOING else worth_of(ended)


def outcome_by_odds(end: int, number: int, memory: TreeMemory) -> int:
    """The index of the outcome that a random number picks."""
    left = number / PRIME
    for index in range(end - 1):
        left -= memory.odds[index]
        if left < 0.0:
            return index
    return end - 1


def static_worth(state: Any, rules: Any, memory: TreeMemory) -> float:
    """The heuristic's score between 0 and 1: a logistic curve."""
    plan = memory.plan[0]
    units = evaluate(state, rules, memory.weights, plan.me) / plan.scale
    return 1.0 / (1.0 + math.exp(-min(max(units, -700.0), 700.0)))


def worth_of(ended: int) -> float:
    """A result for the first player."""
    if ended == DRAW:
        return 0.5
    return 1.0 if ended == FIRST_WINS else 0.0


def back_up(depth: int, value: float, memory: TreeMemory) -> None:
    """Add a simulation to every node of its path, from the leaf to the root, and see what is proven now."""
    pool, path = memory.pool, memory.path
    for level in range(depth, -1, -1):
        index, side = path[level].node, path[level].mover
        node = pool[index]
        inner = level < depth
        if inner and node.proven == ONGOING and pool[path[level + 1].node].proven != ONGOING:
            settle(index, side, memory)
        if path[level].takes_draw != 0:
            value = 0.5
        if node.proven != ONGOING:
            value = worth_of(node.proven)
            node.minimax = value
        elif memory.plan[0].leaf == IMPLICIT and inner:
            node.minimax = minimax_of_children(index, side, memory)
        node.visits += 1
        node.total += value


def settle(node: int, side: int, memory: TreeMemory) -> None:
    """Note what the children prove: one win suffices, a draw or a loss takes all of them, chance takes all alike."""
    pool = memory.pool
    first = int(pool[node].first_child)
    behind = first + int(pool[node].children)
    won = pool[first].proven if side == CHANCE else FIRST_WINS + side
    lost = won if side == CHANCE else SECOND_WINS - side
    shortest, longest = -1, 0
    still_open, draws = 0, 0
    for index in range(first, behind):
        child = pool[index]
        turns = child.distance + child.ends_turn
        if child.proven == ONGOING or (side == CHANCE and child.proven != won):
            still_open += 1
        elif child.proven == lost:
            longest = max(longest, turns)
        elif child.proven == won:
            shortest = turns if shortest < 0 else min(shortest, turns)
        else:
            draws += 1
    if shortest >= 0:
        pool[node].proven = won
        pool[node].distance = shortest
    elif still_open == 0 and (memory.plan[0].complete != 0 or side == CHANCE):
        pool[node].proven = DRAW if draws > 0 else lost
        pool[node].distance = 0 if draws > 0 else longest


def minimax_of_children(node: int, side: int, memory: TreeMemory) -> float:
    """The heuristic's value by minimax, or by the odds, over the children."""
    pool = memory.pool
    first = int(pool[node].first_child)
    behind = first + int(pool[node].children)
    value = 0.0 if side == CHANCE else float(pool[first].minimax)
    for index in range(first, behind):
        child = pool[index]
        if side == CHANCE:
            value += child.odds * child.minimax
        elif side == FIRST:
            value = max(value, child.minimax)
        else:
            value = min(value, child.minimax)
    return value
