"""The sweep, compiled: a depth-first search over the cells of a rectangle along its anti-diagonals.

Each cell decides which of its sides are joined; those to the left and above are known by then. An open end of a path
is a plug: the right side of cell c is plug 2c, its lower side plug 2c+1. `mate[plug]` is the plug at the other end of
the same path, or minus the colour of the source that ends it there; so no path closes into a ring, and none joins two
colours. What a decision changes is told by `mate` itself, so it can be taken back without a record.

Where every cell is filled and no intact block of 2x2 may be of one colour, three joined sides in a block are
impossible, so the cell diagonally inside a turn turns the same way or is a source. Turns line up in spikes that end in
a source, at a hole or a wall; a turn whose spike would run into the border is struck out beforehand.

The search keeps everything in arrays: it returns at each solution, or when its slice of nodes is spent, and goes on
from there when it is called again.
"""

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.int32]

LEFT, UP, RIGHT, DOWN = 1, 2, 4, 8  # a pattern is the set of a cell's joined sides
FREE, NO2X2, STRICT = 0, 1, 2
EXHAUSTED, SOLVED, PAUSED = 0, 1, 2

# The entries of the control array, behind the flag that stops.
STOP, BEGUN, AT, NODES, FOUND, WANTED = 0, 1, 2, 3, 4, 5

# For each set of sides joined from above and from the left, the patterns that have exactly these, as a set of bits.
ENTERED = (0x1111, 0x2222, 0x4444, 0x8888)
_HAVING = (0xAAAA, 0xCCCC, 0xF0F0, 0xFF00)  # for left, up, right, down: the patterns that have this side


def sweep(
    cells: Cells, doors: Cells, width: int, touch: int, fill: int, work: Cells, control: NDArray[np.int64], slice_: int
) -> int:
    """EXHAUSTED, SOLVED (the joined sides are in the third part of `work`) or PAUSED after `slice_` nodes.

    It is SOLVED when as many solutions are FOUND as are WANTED.

    `cells` holds -1 for a hole, 0 for an empty cell, else a colour; `doors` the sides RIGHT and DOWN that are open.
    """
    size = cells.size
    order, choice, links = work[:size], work[size : 2 * size], work[2 * size : 3 * size]
    allowed, blocks, colours = work[3 * size : 4 * size], work[4 * size : 5 * size], work[5 * size : 6 * size]
    mate = work[6 * size : 8 * size]
    at = int(control[AT])
    count = int(control[BEGUN]) - 1
    if count < 0:
        count = prepare(cells, doors, width, touch, fill, order, allowed, blocks)
        control[BEGUN] = count + 1
        links[:] = 0
        choice[order[0]] = 0
        if count < 0:
            return EXHAUSTED
    elif at == count:
        at -= 1
        take_back(order[at], width, cells, links, mate)
    nodes = 0
    status = EXHAUSTED
    while at >= 0:
        if at == count:
            if touch == FREE or untouched(cells, doors, width, touch, links, blocks, colours):
                control[FOUND] += 1
                if control[FOUND] >= control[WANTED]:
                    status = SOLVED
                    break
            at -= 1
            take_back(order[at], width, cells, links, mate)
            continue
        if nodes >= slice_ or control[STOP] != 0:
            status = PAUSED
            break
        nodes += 1
        cell = order[at]
        if decide(cell, width, cells, doors, allowed, blocks, links, mate, choice):
            at += 1
            if at < count:
                choice[order[at]] = 0
        else:
            at -= 1
            if at >= 0:
                take_back(order[at], width, cells, links, mate)
    control[AT] = at
    control[NODES] += nodes
    return status


def decide(
    cell: int, width: int, cells: Cells, doors: Cells, allowed: Cells, blocks: Cells, links: Cells, mate: Cells,
    choice: Cells,
) -> bool:  # fmt: skip
    """Give the cell the next pattern that fits; False when there is none left."""
    column = cell % width
    entered = 0
    if column > 0 and links[cell - 1] & RIGHT:
        entered |= LEFT
    if cell >= width and links[cell - width] & DOWN:
        entered |= UP
    for out in range(choice[cell], 4):
        pattern = entered | (out << 2)
        if not (allowed[cell] >> pattern) & 1:
            continue
        if blocks[cell] and crowded(cell, width, pattern, links):
            continue
        if not join(cell, width, pattern, cells, mate):
            continue
        links[cell] = pattern
        if leads_on(cell, width, cells, allowed, links, mate):
            choice[cell] = out + 1
            return True
        take_back(cell, width, cells, links, mate)
    return False


def crowded(cell: int, width: int, pattern: int, links: Cells) -> bool:
    """Would the block of this cell, those above and to the right, and the one between, have three joined sides?"""
    joined = 0
    if pattern & UP:
        joined += 1
    if pattern & RIGHT:
        joined += 1
    if links[cell - width] & RIGHT:
        joined += 1
    if links[cell - width + 1] & DOWN:
        joined += 1
    return joined > 2


def join(cell: int, width: int, pattern: int, cells: Cells, mate: Cells) -> bool:
    """Let the paths that enter a cell go on as the pattern says; False, and nothing done, if they must not meet."""
    colour = cells[cell]
    left, above, right, below = 2 * (cell - 1), 2 * (cell - width) + 1, 2 * cell, 2 * cell + 1
    if pattern & 3 == 3:
        one, other = mate[left], mate[above]
        if one == above or (one < 0 and other < 0 and one != other):
            return False
        if one >= 0:
            mate[one] = other
        if other >= 0:
            mate[other] = one
        return True
    if pattern & 3:
        plug = left if pattern & LEFT else above
        end = mate[plug]
        if colour > 0:
            if end >= 0:
                mate[end] = -colour
            return bool(end >= 0 or end == -colour)
        out = right if pattern & RIGHT else below
        mate[out] = end
        if end >= 0:
            mate[end] = out
        return True
    if colour > 0:
        mate[right if pattern & RIGHT else below] = -colour
    elif pattern:
        mate[right] = below
        mate[below] = right
    return True


def take_back(cell: int, width: int, cells: Cells, links: Cells, mate: Cells) -> None:
    """Undo what `join` did for this cell."""
    pattern = links[cell]
    left, above = 2 * (cell - 1), 2 * (cell - width) + 1
    if pattern & LEFT and mate[left] >= 0:
        mate[mate[left]] = left
    if pattern & UP and mate[above] >= 0:
        mate[mate[above]] = above
    links[cell] = 0


def leads_on(cell: int, width: int, cells: Cells, allowed: Cells, links: Cells, mate: Cells) -> bool:
    """Can the next cells, whose entering sides are known by this decision, do anything with them?"""
    column = cell % width
    if column == 0 and cell + width < cells.size and cells[cell + width] >= 0:
        below = UP if links[cell] & DOWN else 0
        if not enters(cell + width, below, 0, 2 * cell + 1, cells, allowed, mate):
            return False
    if column + 1 < width and cells[cell + 1] >= 0:
        entered = LEFT if links[cell] & RIGHT else 0
        if cell >= width and links[cell + 1 - width] & DOWN:
            entered |= UP
        return enters(cell + 1, entered, 2 * cell, 2 * (cell + 1 - width) + 1, cells, allowed, mate)
    return True


def enters(target: int, entered: int, left: int, above: int, cells: Cells, allowed: Cells, mate: Cells) -> bool:
    """Is there a pattern for a cell with these sides entered, by plugs that may meet there?"""
    if not allowed[target] & ENTERED[entered]:
        return False
    if entered == 3:
        one, other = mate[left], mate[above]
        return bool(one != above and (one >= 0 or other >= 0 or one == other))
    if entered and cells[target] > 0:
        end = mate[left if entered == LEFT else above]
        return bool(end >= 0 or end == -cells[target])
    return True


def prepare(
    cells: Cells, doors: Cells, width: int, touch: int, fill: int, order: Cells, allowed: Cells, blocks: Cells
) -> int:
    """Set up the order of the cells, their patterns and the intact blocks; the number of cells, -1 if one has none."""
    height = cells.size // width
    count = 0
    for diagonal in range(width + height - 1):
        for row in range(max(0, diagonal - width + 1), min(height, diagonal + 1)):
            cell = row * width + diagonal - row
            if cells[cell] >= 0:
                order[count] = cell
                count += 1
            blocks[cell] = touch != FREE and intact(cell, width, doors)
    for index in range(count):
        allowed[order[index]] = patterns(order[index], width, cells, doors, touch, fill)
    return count if agree(order[:count], width, doors, allowed) else -1


def intact(cell: int, width: int, doors: Cells) -> bool:
    """Is the block whose lower left corner this is whole: four cells and no wall between them?"""
    if cell < width or cell % width == width - 1:
        return False
    above = doors[cell - width]
    return bool(above & RIGHT and above & DOWN and doors[cell - width + 1] & DOWN and doors[cell] & RIGHT)


def open_sides(cell: int, width: int, doors: Cells) -> int:
    """The sides of a cell through which a path can go."""
    sides = int(doors[cell])
    if cell % width > 0 and doors[cell - 1] & RIGHT:
        sides |= LEFT
    if cell >= width and doors[cell - width] & DOWN:
        sides |= UP
    return sides


def patterns(cell: int, width: int, cells: Cells, doors: Cells, touch: int, fill: int) -> int:
    """The patterns a cell may have, as a set of bits."""
    sides = open_sides(cell, width, doors)
    found = 0
    if cells[cell] > 0:
        for side in (LEFT, UP, RIGHT, DOWN):
            if sides & side:
                found |= 1 << side
        return found
    if fill == 0:
        found |= 1
    for pattern in (LEFT | RIGHT, UP | DOWN):
        if sides & pattern == pattern:
            found |= 1 << pattern
    spiked = touch != FREE and fill != 0
    for turn in (LEFT | UP, UP | RIGHT, LEFT | DOWN, RIGHT | DOWN):
        if sides & turn == turn and (not spiked or spike_ends(cell, turn, width, cells, doors)):
            found |= 1 << turn
    return found


def spike_ends(cell: int, turn: int, width: int, cells: Cells, doors: Cells) -> bool:
    """Does the line of turns that this one starts come to a source or a broken block?"""
    step = (width if turn & DOWN else -width) + (1 if turn & RIGHT else -1)
    while open_sides(cell, width, doors) & turn == turn:
        corner = cell if turn & UP else cell + width  # the lower left corner of the block inside the turn
        if turn & LEFT:
            corner -= 1
        if not intact(corner, width, doors):
            return True
        cell += step
        if cells[cell] > 0:
            return True
    return False


def agree(order: Cells, width: int, doors: Cells, allowed: Cells) -> bool:
    """Strike out patterns that no pattern of a neighbour matches, until all agree; False if a cell has none left."""
    changed = True
    while changed:
        changed = False
        for cell in order:
            if doors[cell] & RIGHT:
                changed |= meet(cell, cell + 1, _HAVING[2], _HAVING[0], allowed)
            if doors[cell] & DOWN:
                changed |= meet(cell, cell + width, _HAVING[3], _HAVING[1], allowed)
            if allowed[cell] == 0:
                return False
    return True


def meet(one: int, other: int, out: int, back: int, allowed: Cells) -> bool:
    """Make two neighbours agree about the side between them; True if that struck out something."""
    before = allowed[one], allowed[other]
    if not allowed[one] & out:
        allowed[other] &= ~back
    elif not allowed[one] & ~out:
        allowed[other] &= back
    if not allowed[other] & back:
        allowed[one] &= ~out
    elif not allowed[other] & ~back:
        allowed[one] &= out
    return bool(before[0] != allowed[one] or before[1] != allowed[other])


def untouched(cells: Cells, doors: Cells, width: int, touch: int, links: Cells, blocks: Cells, colours: Cells) -> bool:
    """Does no path touch itself, or under NO2X2 fill no whole block? Neighbours of a closed loop are seen only now."""
    paint(cells, width, links, colours)
    for cell in range(cells.size):
        colour = colours[cell]
        if colour == 0:
            continue
        if touch == STRICT:
            if doors[cell] & RIGHT and not links[cell] & RIGHT and colours[cell + 1] == colour:
                return False
            if doors[cell] & DOWN and not links[cell] & DOWN and colours[cell + width] == colour:
                return False
        elif blocks[cell] and colours[cell + 1] == colour == colours[cell - width] == colours[cell - width + 1]:
            return False
    return True


def paint(cells: Cells, width: int, links: Cells, colours: Cells) -> None:
    """Give every cell the colour of the path through it."""
    colours[:] = 0
    for source in range(cells.size):
        if cells[source] <= 0 or colours[source] != 0:
            continue
        cell, came = source, 0
        while True:
            colours[cell] = cells[source]
            sides = links[cell] & ~came
            if sides & LEFT:
                cell, came = cell - 1, RIGHT
            elif sides & UP:
                cell, came = cell - width, DOWN
            elif sides & RIGHT:
                cell, came = cell + 1, LEFT
            elif sides & DOWN:
                cell, came = cell + width, UP
            else:
                break
