"""Two-colour Chinese checkers: bring all marbles across, each kind to its own places.

The board is a rhombus of hexagonal cells, written (row, column) with rows counted from the top and columns from the
left. Blue sits below, moves first and wants to get to the top; Red sits above and wants to get to the bottom. Each
side has ordinary marbles and a few special ones (Blue's are yellow, Red's are green):

    diagram:
     1          r
     2         g g
     3        r g r
     4       r r r r            r, g  Red's home and Blue's goal
     5      . . . . .
     :
    10 . . . . . . . . . .      the widest row
     :
    15      . . . . .
    16       B B B B            B, Y  Blue's home and Red's goal
    17        B Y B
    18         Y Y
    19          B

A move takes one marble, forwards or backwards, in one of two ways:

- a step to any of the six neighbouring cells, if it is empty;
- a chain of hops. A hop goes along a straight line over the first marble met, of either side, and lands as far behind
  it as it started before it: over a neighbour to the next cell, over a marble three cells away to the third cell behind
  it. Every other cell on the way, the landing cell too, is empty. A chain has as many hops as one likes, may use the
  cell it started from, and ends on another one. Nothing is captured.

Who fills the goal with the own marbles, the special ones exactly on the goal's special cells, wins. After 200 plies the
game is a draw. Who stays at home too long can lose; there are two readings of that rule, both tested after every ply
beyond the 100th (`home_turns`):

- `overstay=framework`, as the course's program has it. Look through Blue's goal, row by row from the top, each from
  left to right. Pass over ordinary blue marbles on any cell and yellow ones on special cells. If what comes first then
  is a marble of Red's, Blue wins; if it is anything else, an empty cell too, nothing happens. Then the same for Red's
  goal, again from its upper row down. So Blue's test comes first, whoever moved, and an empty cell hides what follows.
- `overstay=statement`, as the course's text has it: a side loses that has one of its marbles in its own home. If both
  have, both have lost, and the game is a draw.
- `overstay=off`: one may stay.

`colours=one` leaves out the special marbles. `size` is the side of the rhombus and `home` the rows of a home; of the
special cells a small home keeps those that lie in it.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core import notation
from kibitz.core.errors import BadPosition, quoted
from kibitz.core.layout import Cell, Gesture, Layout, Piece, Tone
from kibitz.core.options import in_range
from kibitz.core.result import DRAW, FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS
from kibitz.core.rulebook import Rulebook, Symmetry

EMPTY = 0
ORDINARY, SPECIAL = 1, 3  # Blue's marbles; Red's are one more
OFF, FRAMEWORK, STATEMENT = 0, 1, 2
NOWHERE = -1
MIRROR, SWAP = 0, 1


class Options(NamedTuple):
    size: int = 10
    home: int = 4
    colours: Literal["two", "one"] = "two"
    plies: int = 200
    home_turns: int = 100
    overstay: Literal["framework", "statement", "off"] = "framework"


class Rules(NamedTuple):
    size: int
    plies: int
    home_turns: int
    overstay: int
    goals: NDArray[np.int16]  # Blue's at the top, then Red's at the bottom, each row by row from its upper row
    wanted: NDArray[np.int8]  # [cell]: the marble that its owner wants on a cell of a goal
    step: NDArray[np.int16]  # what each of the six directions adds to a cell
    reach: NDArray[np.int8]  # [6 * cell + direction]: how many cells there are up to the edge


class State(NamedTuple):
    """Cell (row, column) is [i * size + j] where i counts the cells to its upper right, j those to its upper left."""

    cells: NDArray[np.int8]
    side: int
    ply: int


def turn(state: State) -> int:
    return state.side


def moves(state: State, rules: Rules) -> Iterator[int]:
    board = state.cells.copy()
    cells = len(board)
    queue = np.empty(cells, np.int16)
    reached = np.zeros(cells, np.int16)
    for origin in range(cells):
        if belongs(int(board[origin]), state.side):
            end = targets(board, origin, queue, reached, rules.step, rules.reach)
            for at in range(1, end):
                yield origin * cells + int(queue[at])


def belongs(marble: int, side: int) -> bool:
    return marble == ORDINARY + side or marble == SPECIAL + side


def targets(
    board: NDArray[np.int8],
    origin: int,
    queue: NDArray[np.int16],
    reached: NDArray[np.int16],
    steps: NDArray[np.int16],
    reach: NDArray[np.int8],
) -> int:
    """Fill the queue with the origin and then the cells where its marble can go; return where it ends.

    `reached` begins with zeros and serves for all marbles: it holds 1 + the one that hopped to a cell last.
    """
    marble = board[origin]
    board[origin] = EMPTY  # the marble is in the hand
    end = hops(board, origin, queue, reached, steps, reach)
    board[origin] = marble
    # A hop changes i and j by even numbers, a step does not: no chain ends where a step does.
    for direction in range(6):
        target = origin + int(steps[direction])
        if reach[6 * origin + direction] > 0 and board[target] == EMPTY:
            queue[end] = target
            end += 1
    return end


def hops(
    board: NDArray[np.int8],
    origin: int,
    queue: NDArray[np.int16],
    reached: NDArray[np.int16],
    steps: NDArray[np.int16],
    reach: NDArray[np.int8],
) -> int:
    """Fill the queue with the origin and then the cells that chains of hops lead to; return where it ends."""
    reached[origin] = 1 + origin
    queue[0] = origin
    at, end = 0, 1
    while at < end:
        cell = int(queue[at])
        at += 1
        for direction in range(6):
            target = landing(board, cell, int(steps[direction]), int(reach[6 * cell + direction]))
            if target != NOWHERE and reached[target] != 1 + origin:
                reached[target] = 1 + origin
                queue[end] = target
                end += 1
    return end


def landing(board: NDArray[np.int8], cell: int, step: int, reach: int) -> int:
    """Where a hop from the cell ends that goes in steps of this kind; there are `reach` cells up to the edge."""
    farthest = reach // 2  # beyond it there is no room to land behind a marble
    distance = 1
    pivot = cell + step
    while distance <= farthest and board[pivot] == EMPTY:
        distance += 1
        pivot += step
    if distance > farthest:
        return NOWHERE
    target = pivot
    for _ in range(distance):
        target += step
        if board[target] != EMPTY:
            return NOWHERE
    return target


def play(state: State, move: int) -> State:
    cells = state.cells.copy()
    origin, target = move // len(cells), move % len(cells)
    cells[target] = cells[origin]
    cells[origin] = EMPTY
    return State(cells, 1 - state.side, state.ply + 1)


def result(state: State, rules: Rules) -> int:
    if filled(state.cells, FIRST, rules.goals, rules.wanted):
        return FIRST_WINS
    if filled(state.cells, SECOND, rules.goals, rules.wanted):
        return SECOND_WINS
    if not overdue(state.ply, rules.home_turns, rules.overstay):
        return ONGOING
    return overstayed(state.cells, rules.overstay, rules.goals, rules.wanted)


def filled(cells: NDArray[np.int8], side: int, goals: NDArray[np.int16], wanted: NDArray[np.int8]) -> bool:
    """Has this side reached its goal?"""
    marbles = len(goals) // 2
    at, end = side * marbles, (side + 1) * marbles
    while at < end and cells[goals[at]] == wanted[goals[at]]:
        at += 1
    return at == end


def overdue(ply: int, home_turns: int, overstay: int) -> bool:
    """Is it time to have left home?"""
    return overstay != OFF and ply > home_turns


def overstayed(cells: NDArray[np.int8], overstay: int, goals: NDArray[np.int16], wanted: NDArray[np.int8]) -> int:
    """The result where it is time to have left home."""
    if overstay == FRAMEWORK:
        if kept_out(cells, FIRST, goals, wanted):
            return FIRST_WINS
        return SECOND_WINS if kept_out(cells, SECOND, goals, wanted) else ONGOING
    blue_stays, red_stays = at_home(cells, FIRST, goals), at_home(cells, SECOND, goals)
    if blue_stays and red_stays:
        return DRAW
    if blue_stays:
        return SECOND_WINS
    return FIRST_WINS if red_stays else ONGOING


def kept_out(cells: NDArray[np.int8], side: int, goals: NDArray[np.int16], wanted: NDArray[np.int8]) -> bool:
    """The framework's test: is the first thing out of place in this side's goal a marble of the enemy's?"""
    marbles = len(goals) // 2
    for at in range(side * marbles, (side + 1) * marbles):
        marble = int(cells[goals[at]])
        if marble != ORDINARY + side and marble != int(wanted[goals[at]]):
            return belongs(marble, 1 - side)
    return False


def at_home(cells: NDArray[np.int8], side: int, goals: NDArray[np.int16]) -> bool:
    """The statement's test: has this side a marble at home, which is the enemy's goal?"""
    marbles = len(goals) // 2
    at, end = (1 - side) * marbles, (2 - side) * marbles
    while at < end and not belongs(int(cells[goals[at]]), side):
        at += 1
    return at < end


def key(state: State, rules: Rules) -> State:
    """Without the ply, except for what it means to the result."""
    late = overdue(state.ply, rules.home_turns, rules.overstay)
    return State(state.cells, state.side, rules.home_turns + 1 if late else 0)


def plies_left(state: State, rules: Rules) -> int:
    return rules.plies - state.ply


def horizon(state: State, rules: Rules) -> int:
    """Until then the number of plies played changes nothing: until homes are looked at, later until the limit."""
    left = rules.plies - state.ply
    if rules.overstay == OFF or state.ply > rules.home_turns:
        return left
    return min(left, rules.home_turns + 1 - state.ply)


def symmetries(rules: Rules) -> tuple[Symmetry, ...]:
    """The framework reads the board from left to right and from the top, so that its test has none."""
    if rules.overstay == FRAMEWORK:
        return ()
    return Symmetry("mirror"), Symmetry("swap", swaps=True)


def transform(state: State, symmetry: int, rules: Rules) -> State:
    cells = np.zeros_like(state.cells)
    for cell in range(len(cells)):
        marble = int(state.cells[cell])
        if marble != EMPTY and symmetry == SWAP:
            marble = marble + 1 if marble % 2 == 1 else marble - 1  # Red's are one more than Blue's
        cells[image_of(cell, symmetry, rules.size)] = marble
    return State(cells, 1 - state.side if symmetry == SWAP else state.side, state.ply)


def transform_move(move: int, symmetry: int, rules: Rules) -> int:
    cells = rules.size * rules.size
    origin, target = move // cells, move % cells
    return image_of(origin, symmetry, rules.size) * cells + image_of(target, symmetry, rules.size)


def image_of(cell: int, symmetry: int, size: int) -> int:
    """Where a cell appears in the mirror, left for right, or on the board turned over, top for bottom."""
    down_left, down_right = cell // size, cell % size
    if symmetry == MIRROR:
        return down_right * size + down_left
    return (size - 1 - down_right) * size + (size - 1 - down_left)


# Set-up, notation, layout.

DIRECTIONS = ((1, -1), (-1, 1), (0, -1), (-1, 0), (1, 0), (0, 1))  # left, right, then up and down, left before right
SPECIAL_CELLS = ((2, 1), (2, 2), (3, 2))  # of the upper home; the lower one is its image in the widest row
LETTERS = ("", "B", "r", "Y", "g")
TONES: tuple[Tone, ...] = ("light", "second", "first", "mark", "mark")  # by the marble wanted: homes, special cells
HALF_ROOT_3 = 0.8660254037844386  # rows of hexagons lie so far apart


def row_length(row: int, size: int) -> int:
    return min(row, 2 * size - row)


def cell_at(row: int, column: int, size: int) -> int:
    upper_left = column - 1 + max(0, row - size)
    return (row - 1 - upper_left) * size + upper_left


def place_of(cell: int, size: int) -> tuple[int, int]:
    """The row and the column of a cell."""
    row = cell // size + cell % size + 1
    return row, cell % size + 1 - max(0, row - size)


def cells_in_rows(rows: range, size: int) -> list[int]:
    return [cell_at(row, column, size) for row in rows for column in range(1, row_length(row, size) + 1)]


def rules_of(options: Options) -> Rules:
    size = in_range("size", options.size, 3, 12)
    # To wall in n marbles takes more than n others if n is at most 10 and three rows or more lie between the homes, so
    # there always is a move. The tests count the small boards; from size 6 on an integer program found the least wall.
    home = in_range("home", options.home, 1, min(4, size - 2))
    top = cells_in_rows(range(1, home + 1), size)
    bottom = cells_in_rows(range(2 * size - home, 2 * size), size)
    wanted = np.zeros(size * size, np.int8)
    wanted[top], wanted[bottom] = ORDINARY + FIRST, ORDINARY + SECOND
    if options.colours == "two":
        wanted[special_cells(home, size)] += SPECIAL - ORDINARY
    return Rules(
        size,
        in_range("plies", options.plies, 1, 9999),
        in_range("home_turns", options.home_turns, 0, 9999),
        ("off", "framework", "statement").index(options.overstay),
        goals=np.array(top + bottom, np.int16),
        wanted=wanted,
        step=np.array([down_left * size + down_right for down_left, down_right in DIRECTIONS], np.int16),
        reach=np.array(
            [cells_to_the_edge(cell, way, size) for cell in range(size * size) for way in DIRECTIONS], np.int8
        ),
    )


def special_cells(home: int, size: int) -> list[int]:
    """The special cells of both homes."""
    inside = [(row, column) for row, column in SPECIAL_CELLS if row <= home]
    return [cell_at(at, column, size) for row, column in inside for at in (row, 2 * size - row)]


def cells_to_the_edge(cell: int, direction: tuple[int, int], size: int) -> int:
    """How many cells follow in this direction."""
    axes = zip(divmod(cell, size), direction, strict=True)
    return min(size - 1 - at if change > 0 else at for at, change in axes if change)


def start(rules: Rules) -> State:
    """Each home is full of what the enemy wants there, in the own colours."""
    top, bottom = np.split(rules.goals, 2)
    cells = np.zeros(rules.size * rules.size, np.int8)
    cells[top] = rules.wanted[top] + 1
    cells[bottom] = rules.wanted[bottom] - 1
    return State(cells, FIRST, 0)


def max_moves(rules: Rules) -> int:
    """Every marble to every empty cell: a safe bound, far above what games come to."""
    return len(rules.goals) // 2 * (rules.size * rules.size - len(rules.goals))


def pieces(state: State) -> list[str]:
    return [LETTERS[marble] for marble in state.cells.tolist()]


def write(state: State, rules: Rules) -> str:
    """The rows from the top, `r/gg/rgr/...`, then the side to move and the plies played."""
    shown = pieces(state)
    rows = (
        [shown[cell] for cell in cells_in_rows(range(row, row + 1), rules.size)] for row in range(1, 2 * rules.size)
    )
    board = "/".join(notation.write_rows(row, len(row)) for row in rows)
    return f"{board} {'br'[state.side]}{notation.write_extras({'ply': state.ply})}"


def read(text: str, rules: Rules) -> State:
    board, side, extras = notation.parts(text, "br", ["ply"])
    cells = _read_board(board, rules.size)
    _refuse_wrong_marbles(cells, rules)
    state = State(cells, side, notation.number(extras.get("ply", "0"), "ply", 0, rules.plies))
    if all(filled(cells, winner, rules.goals, rules.wanted) for winner in (FIRST, SECOND)):
        raise BadPosition("both sides have won")
    return state


def _read_board(board: str, size: int) -> NDArray[np.int8]:
    lines = board.split("/")
    if len(lines) != 2 * size - 1:
        raise BadPosition(f"board {quoted(board)} has {len(lines)} rows, expected {2 * size - 1}")
    cells = np.zeros(size * size, np.int8)
    for index, line in enumerate(lines):
        row = notation.read_row(line, index, row_length(index + 1, size), "BYrg")
        cells[cells_in_rows(range(index + 1, index + 2), size)] = [LETTERS.index(letter) for letter in row]
    return cells


def _refuse_wrong_marbles(cells: NDArray[np.int8], rules: Rules) -> None:
    found, expected = Counter(cells.tolist()), Counter(start(rules).cells.tolist())
    for marble in range(1, len(LETTERS)):
        if found[marble] != expected[marble]:
            raise BadPosition(f"{found[marble]} marbles are '{LETTERS[marble]}', expected {expected[marble]}")


def gesture(state: State, move: int, rules: Rules) -> Gesture:
    origin, target = divmod(move, len(state.cells))
    steps = [origin + int(step) for step, free in zip(rules.step, rules.reach[6 * origin :], strict=False) if free]
    return Gesture((origin, target) if target in steps else hop_path(state.cells, origin, target, rules))


def hop_path(cells: NDArray[np.int8], origin: int, target: int, rules: Rules) -> tuple[int, ...]:
    """The cells of a chain with as few hops as possible."""
    board = cells.copy()
    board[origin] = EMPTY
    paths: dict[int, tuple[int, ...]] = {origin: (origin,)}
    waiting = [origin]
    while target not in paths:
        cell = waiting.pop(0)
        for direction in range(6):
            landed = landing(board, cell, int(rules.step[direction]), int(rules.reach[6 * cell + direction]))
            if landed != NOWHERE and landed not in paths:
                paths[landed] = (*paths[cell], landed)
                waiting.append(landed)
    return paths[target]


def move_text(state: State, move: int, rules: Rules) -> str:
    origin, target = divmod(move, len(state.cells))
    return f"{name_of(origin, rules.size)}-{name_of(target, rules.size)}"


def name_of(cell: int, size: int) -> str:
    row, column = place_of(cell, size)
    return f"{row},{column}"


def layout(rules: Rules) -> Layout:
    return Layout(
        cells=tuple(hexagon(cell, rules) for cell in range(rules.size * rules.size)),
        pieces={
            "B": Piece("blue marble", "B", FIRST, "disc", "blue"),
            "Y": Piece("yellow special marble", "Y", FIRST, "star", "yellow"),
            "r": Piece("red marble", "r", SECOND, "ring", "red"),
            "g": Piece("green special marble", "g", SECOND, "diamond", "green"),
        },
        shape="hexagon",
        rows={(row - 1) * HALF_ROOT_3: str(row) for row in range(1, 2 * rules.size)},
    )


def hexagon(cell: int, rules: Rules) -> Cell:
    row, column = place_of(cell, rules.size)
    x = column - (row_length(row, rules.size) + 1) / 2
    return Cell(name_of(cell, rules.size), x, (row - 1) * HALF_ROOT_3, TONES[int(rules.wanted[cell])])


checkers = Rulebook(
    name="checkers",
    title="Two-colour Chinese checkers",
    sides=("blue", "red"),
    options=Options,
    presets={
        "course": {},
        "single": {"colours": "one"},
        "star": {"size": 9, "colours": "one"},
        "7x7": {"size": 7, "home": 3},
        "5x5": {"size": 5, "home": 2},
        "4x4": {"size": 4, "home": 2},
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
    horizon=horizon,
    symmetries=symmetries,
    transform=transform,
    transform_move=transform_move,
    max_moves=max_moves,
    alternating=True,
    layout=layout,
    pieces=pieces,
    gesture=gesture,
    read=read,
    write=write,
    move_text=move_text,
)
