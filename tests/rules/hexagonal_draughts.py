"""Hex Draughts: jump over the enemy, or reach the far row, on a hexagon of hexagons.

White moves up, black down: a man steps to one of the two empty cells ahead of it. It captures by
jumping over an enemy next to it, in any of the six directions, onto the empty cell behind. Who can
capture must, and goes on with the same man as long as it can. Who reaches the far row, or leaves
the other side without a move, wins.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz import FIRST_WINS, ONGOING, SECOND_WINS, Heuristic, Rulebook, bits, cells, hexagon

BOARD = hexagon(
    4,
    white="w",
    black="b",
    moves="from-to",
    start="bbbb/bbbbb/6/7/6/wwwww/wwww",
    symmetries="rotate-180+swap",
    places=["jumper"],
)
SIZE, RAYS = BOARD.size, BOARD.rays
TOP, BOTTOM = BOARD.row(6), BOARD.row(0)


class State(NamedTuple):
    white: int
    black: int
    side: int
    jumper: int = -1


def moves(state: State) -> Iterator[int]:
    own, other = (state.white, state.black) if state.side == 0 else (state.black, state.white)
    if can_capture(own, other, state.jumper):
        for origin in cells(own if state.jumper < 0 else 1 << state.jumper):
            for direction in range(6):
                if jumps(own, other, origin, direction):
                    yield origin * SIZE + RAYS[origin, direction, 1]
    else:
        for origin in cells(own):
            ahead = 1 if state.side == 0 else 4
            for direction in range(ahead, ahead + 2):
                target = RAYS[origin, direction, 0]
                if target >= 0 and not (own | other) >> target & 1:
                    yield origin * SIZE + target


def jumps(own: int, other: int, origin: int, direction: int) -> bool:
    over, target = RAYS[origin, direction, 0], RAYS[origin, direction, 1]
    if over < 0 or target < 0:
        return False
    return bool(other >> over & 1 and not (own | other) >> target & 1)


def can_capture(own: int, other: int, jumper: int) -> bool:
    for origin in cells(own if jumper < 0 else 1 << jumper):
        for direction in range(6):
            if jumps(own, other, origin, direction):
                return True
    return False


def play(state: State, move: int) -> State:
    own, other = (state.white, state.black) if state.side == 0 else (state.black, state.white)
    origin, target = move // SIZE, move % SIZE
    own ^= 1 << origin | 1 << target
    side, jumper = 1 - state.side, -1
    for direction in range(6):
        if RAYS[origin, direction, 0] >= 0 and RAYS[origin, direction, 1] == target:
            other ^= 1 << RAYS[origin, direction, 0]
            if can_capture(own, other, target):
                side, jumper = state.side, target
    if state.side == 0:
        return State(own, other, side, jumper)
    return State(other, own, side, jumper)


def result(state: State) -> int:
    if state.white & TOP:
        return FIRST_WINS
    if state.black & BOTTOM:
        return SECOND_WINS
    for _ in moves(state):
        return ONGOING
    return SECOND_WINS if state.side == 0 else FIRST_WINS


def men(state: State) -> float:
    return float(bits.count(state.white) - bits.count(state.black))


game = Rulebook.of(__name__, board=BOARD, max_moves=54)
mine = Heuristic(name="men", game="hexagonal_draughts", evaluate=men, bounds=(-9.0, 9.0), unit=1.0)
