"""The engine's one recursive function. Its steps are numbered; setting a STEP to 0 builds a search without it.

Let v be the value of the position for the side `pov`, searched to `depth` turns. The result r obeys
    r <= alpha        =>  v <= r     (upper bound)
    alpha < r < beta  =>  v == r     (exact)
    r >= beta         =>  v >= r     (lower bound)
as far as no step prunes: without reductions, late move pruning, futility, static pruning and quiescence, v is the
plain minimax value.

A score is for the side to move, or at a chance node for the side whose turn led there. Depth counts turns: a move that
leaves the turn where it was, and a chance outcome, cost nothing.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.result import CHANCE, DRAW, FIRST, ONGOING
from kibitz.core.seam.control import STOP
from kibitz.core.seam.slots import (
    UNKNOWN,
    candidates,
    evaluate,
    horizon,
    key,
    known_result,
    outcomes,
    play,
    probe,
    result,
    turn,
)
from kibitz.search.engine.memory import (
    AGE,
    CUTOFFS,
    DEEPEST,
    EXCLUDED,
    HITS,
    LINES_TAKEN,
    MAX_LEVEL,
    ME,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    PATH,
    POSITIVE,
    PV,
    PV_LENGTH,
    ROOT_DEPTH,
    SEEN,
    SEEN_COUNT,
    TIED_TO,
    TURN_COST,
    UNIT,
    UNTIED,
    WIN_VALUE,
)
from kibitz.search.engine.ordering import KILLER, TACTICAL, add_others, pick, rank_moves, reward
from kibitz.search.engine.transpositions import (
    EXACT,
    FACTS,
    LOWER,
    MOVE,
    SCORE,
    UPPER,
    bound_of,
    depth_of,
    entry_of,
    store,
)

STEP_REPETITION = 1
STEP_KNOWN_RESULT = 1
STEP_PERFECT = 1
STEP_TABLE = 1
STEP_QUIESCENCE = 1
STEP_STATIC_PRUNING = 1
STEP_REDUCED_WITHOUT_MOVE = 1
STEP_EXTENSION = 1
STEP_FUTILITY = 1
STEP_LATE_PRUNING = 1
STEP_PRINCIPAL_VARIATION = 1
STEP_REDUCTIONS = 1
STEP_STAR1 = 1
STEP_STAR2 = 1

NARROW = 0  # set where a heuristic's candidates may be fewer than the moves, and a turn is one move
REPEATS = 0  # set for games where a repeated position is a draw
QUIET_TURNS = 10  # how far quiescence goes
REACH = 40  # no line goes further beyond its depth than this, by extensions and quiescence
ROOM_TO_SPARE = 24  # levels left for the battles of a last turn
TINY = 1e-6  # the width of a null window
REDUCTIONS = np.array(
    [[int(0.4 + math.log(depth or 1) * math.log(tried or 1) / 1.9) for tried in range(64)] for depth in range(64)],
    np.int64,
)


def decided(found: int, pov: int, ply: int, weights: NDArray[np.float64]) -> float:
    """The value of a finished game: a win is worth more the sooner it comes."""
    if found == DRAW:
        return 0.0
    value = float(weights[weights.size - WIN_VALUE] - weights[weights.size - TURN_COST] * ply)
    return value if found == 1 + pov else -value


def repeats(code: int, level: int, work: NDArray[np.int64], control: NDArray[np.int64]) -> int:
    """The level of the line that this key repeats; -1 for one that the game has seen too often; UNTIED for none."""
    for earlier in range(level - 1, -1, -1):
        if work[PATH + earlier] == code:
            return earlier
    for index in range(control[SEEN_COUNT]):
        if work[SEEN + index] == code:
            return -1
    return UNTIED


def taken(move: int, work: NDArray[np.int64], control: NDArray[np.int64]) -> bool:
    """Does another of several lines begin with this root move?"""
    for index in range(control[LINES_TAKEN]):  # noqa: SIM110 - compiled code knows no any()
        if work[EXCLUDED + index] == move:
            return True
    return False


def extend_line(level: int, move: int, work: NDArray[np.int64]) -> None:
    """The best line from this level is the move and then the best line from the next."""
    row, below = PV + level * MAX_LEVEL, PV + (level + 1) * MAX_LEVEL
    length = int(work[PV_LENGTH + level + 1])
    work[row] = move
    for index in range(min(length, MAX_LEVEL - 1)):
        work[row + 1 + index] = work[below + index]
    work[PV_LENGTH + level] = min(length + 1, MAX_LEVEL)


def visit(
    state: Any,
    rules: Any,
    depth: int,
    alpha: float,
    beta: float,
    pov: int,
    fresh: int,
    probing: int,
    ply: int,
    level: int,
    previous: int,
    at: int,
    weights: NDArray[np.float64],
    out: NDArray[np.int64],
    order: NDArray[np.int64],
    odds: NDArray[np.float64],
    work: NDArray[np.int64],
    table: NDArray[np.int64],
    scores: NDArray[np.float64],
    layout: NDArray[np.int64],
    perfect: NDArray[np.uint8],
    control: NDArray[np.int64],
) -> float:
    """The value for `pov`. `fresh`: a turn begins here; `probing`: one move will do; `at`: where `out` is free."""
    # Numbers that are not literals: a recursive call with a literal would be compiled as another function.
    no = at - at
    yes = no + 1
    nowhere = no + NO_MOVE

    # Step 1. Count, stop, and leave where the game is decided.
    control[NODES] += 1
    if control[NODES] >= control[NODE_LIMIT]:
        control[STOP] = 1
    if control[STOP] != 0:
        return 0.0
    work[PV_LENGTH + level] = 0
    work[TIED_TO + level] = UNTIED
    found = result(state, rules)
    if found != ONGOING:
        return decided(found, pov, ply + 1 - fresh, weights)
    win = float(weights[weights.size - WIN_VALUE])
    cost = float(weights[weights.size - TURN_COST])
    side = turn(state, rules)

    # Step 2. At a chance node the value is the mean over the outcomes, as far as the window can still be reached.
    if side == CHANCE:
        work[PATH + level] = -1
        end = outcomes(state, rules, odds, out, at)
        if STEP_STAR2 and depth >= 1:
            # Let the side to move next try one move after each outcome: that alone may fail the window.
            most, left = 0.0, 1.0
            for index in range(at, end):
                chance = float(odds[index])
                left = max(left - chance, 0.0)
                child = play(state, out[index], rules)
                ceiling = win
                if turn(child, rules) == 1 - pov and result(child, rules) == ONGOING:
                    floor = max(-win, (alpha - most - left * win) / chance)
                    ceiling = -visit(
                        child, rules, depth, -win, -floor, 1 - pov, yes, yes, ply, level + 1,
                        nowhere, end, weights, out, order, odds, work, table, scores, layout, perfect, control,
                    )  # fmt: skip
                    work[TIED_TO + level] = min(work[TIED_TO + level], work[TIED_TO + level + 1])
                    if control[STOP] != 0:
                        return 0.0
                most += chance * ceiling
                if most + left * win <= alpha:
                    return most + left * win
        total, left = 0.0, 1.0
        for index in range(at, end):
            chance = float(odds[index])
            left = max(left - chance, 0.0)
            low, high = -win, win
            if STEP_STAR1:
                low = max(-win, (alpha - total - left * win) / chance)
                high = min(win, (beta - total + left * win) / chance)
            child = play(state, out[index], rules)
            next_pov = turn(child, rules)
            next_fresh = yes
            if next_pov == CHANCE:
                next_pov = pov
                next_fresh = no
            sign = 1.0 if next_pov == pov else -1.0
            value = sign * visit(
                child, rules, depth, low if sign > 0 else -high, high if sign > 0 else -low, next_pov, next_fresh,
                no, ply, level + 1, nowhere, end,
                weights, out, order, odds, work, table, scores, layout, perfect, control,
            )  # fmt: skip
            if control[STOP] != 0:
                return 0.0
            work[TIED_TO + level] = min(work[TIED_TO + level], work[TIED_TO + level + 1])
            total += chance * value
            if STEP_STAR1 and value <= low and low > -win:
                return total + left * win
            if STEP_STAR1 and value >= high and high < win:
                return total - left * win
        return total

    # Step 3. A position seen before on this line, or too often in the game, is a draw.
    code = int(key(state, rules) & np.uint64(POSITIVE)) ^ int(control[ME])
    work[PATH + level] = code
    if STEP_REPETITION and REPEATS and level > 0:
        earlier = repeats(code, level, work, control)
        if earlier < UNTIED:
            work[TIED_TO + level] = earlier
            return 0.0

    # Step 4. A result that can be seen at once.
    limit = horizon(state, rules)
    if STEP_KNOWN_RESULT and fresh and level > 0:
        seen = known_result(state, rules)
        if seen != 0 and abs(seen) <= limit:
            value = float(win - cost * (ply + abs(seen)))
            return value if (seen > 0) == (pov == FIRST) else -value

    # Step 5. What a table of perfect play knows, unless the ply limit comes first. Without a table it knows nothing.
    if STEP_PERFECT and fresh and level > 0:
        solved = probe(state, rules, layout, perfect)
        if solved == 0:
            return 0.0
        if solved != UNKNOWN and abs(solved) <= limit:
            value = float(win - cost * (ply + abs(solved) - 1))
            return value if (solved > 0) == (pov == FIRST) else -value

    # Step 6. What the table knows. A hit that could reach over the ply limit is none.
    known = nowhere
    principal = beta - alpha > 2 * TINY
    if STEP_TABLE:
        entry = entry_of(table, code)
        if entry >= 0:
            control[HITS] += 1
            facts = int(table[entry + FACTS])
            value = float(scores[entry + SCORE])
            known = int(table[entry + MOVE])
            if value > win - cost * 1000:
                value -= cost * ply
            elif value < cost * 1000 - win:
                value += cost * ply
            deep_enough = depth_of(facts) >= depth and limit > depth_of(facts) + REACH
            if deep_enough and not principal and level > 0:
                bound = bound_of(facts)
                if (bound & LOWER and value >= beta) or (bound & UPPER and value <= alpha):
                    return value

    # Step 7. At the end of the depth, go on with tactical moves only, or stop.
    control[DEEPEST] = max(control[DEEPEST], ply)
    out_of_room = level >= MAX_LEVEL - ROOM_TO_SPARE
    quiet_search = (depth <= 0 and fresh != 0) or out_of_room
    static = 0.0
    if quiet_search or ((STEP_STATIC_PRUNING or STEP_FUTILITY) and depth <= 6 and fresh):
        static = evaluate(state, rules, weights, int(control[ME] & 1))
        if side != FIRST:
            static = -static
    best = -2.0 * win
    if quiet_search:
        if not STEP_QUIESCENCE or depth <= -QUIET_TURNS or static >= beta or out_of_room:
            return static
        best = static
    start = alpha
    alpha = max(alpha, best)

    # Step 8. Far above the window with little depth left: leave it at that.
    unit = float(weights[weights.size - UNIT])
    nothing_sure = abs(beta) < win - cost * 1000
    if STEP_STATIC_PRUNING and not principal and fresh and 0 < depth <= 6 and nothing_sure:  # noqa: SIM102
        if static - unit * 0.9 * depth >= beta:
            return static

    # Step 9. Without a move from the table, look less deep: the next time round it will have one.
    if STEP_REDUCED_WITHOUT_MOVE and known == NO_MOVE and depth >= 5 and level > 0 and fresh:
        depth -= 1

    # Step 10. List the moves, the most promising first.
    end = candidates(state, rules, out, at)
    rank_moves(state, rules, side, level, at, end, known, previous, out, order, work)
    extension = no
    if STEP_EXTENSION and end - at == 1 and depth > 0 and fresh and ply < 2 * control[ROOT_DEPTH]:
        extension = yes
    choice = nowhere
    tried = 0
    lost = float(cost * 1000 - win)
    narrow = bool(NARROW and not quiet_search)
    index = at - 1
    while True:
        index += 1
        if index == end and narrow and best < lost:
            # No candidate saves the game: before it counts as lost, the other moves have their chance.
            narrow = False
            end = add_others(state, rules, at, end, out, order)
        if index >= end:
            break
        pick(index, end, out, order)
        move = int(out[index])
        quiet = order[index] < KILLER - (1 << 30)
        if level == 0 and taken(move, work, control):
            continue
        if quiet_search and order[index] < TACTICAL - (1 << 30):
            break

        # Step 11. Skip quiet moves that come late or cannot reach the window.
        if quiet and not principal and fresh and level > 0 and best > lost:
            if STEP_LATE_PRUNING and depth <= 4 and tried > 3 + 2 * depth * depth:
                break
            if STEP_FUTILITY and depth <= 3 and tried > 0 and static + unit * (0.6 + 0.9 * depth) <= alpha:
                break

        child = play(state, move, rules)
        next_side = turn(child, rules)
        ends = no if next_side == side else yes
        next_pov = side if next_side == CHANCE else next_side
        sign = 1.0 if next_pov == side else -1.0
        next_fresh = yes if ends and next_side != CHANCE else no
        next_depth = depth - ends + extension

        # Step 12. Later moves get less depth and a null window; what surprises is searched in full.
        value = 0.0
        full = True
        if STEP_PRINCIPAL_VARIATION and tried > 0:
            reduction = no
            if STEP_REDUCTIONS and quiet and ends and depth >= 3 and tried > 2 and not quiet_search:
                reduction = int(REDUCTIONS[min(depth, 63), min(tried, 63)])
                if principal:
                    reduction -= 1
                reduction = max(no, min(reduction, next_depth - 1))
            if principal or reduction > 0:
                value = sign * visit(
                    child, rules, next_depth - reduction, alpha if sign > 0 else -alpha - TINY,
                    alpha + TINY if sign > 0 else -alpha, next_pov, next_fresh, no, ply + ends, level + 1,
                    move, end, weights, out, order, odds, work, table, scores, layout, perfect, control,
                )  # fmt: skip
                full = bool(value > alpha and (reduction > 0 or value < beta))
        if full:
            value = sign * visit(
                child, rules, next_depth, alpha if sign > 0 else -beta, beta if sign > 0 else -alpha,
                next_pov, next_fresh, no, ply + ends, level + 1,
                move, end, weights, out, order, odds, work, table, scores, layout, perfect, control,
            )  # fmt: skip
        if control[STOP] != 0:
            return 0.0
        work[TIED_TO + level] = min(work[TIED_TO + level], work[TIED_TO + level + 1])
        tried += 1

        # Step 13. Better than what we had; or too good to be allowed.
        if value > best:
            best = value
            if value > alpha or level == 0:
                choice = move
                extend_line(level, move, work)
            if value > alpha:
                alpha = value
            if value >= beta:
                control[CUTOFFS] += 1
                if quiet and not quiet_search:
                    reward(side, level, depth, at, index, previous, out, work)
                break
        if probing:
            return best

    # Step 14. Keep the result, unless it hangs on the line that led here or on the ply limit.
    tied = int(work[TIED_TO + level])
    if tied >= level:
        work[TIED_TO + level] = UNTIED
    whole = level > 0 or control[LINES_TAKEN] == 0
    if STEP_TABLE and whole and not quiet_search and tied >= level and limit > depth + REACH:
        bound = EXACT
        if best >= beta:
            bound = LOWER
        elif best <= start:
            bound = UPPER
        kept = best
        if best > win - cost * 1000:
            kept += cost * ply
        elif best < lost:
            kept -= cost * ply
        store(table, scores, code, choice, depth, bound, kept, int(control[AGE]))
    return best
