"""The generic way back: from the ends of all games to what each position is worth.

Positions are decided in the order of their distance. A move that goes on with the same side's turn costs nothing, any
other one turn. What is decided is told to those before it, by notes on trays as in `exploring`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.result import FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.core.seam.control import STOP
from kibitz.core.seam.slots import UNKNOWN, keyed, moves, play, result, turn
from kibitz.tables.generic.forward_kernels import DRAWERS, DRAWN, FILLED, WON_BY_FIRST, WON_BY_SECOND, unpacked
from kibitz.tables.probe import among_sorted, hashed

TOLD, PLACE, QUEUED = range(3)  # of a drawer's counts: the queue's next, how many before it were told, the queue's end


def turn_around(
    targets: NDArray[np.int32], sources: NDArray[np.int32], begin: NDArray[np.int32], before: NDArray[np.int32]
) -> None:
    """Those before number n are `before[begin[n]:begin[n + 1]]`."""
    size = len(begin) - 1
    begin[:] = 0
    for edge in range(len(before)):
        begin[targets[edge] + 1] += 1
    for number in range(size):
        begin[number + 1] += begin[number]
    for edge in range(len(before) - 1, -1, -1):
        # begin[n + 1] runs down from where those before n end to where they begin
        begin[targets[edge] + 1] -= 1
        before[begin[targets[edge] + 1]] = sources[edge]
    for number in range(size):
        begin[number] = begin[number + 1]
    begin[size] = len(before)


def queue_ends(
    kinds: NDArray[np.uint8], values: NDArray[np.int32], queue: NDArray[np.int32], counts: NDArray[np.int64]
) -> None:
    """The games that are won already are the first to be told of."""
    for number in range(len(values)):
        values[number] = 1 if kinds[number] == WON_BY_FIRST else -1 if kinds[number] == WON_BY_SECOND else 0
        if values[number] != 0:
            queue[counts[QUEUED]] = number
            counts[QUEUED] += 1


def tell(
    stop: int,
    kinds: NDArray[np.uint8],
    values: NDArray[np.int32],
    begin: NDArray[np.int32],
    before: NDArray[np.int32],
    queue: NDArray[np.int32],
    counts: NDArray[np.int64],
    notes: NDArray[np.int64],
    homes: NDArray[np.uint8],
    filled: NDArray[np.int64],
    control: NDArray[np.int64],
) -> None:
    """Write to those before the queue's next ones up to `stop`, until the tray is full: who they are, whose move it is
    behind them, and whether the first player wins.
    """
    while counts[TOLD] < stop and control[STOP] == 0:
        number = queue[counts[TOLD]]
        news = min(int(kinds[number]), DRAWN) * 2 + int(values[number] > 0)
        for at in range(begin[number] + counts[PLACE], begin[number + 1]):
            if filled[FILLED] == len(notes):
                return
            note = filled[FILLED]
            notes[note] = (before[at] // DRAWERS) * 8 + news
            homes[note] = before[at] % DRAWERS
            filled[FILLED] += 1
            counts[PLACE] += 1
        counts[TOLD] += 1
        counts[PLACE] = 0


def hear(
    name: int,
    distance: int,
    cost: int,
    notes: NDArray[np.int64],
    order: NDArray[np.int32],
    bounds: NDArray[np.int64],
    kinds: NDArray[np.uint8],
    left: NDArray[np.int32],
    values: NDArray[np.int32],
    queue: NDArray[np.int32],
    counts: NDArray[np.int64],
) -> None:
    """Decide what follows from the notes that are for this drawer, as far as their moves cost as much. `left` counts
    the moves of a position that do not lose yet.
    """
    for tray in range(len(order)):
        for place in range(bounds[tray, name], bounds[tray, name + 1]):
            note = notes[tray, order[tray, place]]
            number, side, first_wins = note >> 3, note >> 1 & 3, note & 1
            mover = int(kinds[number])
            if values[number] != 0 or int(side != mover) != cost:
                continue
            left[number] -= 1
            if (first_wins == 1) == (mover == 0) or left[number] == 0:
                turns = distance + cost + 1
                values[number] = turns if first_wins == 1 else -turns
                queue[counts[QUEUED]] = number
                counts[QUEUED] += 1


def wrong_values(
    rules: Any,
    numbers: NDArray[np.int64],
    start: int,
    stop: int,
    widths: NDArray[np.int64],
    rows: NDArray[np.uint8],
    header: NDArray[np.int64],
    data: NDArray[np.uint8],
    out: NDArray[np.int64],
    words: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """How many positions of a finished table are not worth what follows from those one move on: of these numbers of a
    drawer, or of a stretch of all where there are none.
    """
    wrong = 0
    for at in range(start, stop):
        if control[STOP] != 0:
            return wrong
        number = numbers[at] if len(numbers) > 0 else at
        state = unpacked(number, rules, widths, rows, words)
        known = among_sorted(hashed(state, rules, header), header, data)
        wrong += int(known != value_by_moves(state, rules, header, data, out))
    return wrong


def value_by_moves(
    state: Any, rules: Any, header: NDArray[np.int64], data: NDArray[np.uint8], out: NDArray[np.int64]
) -> int:
    """What a position is worth, by its result or by what the table knows of those one move on."""
    found = result(state, rules)
    if found != ONGOING:
        return 1 if found == FIRST_WINS else -1 if found == SECOND_WINS else 0
    side = turn(state, rules)
    sign = 1 if side == 0 else -1
    soonest, latest, drawn = UNKNOWN, 0, False
    for at in range(moves(state, rules, out, 0)):
        child = keyed(play(state, out[at], rules), rules)
        value = sign * among_sorted(hashed(child, rules, header), header, data)
        if abs(value) == UNKNOWN:
            return UNKNOWN - 1  # that is no value of a table
        same_turn = turn(child, rules) == side and result(child, rules) == ONGOING
        if value > 0:
            soonest = min(soonest, value + int(not same_turn))
        elif value < 0:
            latest = max(latest, int(not same_turn) - value)
        else:
            drawn = True
    if soonest < UNKNOWN:
        return sign * soonest
    return 0 if drawn else -sign * latest
