"""A search with propagation, compiled: for any lattice, where every cell is filled and no path touches itself.

Each node has the set of patterns that it may still take, a pattern being the set of its joined sides. A side that all
of them have is joined, one that none has is barred, and both tell the neighbour. Joined sides make paths: `far_end` of
a path's end is its other end, `path_colour` the colour of its source, if it has one. Ends of different colours stay
apart, ends of one colour that are neighbours are joined, and a path whose ends are neighbours is a dead end. In a whole
block of four at most two sides are joined, so a turn makes the cell inside it a source or a turn of the same kind:
turns line up in spikes, and one whose spike would run into the border is struck out beforehand.

When nothing more follows, a pattern is tried at the first undecided node, and struck out when it fails. Everything is
in arrays: the search returns at each solution, or when its slice of decisions is spent, and goes on from there.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.puzzles.flow.lattice_kernel import DOWN, LEFT, RIGHT, UP, Lattice, Numbers, lay_out

Bits = NDArray[np.int64]

OPEN, JOINED, BARRED = 0, 1, 2
EXHAUSTED, SOLVED, PAUSED = 0, 1, 2
STOP, SIZE, DEPTH, NODES, FOUND, TRAIL, WAITING, DEAD = 0, 1, 2, 3, 4, 5, 6, 7  # the entries of the control array

# For each side the patterns that have it, as a set of bits: pattern p is bit p. None has more than two of six sides.
HAVING = (
    0x0AAAAAAAAAAAAAAA, 0x0CCCCCCCCCCCCCCC, 0x00F0F0F0F0F0F0F0, 0x0F00FF00FF00FF00, 0x0FFF0000FFFF0000,
    0x0FFFFFFF00000000,
)  # fmt: skip
ALL = 1 << 40
_MASK = (1 << 20) - 1
_TRAIL = 18  # entries a node: at most 14 patterns are struck out one by one, and three sides are its own


class Net(NamedTuple):
    """What is known so far, and how to take it back."""

    live: Bits  # the patterns that a node may still take
    state: Numbers  # of each side of each node
    far_end: Numbers
    path_colour: Numbers
    sides_joined: Numbers  # of the block of four that a node is the upper left corner of
    trail_at: Numbers  # a node whose patterns changed, or below zero a side that was decided
    trail_old: Bits
    waiting: Numbers  # nodes whose patterns have changed
    is_waiting: Numbers
    tried: Numbers  # for each decision: the node, the pattern, the length of the trail, where in the order


def new_net(room: int, sides: int) -> tuple[Lattice, Net]:
    """Arrays for so many nodes, or so many places where these are more."""
    near, state = np.empty((2, room * sides), np.int32)
    colour, layered, whole, order, far_end, path_colour, sides_joined, waiting, is_waiting = np.zeros(
        (9, room), np.int32
    )
    trail_at, trail_old = np.empty(_TRAIL * room, np.int32), np.empty(_TRAIL * room, np.int64)
    live, tried = np.empty(room, np.int64), np.empty(4 * room + 8, np.int32)
    net = Net(live, state, far_end, path_colour, sides_joined, trail_at, trail_old, waiting, is_waiting, tried)
    return Lattice(near, colour, layered, whole, order), net


def search(
    cells: Numbers, rows: int, columns: int, sides: int, wrap: int, walls: Numbers, lattice: Lattice, net: Net,
    control: Bits, slice_: int, paths: Numbers,
) -> int:  # fmt: skip
    """EXHAUSTED, SOLVED (the solution is in `paths`, see `is_untouched`) or PAUSED after `slice_` decisions."""
    if control[SIZE] == 0:
        control[SIZE] = lay_out(cells, rows, columns, sides, wrap, walls, lattice, net.waiting)
        good = prepare(int(control[SIZE]), sides, lattice, net, control)
        control[DEAD] = not (good and propagate(ALL, sides, lattice, net, control))
    size = int(control[SIZE])
    end = control[NODES] + slice_
    while True:
        if control[DEAD]:
            if control[DEPTH] == 0:
                return EXHAUSTED
            control[DEAD] = not strike_out_last(sides, lattice, net, control)
        elif control[NODES] >= end or control[STOP] != 0:
            return PAUSED
        elif decide(size, lattice, net, control):
            control[NODES] += 1
            control[DEAD] = not propagate(ALL, sides, lattice, net, control)
        else:
            control[DEAD] = 1
            if is_untouched(size, sides, lattice, net, paths):
                control[FOUND] += 1
                return SOLVED


def prepare(size: int, sides: int, lattice: Lattice, net: Net, control: Bits) -> bool:
    """Nothing is joined yet, and every node may take the patterns that are possible for it alone."""
    for node in range(size):
        net.live[node] = patterns(node, sides, lattice)
        net.far_end[node] = node
        net.path_colour[node] = lattice.colour[node]
        net.sides_joined[node] = 0
        net.is_waiting[node] = 1
        net.waiting[node] = node
        for side in range(sides):
            net.state[node * sides + side] = OPEN if lattice.near[node * sides + side] >= 0 else BARRED
        if net.live[node] == 0:
            return False
    control[WAITING] = size
    net.tried[3] = 0
    return True


def patterns(node: int, sides: int, lattice: Lattice) -> int:
    """The patterns a node may have, as a set of bits."""
    near = lattice.near
    found = 0
    for one in range(sides):
        if near[node * sides + one] < 0:
            continue
        if lattice.colour[node] > 0:
            found |= 1 << (1 << one)
            continue
        for other in range(one + 1, sides):
            if near[node * sides + other] >= 0 and may_turn(node, one, other, sides, lattice):
                found |= 1 << ((1 << one) | (1 << other))
    return found


def may_turn(node: int, one: int, other: int, sides: int, lattice: Lattice) -> bool:
    """May a path go through these two sides? Not if it would touch itself at once, or start an endless spike."""
    near = lattice.near
    if other - one != 1 and other - one != sides - 1:
        return True
    first = one if other - one == 1 else other  # the turn is to the next side around
    if sides == 6:
        return bool(near[near[node * 6 + first] * 6 + (first + 2) % 6] != near[node * 6 + (first + 1) % 6])
    second = (first + 1) % 4
    for _ in range(lattice.order.size):
        if near[4 * node + first] < 0 or near[4 * node + second] < 0:
            return False
        block = block_in(node, first, near)
        if block < 0 or not lattice.whole[block]:
            return True
        node = near[4 * near[4 * node + first] + second]
        if lattice.colour[node] > 0:
            return True
    return True


def block_in(node: int, first: int, near: Numbers) -> int:
    """The upper left corner of the block inside a turn between this side and the next."""
    if first == RIGHT:
        return node
    if first == DOWN:
        return int(near[4 * node + LEFT])
    if first == UP:
        return int(near[4 * node + UP])
    return int(near[4 * near[4 * node + UP] + LEFT])


def wait(node: int, net: Net, control: Bits) -> None:
    if not net.is_waiting[node]:
        net.is_waiting[node] = 1
        net.waiting[control[WAITING]] = node
        control[WAITING] += 1


def note(at: int, old: int, net: Net, control: Bits) -> None:
    net.trail_at[control[TRAIL]] = at
    net.trail_old[control[TRAIL]] = old
    control[TRAIL] += 1


def narrow(node: int, allowed: int, net: Net, control: Bits) -> bool:
    """Keep only these patterns; False if none is left."""
    before = net.live[node]
    after = before & allowed
    if after == 0:
        return False
    if after != before:
        note(node, before, net, control)
        net.live[node] = after
        wait(node, net, control)
    return True


def propagate(most: int, sides: int, lattice: Lattice, net: Net, control: Bits) -> bool:
    """Draw every conclusion, or those that follow until the trail has `most` entries; False if one contradicts.

    Where it contradicts is left in `waiting`.
    """
    good = True
    while good and control[WAITING] > 0 and control[TRAIL] <= most:
        control[WAITING] -= 1
        node = net.waiting[control[WAITING]]
        net.is_waiting[node] = 0
        good = settle(node, sides, lattice, net, control)
        if not good:
            forget_waiting(net, control)
            net.waiting[0] = node
    return good


def forget_waiting(net: Net, control: Bits) -> None:
    while control[WAITING] > 0:
        control[WAITING] -= 1
        net.is_waiting[net.waiting[control[WAITING]]] = 0


def settle(node: int, sides: int, lattice: Lattice, net: Net, control: Bits) -> bool:
    """Join and bar the sides of a node that its patterns, or the paths beside it, decide."""
    for side in range(sides):
        if net.state[node * sides + side] != OPEN:
            continue
        other = lattice.near[node * sides + side]
        live = net.live[node]
        if net.far_end[node] == other:
            return False
        one, two = net.path_colour[node], net.path_colour[other]
        apart = one > 0 and two > 0 and one != two
        together = one > 0 and one == two
        if apart or not live & HAVING[side]:
            if not bar(node, side, sides, lattice, net, control):
                return False
        elif (together or not live & ~HAVING[side]) and not join(node, side, sides, lattice, net, control):
            return False
    return True


def bar(node: int, side: int, sides: int, lattice: Lattice, net: Net, control: Bits) -> bool:
    """No path goes through this side."""
    other, back = lattice.near[node * sides + side], (side + sides // 2) % sides
    net.state[node * sides + side] = BARRED
    net.state[other * sides + back] = BARRED
    note(-1 - (node * sides + side), 0, net, control)
    return narrow(node, ~HAVING[side], net, control) and narrow(other, ~HAVING[back], net, control)


def join(node: int, side: int, sides: int, lattice: Lattice, net: Net, control: Bits) -> bool:
    """A path goes through this side."""
    other, back = lattice.near[node * sides + side], (side + sides // 2) % sides
    if not net.live[node] & HAVING[side] or not net.live[other] & HAVING[back]:
        return False
    one, two = int(net.far_end[node]), int(net.far_end[other])
    colour = net.path_colour[node] | net.path_colour[other]  # one of them is 0, or both are the same
    ends = one << 4 | two << 24 | int(net.path_colour[node] > 0) << 1 | int(net.path_colour[other] > 0) << 2
    note(-1 - (node * sides + side), ends | 1, net, control)
    net.state[node * sides + side] = JOINED
    net.state[other * sides + back] = JOINED
    net.far_end[one], net.far_end[two] = two, one
    net.path_colour[one] = net.path_colour[two] = colour
    if sides == 4:
        count_side(node, side, 1, lattice, net)
    wait(one, net, control)
    wait(two, net, control)
    narrow(node, HAVING[side], net, control)
    narrow(other, HAVING[back], net, control)
    return sides == 6 or is_roomy(node, side, lattice, net, control)


def count_side(node: int, side: int, change: int, lattice: Lattice, net: Net) -> None:
    """One more side, or one less, is joined of the two blocks beside it."""
    corner = node if side in (RIGHT, DOWN) else lattice.near[4 * node + side]
    beside = lattice.near[4 * corner + (UP if side in (RIGHT, LEFT) else LEFT)]
    net.sides_joined[corner] += change
    if beside >= 0:
        net.sides_joined[beside] += change


def is_roomy(node: int, side: int, lattice: Lattice, net: Net, control: Bits) -> bool:
    """A side was joined: where two sides of a whole block are, its others are barred; three are too many."""
    corner = node if side in (RIGHT, DOWN) else lattice.near[4 * node + side]
    beside = lattice.near[4 * corner + (UP if side in (RIGHT, LEFT) else LEFT)]
    return bar_rest(corner, lattice, net, control) and (beside < 0 or bar_rest(beside, lattice, net, control))


def bar_rest(corner: int, lattice: Lattice, net: Net, control: Bits) -> bool:
    if not lattice.whole[corner] or net.sides_joined[corner] < 2:
        return True
    if net.sides_joined[corner] > 2:
        return False
    right, below = lattice.near[4 * corner + RIGHT], lattice.near[4 * corner + DOWN]
    return (
        bar_open(corner, RIGHT, lattice, net, control)
        and bar_open(corner, DOWN, lattice, net, control)
        and bar_open(right, DOWN, lattice, net, control)
        and bar_open(below, RIGHT, lattice, net, control)
    )


def bar_open(node: int, side: int, lattice: Lattice, net: Net, control: Bits) -> bool:
    return net.state[4 * node + side] != OPEN or bar(node, side, 4, lattice, net, control)


def take_back(length: int, sides: int, lattice: Lattice, net: Net, control: Bits) -> None:
    """Undo everything since the trail had this length."""
    while control[TRAIL] > length:
        control[TRAIL] -= 1
        at, old = net.trail_at[control[TRAIL]], net.trail_old[control[TRAIL]]
        if at >= 0:
            net.live[at] = old
        else:
            reopen(-1 - at, old, sides, lattice, net)


def reopen(place: int, old: int, sides: int, lattice: Lattice, net: Net) -> None:
    """Make a side of a node undecided again."""
    node, side, other = place // sides, place % sides, lattice.near[place]
    net.state[place] = OPEN
    net.state[other * sides + (side + sides // 2) % sides] = OPEN
    if old & 1 == 0:
        return
    one, two = (old >> 4) & _MASK, old >> 24
    colour = net.path_colour[one]
    net.far_end[one], net.far_end[two] = node, other
    net.path_colour[one] = colour if old & 2 else 0
    net.path_colour[two] = colour if old & 4 else 0
    if sides == 4:
        count_side(node, side, -1, lattice, net)


def decide(size: int, lattice: Lattice, net: Net, control: Bits) -> bool:
    """Try a pattern at the first node that has several; False if none has."""
    depth = control[DEPTH]
    for at in range(net.tried[4 * depth + 3], size):
        node = lattice.order[at]
        live = net.live[node]
        if live & (live - 1):
            net.tried[4 * depth] = node
            net.tried[4 * depth + 1] = control[TRAIL]
            net.tried[4 * depth + 3] = at
            net.tried[4 * depth + 7] = at
            control[DEPTH] = depth + 1
            note_choice(depth, live & -live, net)
            return narrow(node, live & -live, net, control)
    return False


def note_choice(depth: int, pattern: int, net: Net) -> None:
    at = 0
    while pattern >> at != 1:
        at += 1
    net.tried[4 * depth + 2] = at


def strike_out_last(sides: int, lattice: Lattice, net: Net, control: Bits) -> bool:
    """The last decision failed: take it back and strike it out."""
    control[DEPTH] -= 1
    depth = control[DEPTH]
    take_back(net.tried[4 * depth + 1], sides, lattice, net, control)
    pattern = 1 << int(net.tried[4 * depth + 2])
    return narrow(net.tried[4 * depth], ~pattern, net, control) and propagate(ALL, sides, lattice, net, control)


def is_untouched(size: int, sides: int, lattice: Lattice, net: Net, paths: Numbers) -> bool:
    """Does no path touch itself? Writes the paths: all their nodes, then for each colour where it begins and ends."""
    length = 0
    owner = net.is_waiting  # room for a number a node; it is all 0 between two decisions, and again in the end
    for source in range(size):
        colour = lattice.colour[source]
        if colour == 0 or owner[source] != 0:
            continue
        paths[size + 2 * colour - 2] = length
        node, came = source, -1
        while node >= 0:
            owner[node] = colour
            paths[length] = node
            length += 1
            node, came = step_on(node, came, sides, lattice, net)
        paths[size + 2 * colour - 1] = length
    good = True
    for node in range(size):
        for side in range(sides // 2):
            other = lattice.near[node * sides + side]
            if other >= 0 and owner[node] == owner[other] and net.state[node * sides + side] == BARRED:
                good = False
    for node in range(size):
        owner[node] = 0
    return good


def step_on(node: int, came: int, sides: int, lattice: Lattice, net: Net) -> tuple[int, int]:
    """The next node of a path and the side through which it is entered; -1 at its end."""
    for side in range(sides):
        if side != came and net.state[node * sides + side] == JOINED:
            return lattice.near[node * sides + side], (side + sides // 2) % sides
    return -1, -1
