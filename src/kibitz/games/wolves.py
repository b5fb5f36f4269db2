"""Wolves eat sheep: two wolves hunt a flock of ten, the flock tries to hem them in.

Wolves move first, sides alternate, one piece a turn, and nobody may pass:

    diagram:
    5  s s s s s
    4  s s s s s
    3  . . . . .
    2  . . . . .
    1  . w . w .
       a b c d e

Every piece steps to an empty square beside it, up, down, left or right. Wolves eat: where the next square in one of
these directions is empty and a sheep stands on the one behind it, the wolf may leap onto that sheep. A sheep right
beside a wolf is safe. A wolf eats one sheep a turn and is never forced to. Here one has just eaten:

    diagram: b1-b2 a4-a3 b2xb4

Wolves win when at most two sheep are left, or when the sheep are to move and cannot. Sheep win when no wolf has an
empty square beside it. A position seen three times is a draw, and so is a game of 300 plies (option `plies`).

`twelve` (12 sheep, 2 wolves) and `fifteen` (15 sheep, 3 wolves) start from other boards; `start=BOARD` is any board of
your own, and `begins=sheep` gives the sheep the first move.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from kibitz.core import notation
from kibitz.core.bits import count, lowest
from kibitz.core.errors import BadOption, BadPosition
from kibitz.core.interop import ActionCoding
from kibitz.core.layout import Gesture, Layout, Piece, square_board
from kibitz.core.options import in_range
from kibitz.core.result import FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS
from kibitz.core.rulebook import Block, Rulebook, Symmetry
from kibitz.games.wolves_index import blocks_of, board_of, number_of


class Options(NamedTuple):
    start: str = "sssss/sssss/5/5/1w1w1"
    begins: Literal["wolves", "sheep"] = "wolves"
    plies: int = 300


class Rules(NamedTuple):
    wolves: int  # where they start
    sheep: int
    begins: int
    plies: int


class State(NamedTuple):
    """Bit 0 is the top left square, then along the row."""

    wolves: int
    sheep: int
    side: int
    ply: int


BOARD = (1 << 25) - 1
LEFTMOST = 0b00001_00001_00001_00001_00001
RIGHTMOST = LEFTMOST << 4
UP, LEFT, RIGHT, DOWN = 0, 1, 2, 3
SHIFTS = (-5, -1, 1, 5)


def turn(state: State) -> int:
    return state.side


def moves(state: State) -> Iterator[int]:
    empty = BOARD & ~(state.wolves | state.sheep)
    own = state.wolves if state.side == FIRST else state.sheep
    for direction in range(4):
        shift = SHIFTS[direction]
        free = shifted(own, direction) & empty
        targets = free
        while targets:
            target = lowest(targets)
            targets &= targets - 1
            yield (target - shift) * 32 + target
        targets = shifted(free, direction) & state.sheep if state.side == FIRST else 0
        while targets:
            target = lowest(targets)
            targets &= targets - 1
            yield (target - 2 * shift) * 32 + target


def shifted(cells: int, direction: int) -> int:
    """The squares beside these in a direction."""
    if direction == UP:
        return cells >> 5
    if direction == LEFT:
        return (cells & ~LEFTMOST) >> 1
    if direction == RIGHT:
        return (cells & ~RIGHTMOST) << 1
    return (cells << 5) & BOARD


def beside(cells: int) -> int:
    """The squares beside these in any direction."""
    return shifted(cells, UP) | shifted(cells, LEFT) | shifted(cells, RIGHT) | shifted(cells, DOWN)


def play(state: State, move: int) -> State:
    origin, target = 1 << (move >> 5), 1 << (move & 31)
    if state.side == FIRST:
        return State(state.wolves ^ (origin | target), state.sheep & ~target, SECOND, state.ply + 1)
    return State(state.wolves, state.sheep ^ (origin | target), FIRST, state.ply + 1)


def result(state: State) -> int:
    empty = BOARD & ~(state.wolves | state.sheep)
    if count(state.sheep) <= 2:
        return FIRST_WINS
    if beside(state.wolves) & empty == 0:
        return SECOND_WINS
    if state.side == SECOND and beside(state.sheep) & empty == 0:
        return FIRST_WINS
    return ONGOING


def key(state: State) -> State:
    return State(state.wolves, state.sheep, state.side, 0)


def plies_left(state: State, rules: Rules) -> int:
    return rules.plies - state.ply


# The rules know no direction: a symmetry is a quarter turn or more, a mirror image, or both.
SYMMETRIES = ("rotate-90", "rotate-180", "rotate-270", "mirror", "mirror-90", "mirror-180", "mirror-270")


def transform(state: State, symmetry: int) -> State:
    return State(seen_all(state.wolves, symmetry), seen_all(state.sheep, symmetry), state.side, state.ply)


def transform_move(move: int, symmetry: int) -> int:
    return image_of(move >> 5, symmetry) * 32 + image_of(move & 31, symmetry)


def image_of(cell: int, symmetry: int) -> int:
    """The square where a symmetry brings this one: the mirror first, then the quarter turns, clockwise."""
    mirrored, quarters = divmod(symmetry + 1, 4)
    row, column = cell // 5, cell % 5
    if mirrored == 1:
        column = 4 - column
    if quarters == 1:
        return column * 5 + 4 - row
    if quarters == 2:
        return (4 - row) * 5 + 4 - column
    if quarters == 3:
        return (4 - column) * 5 + row
    return row * 5 + column


def seen_all(cells: int, symmetry: int) -> int:
    found = 0
    while cells:
        found |= 1 << image_of(lowest(cells), symmetry)
        cells &= cells - 1
    return found


# Numbers for perfect-play tables, and the way back from a position.


def index(state: State) -> int:
    return number_of(state.wolves, state.sheep, state.side)


def unindex(number: int, rules: Rules) -> State:
    wolves, sheep, side = board_of(number, count(rules.wolves))
    return State(wolves, sheep, side, 0)


def blocks(rules: Rules) -> list[Block]:
    return blocks_of(count(rules.wolves), count(rules.sheep))


def unmoves(state: State, rules: Rules) -> Iterator[int]:
    """A wolf that has just eaten came over an empty square from another one."""
    empty = BOARD & ~(state.wolves | state.sheep)
    moved = state.sheep if state.side == FIRST else state.wolves
    may_have_eaten = state.side == SECOND and count(state.sheep) < count(rules.sheep)
    for direction in range(4):
        shift = SHIFTS[direction]
        free = shifted(moved, direction) & empty
        origins = free
        while origins:
            origin = lowest(origins)
            origins &= origins - 1
            yield origin * 32 + origin - shift
        origins = shifted(free, direction) & empty if may_have_eaten else 0
        while origins:
            origin = lowest(origins)
            origins &= origins - 1
            yield origin * 32 + origin - 2 * shift


def unplay(state: State, move: int) -> State:
    origin, target = move >> 5, move & 31
    both = 1 << origin | 1 << target
    if state.side == FIRST:
        return State(state.wolves, state.sheep ^ both, SECOND, max(0, state.ply - 1))
    eaten = 1 << target if abs(origin - target) in (2, 10) else 0
    return State(state.wolves ^ both, state.sheep | eaten, FIRST, max(0, state.ply - 1))


# Set-up, notation, layout.


def rules_of(options: Options) -> Rules:
    try:
        wolves, sheep = _read_board(options.start)
    except BadPosition as error:
        raise BadOption(f"option start: {error}") from None
    begins = FIRST if options.begins == "wolves" else SECOND
    if result(State(wolves, sheep, begins, 0)) != ONGOING:
        raise BadOption(f"option start is '{options.start}', where the game is over before it begins")
    return Rules(wolves, sheep, begins, plies=in_range("plies", options.plies, 1, 100_000))


def start(rules: Rules) -> State:
    return State(rules.wolves, rules.sheep, rules.begins, ply=0)


def max_moves(rules: Rules) -> int:
    """A wolf has a step and a leap in each direction, a sheep a step."""
    return max(8 * count(rules.wolves), 4 * count(rules.sheep))


def pieces(state: State) -> list[str]:
    return notation.letters_on(25, {"w": state.wolves, "s": state.sheep})


def write(state: State) -> str:
    return f"{notation.write_rows(pieces(state), 5)} {'ws'[state.side]}{notation.write_extras({'ply': state.ply})}"


def read(text: str, rules: Rules) -> State:
    board, side, extras = notation.parts(text, "ws", ["ply"])
    wolves, sheep = _read_board(board)
    if count(wolves) != count(rules.wolves):
        raise BadPosition(f"board '{board}' has {count(wolves)} wolves, expected {count(rules.wolves)}")
    if count(sheep) > count(rules.sheep):
        raise BadPosition(f"board '{board}' has {count(sheep)} sheep, expected at most {count(rules.sheep)}")
    ply = notation.number(extras["ply"], "ply", 0, rules.plies) if "ply" in extras else 0
    return State(wolves, sheep, side, ply)


def _read_board(board: str) -> list[int]:
    """The wolves and the sheep."""
    return notation.sets_on(notation.read_rows(board, 5, 5, "ws"), "ws")


def gesture(state: State, move: int) -> Gesture:
    origin, target = move >> 5, move & 31
    return Gesture((origin, target), captured=(target,) if state.sheep >> target & 1 else ())


def layout() -> Layout:
    return square_board(
        5,
        5,
        {"w": Piece("wolf", "w", FIRST, "wolf"), "s": Piece("sheep", "s", SECOND, "sheep")},
        from_top=True,
    )


def actions() -> ActionCoding:
    return ActionCoding(25 * 32)


wolves = Rulebook(
    name="wolves",
    title="Wolves eat sheep",
    sides=("wolves", "sheep"),
    winner=SECOND,  # in 54 plies: docs/perfect-play.md
    options=Options,
    presets={
        "standard": {},
        "twelve": {"start": "sssss/sssss/1s1s1/5/1w1w1"},
        "fifteen": {"start": "sssss/sssss/sssss/5/1www1"},
    },
    rules=rules_of,
    parameters=Rules,
    state=State,
    start=start,
    turn=turn,
    moves=moves,
    play=play,
    result=result,
    key=key,
    plies_left=plies_left,
    max_moves=max_moves,
    alternating=True,
    symmetries=tuple(Symmetry(name) for name in SYMMETRIES),
    transform=transform,
    transform_move=transform_move,
    index=index,
    unindex=unindex,
    blocks=blocks,
    unmoves=unmoves,
    unplay=unplay,
    layout=layout,
    pieces=pieces,
    gesture=gesture,
    read=read,
    write=write,
    actions=actions,
    repetition=3,
)
