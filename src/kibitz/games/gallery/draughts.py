"""English draughts: capture all enemy pieces, or leave them no move.

Also called checkers; the straight game on 8x8 squares, of which the dark ones are used. Black begins:

    diagram:
    8  . w . w . w . w
    7  w . w . w . w .
    6  . w . w . w . w
    5  . . . . . . . .
    4  . . . . . . . .
    3  b . b . b . b .
    2  . b . b . b . b
    1  b . b . b . b .
       a b c d e f g h

A man steps one square diagonally forward, a king also backward. A piece captures by jumping over an enemy piece next
to it onto the empty square behind, men forward only, and goes on in the same turn for as long as it can. Who can
capture must. A man that reaches the last row becomes a king, and its turn ends there. Who has no move has lost. The
third occurrence of a position is a draw.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz import FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS, Bits, Heuristic, Piece, Rulebook, bits, cells, grid

BOARD = grid(
    8, 8,
    black=Piece("black man", "b", FIRST, colour="black"), white=Piece("white man", "w", SECOND, colour="white"),
    black_kings=Piece("black king", "B", FIRST, "star", "black"),
    white_kings=Piece("white king", "W", SECOND, "star", "white"),
    start="1w1w1w1w/w1w1w1w1/1w1w1w1w/8/8/b1b1b1b1/1b1b1b1b/b1b1b1b1",
    moves="from-to", symmetries="rotate-180+swap", places=["jumper"],
)  # fmt: skip
STEPS = BOARD.steps("diagonal")
BOTTOM, TOP, MIDDLE = BOARD.row(0), BOARD.row(7), BOARD.row(3) | BOARD.row(4)
DARK = BOARD.set_of(cell for cell in range(64) if (cell // 8 + cell % 8) % 2 == 0)


class State(NamedTuple):
    black: Bits
    white: Bits
    black_kings: Bits
    white_kings: Bits
    side: int
    jumper: int  # the piece that goes on capturing, or -1


def moves(state: State) -> Iterator[int]:
    """Where a piece comes from and where it goes; each jump is a move of its own."""
    must = False
    for shift, onto in STEPS:
        for target in cells(jumps_of(state, shift, onto)):
            must = True
            yield (target - 2 * shift) * 64 + target
    if not must:
        for shift, onto in STEPS:
            for target in cells(bits.step(movers_of(state, shift), shift, onto) & free_of(state)):
                yield (target - shift) * 64 + target


def movers_of(state: State, shift: int) -> Bits:
    """The pieces that may go this way: kings, and men forward."""
    if state.side == FIRST:
        movers = state.black | state.black_kings if shift > 0 else state.black_kings
    else:
        movers = state.white | state.white_kings if shift < 0 else state.white_kings
    return movers & bits.one(state.jumper) if state.jumper >= 0 else movers


def jumps_of(state: State, shift: int, onto: Bits) -> Bits:
    """Where jumps this way lead to."""
    over = bits.step(movers_of(state, shift), shift, onto) & enemies_of(state)
    return bits.step(over, shift, onto) & free_of(state)


def enemies_of(state: State) -> Bits:
    return state.white | state.white_kings if state.side == FIRST else state.black | state.black_kings


def free_of(state: State) -> Bits:
    return ~(state.black | state.white | state.black_kings | state.white_kings)


def play(state: State, move: int) -> State:
    origin, target = move // 64, move % 64
    taken = bits.one((origin + target) // 2) if is_capture(state, move) else bits.NONE
    black, white = put(state.black & ~taken, origin, target), put(state.white & ~taken, origin, target)
    black_kings, white_kings = (
        put(state.black_kings & ~taken, origin, target) | black & TOP,
        put(state.white_kings & ~taken, origin, target) | white & BOTTOM,
    )
    crowned = black & TOP | white & BOTTOM
    after = State(black & ~TOP, white & ~BOTTOM, black_kings, white_kings, state.side, target)
    if taken and not crowned and can_jump(after):
        return after
    return State(after.black, after.white, black_kings, white_kings, 1 - state.side, -1)


def put(pieces: Bits, origin: int, target: int) -> Bits:
    return pieces & ~bits.one(origin) | bits.one(target) if pieces & bits.one(origin) else pieces


def can_jump(state: State) -> bool:
    targets = bits.NONE
    for shift, onto in STEPS:
        targets |= jumps_of(state, shift, onto)
    return bool(targets)


def result(state: State) -> int:
    for shift, onto in STEPS:
        if bits.step(movers_of(state, shift), shift, onto) & free_of(state) or jumps_of(state, shift, onto):
            return ONGOING
    return SECOND_WINS if state.side == FIRST else FIRST_WINS


def valid(state: State) -> bool:
    pieces = state.black | state.white | state.black_kings | state.white_kings
    return not pieces & ~DARK and not state.black & TOP and not state.white & BOTTOM and state.jumper < 64


def count_pieces(state: State) -> tuple[int, int, int]:
    men = bits.count(state.black) - bits.count(state.white)
    advance = bits.count(state.black & MIDDLE) - bits.count(state.white & MIDDLE)
    return men, bits.count(state.black_kings) - bits.count(state.white_kings), advance


def is_capture(state: State, move: int) -> bool:
    return abs(move % 64 - move // 64) > 9


game = Rulebook.of(__name__, board=BOARD, repetition=3, max_moves=48)
material = Heuristic(
    name="material", game="draughts", features=count_pieces, weights={"men": 100.0, "kings": 150.0, "middle": 5.0},
    is_tactical=is_capture, bounds=(-2000.0, 2000.0),
)  # fmt: skip
