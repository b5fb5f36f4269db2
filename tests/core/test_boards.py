"""Boards declared as data: shapes, numbers for rules, how states keep them, and what follows for a game."""

import re
from pathlib import Path

import numpy as np
import pytest

from kibitz import FIRST, BadPosition, Game, KibitzError, Piece, bits, games, grid, hexagon, hexagons, points
from kibitz.core.boards.board import Board
from kibitz.core.picture import drawing, svg, terminal
from kibitz.core.picture.scene import labels_of
from kibitz.laws import LAWS, Sample, check_laws
from kibitz.laws.parity import compiled_rules_stay_in_bounds
from kibitz.laws.runner import check_law

MILLS = """a1 d1 g1, b2 d2 f2, c3 d3 e3, a4 b4 c4, e4 f4 g4, c5 d5 e5, b6 d6 f6, a7 d7 g7,
           a1 a4 a7, b2 b4 b6, c3 c4 c5, d1 d2 d3, d5 d6 d7, e3 e4 e5, f2 f4 f6, g1 g4 g7"""

HEAD = """
from collections.abc import Iterator
from typing import NamedTuple
import numpy as np
from numpy.typing import NDArray
from kibitz import *
"""


def load(folder: Path, text: str) -> Game:
    file = folder / "mygame.py"
    file.write_text(HEAD + text)
    return games.load(str(file))


def names_of(board: Board, members: int) -> str:
    return " ".join(board.cells[cell].name for cell in bits.cells(members))


def test_the_numbers_of_a_grid_are_its_cells_lines_and_steps() -> None:
    board = grid(3, 4, white="w", black="b")
    assert (board.size, board.all) == (12, 0xFFF)
    assert names_of(board, board.row(0)) == "a1 b1 c1 d1"
    assert names_of(board, board.column(3)) == "d1 d2 d3"
    assert sorted(names_of(board, line) for line in board.lines(3))[:3] == ["a1 a2 a3", "a1 b1 c1", "a1 b2 c3"]
    assert len(board.lines(3)) == 3 * 2 + 4 + 2 * 2
    assert names_of(board, int(board.near[board.cell("a1")])) == "b1 a2 b2"
    assert [board.cells[cell].name for cell in board.rays[board.cell("a1"), 1] if cell >= 0] == ["b2", "c3"]
    around = {bits.step(board.set_of(["b2"]), shift, onto) for shift, onto in board.steps("orthogonal")}
    assert {names_of(board, cell) for cell in around} == {"a2", "c2", "b1", "b3"}
    assert bits.has_run(board.set_of(["a1", "b2", "c3"]), board.runs(3), 3)
    assert not bits.has_run(board.set_of(["c1", "d1", "a2"]), board.runs(3), 3)


def test_every_symmetry_brings_lines_to_lines() -> None:
    boards = [
        (grid(4, 4, white="w", black="b"), 7),
        (grid(3, 4, white="w", black="b"), 3),
        (hexagons(4, 4, white="w", black="b"), 3),
        (hexagon(3, white="w", black="b"), 11),
        (points(MILLS.replace("\n", "").split(","), white="w", black="b"), 7),
    ]
    for board, symmetries in boards:
        lines = set(board.lines(3))
        assert len(board.images) == symmetries
        for image in board.images.values():
            assert {board.set_of(image[cell] for cell in bits.cells(line)) for line in lines} == lines


def test_hexagons_have_six_neighbours_and_points_those_at_their_lines() -> None:
    rhombus, morris = hexagons(3, 3, white="w", black="b"), points(MILLS.split(","), white="w", black="b")
    assert names_of(rhombus, int(rhombus.near[rhombus.cell("b2")])) == "b1 c1 a2 c2 a3 b3"
    assert names_of(morris, int(morris.near[morris.cell("d2")])) == "d1 b2 f2 d3"
    assert (morris.size, len(morris.lines(3))) == (24, 16)


def test_holes_are_no_part_of_a_board() -> None:
    board = grid(3, 3, white="w", black="b", holes=["b2"], symmetries="all")
    assert names_of(board, board.all) == "a1 b1 c1 a2 c2 a3 b3 c3"
    assert names_of(board, board.row(1)) == "a2 c2"
    assert names_of(board, int(board.near[board.cell("a1")])) == "b1 a2"
    assert len(board.lines(3)) == 4
    assert len(board.symmetries) == 7
    assert len(grid(3, 3, white="w", black="b", holes=["a1"], symmetries="all").symmetries) == 1
    with pytest.raises(KibitzError, match="the hole 'b4' is no cell of the board, expected a1 to c3"):
        grid(3, 3, white="w", black="b", holes=["b4"])


def test_a_board_that_cannot_be_is_refused_with_its_reason() -> None:
    with pytest.raises(KibitzError, match="the letter of white is 'ww', expected one letter"):
        grid(3, 3, white="ww", black="b")
    with pytest.raises(KibitzError, match="two pieces have the same letter: w, w"):
        grid(3, 3, white="w", black="w")
    with pytest.raises(KibitzError, match="no symmetry 'rotate-90', expected some of mirror, flip, rotate-180"):
        grid(3, 4, white="w", black="b", symmetries="rotate-90")
    with pytest.raises(KibitzError, match="the point 'north' has no place, expected a name like b4, or at="):
        points(["north a1"], white="w", black="b")


PLACING = """
BOARD = {board}
class State(NamedTuple):
    {fields}
    side: int
    last: int = -1
def moves(state):
    for cell in range(BOARD.size):
        if free(state, cell):
            yield cell
{rules}
def result(state):
    return ONGOING if state.last < 0 or free_left(state) else (DRAW if state.last % 2 else FIRST_WINS)
def free_left(state):
    for cell in range(SIZE):
        if free(state, cell):
            return True
    return False
game = Rulebook.of(__name__, board=BOARD)
"""
CODES = """
SIZE = BOARD.size
def free(state, cell):
    return state.cells[cell] == 0
def play(state, move):
    cells = state.cells.copy()
    cells[move] = 1 + state.side
    return State(cells, 1 - state.side, move)
"""
WORDS = """
SIZE = BOARD.size
def free(state, cell):
    return not (state.black[cell >> 6] | state.white[cell >> 6]) & bits.one(cell & 63)
def play(state, move):
    black, white = state.black.copy(), state.white.copy()
    own = black if state.side == FIRST else white
    own[move >> 6] |= bits.one(move & 63)
    return State(black, white, 1 - state.side, move)
"""
KINDS = 'black="b", white="w", places=["last"]'


@pytest.mark.parametrize(
    ("board", "fields", "rules"),
    [
        (f"grid(2, 3, {KINDS}, symmetries='mirror')", "cells: NDArray[np.int8]", CODES),
        (f"grid(6, 11, {KINDS})", "black: NDArray[np.uint64]; white: NDArray[np.uint64]", WORDS),
    ],
    ids=["codes", "words"],
)
def test_states_of_arrays_obey_the_laws(board: str, fields: str, rules: str, tmp_path: Path) -> None:
    text = PLACING.format(board=board, fields=fields, rules=rules).replace("range(BOARD.size)", "range(SIZE)")
    game = load(tmp_path, text)
    laws = [law for law in LAWS if law.check is not compiled_rules_stay_in_bounds]
    results = check_laws(laws, game, 1, 0, 60)
    assert [result for result in results if result.outcome == "FAIL"] == []


def test_what_differs_from_its_default_is_written_behind_the_board(tmp_path: Path) -> None:
    text = PLACING.format(board=f"grid(2, 3, {KINDS})", fields="cells: NDArray[np.int8]", rules=CODES)
    game = load(tmp_path, text.replace("range(BOARD.size)", "range(SIZE)"))
    assert game.new().text == "3/3 b"
    played = game.new().play("b1 c2")
    assert played.text == "2w/1b1 b last=c2"
    assert game.position(played.text) == played
    with pytest.raises(BadPosition, match="last is 'c9', expected the name of a cell"):
        game.position("2w/1b1 b last=c9")


COUNTED = """
BOARD = grid(2, 2, stones="s", start="s2,1/s11,s1")
class State(NamedTuple):
    stones: NDArray[np.int16]
    side: int
    rest: int = 7
def moves(state):
    yield 0
def play(state, move): return State(state.stones, 1 - state.side, state.rest)
def result(state): return ONGOING
game = Rulebook.of(__name__, board=BOARD)
"""


HANDS = """
BOARD = grid(2, 2, white="w", black="b", symmetries="flip+swap", holes=["b2", "b1"], beside={
    "hand": "disc", "up": Beside("counter", FIRST), "down": Beside("counter", SECOND)})
class State(NamedTuple):
    white: int
    black: int
    hand: NDArray[np.int8]
    side: int
    up: int = 0
    down: int = 0
def start(): return State(0, 0, np.full(2, 3, np.int8), 0)
ALL = BOARD.all
def moves(state): yield from cells(ALL & ~(state.white | state.black))
def play(state, move):
    hand = state.hand.copy()
    hand[state.side] -= 1
    if state.side == FIRST:
        return State(state.white | 1 << move, state.black, hand, SECOND, state.up + 1, state.down)
    return State(state.white, state.black | 1 << move, hand, FIRST, state.up, state.down + 1)
def result(state): return DRAW if state.white | state.black == ALL else ONGOING
game = Rulebook.of(__name__, board=BOARD)
"""


def test_what_lies_beside_a_board_is_read_and_changes_hands_with_the_sides(tmp_path: Path) -> None:
    game = load(tmp_path, HANDS)
    for law in LAWS:
        if "counts" not in law.name and "bounds" not in law.name:  # compiled once more each
            assert check_law(law, Sample(game, 4)).outcome in ("pass", "skip"), law.name
    after = game.new().play("a1")
    assert after.text == "2/w1 b hand=2,3 up=1"
    assert game.position(after.text).text == after.text
    assert game.write(game.transform(after.state, 0)) == "b1/2 w hand=3,2 down=1"
    assert game.position("2/2 w").state.hand.tolist() == [3, 3]
    with pytest.raises(BadPosition, match="row 2 '1w': b1 is no part of the board"):
        game.position("2/1w w")


def test_counted_pieces_are_written_with_commas(tmp_path: Path) -> None:
    game = load(tmp_path, COUNTED)
    assert game.new().state.stones.tolist() == [11, 1, 2, 0]
    assert game.new().text == "s2,1/s11,s1 1"
    assert game.position("s2,s3/2 2 rest=5").state.stones.tolist() == [0, 0, 2, 3]
    for text in ("s0,1/2 1", "s2/2 1", "3/2 1", "s99999,1/2 1", "2/2 3", "2/2 1 rest=x", "2/2 1 rest="):
        with pytest.raises(BadPosition):
            game.position(text)


def test_what_is_written_by_hand_wins_over_what_follows(tmp_path: Path) -> None:
    by_hand = COUNTED.replace("game =", 'def write(state): return "mine"\ngame =').replace(
        "board=BOARD", 'board=BOARD, title="Stones", max_moves=1'
    )
    game = load(tmp_path, by_hand)
    assert (game.new().text, game.rulebook.title, game.max_moves) == ("mine", "Stones", 1)


def test_a_set_of_all_cells_is_as_wide_as_the_board() -> None:
    assert isinstance(grid(7, 9, a="a", b="b").all, int)
    assert isinstance(grid(8, 8, a="a", b="b").all, np.uint64)
    assert grid(8, 9, a="a", b="b").all.tolist() == [2**64 - 1, 2**8 - 1]


DICE = """
BOARD = grid(2, 3, red=Piece("red", "r", FIRST, numbered=True), blue=Piece("blue", "b", SECOND, numbered=True),
             moves="from-to", start="r3,2/b12,2", beside={"die": "die", "hands": Beside("disc"), "left": "counter"})
class State(NamedTuple):
    red: NDArray[np.int8]
    blue: NDArray[np.int8]
    side: int
    die: int = 5
    left: int = 0
    hands: NDArray[np.int8] = np.array([4, 0], np.int8)
def moves(state): yield 3 * 6 + 4
def play(state, move): return State(state.red, state.blue, 1 - state.side, 0, state.left, state.hands)
def result(state): return ONGOING
game = Rulebook.of(__name__, board=BOARD)
"""


def test_things_beside_the_board_and_numbers_on_pieces_are_shown_everywhere(tmp_path: Path) -> None:
    start = load(tmp_path, DICE).new()
    lines = terminal(start, colour=False).splitlines()
    assert lines[0].split() == ["2", "r3", ".", ".", "5", "die"]
    assert lines[1].split() == ["1", "b12", ".", ".", "*4", "red", "hands"]
    assert lines[3].split() == ["0", "left"]
    drawn = drawing(start.game.layout)
    assert [cell["label"] for cell in drawn["cells"][6:]] == ["die", "red hands", "blue hands", "left"]
    assert drawn["pieces"]["r"]["numbered"]
    assert start.game.pieces(start.state)[6:] == ["#5", "*4", "", "%0"]
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg(start))
    assert {"3", "12", "5", "4", "die", "red hands", "left"} <= set(texts)
    assert start.play("a2-b2").game.pieces(start.play("a2-b2").state)[6] == ""


def test_pieces_that_would_look_alike_show_their_letters() -> None:
    board = grid(2, 2, king=Piece("king", "K", FIRST), man=Piece("man", "m", FIRST), other="o")
    assert labels_of(board.layout) == {"K": "K", "m": "m", "o": ""}


def test_what_lies_beside_points_has_a_place_on_which_its_words_can_be_read() -> None:
    game = games.load("morris")
    beside = [cell.name for cell in game.layout.cells if cell.tone == "beside"]
    assert len(beside) == 2
    for name in beside:
        assert re.search(rf'fill="#4a4038" d="M\S+ \S+h100v100h-100z"><title>{name}<', svg(game.new()))
