"""Connect Four: drop discs, four in a line win.

Red begins, sides alternate, and each turn drops one disc into a column that is not full. It falls onto the topmost
disc there, or to the bottom:

    diagram: d1 d2 c1
    6  . . . . . . .
    5  . . . . . . .
    4  . . . . . . .
    3  . . . . . . .
    2  . . . y . . .
    1  . . r r . . .
       a b c d e f g

Who gets four discs next to each other in a column, a row or a diagonal wins. A full board without that is a draw.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz import DRAW, FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS, Heuristic, Piece, Rulebook, bits, cells, grid

RED, YELLOW = Piece("red disc", "r", FIRST, colour="red"), Piece("yellow disc", "y", SECOND, colour="yellow")
BOARD = grid(6, 7, red=RED, yellow=YELLOW, symmetries="mirror")
ALL, BOTTOM, RUNS, LINES = BOARD.all, BOARD.row(0), BOARD.runs(4), BOARD.lines(4)


class State(NamedTuple):
    red: int
    yellow: int
    side: int


def moves(state: State) -> Iterator[int]:
    """A move is the cell where the disc comes to rest."""
    discs = state.red | state.yellow
    yield from cells((discs << 7 | BOTTOM) & ALL & ~discs)


def play(state: State, move: int) -> State:
    if state.side == FIRST:
        return State(state.red | 1 << move, state.yellow, SECOND)
    return State(state.red, state.yellow | 1 << move, FIRST)


def result(state: State) -> int:
    if has_four(state.red):
        return FIRST_WINS
    if has_four(state.yellow):
        return SECOND_WINS
    return DRAW if state.red | state.yellow == ALL else ONGOING


def has_four(discs: int) -> bool:
    for shift, starts in RUNS:
        pairs = discs & discs >> shift
        if pairs & pairs >> 2 * shift & starts:
            return True
    return False


def valid(state: State) -> bool:
    """As many discs of both, one red more if yellow is to move, and none with nothing below it."""
    discs = state.red | state.yellow
    return bits.count(state.red) == bits.count(state.yellow) + state.side and not discs & ~(discs << 7 | BOTTOM)


def protocol_text(state: State, move: int) -> str:
    """The number of the column, as solvers of the game write it."""
    return str(move % 7 + 1)


def count_open(state: State) -> float:
    """The discs in lines of four that are still open to one side alone, two in a line counting four."""
    score = 0
    for line in LINES:
        red, yellow = bits.count(state.red & line), bits.count(state.yellow & line)
        score += red * red if not yellow else 0
        score -= yellow * yellow if not red else 0
    return float(score)


game = Rulebook.of(__name__, board=BOARD, alternating=True, max_moves=7)
open_lines = Heuristic(name="open-lines", game="connectfour", evaluate=count_open, bounds=(-999.0, 999.0), unit=5.0)
