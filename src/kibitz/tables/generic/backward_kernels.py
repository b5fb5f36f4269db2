"""The backward pass of the generic solver: from the ends of all games to what each position is worth.

Positions are decided in the order of their distance. A move that goes on with the same side's turn costs nothing, any
other one turn. What is decided is sent to the positions before it through buffers, as in `forward_kernels`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.result import FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.core.seam.control import STOP
from kibitz.core.seam.slots import UNKNOWN, key_state, moves, play, result, turn
from kibitz.tables.generic.forward_kernels import BUCKETS, FILLED, FINISHED, WON_BY_FIRST, WON_BY_SECOND, unpack
from kibitz.tables.probe import find_sorted, hash_state

SENT, PLACE, QUEUED = range(3)  # of a bucket's counts: the queue's next, how many before it were sent, the queue's end


class DecidedArrays(NamedTuple):
    """The arrays of a bucket on the way back, for kernels."""

    kinds: NDArray[np.uint8]
    left: NDArray[np.int32]  # moves of each position that do not lose yet
    values: NDArray[np.int32]
    begin: NDArray[np.int32]  # those before number n are `before[begin[n]:begin[n + 1]]`
    before: NDArray[np.int32]
    queue: NDArray[np.int32]
    counts: NDArray[np.int64]


def index_predecessors(
    targets: NDArray[np.int32], sources: NDArray[np.int32], begin: NDArray[np.int32], before: NDArray[np.int32]
) -> None:
    """Those before number n become `before[begin[n]:begin[n + 1]]`."""
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


def queue_finished(
    kinds: NDArray[np.uint8], values: NDArray[np.int32], queue: NDArray[np.int32], counts: NDArray[np.int64]
) -> None:
    """The games that are won already are the first to be sent."""
    for number in range(len(values)):
        values[number] = 1 if kinds[number] == WON_BY_FIRST else -1 if kinds[number] == WON_BY_SECOND else 0
        if values[number] != 0:
            queue[counts[QUEUED]] = number
            counts[QUEUED] += 1


def send(
    stop: int,
    bucket: DecidedArrays,
    entries: NDArray[np.int64],
    buckets: NDArray[np.uint8],
    filled: NDArray[np.int64],
    control: NDArray[np.int64],
) -> None:
    """Write an entry for each position before the queue's next ones up to `stop`, until the buffer is full: its number,
    whose move it is behind it, and whether the first player wins.
    """
    counts = bucket.counts
    while counts[SENT] < stop and control[STOP] == 0:
        number = bucket.queue[counts[SENT]]
        news = min(int(bucket.kinds[number]), FINISHED) * 2 + int(bucket.values[number] > 0)
        for at in range(bucket.begin[number] + counts[PLACE], bucket.begin[number + 1]):
            if filled[FILLED] == len(entries):
                return
            entry = filled[FILLED]
            entries[entry] = (bucket.before[at] // BUCKETS) * 8 + news
            buckets[entry] = bucket.before[at] % BUCKETS
            filled[FILLED] += 1
            counts[PLACE] += 1
        counts[SENT] += 1
        counts[PLACE] = 0


def receive(
    name: int,
    distance: int,
    cost: int,
    entries: NDArray[np.int64],
    order: NDArray[np.int32],
    bounds: NDArray[np.int64],
    bucket: DecidedArrays,
) -> None:
    """Decide what follows from the entries for this bucket whose moves cost as much."""
    counts = bucket.counts
    for buffer in range(len(order)):
        for place in range(bounds[buffer, name], bounds[buffer, name + 1]):
            entry = entries[buffer, order[buffer, place]]
            number, side, first_wins = entry >> 3, entry >> 1 & 3, entry & 1
            mover = int(bucket.kinds[number])
            if bucket.values[number] != 0 or int(side != mover) != cost:
                continue
            bucket.left[number] -= 1
            if (first_wins == 1) == (mover == 0) or bucket.left[number] == 0:
                turns = distance + cost + 1
                bucket.values[number] = turns if first_wins == 1 else -turns
                bucket.queue[counts[QUEUED]] = number
                counts[QUEUED] += 1


def count_wrong_values(
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
    bucket, or of a part of all where there are none.
    """
    wrong = 0
    for at in range(start, stop):
        if control[STOP] != 0:
            return wrong
        number = numbers[at] if len(numbers) > 0 else at
        state = unpack(number, rules, widths, rows, words)
        known = find_sorted(hash_state(state, rules, header), header, data)
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
        child = key_state(play(state, out[at], rules), rules)
        value = sign * find_sorted(hash_state(child, rules, header), header, data)
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
