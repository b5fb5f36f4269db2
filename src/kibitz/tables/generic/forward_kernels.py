"""The generic way, for any game without chance: meet every position that can come about, and note who leads to whom.

Positions lie in drawers by the first bits of their codes. A thread that looks at positions puts what it finds on its
tray; then each drawer takes what is for it from all trays. So nobody writes where another one does, and what is found
does not depend on who comes first. These are the kernels; a position's number is its place in its drawer.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.result import FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.core.seam.control import STOP
from kibitz.core.seam.slots import keyed, moves, play, read_words, result, turn, write_words
from kibitz.tables.probe import hash_of

CLASH, WIDER, STUCK, LONG = range(1, 5)  # of a control array, behind STOP
MET, LOOKED, EDGES = range(3)  # of a drawer's counts
FILLED = 0  # of a tray's counts
DRAWERS, DRAWER_SHIFT = 64, 56  # codes have 62 bits
DRAWN, WON_BY_FIRST, WON_BY_SECOND = 2, 3, 4  # kinds of finished games; the others are the side to move
NONE = -1


def expand(
    rules: Any,
    name: int,
    start: int,
    stop: int,
    salt: int,
    widths: NDArray[np.int64],
    rows: NDArray[np.uint8],
    kinds: NDArray[np.uint8],
    left: NDArray[np.int32],
    found_rows: NDArray[np.uint8],
    found_codes: NDArray[np.int64],
    found_sources: NDArray[np.int32],
    homes: NDArray[np.uint8],
    filled: NDArray[np.int64],
    out: NDArray[np.int64],
    words: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """Look at positions of a drawer until the tray may be full; the first one that was not looked at."""
    width = widths.sum()
    for number in range(start, stop):
        if control[STOP] != 0 or filled[FILLED] + len(out) > len(found_codes):
            return number
        here = unpacked(number, rules, widths, rows, words)
        kinds[number] = kind_of(here, rules)
        left[number] = 0 if kinds[number] >= DRAWN else moves(here, rules, out, 0)
        if kinds[number] < DRAWN and left[number] == 0:
            control[STUCK], control[STOP] = 1 + name, 1
            return number
        for at in range(left[number]):
            child = keyed(play(here, out[at], rules), rules)
            if turn(child, rules) == kinds[number]:
                control[LONG] = 1
            if write_words(child, rules, words, 0) != len(widths):
                control[WIDER], control[STOP] = 1, 1
                return number
            note = filled[FILLED]
            pack(note * width, widths, found_rows, words)
            found_codes[note] = hash_of(words, len(widths), salt)
            found_sources[note] = number * DRAWERS + name
            homes[note] = found_codes[note] >> DRAWER_SHIFT
            filled[FILLED] += 1
    return stop


def kind_of(state: Any, rules: Any) -> int:
    """Whose move it is, or how the game has ended."""
    found = result(state, rules)
    if found == ONGOING:
        return int(turn(state, rules))
    return WON_BY_FIRST if found == FIRST_WINS else WON_BY_SECOND if found == SECOND_WINS else DRAWN


def pack(place: int, widths: NDArray[np.int64], rows: NDArray[np.uint8], words: NDArray[np.int64]) -> None:
    """Keep as many bytes of each word as its field has."""
    for at in range(len(widths)):
        for byte in range(widths[at]):
            rows[place] = (words[at] >> 8 * byte) & 255
            place += 1


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


def sort_tray(
    homes: NDArray[np.uint8], filled: NDArray[np.int64], order: NDArray[np.int32], bounds: NDArray[np.int64]
) -> None:
    """What is for drawer d are `order[bounds[d]:bounds[d + 1]]`."""
    bounds[:] = 0
    for note in range(filled[FILLED]):
        bounds[homes[note] + 1] += 1
    for drawer in range(DRAWERS):
        bounds[drawer + 1] += bounds[drawer]
    for note in range(filled[FILLED] - 1, -1, -1):
        # bounds[d + 1] runs down from where drawer d ends to where it begins
        bounds[homes[note] + 1] -= 1
        order[bounds[homes[note] + 1]] = note
    for drawer in range(DRAWERS):
        bounds[drawer] = bounds[drawer + 1]
    bounds[DRAWERS] = filled[FILLED]


def absorb(
    name: int,
    width: int,
    found_rows: NDArray[np.uint8],
    found_codes: NDArray[np.int64],
    found_sources: NDArray[np.int32],
    order: NDArray[np.int32],
    bounds: NDArray[np.int64],
    rows: NDArray[np.uint8],
    codes: NDArray[np.int64],
    slots: NDArray[np.int32],
    targets: NDArray[np.int32],
    sources: NDArray[np.int32],
    counts: NDArray[np.int64],
    control: NDArray[np.int64],
) -> None:
    """Put what all trays hold for this drawer into it: positions that are new, and who leads to each."""
    for tray in range(len(order)):
        for place in range(bounds[tray, name], bounds[tray, name + 1]):
            note = order[tray, place]
            slot = slot_of(found_codes[tray, note], codes, slots)
            number = slots[slot]
            if number == NONE:
                number = np.int32(counts[MET])
                slots[slot] = number
                codes[number] = found_codes[tray, note]
                for byte in range(width):
                    rows[number * width + byte] = found_rows[tray, note * width + byte]
                counts[MET] += 1
            else:
                for byte in range(width):
                    if rows[number * width + byte] != found_rows[tray, note * width + byte]:
                        control[CLASH], control[STOP] = 1, 1
            targets[counts[EDGES]] = number
            sources[counts[EDGES]] = found_sources[tray, note]
            counts[EDGES] += 1


def slot_of(code: int, codes: NDArray[np.int64], slots: NDArray[np.int32]) -> int:
    """Where the number of this code is, or is to be put."""
    slot = code & (len(slots) - 1)
    while slots[slot] != NONE and codes[slots[slot]] != code:
        slot = (slot + 1) & (len(slots) - 1)
    return int(slot)


def fill_slots(codes: NDArray[np.int64], met: int, slots: NDArray[np.int32]) -> None:
    """Put the positions met into a new table."""
    slots[:] = NONE
    for number in range(met):
        slots[slot_of(codes[number], codes, slots)] = number
