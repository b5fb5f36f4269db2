"""Nine Men's Morris: three in a line take a man.

Also called mill. White begins. The board has 24 points:

    diagram:
    7  o-----------o-----------o
       |           |           |
    6  |   o-------o-------o   |
       |   |       |       |   |
    5  |   |   o---o---o   |   |
       |   |   |       |   |   |
    4  o---o---o       o---o---o
       |   |   |       |   |   |
    3  |   |   o---o---o   |   |
       |   |       |       |   |
    2  |   o-------o-------o   |
       |           |           |
    1  o-----------o-----------o
       a   b   c   d   e   f   g

First each side puts its nine men on empty points, one a turn. Then men move along a line to the next point; a side
with three men left may fly to any empty point. Who gets three men in a line, a mill, takes an enemy man in the same
turn: one that stands in no mill, or any if all do. Who has fewer than three men, or cannot move, has lost. The third
occurrence of a position is a draw.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz import FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS, Beside, Heuristic, Rulebook, bits, cells, points

BOARD = points(
    ["a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7",
     "a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7"],
    white="w", black="b", moves="from-to", symmetries="all",
    beside={"white_hand": Beside("disc", FIRST, "in hand"), "black_hand": Beside("disc", SECOND, "in hand")},
)  # fmt: skip
ALL, MILLS, NEAR = BOARD.all, BOARD.lines(3), BOARD.near


class State(NamedTuple):
    white: int
    black: int
    side: int
    white_hand: int = 9  # men not yet on the board
    black_hand: int = 9
    takes: bool = False  # has a mill been closed, so that the same side takes a man?


def moves(state: State) -> Iterator[int]:
    """Where a man comes from and where it goes; a man that is put or taken is written as its point alone."""
    own, other = (state.white, state.black) if state.side == FIRST else (state.black, state.white)
    if state.takes:
        free = other & ~in_mills(other)
        for cell in cells(free if free else other):
            yield cell * 24 + cell
    elif hand_of(state):
        for cell in cells(ALL & ~(own | other)):
            yield cell * 24 + cell
    else:
        for origin in cells(own):
            for target in cells(targets_of(origin, own, other)):
                yield origin * 24 + target


def in_mills(men: int) -> int:
    found = 0
    for mill in MILLS:
        if men & mill == mill:
            found |= mill
    return found


def hand_of(state: State) -> int:
    return state.white_hand if state.side == FIRST else state.black_hand


def targets_of(origin: int, own: int, other: int) -> int:
    reach: int = ALL if bits.count(own) == 3 else NEAR[origin]
    return reach & ~(own | other)


def play(state: State, move: int) -> State:
    own, other = (state.white, state.black) if state.side == FIRST else (state.black, state.white)
    origin, target, hand = 1 << move // 24, 1 << move % 24, hand_of(state)
    if state.takes:
        return after(state, own, other & ~target, hand, False)
    if hand:
        own, hand = own | target, hand - 1
    else:
        own = own & ~origin | target
    return after(state, own, other, hand, in_mills(own) & target != 0)


def after(state: State, own: int, other: int, hand: int, takes: bool) -> State:
    side = state.side if takes else 1 - state.side
    if state.side == FIRST:
        return State(own, other, side, hand, state.black_hand, takes)
    return State(other, own, side, state.white_hand, hand, takes)


def result(state: State) -> int:
    if state.takes or hand_of(state):
        return ONGOING
    own, other = (state.white, state.black) if state.side == FIRST else (state.black, state.white)
    if bits.count(own) >= 3 and count_moves(own, other):
        return ONGOING
    return SECOND_WINS if state.side == FIRST else FIRST_WINS


def count_moves(own: int, other: int) -> int:
    count = 0
    for origin in cells(own):
        count += bits.count(targets_of(origin, own, other))
    return count


def valid(state: State) -> bool:
    hands = 0 <= state.black_hand - state.white_hand <= 1 and state.white_hand >= 0 and state.black_hand <= 9
    men = bits.count(state.white) + state.white_hand, bits.count(state.black) + state.black_hand
    return hands and max(men) <= 9


def features(state: State) -> tuple[int, int]:
    men = bits.count(state.white) + state.white_hand - bits.count(state.black) - state.black_hand
    return men, count_moves(state.white, state.black) - count_moves(state.black, state.white)


def closes_mill(state: State, move: int) -> bool:
    return play(state, move).takes or state.takes


game = Rulebook.of(__name__, board=BOARD, repetition=3, max_moves=54)
men = Heuristic(
    name="men", game="morris", features=features, weights={"men": 100.0, "moves": 3.0}, is_tactical=closes_mill,
    bounds=(-2000.0, 2000.0),
)  # fmt: skip
