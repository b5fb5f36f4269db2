"""Retrograde analysis of one layer of an indexed game: the kernels, each for a part of the numbers.

Positions are decided in the order of their distance. Whoever is to move before a lost position wins. Whoever is to move
before a won one is touched, and loses if now all moves are known to lose. Codes of one parity are read while those of
the other are written, and what two threads write to one place is the same: nothing depends on who comes first.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.result import FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.core.seam.control import STOP
from kibitz.core.seam.slots import index, key_state, moves, play, result, turn, unindex, unmoves, unplay
from kibitz.tables.file.values import (
    DRAWN,
    NOBODY,
    OPEN,
    TOUCHED,
    WON_BY_FIRST,
    distance_of,
    win_code,
    winner_of,
)

ODD_END, TOO_FAR, SPLIT = 1, 2, 3  # of a control array, behind STOP; SPLIT: see `values`
LOWEST_BITS, HIGHEST_BITS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
NONE_YET = 1 << 30


def init_layer(
    rules: Any,
    start: int,
    stop: int,
    side: int,
    first: int,
    values: NDArray[np.uint8],
    out: NDArray[np.int64],
    tally: NDArray[np.int64],
    control: NDArray[np.int64],
) -> None:
    """Decide what is finished, and what moves into lower layers decide alone. `first` is where the layer begins."""
    for number in range(start, stop):
        if control[STOP] != 0:
            return
        state = unindex(number, rules)
        if index(state, rules) != number:
            continue
        found = result(state, rules)
        if found == ONGOING:
            code = code_by_moves(state, side, first, -1, rules, values, out, control)
        else:
            code = code_of_end(found)
            if winner_of(code, control[SPLIT]) == side and unmoves(state, rules, out, 0) > 0:
                control[ODD_END] = 1  # a distance of 0 that is kept as 1
        values[number] = code
        tally[code] += 1


def code_of_end(found: int) -> int:
    """The code of a finished game."""
    return win_code(found - FIRST_WINS, 0) if found in (FIRST_WINS, SECOND_WINS) else DRAWN


def code_by_moves(
    state: Any,
    side: int,
    first: int,
    final: int,
    rules: Any,
    values: NDArray[np.uint8],
    out: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """What follows from the positions one move on. Of those from `first` on, distances up to `final` are known."""
    end = moves(state, rules, out, 0)
    nearest, farthest, undecided = NONE_YET, -1, False
    for at in range(end):
        child = key_state(play(state, out[at], rules), rules)
        number = index(child, rules)
        code = code_of_end(result(child, rules)) if number < 0 else int(values[number])
        winner, distance = winner_of(code, control[SPLIT]), 0
        if winner != NOBODY and number >= 0:
            distance = distance_of(code, turn(child, rules), control[SPLIT])
        if winner == NOBODY or (number >= first and distance > final):
            undecided = True
        elif winner == side:
            nearest = min(nearest, distance)
        else:
            farthest = max(farthest, distance)
    if nearest < NONE_YET:
        return code_within_split(side, nearest + 1, control)
    return OPEN if undecided else code_within_split(1 - side, farthest + 1, control)


def code_within_split(winner: int, distance: int, control: NDArray[np.int64]) -> int:
    """The code of a win, if there is one for this distance."""
    code = win_code(winner, distance)
    if code > WON_BY_FIRST or winner_of(code, control[SPLIT]) != winner:
        control[TOO_FAR] = 1
        return DRAWN
    return code


def next_of(code: int, at: int, stop: int, values: NDArray[np.uint8], words: NDArray[np.uint64]) -> int:
    """The first number from `at` on that has this code, or `stop`. `words` are the values eight at a time."""
    pattern = np.uint64(code) * LOWEST_BITS
    while at < stop:
        if at & 7 == 0 and at + 8 <= stop:
            differing = words[at >> 3] ^ pattern
            if (differing - LOWEST_BITS) & ~differing & HIGHEST_BITS == np.uint64(0):
                at += 8
                continue
        if values[at] == code:
            return at
        at += 1
    return stop


def win_before(
    rules: Any,
    start: int,
    stop: int,
    code: int,
    first: int,
    last: int,
    values: NDArray[np.uint8],
    words: NDArray[np.uint64],
    out: NDArray[np.int64],
    tally: NDArray[np.int64],
    control: NDArray[np.int64],
) -> None:
    """Before a position of this code the winner is to move, and has won one turn farther: that is the same code."""
    number = next_of(code, start, stop, values, words)
    while number < stop and control[STOP] == 0:
        state = unindex(number, rules)
        for at in range(unmoves(state, rules, out, 0)):
            before = index(unplay(state, out[at], rules), rules)
            if first <= before < last and is_sooner(code, int(values[before]), control[SPLIT]):
                values[before] = code
                tally[code] += 1
        number = next_of(code, number + 1, stop, values, words)


def is_sooner(code: int, known: int, split: int) -> bool:
    """Is this win sooner than what is known already?"""
    if known == OPEN:
        return True
    same = winner_of(known, split) == winner_of(code, split)
    return same and distance_of(known, 0, split) > distance_of(code, 0, split)


def touch_before(
    rules: Any,
    start: int,
    stop: int,
    code: int,
    first: int,
    last: int,
    values: NDArray[np.uint8],
    words: NDArray[np.uint64],
    out: NDArray[np.int64],
    tally: NDArray[np.int64],
    control: NDArray[np.int64],
) -> None:
    """Before a position of this code the loser is to move: mark it to be looked at."""
    number = next_of(code, start, stop, values, words)
    while number < stop and control[STOP] == 0:
        state = unindex(number, rules)
        for at in range(unmoves(state, rules, out, 0)):
            before = index(unplay(state, out[at], rules), rules)
            if first <= before < last and values[before] == OPEN:
                values[before] = TOUCHED
        number = next_of(code, number + 1, stop, values, words)


def lose_touched(
    rules: Any,
    start: int,
    stop: int,
    side: int,
    first: int,
    final: int,
    values: NDArray[np.uint8],
    words: NDArray[np.uint64],
    out: NDArray[np.int64],
    tally: NDArray[np.int64],
    control: NDArray[np.int64],
) -> None:
    """Those that were touched are lost if every move loses, and else as open as before."""
    number = next_of(TOUCHED, start, stop, values, words)
    while number < stop and control[STOP] == 0:
        code = code_if_lost(unindex(number, rules), side, first, final, rules, values, out, control)
        values[number] = code
        tally[code] += 1
        number = next_of(TOUCHED, number + 1, stop, values, words)


def code_if_lost(
    state: Any,
    side: int,
    first: int,
    final: int,
    rules: Any,
    values: NDArray[np.uint8],
    out: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """The code of a position where every move is known to lose, else OPEN: the first that is not ends the matter."""
    farthest = -1
    for at in range(moves(state, rules, out, 0)):
        child = key_state(play(state, out[at], rules), rules)
        number = index(child, rules)
        code = code_of_end(result(child, rules)) if number < 0 else int(values[number])
        if winner_of(code, control[SPLIT]) != 1 - side:
            return OPEN
        distance = distance_of(code, turn(child, rules), control[SPLIT]) if number >= 0 else 0
        if number >= first and distance > final:
            return OPEN
        farthest = max(farthest, distance)
    return code_within_split(1 - side, farthest + 1, control)


def decide_by_moves(
    rules: Any,
    start: int,
    stop: int,
    side: int,
    values: NDArray[np.uint8],
    out: NDArray[np.int64],
    control: NDArray[np.int64],
) -> None:
    """Every code of a part, where those of the positions one move on are known."""
    for number in range(start, stop):
        if control[STOP] != 0:
            return
        state = unindex(number, rules)
        if index(state, rules) == number:
            values[number] = code_of(state, side, rules, values, out, control)


def count_wrong_codes(
    rules: Any,
    numbers: NDArray[np.int64],
    start: int,
    stop: int,
    values: NDArray[np.uint8],
    out: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """How many codes do not follow from those one move on: of these numbers, or of a part where there are none."""
    wrong = 0
    for at in range(start, stop):
        if control[STOP] != 0:
            return wrong
        number = numbers[at] if len(numbers) > 0 else at
        state = unindex(number, rules)
        if index(state, rules) == number:
            wrong += int(values[number] != code_of(state, turn(state, rules), rules, values, out, control))
    return wrong


def code_of(
    state: Any,
    side: int,
    rules: Any,
    values: NDArray[np.uint8],
    out: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """The code of a position in a table that is known one move on."""
    found = result(state, rules)
    if found != ONGOING:
        return code_of_end(found)
    return code_by_moves(state, side, NONE_YET << 30, 0, rules, values, out, control)


def count_codes(
    rules: Any,
    start: int,
    stop: int,
    images: int,
    values: NDArray[np.uint8],
    counts: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """Add how many boards have each code; the value is how many numbers are in use."""
    used = 0
    for number in range(start, stop):
        if control[STOP] != 0:
            break
        found = index(unindex(number, rules), rules)
        counts[values[found]] += images
        used += int(found == number)
    return used
