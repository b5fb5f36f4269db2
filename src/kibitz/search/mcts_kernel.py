"""The compiled part of Monte Carlo tree search: one simulation after another in a pool of nodes.

A node is a row of `tree` and of `worth`, and its move in `move_to`; the children of a node are neighbours. States are
not kept: a simulation plays the moves from the root anew. Values lie between 0 and 1, all for the first player.
Because every node has one path to the root, repetition counts what was really on the board.

A subtree whose result is sure is never searched again (Winands, Bjornsson and Saito, MCTS-Solver, 2008).
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.result import CHANCE, DRAW, FIRST, FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.core.seam.control import STOP
from kibitz.core.seam.slots import (
    UNKNOWN,
    candidates,
    evaluate,
    key,
    known_result,
    moves_once,
    outcomes,
    play,
    plies_left,
    probe,
    result,
    turn,
)

Integers = NDArray[np.int64]
Small = NDArray[np.int32]
Floats = NDArray[np.float64]
Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]

# Columns of `tree`. CHILD is the first of COUNT children. PROVEN is a result or ONGOING, and DISTANCE the turns until
# then. STEP is 1 where the move to this node ends a turn.
VISITS, CHILD, COUNT, PROVEN, DISTANCE, STEP = range(6)
TOTAL, MINIMAX, ODDS = range(3)  # columns of `worth`: the sum over the visits, the backed up heuristic, its chance
NODE_BYTES = 6 * 4 + 3 * 8 + 8
NODE, MOVER, DRAWN = range(3)  # rows of `path`; DRAWN: would the side to move rather take a sure draw?

ROLLOUT, HEURISTIC, IMPLICIT = range(3)  # what a new leaf is worth
LEAF, CAP, REPETITION, COMPLETE, ME = range(5)  # entries of `plan`; COMPLETE: are all moves in the tree?
EXPLORATION, MIXING, SCALE = range(3)  # entries of `dial`
USED = 1  # the entry of `control` that counts the rows in use


def grow(
    state: Any,
    rules: Any,
    weights: Floats,
    played: Integers,
    root: int,
    simulations: int,
    tree: Small,
    worth: Floats,
    move_to: Integers,
    path: Integers,
    keys: Words,
    buffer: Integers,
    odds: Floats,
    plan: Integers,
    dial: Floats,
    dice: Words,
    layout: Integers,
    perfect: Bytes,
    control: Integers,
) -> int:
    """Simulate until the root is proven, the number is reached or the flag is raised, but once at least. The moves
    `played` lead from the state to the root; their keys are what repetition remembers. `layout` and `perfect` are a
    table of perfect play, or empty.
    """
    past = played.size
    for index in range(past):
        keys[index] = key(state, rules)
        state = play(state, played[index], rules)
    done = 0
    while tree[root, PROVEN] == ONGOING and done < simulations and (control[STOP] == 0 or done == 0):
        # Step 1. Follow the most promising children to a leaf, giving it children if it was seen before.
        here = state
        node = root
        depth = 0
        while True:
            side = turn(here, rules)
            path[NODE, depth] = node
            path[MOVER, depth] = side
            path[DRAWN, depth] = 0
            if plan[REPETITION] > 0:
                keys[past + depth] = key(here, rules)
            if tree[node, PROVEN] != ONGOING:
                break
            if tree[node, COUNT] == 0:
                fresh = node != root and tree[node, VISITS] == 0
                if fresh or depth + 1 >= path.shape[1] or control[USED] + buffer.size > tree.shape[0]:
                    break
                seen = past + depth + 1
                expand(
                    here, rules, weights, node, side, seen, tree, worth, move_to, keys, buffer, odds, plan, dial, dice,
                    layout, perfect, control,
                )  # fmt: skip
                if tree[node, COUNT] == 0 or tree[node, PROVEN] != ONGOING:
                    break
            if side == CHANCE:
                node = drawn_child(node, tree, worth, dice)
            else:
                node, path[DRAWN, depth] = promising_child(node, side, tree, worth, plan, dial)
            here = play(here, move_to[node], rules)
            depth += 1
        # Step 2. What is the leaf worth?
        if tree[node, PROVEN] != ONGOING:
            value = worth_of(tree[node, PROVEN])
        elif plan[LEAF] == HEURISTIC:
            value = static_worth(here, rules, weights, plan, dial)
        else:
            value = playout(here, rules, weights, buffer, odds, plan, dial, dice, control)
        # Step 3. Tell all nodes on the path.
        back_up(depth, value, tree, worth, path, plan)
        done += 1
    return done


def expand(
    state: Any,
    rules: Any,
    weights: Floats,
    node: int,
    side: int,
    seen: int,
    tree: Small,
    worth: Floats,
    move_to: Integers,
    keys: Words,
    buffer: Integers,
    odds: Floats,
    plan: Integers,
    dial: Floats,
    dice: Words,
    layout: Integers,
    perfect: Bytes,
    control: Integers,
) -> None:
    """Give a node its children and look which of them are decided. `seen` keys lie on the way here."""
    if side == CHANCE:
        end = outcomes(state, rules, odds, buffer, 0)
    else:
        end = candidates(state, rules, buffer, 0)
        if plan[COMPLETE] != 0:
            shuffle(buffer, end, dice)
    first = control[USED]
    control[USED] += end
    tree[node, CHILD] = first
    tree[node, COUNT] = end
    for index in range(end):
        child = first + index
        after = play(state, buffer[index], rules)
        move_to[child] = buffer[index]
        worth[child, TOTAL] = 0.0
        worth[child, ODDS] = odds[index] if side == CHANCE else 1.0
        tree[child, VISITS] = 0
        tree[child, CHILD] = 0
        tree[child, COUNT] = 0
        tree[child, DISTANCE] = 0
        found = result(after, rules)
        tree[child, STEP] = 1 if side != CHANCE and (found != ONGOING or turn(after, rules) != side) else 0
        if found == ONGOING and plan[REPETITION] > 0 and times_seen(key(after, rules), keys, seen) >= plan[REPETITION]:
            found = DRAW
        if found == ONGOING:
            turns = known_result(after, rules)
            if turns != 0 and abs(turns) <= plies_left(after, rules):
                found = FIRST_WINS if turns > 0 else SECOND_WINS
                tree[child, DISTANCE] = abs(turns)
        if found == ONGOING and layout.size > 0:
            solved = probe(after, rules, layout, perfect)
            if solved == 0:
                found = DRAW
            elif solved != UNKNOWN and abs(solved) <= plies_left(after, rules):
                found = FIRST_WINS if solved > 0 else SECOND_WINS
                tree[child, DISTANCE] = abs(solved) - 1
        tree[child, PROVEN] = found
        if found != ONGOING:
            worth[child, MINIMAX] = worth_of(found)
        elif plan[LEAF] == IMPLICIT:
            worth[child, MINIMAX] = static_worth(after, rules, weights, plan, dial)
    if end > 0:
        settle(node, side, tree, plan)


def times_seen(code: np.uint64, keys: Words, seen: int) -> int:
    """How often a position has been on the board, once more now."""
    times = 1
    for index in range(seen):
        if keys[index] == code:
            times += 1
    return times


def promising_child(node: int, side: int, tree: Small, worth: Floats, plan: Integers, dial: Floats) -> tuple[int, int]:
    """The undecided child of the highest upper confidence bound for the side to move, and whether a sure draw would
    be better. A child that was never visited counts as much as its parent, seen once.
    """
    first = tree[node, CHILD]
    visits = max(1, tree[node, VISITS])
    expected = worth[node, TOTAL] / visits if tree[node, VISITS] > 0 else 0.5
    reach = dial[EXPLORATION] * math.sqrt(math.log(visits + 1.0))
    best, draw = -1, -1
    highest = -1.0
    for child in range(first, first + tree[node, COUNT]):
        if tree[child, PROVEN] != ONGOING:
            if tree[child, PROVEN] == DRAW:
                draw = child
            continue
        count = tree[child, VISITS]
        mean = worth[child, TOTAL] / count if count > 0 else expected
        if plan[LEAF] == IMPLICIT:
            mean += dial[MIXING] * (worth[child, MINIMAX] - mean)
        if side != FIRST:
            mean = 1.0 - mean
        bound = mean + reach / math.sqrt(max(1, count))
        if bound > highest:
            highest = bound
            best = child
    if best < 0:  # all that the heuristic thought worth trying is decided
        return (draw if draw >= 0 else int(first)), 0
    if draw >= 0 and highest < 0.5:
        tree[draw, VISITS] += 1
        worth[draw, TOTAL] += 0.5
        return best, 1
    return best, 0


def drawn_child(node: int, tree: Small, worth: Floats, dice: Words) -> int:
    """A child of a chance node, by its odds."""
    first = tree[node, CHILD]
    last = first + tree[node, COUNT] - 1
    left = fraction(dice)
    for child in range(first, last):
        left -= worth[child, ODDS]
        if left < 0.0:
            return int(child)
    return int(last)


def playout(
    state: Any,
    rules: Any,
    weights: Floats,
    buffer: Integers,
    odds: Floats,
    plan: Integers,
    dial: Floats,
    dice: Words,
    control: Integers,
) -> float:
    """How a game of random moves ends; where it is cut off, what the heuristic thinks of it."""
    for _ in range(plan[CAP]):
        found = result(state, rules)
        if found != ONGOING:
            return worth_of(found)
        if control[STOP] != 0:
            break
        if turn(state, rules) == CHANCE:
            end = outcomes(state, rules, odds, buffer, 0)
            move = buffer[drawn(odds, end, dice)]
        else:
            end = moves_once(state, rules, buffer, 0)
            move = buffer[below(end, dice)]
        state = play(state, move, rules)
    return static_worth(state, rules, weights, plan, dial)


def static_worth(state: Any, rules: Any, weights: Floats, plan: Integers, dial: Floats) -> float:
    """The heuristic's score between 0 and 1: a logistic curve."""
    return 1.0 / (1.0 + math.exp(-evaluate(state, rules, weights, plan[ME]) / dial[SCALE]))


def worth_of(found: int) -> float:
    """A result for the first player."""
    if found == DRAW:
        return 0.5
    return 1.0 if found == FIRST_WINS else 0.0


def back_up(depth: int, value: float, tree: Small, worth: Floats, path: Integers, plan: Integers) -> None:
    """Add a simulation to every node of its path, from the leaf to the root, and see what has become sure."""
    for level in range(depth, -1, -1):
        node, side = path[NODE, level], path[MOVER, level]
        inner = level < depth
        if inner and tree[node, PROVEN] == ONGOING and tree[path[NODE, level + 1], PROVEN] != ONGOING:
            settle(node, side, tree, plan)
        if path[DRAWN, level] != 0:
            value = 0.5
        if tree[node, PROVEN] != ONGOING:
            value = worth_of(tree[node, PROVEN])
            worth[node, MINIMAX] = value
        elif plan[LEAF] == IMPLICIT and inner:
            worth[node, MINIMAX] = backed_up(node, side, tree, worth)
        tree[node, VISITS] += 1
        worth[node, TOTAL] += value


def settle(node: int, side: int, tree: Small, plan: Integers) -> None:
    """Note what the children prove: one win suffices, a draw or a loss takes all of them, chance takes all alike."""
    first = tree[node, CHILD]
    behind = first + tree[node, COUNT]
    won = tree[first, PROVEN] if side == CHANCE else FIRST_WINS + side
    lost = won if side == CHANCE else SECOND_WINS - side
    shortest, longest = -1, 0
    still_open, drawn_games = 0, 0
    for child in range(first, behind):
        turns = tree[child, DISTANCE] + tree[child, STEP]
        if tree[child, PROVEN] == ONGOING or (side == CHANCE and tree[child, PROVEN] != won):
            still_open += 1
        elif tree[child, PROVEN] == lost:
            longest = max(longest, turns)
        elif tree[child, PROVEN] == won:
            shortest = turns if shortest < 0 else min(shortest, turns)
        else:
            drawn_games += 1
    if shortest >= 0:
        tree[node, PROVEN] = won
        tree[node, DISTANCE] = shortest
    elif still_open == 0 and (plan[COMPLETE] != 0 or side == CHANCE):
        tree[node, PROVEN] = DRAW if drawn_games > 0 else lost
        tree[node, DISTANCE] = 0 if drawn_games > 0 else longest


def backed_up(node: int, side: int, tree: Small, worth: Floats) -> float:
    """The heuristic's value by minimax, or by the odds, over the children."""
    first = tree[node, CHILD]
    behind = first + tree[node, COUNT]
    value = 0.0 if side == CHANCE else worth[first, MINIMAX]
    for child in range(first, behind):
        if side == CHANCE:
            value += worth[child, ODDS] * worth[child, MINIMAX]
        elif side == FIRST:
            value = max(value, worth[child, MINIMAX])
        else:
            value = min(value, worth[child, MINIMAX])
    return float(value)


# Dice: Marsaglia's xorshift in one word, of which the upper half is used.


def roll(dice: Words) -> int:
    """A random number of 31 bits."""
    word = dice[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    dice[0] = word
    return np.int64(word >> np.uint64(33))  # type: ignore[return-value]


def below(count: int, dice: Words) -> int:
    """A random number from 0 up to but not including `count`."""
    return (roll(dice) * count) >> 31


def fraction(dice: Words) -> float:
    """A random number from 0 up to but not including 1."""
    return roll(dice) / 2147483648.0


def drawn(odds: Floats, end: int, dice: Words) -> int:
    """An index, by the odds."""
    left = fraction(dice)
    for index in range(end - 1):
        left -= odds[index]
        if left < 0.0:
            return index
    return end - 1


def shuffle(buffer: Integers, end: int, dice: Words) -> None:
    for index in range(end - 1, 0, -1):
        other = below(index + 1, dice)
        buffer[index], buffer[other] = buffer[other], buffer[index]
