"""Royal Game of Ur: race seven pieces home along a shared lane, as Finkel reads the tablet.

White's way is d1 c1 b1 a1, along the middle row a2 to h2, then h1 g1 and off; black's is the same
in row 3. Four two-sided dice give 0 to 4; with 0, or without a move, the turn passes. A piece enters
from the hand, moves so many cells, and leaves by an exact throw. It may not land on an own piece,
nor on an enemy on the rosette d2; any other enemy goes back to its hand. Who lands on a rosette
(a1, a3, d2, g1, g3) throws again. Who first has all seven home wins.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz import CHANCE, FIRST_WINS, ONGOING, SECOND_WINS, Rulebook, bits, cells, grid

BOARD = grid(
    3,
    8,
    white="w",
    black="b",
    moves="from-to",
    symmetries="flip+swap",
    holes=["e1", "f1", "e3", "f3"],
    beside={"die": "die", "hand": "disc"},
)
SIZE, PASS, PIECES = BOARD.size, BOARD.pass_move, 7
LANE = [f"{column}2" for column in "abcdefgh"]
ROUTES = np.array(
    [[BOARD.cell(name) for name in [f"d{r}", f"c{r}", f"b{r}", f"a{r}", *LANE, f"h{r}", f"g{r}"]] for r in (1, 3)]
)
STEP = np.full((2, SIZE), -1)
for route, row in zip(ROUTES, STEP, strict=True):
    for n, cell in enumerate(route):
        row[cell] = n
ROSETTES = BOARD.set_of(["a1", "a3", "d2", "g1", "g3"])
SAFE = BOARD.set_of(["d2"])
LENGTH = len(ROUTES[0])


class State(NamedTuple):
    white: int
    black: int
    hand: NDArray[np.int8]
    side: int
    die: int = 0
    thrown: bool = False


def start() -> State:
    return State(0, 0, np.full(2, PIECES, np.int8), 0)


def turn(state: State) -> int:
    return state.side if state.thrown else CHANCE


def outcomes(state: State) -> Iterator[tuple[float, int]]:
    yield 1 / 16, 0
    yield 4 / 16, 1
    yield 6 / 16, 2
    yield 4 / 16, 3
    yield 1 / 16, 4


def moves(state: State) -> Iterator[int]:
    if state.die == 0:
        yield PASS
        return
    own, other = (state.white, state.black) if state.side == 0 else (state.black, state.white)
    closed = own | other & SAFE
    route = ROUTES[state.side]
    stuck = True
    entry = route[state.die - 1]
    if state.hand[state.side] and not closed >> entry & 1:
        yield entry * SIZE + entry
        stuck = False
    for origin in cells(own):
        index = STEP[state.side, origin] + state.die
        if index == LENGTH:
            yield origin * SIZE + origin
            stuck = False
        elif index < LENGTH and not closed >> route[index] & 1:
            yield origin * SIZE + route[index]
            stuck = False
    if stuck:
        yield PASS


def play(state: State, move: int) -> State:
    if not state.thrown:
        return State(state.white, state.black, state.hand, state.side, move, True)
    own, other = (state.white, state.black) if state.side == 0 else (state.black, state.white)
    hand, side = state.hand.copy(), 1 - state.side
    if move != PASS:
        origin, target = 1 << move // SIZE, 1 << move % SIZE
        if origin != target:
            own ^= origin | target
        elif own & origin:
            own ^= origin
        else:
            own |= origin
            hand[state.side] -= 1
        if other & target:
            other ^= target
            hand[1 - state.side] += 1
        if own & target & ROSETTES:
            side = state.side
    if state.side == 0:
        return State(own, other, hand, side)
    return State(other, own, hand, side)


def result(state: State) -> int:
    if state.white == 0 and state.hand[0] == 0:
        return FIRST_WINS
    return SECOND_WINS if state.black == 0 and state.hand[1] == 0 else ONGOING


def valid(state: State) -> bool:
    white, black = bits.count(state.white) + state.hand[0], bits.count(state.black) + state.hand[1]
    return white <= PIECES and black <= PIECES and 0 <= state.die <= 4


game = Rulebook.of(__name__, board=BOARD, max_moves=PIECES + 1)
