"""Trials, compiled: what would go wrong if a side were joined or barred, and how soon that is seen."""

import numpy as np
from numpy.typing import NDArray

from kibitz.puzzles.flow.lattice_kernel import Lattice, Numbers, lay_out
from kibitz.puzzles.flow.propagation_kernel import (
    ALL,
    BARRED,
    HAVING,
    JOINED,
    OPEN,
    TRAIL,
    Bits,
    Net,
    bar,
    forget_waiting,
    join,
    prepare,
    propagate,
    take_back,
)

NOTHING, CLOSED, TRIAL = 0, 1, 2
PLACE, STEPS, NODE, REGIONS = 0, 1, 2, 3  # the entries of an answer; then the regions of all nodes


def probe(
    cells: Numbers, rows: int, columns: int, sides: int, wrap: int, walls: Numbers, lattice: Lattice, net: Net,
    control: Bits, known: Numbers, wrong: Numbers, patience: NDArray[np.int64], answer: Numbers,
) -> int:  # fmt: skip
    """The first side whose wrong state fails: one that closes others in, else the trial that fails soonest.

    `known` has the state of every side of every node, `wrong` the state to try where that is to be done. Trials are
    made everywhere with little `patience`, then with more. The answer has the side, the steps and where it fails.
    """
    size = lay_out(cells, rows, columns, sides, wrap, walls, lattice, net.waiting)
    if not prepare(size, sides, lattice, net, control) or not enter(size, known, sides, lattice, net, control):
        return NOTHING
    region = answer[REGIONS:]
    for place in range(size * sides):
        if wrong[place] == JOINED and closes(place, size, sides, lattice, net, control, region):
            answer[PLACE], answer[STEPS], answer[NODE] = place, 0, region[0]
            return CLOSED
    for most in patience:
        for place in range(size * sides):
            if wrong[place] != OPEN and known[place] == OPEN:
                steps = steps_to_failure(place, wrong[place], most, size, sides, lattice, net, control, region)
                if steps >= 0:
                    answer[PLACE], answer[STEPS], answer[NODE] = place, steps, region[0]
                    return TRIAL
    return NOTHING


def enter(size: int, known: Numbers, sides: int, lattice: Lattice, net: Net, control: Bits) -> bool:
    """Join and bar what is known, and what follows."""
    for place in range(size * sides):
        if known[place] == OPEN or net.state[place] != OPEN:
            continue
        node, side = place // sides, place % sides
        if known[place] == JOINED and not join(node, side, sides, lattice, net, control):
            return False
        if known[place] == BARRED and not bar(node, side, sides, lattice, net, control):
            return False
    return propagate(ALL, sides, lattice, net, control)


def finishes(place: int, sides: int, lattice: Lattice, net: Net) -> bool:
    """Would joining this side leave one of its nodes no other side to join?"""
    node, other = place // sides, lattice.near[place]
    if lattice.colour[node] > 0 or lattice.colour[other] > 0:
        return True
    return bool(net.far_end[node] != node or net.far_end[other] != other)


def closes(place: int, size: int, sides: int, lattice: Lattice, net: Net, control: Bits, region: Numbers) -> bool:
    """Does joining this side close others in at once?"""
    if net.state[place] != OPEN or not finishes(place, sides, lattice, net):
        return False
    before = control[TRAIL]
    node, side = place // sides, place % sides
    good = join(node, side, sides, lattice, net, control) and bar_finished(node, sides, lattice, net, control)
    good = good and bar_finished(lattice.near[place], sides, lattice, net, control)
    failed = good and not is_open(size, sides, lattice, net, region)
    forget_waiting(net, control)
    take_back(before, sides, lattice, net, control)
    return failed


def bar_finished(node: int, sides: int, lattice: Lattice, net: Net, control: Bits) -> bool:
    """Bar the sides that no pattern of a node has."""
    for side in range(sides):
        needless = net.state[node * sides + side] == OPEN and not net.live[node] & HAVING[side]
        if needless and not bar(node, side, sides, lattice, net, control):
            return False
    return True


def steps_to_failure(
    place: int, state: int, most: int, size: int, sides: int, lattice: Lattice, net: Net, control: Bits,
    region: Numbers,
) -> int:  # fmt: skip
    """How many sides follow until there is a contradiction, at most so many; -1 if there is none. Where: region[0]."""
    if net.state[place] != OPEN:
        region[0] = place // sides
        return 0 if net.state[place] != state else -1
    before = control[TRAIL]
    node, side = place // sides, place % sides
    acted = (
        join(node, side, sides, lattice, net, control)
        if state == JOINED
        else bar(node, side, sides, lattice, net, control)
    )
    good = acted and propagate(before + most, sides, lattice, net, control)
    where = node if not acted else net.waiting[0]
    if good and is_open(size, sides, lattice, net, region):
        steps = -1
    else:
        steps = sides_since(before, net, control)
        if not good:
            region[0] = where
    forget_waiting(net, control)
    take_back(before, sides, lattice, net, control)
    return steps


def sides_since(before: int, net: Net, control: Bits) -> int:
    """How many sides were decided after the first since the trail had this length."""
    found = -1
    for at in range(before, control[TRAIL]):
        if net.trail_at[at] < 0:
            found += 1
    return max(found, 0)


def is_open(size: int, sides: int, lattice: Lattice, net: Net, region: Numbers) -> bool:
    """Can every path still be finished, and every empty area be reached by one? If not, region[0] says where."""
    for node in range(size):
        region[node] = -1
    for start in range(size):
        if region[start] < 0 and is_unfinished(start, sides, net):
            flood(start, size, sides, lattice, net, region)
    failed = separated_end(size, lattice, net, region)
    if failed >= 0:
        region[0] = failed
    return failed < 0


def is_unfinished(node: int, sides: int, net: Net) -> bool:
    found = False
    for side in range(sides):
        found |= net.state[node * sides + side] == OPEN
    return bool(found)


def flood(start: int, size: int, sides: int, lattice: Lattice, net: Net, region: Numbers) -> None:
    """Give all nodes that open sides lead to from this one its number. The end of `tried` is room for a stack."""
    stack, count = net.tried, 1
    stack[size] = start
    region[start] = start
    while count > 0:
        count -= 1
        node = stack[size + count]
        for side in range(sides):
            other = lattice.near[node * sides + side]
            if net.state[node * sides + side] == OPEN and region[other] < 0:
                region[other] = start
                stack[size + count] = other
                count += 1


def separated_end(size: int, lattice: Lattice, net: Net, region: Numbers) -> int:
    """The end of a coloured path that cannot meet the other, or a node in an area without one; -1 if there is none."""
    fed, other_end = net.tried[2 * size :], net.tried[3 * size :]
    for node in range(size):
        fed[node] = 0
        other_end[node] = -1
    for source in range(size):
        if lattice.colour[source] == 0:
            continue
        end = net.far_end[source]
        if lattice.colour[end] > 0 and end != source:
            continue  # a finished path
        first = other_end[lattice.colour[source] - 1]
        if first < 0:
            other_end[lattice.colour[source] - 1] = end
        elif region[first] < 0 or region[first] != region[end]:
            return int(end)
        else:
            fed[region[end]] = 1
    for node in range(size):
        if region[node] >= 0 and not fed[region[node]]:
            return node
    return -1
