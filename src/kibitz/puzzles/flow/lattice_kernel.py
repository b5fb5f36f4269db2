"""The lattice of a plan, compiled: which node lies beside which, and where a block of four is whole.

A node has four sides on squares (right, down, left, up) and six on hexagons (right, lower right, lower left, left,
upper left, upper right): in order around, so the side across is half of them on. `near` lists the neighbour at each
side of each node, NONE where there is none. Nodes are numbered as in `graph`: row by row, a bridge being two, crossed
from side to side and from top to bottom.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.puzzles.flow.graph import BRIDGE_CELL as BRIDGE
from kibitz.puzzles.flow.graph import HOLE_CELL as HOLE

Numbers = NDArray[np.int32]

NONE = -1
RIGHT, DOWN, LEFT, UP = 0, 1, 2, 3
WRAPS_ACROSS, WRAPS_DOWN = 1, 2


class Lattice(NamedTuple):
    """What does not change while a board is being solved."""

    near: Numbers
    colour: Numbers  # of each node: 0, or that of its source
    layered: Numbers  # is the node one of the two of a bridge?
    whole: Numbers  # is the block of four that a node is the upper left corner of whole?
    order: Numbers  # the nodes as a search is to take them


def lay_out(
    cells: Numbers, rows: int, columns: int, sides: int, wrap: int, walls: Numbers, lattice: Lattice,
    first: Numbers,
) -> int:  # fmt: skip
    """Fill the lattice; the number of its nodes.

    A cell holds HOLE, BRIDGE, 0 or the colour of a source. `walls` lists pairs of cells; `first` is room for a number a
    cell.
    """
    near, size = lattice.near, 0
    for cell in range(cells.size):
        first[cell] = NONE if cells[cell] == HOLE else size
        if cells[cell] == HOLE:
            continue
        layers = 2 if cells[cell] == BRIDGE else 1
        for _ in range(layers):
            lattice.colour[size] = max(cells[cell], 0)
            lattice.layered[size] = layers - 1
            for side in range(sides):
                near[size * sides + side] = NONE
            size += 1
    for cell in range(cells.size):
        if cells[cell] != HOLE:
            link(cell, cells, rows, columns, sides, wrap, lattice, first)
    for pair in range(walls.size // 2):
        part(walls[2 * pair], walls[2 * pair + 1], sides, near, first, cells)
    for node in range(size):
        lattice.whole[node] = sides == 4 and is_whole(node, lattice)
    sort_nodes(cells, rows, columns, wrap, first, lattice.order)
    return size


def link(
    cell: int, cells: Numbers, rows: int, columns: int, sides: int, wrap: int, lattice: Lattice, first: Numbers
) -> None:
    """Link a cell with its neighbours that come later."""
    for side in range(sides // 2):
        down = 0 if side == 0 else 1
        across = 1 if side == 0 else 1 - side
        row, column = cell // columns + down, cell % columns + across
        if wrap & WRAPS_DOWN:
            row %= rows
        if wrap & WRAPS_ACROSS:
            column %= columns
        if row >= rows or column < 0 or column >= columns:
            continue
        other = row * columns + column
        if cells[other] != HOLE and other != cell:
            one, two = first[cell], first[other]
            if cells[cell] == BRIDGE:
                one += side
            if cells[other] == BRIDGE:
                two += side
            lattice.near[one * sides + side] = two
            lattice.near[two * sides + side + sides // 2] = one


def part(one: int, other: int, sides: int, near: Numbers, first: Numbers, cells: Numbers) -> None:
    """Put a wall between two cells."""
    if first[one] < 0 or first[other] < 0:
        return
    ends = first[other], first[other] + 1 if cells[other] == BRIDGE else first[other]
    for node in range(first[one], first[one] + (2 if cells[one] == BRIDGE else 1)):
        for side in range(sides):
            there = near[node * sides + side]
            if there == ends[0] or there == ends[1]:
                near[node * sides + side] = NONE
                near[there * sides + (side + sides // 2) % sides] = NONE


def is_whole(node: int, lattice: Lattice) -> bool:
    """Is the block of four with this upper left corner whole: no wall in it, no hole and no bridge?"""
    near, layered = lattice.near, lattice.layered
    right, below = near[4 * node + RIGHT], near[4 * node + DOWN]
    if layered[node] or right < 0 or below < 0 or layered[right] or layered[below]:
        return False
    across = near[4 * right + DOWN]
    return bool(across >= 0 and near[4 * below + RIGHT] == across and not layered[across])


def sort_nodes(cells: Numbers, rows: int, columns: int, wrap: int, first: Numbers, order: Numbers) -> None:
    """Order the nodes along the diagonals from the upper left; where the board wraps round, from both its edges."""
    count = 0
    for diagonal in range(rows + columns):
        for row in range(rows):
            down = min(row, rows - 1 - row) if wrap & WRAPS_DOWN else row
            if down > diagonal:
                continue
            for column in range(columns):
                across = min(column, columns - 1 - column) if wrap & WRAPS_ACROSS else column
                cell = row * columns + column
                if down + across == diagonal and cells[cell] != HOLE:
                    order[count] = first[cell]
                    count += 1
                    if cells[cell] == BRIDGE:
                        order[count] = first[cell] + 1
                        count += 1
