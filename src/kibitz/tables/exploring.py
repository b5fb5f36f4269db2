"""The generic way, for any game without chance: every position that can come about, who leads to whom, and then
backwards from the ends. These are the kernels; positions have numbers in the order in which they are met.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.result import FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.core.seam.running import STOP
from kibitz.core.seam.slots import keyed, moves, play, read_words, result, turn, write_words
from kibitz.tables.probing import hash_of

AT, MET, EDGES, CLASH, WIDER, SALT = range(1, 7)  # of a control array, behind STOP
ENDED = 2  # in `sides`, for a game that is over
NONE = -1


def explore(
    state: Any,
    rules: Any,
    widths: NDArray[np.int64],
    rows: NDArray[np.uint8],
    codes: NDArray[np.int64],
    slots: NDArray[np.int32],
    sides: NDArray[np.int8],
    values: NDArray[np.int32],
    first: NDArray[np.int64],
    edges: NDArray[np.int32],
    out: NDArray[np.int64],
    words: NDArray[np.int64],
    control: NDArray[np.int64],
) -> None:
    """Go on until every position met is looked at, or an array is full. The first one met is `state`."""
    if control[MET] == 0:
        meet(keyed(state, rules), rules, widths, rows, codes, slots, sides, values, words, control)
    while control[AT] < control[MET] and control[STOP] == 0:
        at = control[AT]
        if control[MET] + len(out) > len(codes) or 2 * (control[MET] + len(out)) > len(slots):
            return
        if control[EDGES] + len(out) > len(edges):
            return
        if sides[at] != ENDED:
            here = unpacked(at, rules, widths, rows, words)
            for move in range(moves(here, rules, out, 0)):
                child = keyed(play(here, out[move], rules), rules)
                edges[control[EDGES]] = meet(child, rules, widths, rows, codes, slots, sides, values, words, control)
                control[EDGES] += 1
        control[AT] += 1
        first[control[AT]] = control[EDGES]


def meet(
    state: Any,
    rules: Any,
    widths: NDArray[np.int64],
    rows: NDArray[np.uint8],
    codes: NDArray[np.int64],
    slots: NDArray[np.int32],
    sides: NDArray[np.int8],
    values: NDArray[np.int32],
    words: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """The number of a position, a new one if it was not met before."""
    end = write_words(state, rules, words, 0)
    if end != len(widths):
        control[WIDER], control[STOP] = 1, 1
        return 0
    code = hash_of(words, end, control[SALT])
    slot = code & (len(slots) - 1)
    while slots[slot] != NONE:
        known = int(slots[slot])
        if codes[known] == code:
            if not same(known, widths, rows, words):
                control[CLASH], control[STOP] = 1, 1
            return known
        slot = (slot + 1) & (len(slots) - 1)
    number = int(control[MET])
    slots[slot] = number
    codes[number] = code
    pack(number, widths, rows, words)
    found = result(state, rules)
    sides[number] = turn(state, rules) if found == ONGOING else ENDED
    values[number] = 1 if found == FIRST_WINS else -1 if found == SECOND_WINS else 0
    control[MET] = number + 1
    return number


def pack(number: int, widths: NDArray[np.int64], rows: NDArray[np.uint8], words: NDArray[np.int64]) -> None:
    """Keep as many bytes of each word as its field has."""
    place = number * widths.sum()
    for at in range(len(widths)):
        for byte in range(widths[at]):
            rows[place] = (words[at] >> 8 * byte) & 255
            place += 1


def same(number: int, widths: NDArray[np.int64], rows: NDArray[np.uint8], words: NDArray[np.int64]) -> bool:
    """Are these the words that were packed?"""
    place = number * widths.sum()
    for at in range(len(widths)):
        for byte in range(widths[at]):
            if rows[place] != (words[at] >> 8 * byte) & 255:
                return False
            place += 1
    return True


def unpacked(
    number: int, rules: Any, widths: NDArray[np.int64], rows: NDArray[np.uint8], words: NDArray[np.int64]
) -> Any:
    """The state of a number."""
    place = number * widths.sum()
    for at in range(len(widths)):
        word = np.int64(0)
        for byte in range(widths[at]):
            word |= np.int64(rows[place]) << np.int64(8 * byte)
            place += 1
        words[at] = word
    return read_words(words, 0, rules)


def fill_slots(codes: NDArray[np.int64], met: int, slots: NDArray[np.int32]) -> None:
    """Put the positions met into a new, larger table."""
    slots[:] = NONE
    for number in range(met):
        slot = codes[number] & (len(slots) - 1)
        while slots[slot] != NONE:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = number


def turn_around(
    first: NDArray[np.int64], edges: NDArray[np.int32], begin: NDArray[np.int64], sources: NDArray[np.int32]
) -> None:
    """Who leads to whom, the other way round: before number n are `sources[begin[n]:begin[n + 1]]`."""
    size = len(first) - 1
    begin[:] = 0
    for edge in range(first[size]):
        begin[edges[edge] + 1] += 1
    for number in range(size):
        begin[number + 1] += begin[number]
    for number in range(size - 1, -1, -1):
        for edge in range(first[number], first[number + 1]):
            target = edges[edge]
            begin[target + 1] -= 1
            sources[begin[target + 1]] = number
    # Now begin[n + 1] is where those before n begin.
    for number in range(size):
        begin[number] = begin[number + 1]
    begin[size] = first[size]


def go_back(
    sides: NDArray[np.int8],
    values: NDArray[np.int32],
    left: NDArray[np.int32],
    begin: NDArray[np.int64],
    sources: NDArray[np.int32],
    queue: NDArray[np.int32],
    control: NDArray[np.int64],
) -> int:
    """Decide positions in the order of their distance; how many turns the longest win takes.

    A move that goes on with the same side's turn costs nothing, any other one turn. `left` counts the moves of a
    position that do not lose yet. Of the queue a part is one distance; behind it grows the next.
    """
    end = 0
    for number in range(len(sides)):
        if values[number] != 0:
            queue[end] = number
            end += 1
    begun, level, distance = 0, end, 0
    while begun < level and control[STOP] == 0:
        for at in range(begun, level):
            end = decide_before(queue[at], distance, 1, sides, values, left, begin, sources, queue, end)
        begun, level, distance = level, end, distance + 1
        at = begun
        while at < level:
            end = decide_before(queue[at], distance, 0, sides, values, left, begin, sources, queue, end)
            level = end
            at += 1
    return distance - 1


def decide_before(
    number: int,
    distance: int,
    cost: int,
    sides: NDArray[np.int8],
    values: NDArray[np.int32],
    left: NDArray[np.int32],
    begin: NDArray[np.int64],
    sources: NDArray[np.int32],
    queue: NDArray[np.int32],
    end: int,
) -> int:
    """Tell those before a decided position, as far as that costs as much; the end of the queue."""
    value = values[number]
    for place in range(begin[number], begin[number + 1]):
        before = sources[place]
        step = 0 if sides[number] == sides[before] else 1
        if step != cost or values[before] != 0:
            continue
        left[before] -= 1
        if (value > 0) == (sides[before] == 0) or left[before] == 0:
            values[before] = distance + cost + 1 if value > 0 else -(distance + cost + 1)
            queue[end] = before
            end += 1
    return end
