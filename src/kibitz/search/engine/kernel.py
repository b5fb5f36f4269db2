"""The engine's one recursive function. Its steps are numbered; setting a STEP to 0 builds a search without it.

Let v be the value of the position for the side `pov`, searched to `depth` turns. The result r obeys
    r <= alpha        =>  v <= r     (upper bound)
    alpha < r < beta  =>  v == r     (exact)
    r >= beta         =>  v >= r     (lower bound)
as far as no step prunes: without reductions, late move pruning, futility, static pruning and quiescence, v is the
plain minimax value. Where the record says that it is proven, r is a win or a loss by the rules alone.

A score is for the side to move, or at a chance node for the side whose turn led there. Depth counts turns: a move that
leaves the turn where it was, and a chance outcome, cost nothing.
"""

import math
from typing import Any

import numpy as np

from kibitz.core.limit import UNBOUNDED
from kibitz.core.random_numbers import hash_number
from kibitz.core.result import CHANCE, DRAW, FIRST, ONGOING
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
from kibitz.search.engine.memory import INDEPENDENT, MAX_LEVEL, NO_MOVE, POSITIVE, Memory
from kibitz.search.engine.ordering import (
    add_others,
    is_quiet_rank,
    is_tactical_rank,
    must_be_tactical,
    pick_move,
    rank_moves,
    reward,
    set_busy,
    set_free,
)
from kibitz.search.engine.transpositions import (
    EXACT,
    LOWER,
    NOTHING,
    PROVEN_BIT,
    STATIC_BIT,
    UPPER,
    bound_of,
    depth_of,
    facts_of,
    read_entry,
    static_of,
    with_static,
    write_entry,
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
STEP_IMPROVING = 1
STEP_STAR1 = 1
STEP_STAR2 = 1

# What a game and its heuristic declare, set where the search is compiled for them.
REPEATS = 0  # is a repeated position a draw?
LIMIT_DECIDES = 0  # and may the ply limit be a win? Then values near it depend on the path, and only moves are kept
NARROW = 0  # may the candidates be fewer than the moves, where a turn is one move?
SELECTIVE = 0  # likewise where turns are longer: the other moves are never tried
USES_STATIC = 1  # does any step look at the heuristic before the depth is used up?
COMPULSORY = 0  # may the rules leave nothing but tactical moves?
KEEPS_STATIC = 0  # are the heuristic's values whole numbers that are costly enough to be kept in the table?
CHANCY = 0  # does chance play a part?

QUIET_TURNS = 10  # how far quiescence goes
ROOM_TO_SPARE = 24  # levels left for the battles of a last turn
NOT_JUDGED = 1e300  # for a static value that was not worked out
TINY = 1e-6  # the width of a null window
REDUCTIONS = np.array(
    [[int(0.4 + math.log(depth or 1) * math.log(tried or 1) / 1.9) for tried in range(64)] for depth in range(64)],
    np.int64,
)


def turns_within(root_depth: int) -> int:
    """No line that a search to this depth plays out is longer, extensions and quiescence included."""
    return 3 * root_depth + QUIET_TURNS + 2


def decisive_value(wins: bool, ply: int, level: int, memory: Memory) -> float:
    """The value of a win or loss by the rules: the sooner it comes, the more it counts."""
    record = memory.record[0]
    record.proven[level] = 1
    value = record.win - record.turn_cost * ply
    return float(value if wins else -value)


def static_value(state: Any, rules: Any, pov: int, memory: Memory) -> float:
    """What the heuristic says, for `pov`, and never more than its bounds."""
    record = memory.record[0]
    value = evaluate(state, rules, memory.weights, int(record.me & 1))
    value = expected_value(value, record.reach) if CHANCY else min(max(value, -record.reach), record.reach)
    return float(value if pov == FIRST else -value)


def recall_static(state: Any, rules: Any, pov: int, facts: int, memory: Memory) -> float:
    """The static value, from the table's facts where they have it."""
    if KEEPS_STATIC and facts & STATIC_BIT:
        return static_of(facts)
    return static_value(state, rules, pov, memory)


def expected_value(score: float, reach: float) -> float:
    """A score as the result to be expected, from -reach for a loss to reach for a win: only such values may be mixed
    with wins and losses at a chance node. A tangent hyperbolic of whole numbers, which is the same on every machine.
    """
    x = min(max(score / reach, -3.0), 3.0)
    return float(reach * x * (27.0 + x * x) / (27.0 + 9.0 * x * x))


def enter_node(level: int, memory: Memory) -> bool:
    """Count a node and clear what its level held; False if the search is to stop."""
    record = memory.record[0]
    record.nodes += 1
    if record.nodes >= record.node_limit:
        memory.stop[0] = 1
    record.line_length[level] = 0
    record.path_dependence[level] = INDEPENDENT
    record.proven[level] = 0
    return bool(memory.stop[0] == 0)


def repeats_earlier(code: int, level: int, memory: Memory) -> bool:
    """Was this key on the line before, or in the game too often? Then the value depends on that."""
    record = memory.record[0]
    for earlier in range(level - 1, -1, -1):
        if record.path[earlier] == code:
            record.path_dependence[level] = earlier
            return True
    for index in range(record.seen_count):
        if record.seen[index] == code:
            record.path_dependence[level] = -1
            return True
    return False


def is_excluded(move: int, memory: Memory) -> bool:
    """Does another of several lines begin with this root move?"""
    record = memory.record[0]
    for index in range(record.excluded_count):  # noqa: SIM110 - compiled code knows no any()
        if record.excluded[index] == move:
            return True
    return False


def is_overlooked(code: int, move: int, memory: Memory) -> bool:
    """Does a player who does not see everything miss this move here? The seed, the position and the move tell."""
    record = memory.record[0]
    if record.overlook == 0:
        return False
    mixed = (code ^ (move + 2) * 0x9E3779B1) & POSITIVE
    return bool(hash_number(np.uint64(mixed), int(record.overlook_seed)) < record.overlook)


def depend_on_child(level: int, memory: Memory) -> None:
    """What a value one level down depends on, this one depends on too."""
    record = memory.record[0]
    record.path_dependence[level] = min(record.path_dependence[level], record.path_dependence[level + 1])


def stands_alone(level: int, memory: Memory) -> bool:
    """Does the value depend on no node above? One that repeats this very node does not concern the nodes above."""
    record = memory.record[0]
    if record.path_dependence[level] < level:
        return False
    record.path_dependence[level] = INDEPENDENT
    return True


def extend_line(level: int, move: int, memory: Memory) -> None:
    """The best line from this level is the move and then the best line from the next."""
    record = memory.record[0]
    length = min(int(record.line_length[level + 1]), MAX_LEVEL - 1)
    record.line[level, 0] = move
    for index in range(length):
        record.line[level, index + 1] = record.line[level + 1, index]
    record.line_length[level] = length + 1


def table_key(code: int, limit: int, memory: Memory) -> int:
    """The key of a position in the table: positions that the game has seen too often are part of what a value depends
    on, and near the ply limit so are the turns left.
    """
    record = memory.record[0]
    code ^= int(record.seen_hash)
    return code if limit > record.near_turns else code ^ (limit + 1) * 0x9E3779B97F4A7C1 & POSITIVE


def counts_before(turns: int, limit: int, level: int, memory: Memory) -> bool:
    """Does a win so many turns off come before the ply limit? If it lies farther off than the key tells limits apart,
    then whatever depends on the answer is not to be kept.
    """
    record = memory.record[0]
    if turns > record.near_turns and limit < UNBOUNDED:
        record.path_dependence[level] = -1
    return turns <= limit


def known_value(
    state: Any, rules: Any, pov: int, ply: int, limit: int, level: int, memory: Memory
) -> tuple[bool, float]:
    """What the heuristic or a table of perfect play knows, unless the ply limit comes first: is it anything, and the
    value. Without a table that one knows nothing.
    """
    if STEP_KNOWN_RESULT:
        turns = known_result(state, rules)
        if turns != 0 and counts_before(abs(turns), limit, level, memory):
            return True, decisive_value((turns > 0) == (pov == FIRST), ply + abs(turns), level, memory)
    if STEP_PERFECT:
        entry = probe(state, rules, memory.header, memory.data)
        if entry == 0:
            return True, 0.0
        if entry != UNKNOWN and counts_before(abs(entry), limit, level, memory):
            return True, decisive_value((entry > 0) == (pov == FIRST), ply + abs(entry) - 1, level, memory)
    return False, 0.0


def is_within(value: float, limit: int, memory: Memory) -> bool:
    """Does a kept win or loss come before the ply limit? It may rest on lines longer than one search reaches."""
    record = memory.record[0]
    return bool(abs(value) <= record.reach or record.win - abs(value) <= record.turn_cost * limit)


def from_root(value: float, ply: int, memory: Memory) -> float:
    """A kept score as it counts from the root: wins and losses come later there."""
    record = memory.record[0]
    if abs(value) <= record.reach:
        return value
    return float(value - record.turn_cost * ply if value > 0 else value + record.turn_cost * ply)


def keep_result(
    code: int, choice: int, depth: int, best: float, start: float, beta: float, static: float, ply: int, level: int,
    memory: Memory,
) -> None:  # fmt: skip
    """Write a node's result into the table, and its static value if it is known."""
    record = memory.record[0]
    bound = EXACT
    if best >= beta:
        bound = LOWER
    elif best <= start:
        bound = UPPER
    if record.proven[level] != 0:
        bound |= PROVEN_BIT
    facts = facts_of(depth, bound, int(record.age))
    if KEEPS_STATIC and static != NOT_JUDGED:
        facts = with_static(facts, static)
    write_entry(memory.table, code, choice, facts, from_root(best, -ply, memory))


def outcome_window(alpha: float, beta: float, chance: float, open_value: float, win: float) -> tuple[float, float]:
    """The window for one outcome of a chance node: outside it the mean fails however the outcomes left turn out
    (star1: Ballard 1983).
    """
    if not STEP_STAR1:
        return -win, win
    return max(-win, (alpha - open_value) / chance), min(win, (beta + open_value) / chance)


def is_improving(static: float, judged: bool, ply: int, memory: Memory) -> bool:
    """By the heuristic, is the side to move better off than a turn of its own ago? Yes where that cannot be told."""
    record = memory.record[0]
    record.static[ply] = static if judged else NOT_JUDGED
    return bool(not judged or ply < 2 or record.static[ply - 2] == NOT_JUDGED or static > record.static[ply - 2])


def list_moves(state: Any, rules: Any, at: int, memory: Memory) -> int:
    """Write the candidates, or all moves where a heuristic names none; the index behind the last one."""
    end = int(candidates(state, rules, memory.moves, at))
    return int(moves_once(state, rules, memory.moves, at)) if SELECTIVE and end == at else end


def reduction_for(depth: int, tried: int, next_depth: int, principal: bool, improving: bool) -> int:
    """By how much less deep a quiet move is searched that comes late, and still less where things get worse."""
    reduction = int(REDUCTIONS[min(depth, 63), min(tried, 63)]) - int(principal)
    if reduction > 0 and not improving:
        reduction += 1
    return max(0, min(reduction, next_depth - 1))


def visit(
    state: Any, rules: Any, depth: int, alpha: float, beta: float, pov: int, fresh: int, probing: int, ply: int,
    level: int, previous: int, at: int, memory: Memory,
) -> float:  # fmt: skip
    """The value for `pov`. `fresh`: between turns; `probing`: one move will do; `at`: where `memory.moves` is free."""
    # Numbers that are not literals: a recursive call with a literal would be compiled as another function.
    no, yes, nowhere = at - at, at - at + 1, at - at + NO_MOVE

    # Step 1. Count, stop, and leave where the game is decided or the line as long as it may be.
    record = memory.record[0]
    if not enter_node(level, memory):
        return 0.0
    found = result(state, rules)
    if found != ONGOING:
        return 0.0 if found == DRAW else decisive_value(found == 1 + pov, ply + 1 - fresh, level, memory)
    if level >= MAX_LEVEL - 2:
        return static_value(state, rules, pov, memory)
    side = turn(state, rules)
    win, unit, reach = float(record.win), float(record.unit), float(record.reach)

    # Step 2. A position seen before on this line, or too often in the game, is a draw.
    code = no
    if side != CHANCE or REPEATS:
        code = int(key(state, rules) & np.uint64(POSITIVE)) ^ int(record.me)
        record.path[level] = code
    if STEP_REPETITION and REPEATS and level > 0 and repeats_earlier(code, level, memory):
        return 0.0

    # Step 3. At a chance node the value is the mean over the outcomes, as far as the window can still be reached.
    if side == CHANCE:
        end = outcomes(state, rules, memory.odds, memory.moves, at)
        if STEP_STAR2 and depth >= 1:
            # Let the side to move next try one move after each outcome: that alone may fail the window.
            most, left = 0.0, 1.0
            for index in range(at, end):
                chance = float(memory.odds[index])
                left = max(left - chance, 0.0)
                child = play(state, memory.moves[index], rules)
                ceiling = win
                if turn(child, rules) == 1 - pov and result(child, rules) == ONGOING:
                    floor = max(-win, (alpha - most - left * win) / chance)
                    ceiling = -visit(
                        child, rules, depth, -win, -floor, 1 - pov, yes, yes, ply, level + 1, nowhere, end, memory
                    )
                    depend_on_child(level, memory)
                most += chance * ceiling
                if memory.stop[0] != 0 or most + left * win <= alpha:
                    return most + left * win
        total, left = 0.0, 1.0
        for index in range(at, end):
            chance = float(memory.odds[index])
            left = max(left - chance, 0.0)
            low, high = outcome_window(alpha - total, beta - total, chance, left * win, win)
            child = play(state, memory.moves[index], rules)
            next_pov = pov if turn(child, rules) == CHANCE else turn(child, rules)
            sign = 1.0 if next_pov == pov else -1.0
            lower, upper = (low, high) if sign > 0 else (-high, -low)
            value = sign * visit(
                child, rules, depth, lower, upper, next_pov, yes, no, ply, level + 1, nowhere, end, memory
            )
            depend_on_child(level, memory)
            total += chance * value
            if memory.stop[0] != 0 or (value <= low and low > -win):
                return total + left * win
            if value >= high and high < win:
                return total - left * win
        return total

    # Step 4. A result that can be seen at once, by the heuristic or in a table of perfect play.
    limit = horizon(state, rules)
    if fresh and level > 0 and not is_overlooked(code, nowhere, memory):
        seen, value = known_value(state, rules, pov, ply, limit, level, memory)
        if seen:
            return value

    # Step 5. What the transposition table knows.
    best_move, principal, facts = nowhere, beta - alpha > 2 * TINY, no
    code = table_key(code, limit, memory)
    if STEP_TABLE:
        facts, best_move, value = read_entry(memory.table, code)
        record.table_hits += facts != NOTHING
        believed = is_within(value, limit, memory) and not (LIMIT_DECIDES and limit <= record.near_turns)
        if facts != NOTHING and depth_of(facts) >= depth and not principal and level > 0 and believed:
            value = from_root(value, ply, memory)
            bound = bound_of(facts)
            if (bound & LOWER and value >= beta) or (bound & UPPER and value <= alpha):
                record.proven[level] = bound & PROVEN_BIT
                return value

    # Step 6. At the end of the depth, go on with tactical moves only, or stop, unless the rules allow nothing else.
    out_of_room = level >= MAX_LEVEL - ROOM_TO_SPARE
    quiet_search = (depth <= 0 and fresh != 0) or out_of_room
    judged = bool(quiet_search or (USES_STATIC and depth <= 8 and fresh))
    static = recall_static(state, rules, pov, facts, memory) if judged else 0.0
    improving = not STEP_IMPROVING or is_improving(static, judged, ply, memory)
    best, start, end = -2.0 * win, alpha, no
    if quiet_search:
        if not STEP_QUIESCENCE or depth <= -QUIET_TURNS or out_of_room or (static >= beta and not COMPULSORY):
            return static
        end = list_moves(state, rules, at, memory)
        if not (COMPULSORY and must_be_tactical(state, rules, at, end, memory)):
            if static >= beta:
                return static
            best = static
            alpha = max(alpha, best)

    # Step 7. Far above the window with little depth left: leave it at that.
    prunable = STEP_STATIC_PRUNING and not principal and fresh and 0 < depth <= 6 and abs(beta) <= reach
    if prunable and static - unit * 0.9 * depth >= beta:
        return static

    # Step 8. Without a move from the table, look less deep: the next time round it will have one.
    if STEP_REDUCED_WITHOUT_MOVE and best_move == NO_MOVE and depth >= 5 and level > 0 and fresh:
        depth -= 1

    # Step 9. List the moves, the most promising first.
    if not quiet_search:
        end = list_moves(state, rules, at, memory)
    rank_moves(state, rules, side, level, at, end, best_move, previous, memory)
    only_move = STEP_EXTENSION and end - at == 1 and depth > 0 and fresh and ply < 2 * record.root_depth
    extension, choice, tried = yes if only_move else no, nowhere, no
    best_proven, all_lost = False, bool(best < -reach and not SELECTIVE and record.overlook == 0)  # all proven losses?
    narrow, index = bool(NARROW and not quiet_search), at - 1
    while True:
        index += 1
        if index == end and narrow and best < -reach:
            # No candidate saves the game: before it counts as lost, the other moves have their chance.
            narrow = False
            end = add_others(state, rules, at, end, memory)
        if index >= end:
            break
        shared = pick_move(code, depth, tried, index, end, memory)
        move = int(memory.moves[index])
        others = tried + end - index > 1  # the last move left is always seen
        if (level == 0 and is_excluded(move, memory)) or (others and is_overlooked(code, move, memory)):
            continue

        # Step 10. Skip quiet moves that come late or cannot reach the window.
        quiet = is_quiet_rank(memory.ranks[index])
        skip = bool(quiet_search and not is_tactical_rank(memory.ranks[index]))
        if quiet and not principal and fresh and level > 0 and best >= -reach and not quiet_search:
            late = STEP_LATE_PRUNING and depth <= 4 and tried > (3 + 2 * depth * depth) >> (not improving)
            futile = STEP_FUTILITY and depth <= 3 and tried > 0 and static + unit * (0.6 + 0.9 * depth) <= alpha
            skip = bool(late or futile)
        if skip:
            all_lost = False
            break

        # Step 11. Later moves get less depth and a null window; what surprises is searched in full.
        child = play(state, move, rules)
        next_side = turn(child, rules)
        ends = no if next_side == side else yes
        next_pov = side if next_side == CHANCE else next_side
        sign = 1.0 if next_pov == side else -1.0
        next_depth, reduction, value, full = depth - ends + extension, no, 0.0, True
        set_busy(shared, code, move, memory)
        if STEP_PRINCIPAL_VARIATION and tried > 0:
            if STEP_REDUCTIONS and quiet and ends and depth >= 3 and tried > 2 and not quiet_search:
                reduction = reduction_for(depth, tried, next_depth, principal, improving)
            if principal or reduction > 0:
                lower, upper = (alpha, alpha + TINY) if sign > 0 else (-alpha - TINY, -alpha)
                value = sign * visit(
                    child, rules, next_depth - reduction, lower, upper, next_pov, ends, no, ply + ends, level + 1,
                    move, end, memory,
                )  # fmt: skip
                full = bool(value > alpha and (reduction > 0 or value < beta))
        if full:
            lower, upper = (alpha, beta) if sign > 0 else (-beta, -alpha)
            value = sign * visit(
                child, rules, next_depth, lower, upper, next_pov, ends, no, ply + ends, level + 1, move, end, memory
            )
        set_free(shared, code, move, memory)
        if memory.stop[0] != 0:
            return 0.0
        depend_on_child(level, memory)
        tried += 1
        proven = record.proven[level + 1] != 0
        all_lost = bool(all_lost and proven and value < 0.0)

        # Step 12. Better than what we had; or too good to be allowed.
        if value > best:
            best, best_proven = value, proven
        if value > alpha:
            alpha, choice = value, move
            extend_line(level, move, memory)
            if level == 0:
                record.root_value, record.root_proven = value, proven and value > 0.0
        if value >= beta:
            all_lost = False
            record.cutoffs += 1
            if quiet and not quiet_search:
                reward(side, level, depth, at, index, previous, memory)
            break
        if probing:
            return best

    # Step 13. Keep the result, unless it hangs on the line that led here.
    record.proven[level] = all_lost or (best_proven and best > 0.0)
    if stands_alone(level, memory) and STEP_TABLE and not quiet_search and (level > 0 or record.excluded_count == 0):
        keep_result(code, choice, depth, best, start, beta, static if judged else NOT_JUDGED, ply, level, memory)
    return best
