"""Alquerque: jump every enemy piece off a board of twenty-five points.

White sits below and begins; Black sits above. The points are the fields 1 to 25; only the middle one is empty. The
points of a row and of a column are joined in a line, and every odd field is joined to its diagonal neighbours as well:

    diagram:
     1  2  3  4  5      b b b b b
     6  7  8  9 10      b b b b b
    11 12 13 14 15      b b . w w
    16 17 18 19 20      w w w w w
    21 22 23 24 25      w w w w w

A piece steps along a line to the next field if that is empty, only towards the enemy (straight, or diagonally). It
captures by jumping along a line, in any direction, over the enemy piece next to it onto the empty field right behind.
Capturing is never forced, and the turn passes after one jump.

Who captures all enemy pieces wins. A side to move that cannot has drawn the game.

That is the ruleset `dm574`. Its relatives are options:

    ruleset   steps       capture    chain   blocked   far_row_steps   sideways_undo
    dm574     forward     optional   none    draw
    alfonso   all         optional   none    loses
    bell      sideways    forced     free    loses
    qirkat    sideways    forced     full    loses     no              no

`steps=sideways` means forward and sideways, `all` backward too. With `capture=forced` a side that can jump must. With a
chain each jump is a move of its own, after which the same piece may jump on: its owner may `stop` where the chain is
`free`, and plays it to the end where it is `full`. (That is how we read the rulesets: "forced, with chains" forces the
first jump only, as in `bell`; "forced, to the end of the chain" forces them all, as in `qirkat`.) With
`far_row_steps=no` a piece on the far row only captures; with `sideways_undo=no` a piece that stepped sideways may not
step right back as its next move. Where steps may go sideways or back, a position seen three times is a draw, and so is
a game of 300 turns (`plies`). Forward-only games end by themselves and do not count.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from kibitz.core import notation
from kibitz.core.bits import cells_of, count, lowest
from kibitz.core.errors import BadPosition, quoted
from kibitz.core.interop import ActionCoding
from kibitz.core.layout import Cell, Gesture, Layout, Piece
from kibitz.core.options import in_range
from kibitz.core.result import DRAW, FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS
from kibitz.core.rulebook import Rulebook, Symmetry, gesture_text


class Options(NamedTuple):
    steps: Literal["forward", "sideways", "all"] = "forward"
    capture: Literal["optional", "forced"] = "optional"
    chain: Literal["none", "free", "full"] = "none"
    blocked: Literal["draw", "loses"] = "draw"
    far_row_steps: bool = True
    sideways_undo: bool = True
    plies: int = 300


class Rules(NamedTuple):
    steps: int  # how many directions, counted from the forward ones
    forced: bool
    chain: int
    blocked_loses: bool
    white_rests: int  # where a white piece may not step
    black_rests: int
    remembers: bool  # which pieces came by a sideways step
    counted: int  # what a turn adds to the ply
    plies: int


class State(NamedTuple):
    """Bit 0 is field 1, then along the row."""

    white: int
    black: int
    side: int
    ply: int
    jumper: int  # the piece that is in the middle of its chain, as a set
    went_left: int  # the pieces of both colours whose last move was a sideways step that may not be undone
    went_right: int


NO_CHAIN, FREE, FULL = 0, 1, 2
PIECES, FIELDS, BOARD = 12, 25, (1 << 25) - 1
STOP = FIELDS * 32 + FIELDS

# The eight directions, White's forward ones first: read from the end, they are in the same order for Black.
SHIFTS = np.array([-6, -5, -4, -1, 1, 4, 5, 6])
LEFT, RIGHT = 3, 4


def _cells_with_line(shift: int) -> int:
    """The fields with a line in this direction."""
    found = 0
    for cell in range(FIELDS):
        row, column = divmod(cell, 5)
        down = round(shift / 5)
        across = shift - 5 * down
        on_board = 0 <= row + down < 5 and 0 <= column + across < 5
        if on_board and (cell % 2 == 0 or down == 0 or across == 0):
            found |= 1 << cell
    return found


JOINED = np.array([_cells_with_line(int(shift)) for shift in SHIFTS])


def turn(state: State) -> int:
    return state.side


def moves(state: State, rules: Rules) -> Iterator[int]:
    enemy = state.black if state.side == FIRST else state.white
    empty = BOARD & ~(state.white | state.black)
    pieces_to_jump = jumpers(state)
    can_capture = False
    for direction in range(8):
        shift = int(SHIFTS[direction])
        targets = landings(pieces_to_jump, enemy, empty, direction)
        while targets:
            target = lowest(targets)
            targets &= targets - 1
            can_capture = True
            yield (target - 2 * shift) * 32 + target
    if state.jumper:
        if rules.chain == FREE:
            yield STOP
        return
    if can_capture and rules.forced:
        return
    for nth in range(rules.steps):
        direction = nth if state.side == FIRST else 7 - nth
        shift = int(SHIFTS[direction])
        targets = shifted(walkers(state, direction, rules), direction) & empty
        while targets:
            target = lowest(targets)
            targets &= targets - 1
            yield (target - shift) * 32 + target


def shifted(cells: int, direction: int) -> int:
    """The fields one line away from these in a direction."""
    joined = cells & int(JOINED[direction])
    shift = int(SHIFTS[direction])
    return joined << shift if shift > 0 else joined >> -shift


def landings(cells: int, enemy: int, empty: int, direction: int) -> int:
    """The fields where a jump from these cells ends."""
    return shifted(shifted(cells, direction) & enemy, direction) & empty


def jumpers(state: State) -> int:
    """The pieces of the side to move that may jump, if there is something to jump."""
    if state.jumper:
        return state.jumper
    return state.white if state.side == FIRST else state.black


def walkers(state: State, direction: int, rules: Rules) -> int:
    """The pieces of the side to move that may step in a direction, if there is room."""
    own = state.white & ~rules.white_rests if state.side == FIRST else state.black & ~rules.black_rests
    if direction == LEFT:
        return own & ~state.went_right
    if direction == RIGHT:
        return own & ~state.went_left
    return own


def play(state: State, move: int, rules: Rules) -> State:
    if move == STOP:
        ply = state.ply + rules.counted
        return State(state.white, state.black, 1 - state.side, ply, 0, state.went_left, state.went_right)
    origin, target = move >> 5, move & 31
    taken = jumped(origin, target)
    moved = 1 << origin | 1 << target
    white = state.white ^ moved if state.side == FIRST else state.white & ~taken
    black = state.black ^ moved if state.side == SECOND else state.black & ~taken
    went_left = state.went_left & ~(1 << origin | taken)
    went_right = state.went_right & ~(1 << origin | taken)
    if rules.remembers and target == origin - 1:
        went_left |= 1 << target
    if rules.remembers and target == origin + 1:
        went_right |= 1 << target
    enemy = black if state.side == FIRST else white
    if taken and rules.chain != NO_CHAIN and can_jump(1 << target, enemy, BOARD & ~(white | black)):
        return State(white, black, state.side, state.ply, 1 << target, went_left, went_right)
    return State(white, black, 1 - state.side, state.ply + rules.counted, 0, went_left, went_right)


def jumped(origin: int, target: int) -> int:
    """The field that a move jumps over, as a set; none for a step."""
    distance = abs(target - origin)
    return 1 << (origin + target) // 2 if distance == 2 or distance > 6 else 0


def can_jump(cells: int, enemy: int, empty: int) -> bool:
    for direction in range(8):  # noqa: SIM110 - compiled rules know no any()
        if landings(cells, enemy, empty, direction):
            return True
    return False


def result(state: State, rules: Rules) -> int:
    if state.black == 0:
        return FIRST_WINS
    if state.white == 0:
        return SECOND_WINS
    if not stuck(state, rules):
        return ONGOING
    if not rules.blocked_loses:
        return DRAW
    return SECOND_WINS if state.side == FIRST else FIRST_WINS


def stuck(state: State, rules: Rules) -> bool:
    """Has the side to move no move?"""
    empty = BOARD & ~(state.white | state.black)
    if not state.jumper:
        for nth in range(rules.steps):
            direction = nth if state.side == FIRST else 7 - nth
            if shifted(walkers(state, direction, rules), direction) & empty:
                return False
    return not can_jump(jumpers(state), state.black if state.side == FIRST else state.white, empty)


def key(state: State) -> State:
    return State(state.white, state.black, state.side, 0, state.jumper, state.went_left, state.went_right)


def plies_left(state: State, rules: Rules) -> int:
    return rules.plies - state.ply


MIRROR, FLIP, TURN = 0, 1, 2  # left and right; top and bottom with the colours; both


def transform(state: State, symmetry: int) -> State:
    white, black = seen_all(state.white, symmetry), seen_all(state.black, symmetry)
    left, right = seen_all(state.went_left, symmetry), seen_all(state.went_right, symmetry)
    jumper = seen_all(state.jumper, symmetry)
    if symmetry == MIRROR:
        return State(white, black, state.side, state.ply, jumper, right, left)
    if symmetry == FLIP:
        return State(black, white, 1 - state.side, state.ply, jumper, left, right)
    return State(black, white, 1 - state.side, state.ply, jumper, right, left)


def transform_move(move: int, symmetry: int) -> int:
    return STOP if move == STOP else image_of(move >> 5, symmetry) * 32 + image_of(move & 31, symmetry)


def image_of(cell: int, symmetry: int) -> int:
    row, column = cell // 5, cell % 5
    if symmetry != MIRROR:
        row = 4 - row
    if symmetry != FLIP:
        column = 4 - column
    return row * 5 + column


def seen_all(cells: int, symmetry: int) -> int:
    found = 0
    while cells:
        found |= 1 << image_of(lowest(cells), symmetry)
        cells &= cells - 1
    return found


# Set-up, notation, layout.

TOP, BOTTOM = 0b11111, 0b11111 << 20
ENDLESS = 1 << 40


def rules_of(options: Options) -> Rules:
    plies = in_range("plies", options.plies, 1, 100_000)
    repeats = options.steps != "forward"
    return Rules(
        steps={"forward": 3, "sideways": 5, "all": 8}[options.steps],
        forced=options.capture == "forced",
        chain={"none": NO_CHAIN, "free": FREE, "full": FULL}[options.chain],
        blocked_loses=options.blocked == "loses",
        white_rests=0 if options.far_row_steps else TOP,
        black_rests=0 if options.far_row_steps else BOTTOM,
        remembers=repeats and not options.sideways_undo,
        counted=int(repeats),
        plies=plies if repeats else ENDLESS,
    )


def start() -> State:
    return State(((1 << PIECES) - 1) << 13, (1 << PIECES) - 1, FIRST, ply=0, jumper=0, went_left=0, went_right=0)


def alternating(rules: Rules) -> bool:
    return rules.chain == NO_CHAIN


def pieces(state: State) -> list[str]:
    return notation.letters_on(FIELDS, {"w": state.white, "b": state.black})


def write(state: State) -> str:
    """`BOARD SIDE`, then the ply, the field of a piece in its chain, and the steps that would undo a sideways one."""
    barred = [(cell, cell + 1) for cell in cells_of(state.went_left)]
    barred += [(cell, cell - 1) for cell in cells_of(state.went_right)]
    extras = {
        "ply": state.ply,
        "chain": state.jumper.bit_length(),
        "barred": ",".join(f"{origin + 1}-{target + 1}" for origin, target in sorted(barred)),
    }
    return f"{notation.write_rows(pieces(state), 5)} {'wb'[state.side]}{notation.write_extras(extras)}"


def read(text: str, rules: Rules) -> State:
    board, side, extras = notation.parts(text, "wb", _extras(rules))
    white, black = notation.sets_on(notation.read_rows(board, 5, 5, "wb"), "wb")
    for name, own in (("white", white), ("black", black)):
        if count(own) > PIECES:
            raise BadPosition(f"{name} has {count(own)} pieces, expected at most {PIECES}")
    if (black if side == FIRST else white) == 0:
        raise BadPosition(f"{_NAMES[side]} is to move and {_NAMES[1 - side]} has no piece, expected at least one")
    last = rules.plies - 1 if "chain" in extras else rules.plies  # no turn begins at the limit
    ply = notation.number(extras["ply"], "ply", 0, last) if "ply" in extras else 0
    barred = extras["barred"].split(",") if "barred" in extras else []
    went_left, went_right = _read_barred(barred, white, black, rules)
    state = State(white, black, side, ply, 0, went_left, went_right)
    return _in_chain(state, extras["chain"]) if "chain" in extras else state


_NAMES = ("white", "black")


def _extras(rules: Rules) -> list[str]:
    """The words that can follow the side under these rules."""
    known = {"ply": rules.counted, "chain": rules.chain, "barred": rules.remembers}
    return [name for name, used in known.items() if used]


def _in_chain(state: State, text: str) -> State:
    """The state with this piece in the middle of its chain."""
    jumper = 1 << notation.number(text, "chain", 1, FIELDS) - 1
    own, enemy = (state.white, state.black) if state.side == FIRST else (state.black, state.white)
    if not own & jumper:
        raise BadPosition(f"chain is {quoted(text)}, expected a field of {_NAMES[state.side]}")
    if not can_jump(jumper, enemy, BOARD & ~(own | enemy)):
        raise BadPosition(f"chain is {quoted(text)}, expected a piece that can jump on")
    if count(enemy) == PIECES:
        raise BadPosition(f"chain is {quoted(text)}, but {_NAMES[1 - state.side]} has lost no piece")
    if (state.went_left | state.went_right) & jumper:
        raise BadPosition(f"chain is {quoted(text)}, but that piece is barred after a sideways step")
    return State(state.white, state.black, state.side, state.ply, jumper, state.went_left, state.went_right)


def _read_barred(words: list[str], white: int, black: int, rules: Rules) -> tuple[int, int]:
    """The pieces that went left and right, from the steps back that they may not make."""
    walked = white & ~rules.white_rests | black & ~rules.black_rests
    went_left = went_right = 0
    for word in words:
        origin, _, target = word.partition("-")
        cell = notation.number(origin, "barred step's origin", 1, FIELDS) - 1
        back = notation.number(target, "barred step's target", 1, FIELDS) - 1
        if abs(back - cell) != 1 or back // 5 != cell // 5:
            raise BadPosition(f"barred step {quoted(word)} is not sideways, expected two fields side by side")
        if not walked & 1 << cell:
            raise BadPosition(f"barred step {quoted(word)} starts where no piece came by a step")
        if (went_left | went_right) & 1 << cell:
            raise BadPosition(f"barred step {quoted(word)}: field {origin} stands twice among the barred")
        if back > cell:
            went_left |= 1 << cell
        else:
            went_right |= 1 << cell
    return went_left, went_right


def gesture(move: int) -> Gesture:
    if move == STOP:
        return Gesture(())
    origin, target = move >> 5, move & 31
    return Gesture((origin, target), captured=tuple(cells_of(jumped(origin, target))))


def move_text(state: State, move: int) -> str:
    return "stop" if move == STOP else gesture_text(gesture(move), layout())


def layout() -> Layout:
    return _LAYOUT


_LAYOUT = Layout(
    cells=tuple(Cell(str(cell + 1), cell % 5, cell // 5) for cell in range(FIELDS)),
    pieces={"w": Piece("white piece", "w", FIRST), "b": Piece("black piece", "b", SECOND)},
    shape="point",
    lines=tuple(
        (cell, cell + int(SHIFTS[direction]))
        for cell in range(FIELDS)
        for direction in range(4, 8)
        if int(JOINED[direction]) >> cell & 1
    ),
)


def actions() -> ActionCoding:
    return ActionCoding((FIELDS + 1) * 32)


alquerque = Rulebook(
    name="alquerque",
    title="Alquerque",
    sides=_NAMES,
    options=Options,
    presets={
        "dm574": {},
        "alfonso": {"steps": "all", "blocked": "loses"},
        "bell": {"steps": "sideways", "capture": "forced", "chain": "free", "blocked": "loses"},
        "qirkat": {
            "steps": "sideways",
            "capture": "forced",
            "chain": "full",
            "blocked": "loses",
            "far_row_steps": False,
            "sideways_undo": False,
        },
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
    max_moves=8 * PIECES,
    symmetries=(Symmetry("mirror"), Symmetry("flip", swaps=True), Symmetry("turn", swaps=True)),
    transform=transform,
    transform_move=transform_move,
    layout=layout,
    pieces=pieces,
    gesture=gesture,
    read=read,
    write=write,
    move_text=move_text,
    actions=actions,
    repetition=3,
    alternating=alternating,
)
