"""Breakthrough: run a worker through to the far row.

White sits below, moves up and begins; Black sits above and moves down. Each side fills its two home rows:

    diagram:
    8  b b b b b b b b
    7  b b b b b b b b
    6  . . . . . . . .
    5  . . . . . . . .
    4  . . . . . . . .
    3  . . . . . . . .
    2  w w w w w w w w
    1  w w w w w w w w
       a b c d e f g h

A worker steps one square forward, straight or diagonally, onto an empty square. A diagonal step, and only that, may
capture an enemy worker. Capturing is never forced. Here White has just captured:

    diagram: b2-b3 c7-c6 b3-b4 c6-c5 b4xc5

Who brings a worker to the far row wins, and so does who captures all enemy workers. There are no draws.

With `base=k` it takes k workers on the far row (they may stay there); a side with fewer than k workers left has lost,
and so has a side to move that cannot.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz.core import notation
from kibitz.core.bits import NONE, ONE, Bits, count, lowest, one
from kibitz.core.errors import BadOption, BadPosition, quoted
from kibitz.core.interop import ActionCoding, Variant
from kibitz.core.layout import Gesture, Layout, Piece, square_board, square_name
from kibitz.core.options import in_range
from kibitz.core.result import FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS
from kibitz.core.rulebook import Rulebook, Symmetry


class Options(NamedTuple):
    rows: int = 8
    columns: int = 8
    base: int = 1


class Rules(NamedTuple):
    rows: int
    columns: int
    base: int
    board: Bits
    west: Bits  # the leftmost file
    east: Bits
    bottom: Bits  # White's first row, Black's goal
    top: Bits


class State(NamedTuple):
    """Bit 0 is a1, then along the row."""

    white: Bits
    black: Bits
    side: int


def turn(state: State) -> int:
    return state.side


def moves(state: State, rules: Rules) -> Iterator[int]:
    columns = rules.columns
    empty = rules.board & ~(state.white | state.black)
    if state.side == FIRST:
        straight = (state.white << columns) & empty
        westward = ((state.white & ~rules.west) << (columns - 1)) & rules.board & ~state.white
        eastward = ((state.white & ~rules.east) << (columns + 1)) & rules.board & ~state.white
        forward = 1
    else:
        straight = (state.black >> columns) & empty
        westward = ((state.black & ~rules.east) >> (columns - 1)) & ~state.black
        eastward = ((state.black & ~rules.west) >> (columns + 1)) & ~state.black
        forward = -1
    while straight:
        target = lowest(straight)
        straight &= straight - ONE
        yield (target - forward * columns) * 64 + target
    while westward:
        target = lowest(westward)
        westward &= westward - ONE
        yield (target - forward * (columns - 1)) * 64 + target
    while eastward:
        target = lowest(eastward)
        eastward &= eastward - ONE
        yield (target - forward * (columns + 1)) * 64 + target


def play(state: State, move: int) -> State:
    origin, target = ONE << (move >> 6), ONE << (move & 63)
    if state.side == FIRST:
        return State((state.white ^ origin) | target, state.black & ~target, SECOND)
    return State(state.white & ~target, (state.black ^ origin) | target, FIRST)


def result(state: State, rules: Rules) -> int:
    if rules.base == 1:
        if state.white & rules.top or state.black == NONE:
            return FIRST_WINS
        if state.black & rules.bottom or state.white == NONE:
            return SECOND_WINS
        return ONGOING
    if count(state.white & rules.top) >= rules.base or count(state.black) < rules.base:
        return FIRST_WINS
    if count(state.black & rules.bottom) >= rules.base or count(state.white) < rules.base:
        return SECOND_WINS
    if stuck(state, rules):
        return SECOND_WINS if state.side == FIRST else FIRST_WINS
    return ONGOING


def stuck(state: State, rules: Rules) -> bool:
    """Has the side to move no move? With one worker to base that cannot be: the foremost one can always step."""
    empty = rules.board & ~(state.white | state.black)
    columns = rules.columns
    if state.side == FIRST:
        free = (empty | state.black) & rules.board
        steps = (state.white << columns) & empty
        steps |= ((state.white & ~rules.west) << (columns - 1)) & free
        steps |= ((state.white & ~rules.east) << (columns + 1)) & free
    else:
        free = (empty | state.white) & rules.board
        steps = (state.black >> columns) & empty
        steps |= ((state.black & ~rules.east) >> (columns - 1)) & free
        steps |= ((state.black & ~rules.west) >> (columns + 1)) & free
    return bool(steps == NONE)


MIRROR, SWAP = 0, 1  # left and right; top and bottom with the colours


def transform(state: State, symmetry: int, rules: Rules) -> State:
    white, black = seen_all(state.white, symmetry, rules), seen_all(state.black, symmetry, rules)
    if symmetry == MIRROR:
        return State(white, black, state.side)
    return State(black, white, 1 - state.side)


def transform_move(move: int, symmetry: int, rules: Rules) -> int:
    origin, target = move >> 6, move & 63
    return image_of(origin, symmetry, rules) * 64 + image_of(target, symmetry, rules)


def image_of(cell: int, symmetry: int, rules: Rules) -> int:
    row, column = cell // rules.columns, cell % rules.columns
    if symmetry == MIRROR:
        return row * rules.columns + rules.columns - 1 - column
    return (rules.rows - 1 - row) * rules.columns + column


def seen_all(cells: Bits, symmetry: int, rules: Rules) -> Bits:
    found = NONE
    while cells:
        found |= ONE << image_of(lowest(cells), symmetry, rules)
        cells &= cells - ONE
    return found


# Set-up, notation, layout.


def rules_of(options: Options) -> Rules:
    rows = in_range("rows", options.rows, 5, 32)
    columns = in_range("columns", options.columns, 2, 12)
    if rows * columns > 64:
        raise BadOption(f"a board of {rows} rows and {columns} columns has {rows * columns} cells, expected at most 64")
    base = in_range("base", options.base, 1, columns)
    row = (1 << columns) - 1
    file = sum(1 << columns * index for index in range(rows))
    return Rules(
        rows,
        columns,
        base,
        board=Bits((1 << rows * columns) - 1),
        west=Bits(file),
        east=Bits(file << (columns - 1)),
        bottom=Bits(row),
        top=Bits(row << columns * (rows - 1)),
    )


def start(rules: Rules) -> State:
    home = (1 << 2 * rules.columns) - 1
    return State(Bits(home), Bits(home << rules.columns * (rules.rows - 2)), FIRST)


def max_moves(rules: Rules) -> int:
    return 3 * 2 * rules.columns


def pieces(state: State, rules: Rules) -> list[str]:
    return notation.letters_on(rules.rows * rules.columns, {"P": state.white, "p": state.black})


def _top_row_first(cells: list[str], columns: int) -> list[str]:
    return [cell for at in range(len(cells) - columns, -1, -columns) for cell in cells[at : at + columns]]


def write(state: State, rules: Rules) -> str:
    """The FEN that Fairy-Stockfish reads; the counters carry no meaning here."""
    board = notation.write_rows(_top_row_first(pieces(state, rules), rules.columns), rules.columns)
    return f"{board} {'wb'[state.side]} 0 1"


def read(text: str, rules: Rules) -> State:
    words = text.split()
    counters = [word for word in words[2:] if word != "-"]
    if len(words) > 6 or len(counters) > 2 or not all(word.isdecimal() for word in counters):
        raise BadPosition(f"unexpected {quoted(' '.join(words[2:]))} after the side, expected '0 1' or '- - 0 1'")
    board, side, _ = notation.parts(" ".join(words[:2]), "wb")
    cells = _top_row_first(notation.read_rows(board, rules.rows, rules.columns, "Pp"), rules.columns)
    white, black = notation.sets_on(cells, "Pp")
    for name, workers in (("white", white), ("black", black)):
        if workers.bit_count() > 2 * rules.columns:
            raise BadPosition(f"{name} has {workers.bit_count()} workers, expected at most {2 * rules.columns}")
    state = State(Bits(white), Bits(black), side)
    if _won(state.white, state.black, rules.top, rules) and _won(state.black, state.white, rules.bottom, rules):
        raise BadPosition("both sides have won")
    return state


def _won(own: Bits, enemy: Bits, goal: Bits, rules: Rules) -> bool:
    return count(own & goal) >= rules.base or count(enemy) < rules.base


def gesture(state: State, move: int) -> Gesture:
    origin, target = move >> 6, move & 63
    taken = (state.white | state.black) & one(target)
    return Gesture((origin, target), captured=(target,) if taken else ())


def protocol_text(state: State, move: int, rules: Rules) -> str:
    origin, target = divmod(move >> 6, rules.columns), divmod(move & 63, rules.columns)
    return square_name(*origin) + square_name(*target)


def layout(rules: Rules) -> Layout:
    return square_board(
        rules.rows,
        rules.columns,
        {"P": Piece("white worker", "w", FIRST, "pawn"), "p": Piece("black worker", "b", SECOND, "pawn")},
    )


def actions(rules: Rules) -> ActionCoding:
    return ActionCoding(rules.rows * rules.columns * 64)


def variant(rules: Rules) -> Variant | None:
    """Fairy-Stockfish's flags, under their old and their new names. Several workers to base are beyond it."""
    if rules.base != 1:
        return None
    white, black = f"*{rules.rows}", "*1"
    flags = {"whiteFlag": white, "blackFlag": black, "flagRegionWhite": white, "flagRegionBlack": black}
    return Variant("breakthrough", rules.rows, rules.columns, flags)


breakthrough = Rulebook(
    name="breakthrough",
    title="Breakthrough",
    sides=("white", "black"),
    options=Options,
    presets={
        "8x8": {},
        "5x10": {"rows": 5, "columns": 10},
        "three": {"base": 3},
        "5x10-three": {"rows": 5, "columns": 10, "base": 3},
    },
    rules=rules_of,
    parameters=Rules,
    state=State,
    start=start,
    turn=turn,
    moves=moves,
    play=play,
    result=result,
    max_moves=max_moves,
    alternating=True,
    symmetries=(Symmetry("mirror"), Symmetry("swap", swaps=True)),
    transform=transform,
    transform_move=transform_move,
    layout=layout,
    pieces=pieces,
    gesture=gesture,
    read=read,
    write=write,
    protocol_text=protocol_text,
    actions=actions,
    variant=variant,
)
