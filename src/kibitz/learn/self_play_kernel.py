"""The compiled part of self-play: games of short searches, written down position by position.

A value is in points for one side; a decided game is worth `won`, less the levels that it lies off.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.random_numbers import PRIME, next_number, number_below
from kibitz.core.result import CHANCE, DRAW, FIRST, FIRST_WINS, ONGOING
from kibitz.core.seam.slots import (
    candidates,
    count_words,
    evaluate,
    horizon,
    is_tactical,
    key,
    known_result,
    moves_once,
    outcomes,
    play,
    read_words,
    result,
    transform,
    turn,
    write_inputs,
    write_words,
)

# What a game and its heuristic declare, set where the kernel is compiled for them.
TACTICAL = 0  # are there tactical moves, to be followed at the end of the depth?
COMPULSORY = 0  # may the rules leave nothing but them?

MOST_LEVEL = 48  # moves on the longest line
ENDED, RANDOM, ROLLED, CUT = 1, 2, 4, 8  # flags: the game is decided here; a random move follows; chance; no successor

PLAN = np.dtype(
    [
        ("wanted", np.int64),  # positions to write
        ("depth", np.int64),  # of a search, in turns
        ("quiet_turns", np.int64),  # so far go tactical moves beyond it
        ("node_limit", np.int64),  # of the search of one move
        ("opening", np.int64),  # random turns at the beginning of a game, at most
        ("explore", np.int64),  # a random move follows if a random number is below this
        ("most_moves", np.int64),  # of a game
        ("repetition", np.int64),  # the rules' number
        ("random", np.int64),  # the last random number
        ("nodes", np.int64),  # of the search at hand
        ("all_nodes", np.int64),
        ("games", np.int64),
        ("long_games", np.int64),  # games that were given up
        ("grows", np.int64),  # does the size of a state change?
        ("won", np.float64),
    ],
    align=True,
)


class Memory(NamedTuple):
    """All that self-play works with."""

    plan: Any  # one PLAN
    moves: NDArray[np.int64]  # a stack: each level's moves lie behind those of the level above
    ranks: NDArray[np.float64]
    odds: NDArray[np.float64]
    weights: NDArray[Any]
    keys: NDArray[np.uint64]  # of the game at hand, for repetition
    words: NDArray[np.int64]  # positions x words of a state, of random games
    on: NDArray[np.uint8]  # positions x inputs, of games that are learned from
    columns: NDArray[np.int64]  # views x numbers: the place of each input
    codes: NDArray[np.int64]  # numbers of the inputs that are on in one position
    counts: NDArray[np.int64]  # how many are
    values: NDArray[np.float64]  # for the first player
    flags: NDArray[np.int64]
    sides: NDArray[np.int64]


def static_value(state: Any, rules: Any, pov: int, memory: Memory) -> float:
    value = float(evaluate(state, rules, memory.weights, FIRST))
    return value if pov == FIRST else -value


def list_moves(state: Any, rules: Any, at: int, memory: Memory) -> int:
    """Write the candidates, or all moves where there are none; the index behind the last one."""
    end = int(candidates(state, rules, memory.moves, at))
    return int(moves_once(state, rules, memory.moves, at)) if end == at else end


def all_tactical(state: Any, rules: Any, at: int, end: int, memory: Memory) -> bool:
    for index in range(at, end):  # noqa: SIM110 - compiled code knows no all()
        if not is_tactical(state, memory.moves[index], rules):
            return False
    return True


def look(
    state: Any, rules: Any, depth: int, alpha: float, beta: float, pov: int, fresh: int, level: int, at: int,
    memory: Memory,
) -> float:  # fmt: skip
    """The value for `pov`, who is to move unless chance is, searched to `depth` turns and then by tactical moves."""
    no = at - at  # not literals: a recursive call with one would be compiled as another function
    yes = no + 1
    plan = memory.plan[0]
    plan.nodes += 1
    won = float(plan.won) - level
    found = result(state, rules)
    if found != ONGOING:
        return 0.0 if found == DRAW else (won if found == FIRST_WINS + pov else -won)
    side = turn(state, rules)
    if side == CHANCE:
        end = int(outcomes(state, rules, memory.odds, memory.moves, at))
        mean = 0.0
        for index in range(at, end):
            chance = float(memory.odds[index])
            after = play(state, memory.moves[index], rules)
            mover = pov if turn(after, rules) == CHANCE else turn(after, rules)
            value = look(after, rules, depth, -won, won, mover, yes, level + 1, end, memory)
            mean += chance * (value if mover == pov else -value)
        return mean
    if fresh:
        turns = known_result(state, rules)
        if turns != 0 and abs(turns) <= horizon(state, rules):
            return won - abs(turns) if (turns > 0) == (pov == FIRST) else abs(turns) - won
    tired = bool(level >= MOST_LEVEL or plan.nodes >= plan.node_limit)
    quiet = bool(depth <= 0 and fresh != 0)
    best = -2.0 * float(plan.won)
    end = at
    if tired or quiet:
        static = static_value(state, rules, pov, memory)
        if tired or not TACTICAL or depth <= -plan.quiet_turns or (static >= beta and not COMPULSORY):
            return static
        end = list_moves(state, rules, at, memory)
        if not (COMPULSORY and all_tactical(state, rules, at, end, memory)):
            if static >= beta:
                return static
            best = static
            alpha = max(alpha, best)
    else:
        end = list_moves(state, rules, at, memory)
    for loud in range(TACTICAL, -1, -1):  # tactical moves first
        if quiet and loud != TACTICAL:
            break
        for index in range(at, end):
            move = memory.moves[index]
            if TACTICAL and is_tactical(state, move, rules) != (loud == 1):
                continue
            after = play(state, move, rules)
            next_side = turn(after, rules)
            ends = no if next_side == side else yes
            mover = side if next_side == CHANCE else next_side
            if mover == side:
                value = look(after, rules, depth - ends, alpha, beta, mover, ends, level + 1, end, memory)
            else:
                value = -look(after, rules, depth - ends, -beta, -alpha, mover, ends, level + 1, end, memory)
            if value > best:
                best = value
                alpha = max(alpha, best)
                if best >= beta:
                    return best
    return best


def try_move(
    state: Any, rules: Any, move: int, side: int, depth: int, alpha: float, at: int, memory: Memory
) -> float:  # fmt: skip
    """What a move of the root is worth to the side that makes it, if that is more than alpha."""
    won = float(memory.plan[0].won)
    no = at - at
    after = play(state, move, rules)
    next_side = turn(after, rules)
    ends = no if next_side == side else no + 1
    mover = side if next_side == CHANCE else next_side
    if mover == side:
        return look(after, rules, depth - ends, alpha, won, mover, ends, no + 1, at, memory)
    return -look(after, rules, depth - ends, -won, -alpha, mover, ends, no + 1, at, memory)


def search_root(state: Any, rules: Any, side: int, end: int, memory: Memory) -> tuple[int, float]:
    """The best of the moves that stand in front of `end`, and its value for the side to move."""
    plan = memory.plan[0]
    plan.nodes = 0
    depth = int(plan.depth)
    if depth > 1:  # look shallow first, and try what looked best first
        for index in range(end):
            memory.ranks[index] = try_move(state, rules, memory.moves[index], side, 1, -2.0 * plan.won, end, memory)
        for index in range(1, end):
            move, rank, place = memory.moves[index], memory.ranks[index], index
            while place > 0 and memory.ranks[place - 1] < rank:
                memory.moves[place], memory.ranks[place] = memory.moves[place - 1], memory.ranks[place - 1]
                place -= 1
            memory.moves[place], memory.ranks[place] = move, rank
    best, choice = -2.0 * float(plan.won), memory.moves[0]
    for index in range(end):
        move = memory.moves[index]
        value = try_move(state, rules, move, side, depth, best, end, memory)
        if value > best:
            best, choice = value, move
    plan.all_nodes += plan.nodes
    return choice, best


def outcome_by_odds(end: int, number: int, memory: Memory) -> int:
    """The index of the outcome that a random number picks."""
    left = number / PRIME
    for index in range(end - 1):
        left -= memory.odds[index]
        if left < 0.0:
            return index
    return end - 1


def is_repeated(state: Any, rules: Any, played: int, memory: Memory) -> bool:
    """Has this position been on the board as often as makes a draw? Its key is noted."""
    plan = memory.plan[0]
    if plan.repetition == 0:
        return False
    code = key(state, rules)
    memory.keys[played] = code
    times = 1
    for index in range(played):
        if memory.keys[index] == code:
            times += 1
    return bool(times >= plan.repetition)


def note(state: Any, rules: Any, value: float, flag: int, side: int, written: int, memory: Memory) -> int:
    """Write a position down; the number of the next one."""
    end = int(write_inputs(state, rules, memory.weights, FIRST, memory.codes, 0))
    for index in range(end):
        column = memory.columns[side, memory.codes[index]]
        if column >= 0:
            memory.on[written, column] = 1
    memory.counts[written] = end
    memory.values[written] = value
    memory.flags[written] = flag
    memory.sides[written] = side
    return written + 1


def decided_value(state: Any, rules: Any, side: int, repeated: bool, won: float) -> tuple[bool, float]:
    """Is the game decided, by the rules or by what the heuristic sees? And its value for the first player."""
    found = result(state, rules)
    if found != ONGOING or repeated:
        return True, 0.0 if repeated or found == DRAW else (won if found == FIRST_WINS else -won)
    if side != CHANCE:
        turns = known_result(state, rules)
        if turns != 0 and abs(turns) <= horizon(state, rules):
            return True, won if turns > 0 else -won
    return False, 0.0


def play_games(state: Any, rules: Any, memory: Memory) -> int:
    """Play games against itself until as many positions as wanted are written; how many there are."""
    plan = memory.plan[0]
    start = state
    written, played, left = 0, 0, 0
    number, last_side = int(plan.random), -1
    fresh_game = True
    while written < plan.wanted:
        if fresh_game:
            state, played, last_side = start, 0, -1
            number = next_number(number)
            left = number_below(number, int(plan.opening) + 1)
            plan.games += 1
            fresh_game = False
        side = turn(state, rules)
        over, value = decided_value(state, rules, side, is_repeated(state, rules, played, memory), float(plan.won))
        if over or played >= plan.most_moves:
            fresh_game = True
            if over:
                written = note(state, rules, value, ENDED, side, written, memory)
            else:
                plan.long_games += 1
                memory.flags[max(written - 1, 0)] |= CUT
            continue
        number = next_number(number)
        if side == CHANCE:
            if left <= 0:
                written = note(state, rules, 0.0, ROLLED, side, written, memory)
            end = int(outcomes(state, rules, memory.odds, memory.moves, 0))
            move = memory.moves[outcome_by_odds(end, number, memory)]
        else:
            if side != last_side:
                left -= 1
            end = list_moves(state, rules, 0, memory)
            if left >= 0:
                end = int(moves_once(state, rules, memory.moves, 0))
                move = memory.moves[number_below(number, end)]
            else:
                move, value = search_root(state, rules, side, end, memory)
                flag = 0
                if next_number(number) < plan.explore:
                    number = next_number(next_number(number))
                    end = int(moves_once(state, rules, memory.moves, 0))
                    move, flag = memory.moves[number_below(number, end)], RANDOM
                written = note(state, rules, value if side == FIRST else -value, flag, side, written, memory)
        last_side = side
        state = play(state, move, rules)
        played += 1
    memory.flags[written - 1] |= CUT
    plan.random = number
    return written


def play_randomly(state: Any, rules: Any, memory: Memory) -> int:
    """Random games, position by position: from them the inputs are derived. Games that do not end are given up."""
    plan = memory.plan[0]
    start, number, written, played = state, int(plan.random), 0, 0
    while written < plan.wanted:
        side = turn(state, rules)
        if result(state, rules) != ONGOING or played >= plan.most_moves:
            plan.long_games += played >= plan.most_moves
            plan.games += 1
            state, played = start, 0
            continue
        if count_words(state, rules) != memory.words.shape[1]:
            plan.grows = 1
            break
        write_words(state, rules, memory.words[written], 0)
        memory.sides[written] = side
        written += 1
        number = next_number(number)
        if side == CHANCE:
            end = int(outcomes(state, rules, memory.odds, memory.moves, 0))
            move = memory.moves[outcome_by_odds(end, number, memory)]
        else:
            end = int(moves_once(state, rules, memory.moves, 0))
            move = memory.moves[number_below(number, end)]
        state = play(state, move, rules)
        played += 1
    return written


def encode(
    state: Any, rules: Any, words: NDArray[np.int64], symmetry: int, weights: NDArray[np.int64],
    codes: NDArray[np.int64], columns: NDArray[np.int64], on: NDArray[np.uint8],
) -> int:  # fmt: skip
    """For each position, seen through a symmetry unless that is below 0, set the columns of the inputs that are on.
    The largest number of inputs that were on; `state` is any.
    """
    most = 0
    for row in range(len(words)):
        state = read_words(words[row], 0, rules)
        if symmetry >= 0:
            state = transform(state, symmetry, rules)
        view = turn(state, rules)
        end = int(write_inputs(state, rules, weights, FIRST, codes, 0))
        most = max(most, end)
        for index in range(end):
            column = columns[view, codes[index]]
            if column >= 0:
                on[row, column] = 1
    return most


def follow(
    chances: NDArray[np.float64], exact: NDArray[np.int64], flags: NDArray[np.int64], trace: float
) -> NDArray[np.float64]:
    """TD(lambda) from the end of each game back: what each search said mixed with what came of it. What is decided
    counts as it is, and after a random move what came of it says nothing.
    """
    targets = chances.copy()
    for index in range(len(chances) - 2, -1, -1):
        if exact[index] != 0 or flags[index] & (ENDED | RANDOM | CUT) != 0:
            continue
        mix = 1.0 if flags[index] & ROLLED else trace
        targets[index] = (1.0 - mix) * chances[index] + mix * targets[index + 1]
    return targets
