"""The rules of two-colour Chinese checkers: by counts, against a plain second generator, on hand-built positions."""

import random
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from kibitz.core import Game, Position, Result
from kibitz.core.errors import BadOption, BadPosition
from kibitz.core.notation import write_rows
from kibitz.core.options import split
from kibitz.core.result import swapped
from kibitz.games import checkers
from kibitz.games.checkers import horizon

Place = tuple[int, int]  # row and column, from 1
Board = dict[Place, str]  # letters, '' where empty

COUNTS = Path(__file__).parents[1] / "perft" / "checkers.txt"
BOARDS = ("course", "single", "star", "7x7", "5x5", "4x4")
COURSE = checkers()


# A second generator, straight from the rules: rows and columns, a dictionary, no arithmetic of rhombi.


def places(size: int) -> list[Place]:
    return [(row, column) for row in range(1, 2 * size) for column in range(1, min(row, 2 * size - row) + 1)]


def neighbour(place: Place, way: str, size: int) -> Place:
    """The next cell; off the board it is a place that no board has."""
    row, column = place
    if way in ("left", "right"):
        return row, column - 1 if way == "left" else column + 1
    vertical, horizontal = way.split("-")
    to_wider = row < size if vertical == "down" else row > size
    shift = (0 if to_wider else -1) if horizontal == "left" else (1 if to_wider else 0)
    return row + (1 if vertical == "down" else -1), column + shift


WAYS = ("left", "right", "up-left", "up-right", "down-left", "down-right")


def line_from(place: Place, way: str, board: Board, size: int) -> list[Place]:
    """The cells that follow up to the edge."""
    found = []
    while (place := neighbour(place, way, size)) in board:
        found.append(place)
    return found


def hops_from(place: Place, board: Board, size: int) -> Iterator[Place]:
    for way in WAYS:
        line = line_from(place, way, board, size)
        pivot = next((at for at, cell in enumerate(line) if board[cell]), None)
        if pivot is not None:
            behind = line[pivot + 1 : 2 * pivot + 2]
            if len(behind) == pivot + 1 and not any(board[cell] for cell in behind):
                yield behind[-1]


def targets(origin: Place, board: Board, size: int) -> set[Place]:
    lifted = board | {origin: ""}
    chained, found = {origin}, [origin]
    while found:
        new = set(hops_from(found.pop(), lifted, size)) - chained
        chained |= new
        found += new
    steps = {cell for way in WAYS for cell in line_from(origin, way, board, size)[:1] if not board[cell]}
    return (chained | steps) - {origin}


def reference_moves(board: Board, own: str, size: int) -> set[tuple[Place, Place]]:
    return {
        (origin, target) for origin in board if board[origin] in tuple(own) for target in targets(origin, board, size)
    }


# Between the two.


def place(name: str) -> Place:
    row, column = name.split(",")
    return int(row), int(column)


def board_of(position: Position) -> Board:
    cells = position.game.layout.cells
    return {place(cell.name): shown for cell, shown in zip(cells, position.game.pieces(position.state), strict=True)}


def named(move: str) -> tuple[Place, Place]:
    origin, target = move.split("-")
    return place(origin), place(target)


def size_of(game: Game) -> int:
    return int(game.options.size)


def own_letters(position: Position) -> str:
    return "rg" if position.turn else "BY"


def text_of(board: Board, size: int, tail: str) -> str:
    rows = [[board[cell] for cell in places(size) if cell[0] == row] for row in range(1, 2 * size)]
    return "/".join(write_rows(row, len(row)) for row in rows) + f" {tail}"


def scattered(game: Game, dice: random.Random) -> Position:
    """All marbles thrown onto the board."""
    size = size_of(game)
    marbles = list(board_of(game.new()).values())
    while True:
        dice.shuffle(marbles)
        position = game.position(text_of(dict(zip(places(size), marbles, strict=True)), size, dice.choice("br")))
        if not position.over:
            return position


def arranged(game: Game, given: Board, tail: str = "b") -> Position:
    """The given marbles in their places, all others out of the way in the middle rows."""
    size = size_of(game)
    rest = sorted(filter(None, board_of(game.new()).values()))
    for marble in given.values():
        rest.remove(marble)
    home = int(game.options.home)
    middle = [cell for cell in places(size) if home < cell[0] < 2 * size - home and cell not in given]
    middle.sort(key=lambda cell: abs(cell[0] - size))
    parked = dict(zip(middle, rest, strict=False))
    return game.position(text_of(dict.fromkeys(places(size), "") | parked | given, size, tail))


def goal_board(rows: list[str]) -> Board:
    """Marbles in the upper home, '.' where empty."""
    return {
        (row, column): letter
        for row, letters in enumerate(rows, 1)
        for column, letter in enumerate(letters, 1)
        if letter != "."
    }


def turned_over(board: Board, size: int) -> Board:
    """The board seen from the other side of the table's middle row, with the colours exchanged."""
    return {
        (2 * size - row, column): letter.translate(str.maketrans("BYrg", "rgBY"))
        for (row, column), letter in board.items()
    }


def mirrored(board: Board, size: int) -> Board:
    return {mirrored_place(cell, size): letter for cell, letter in board.items()}


def mirrored_place(cell: Place, size: int) -> Place:
    return cell[0], min(cell[0], 2 * size - cell[0]) + 1 - cell[1]


def wander(position: Position, dice: random.Random, most: int) -> Iterator[Position]:
    while not position.over and most:
        yield position
        position = position.play(dice.choice(position.move_ids))
        most -= 1


# Counts.


def perft(game: Game, state: Any, depth: int) -> int:
    codes = game.moves(state)
    return len(codes) if depth == 1 else sum(perft(game, game.play(state, code), depth - 1) for code in codes)


def counts() -> list[list[str]]:
    lines = [line for line in COUNTS.read_text().splitlines() if line and not line.startswith("#")]
    return [[part.strip() for part in line.split("|")] for line in lines]


@pytest.mark.parametrize(("text", "start", "numbers"), counts())
def test_the_rules_count_as_many_lines_as_the_counts_on_file(text: str, start: str, numbers: str) -> None:
    spec = split(text)
    game = checkers(spec.preset, **dict(spec.pairs))
    position = game.new() if start == "-" else game.position(start)
    small = [int(number) for number in numbers.split() if int(number) < 10_000]
    assert [perft(game, position.state, depth) for depth in range(1, len(small) + 1)] == small


@pytest.mark.parametrize("overstay", ["framework", "off"])
def test_the_long_walk_meets_the_known_numbers_of_moves(overstay: str) -> None:
    position = checkers(overstay=overstay).new()
    found = []
    for ply in range(200):
        moves = sorted(position.moves(), key=named)
        found.append(len(moves))
        position = position.play(moves[7 * ply % len(moves)])
    assert found[:14] == [14, 14, 22, 23, 31, 23, 28, 25, 33, 27, 42, 36, 52, 40]
    assert (sum(found[:100]), sum(found), max(found)) == (5965, 14727, 156)
    assert position.result is Result.DRAW


# Moves.


@pytest.mark.parametrize("preset", BOARDS)
def test_a_plain_second_generator_finds_the_same_moves_in_games_and_in_scattered_positions(preset: str) -> None:
    dice = random.Random(f"moves {preset}")
    game = checkers(preset)
    thrown = [scattered(game, dice) for _ in range(25)]
    for position in [*thrown, *wander(game.new(), dice, 60)]:
        found = [named(move) for move in position.moves()]
        assert len(found) == len(set(found)) == len(position.move_ids), position.text
        assert set(found) == reference_moves(board_of(position), own_letters(position), size_of(game)), position.text


@pytest.mark.parametrize("size", [3, 6, 12])
def test_sizes_without_a_preset_obey_the_same_second_generator(size: int) -> None:
    game = checkers(size=size, home=min(4, size - 2))
    for position in wander(game.new(), random.Random(size), 60):
        found = {named(move) for move in position.moves()}
        assert found == reference_moves(board_of(position), own_letters(position), size), position.text


def moves_of(game: Game, board: Board, tail: str = "b") -> set[str]:
    return set(game.position(text_of(dict.fromkeys(places(size_of(game)), "") | board, size_of(game), tail)).moves())


LONE = checkers(size=5, home=1)  # one marble each
THREE = checkers(size=6, home=2, colours="one")  # three marbles each


def test_a_lone_marble_steps_to_its_six_neighbours() -> None:
    assert moves_of(LONE, {(5, 3): "B", (1, 1): "r"}) == {
        f"5,3-{end}" for end in ("5,2", "5,4", "4,2", "4,3", "6,2", "6,3")
    }


def test_a_marble_steps_over_the_widest_row_without_a_bend() -> None:
    assert {"5,1-4,1", "5,1-5,2", "5,1-6,1"} == moves_of(LONE, {(5, 1): "B", (1, 1): "r"})


def test_a_hop_lands_as_far_behind_the_marble_as_it_started_before_it() -> None:
    assert "9,1-7,1" in moves_of(LONE, {(9, 1): "B", (8, 1): "r"})
    assert "9,1-5,1" in moves_of(LONE, {(9, 1): "B", (7, 1): "r"})
    assert moves_of(LONE, {(9, 1): "B", (6, 1): "r"}) == {"9,1-8,1", "9,1-8,2"}, (
        "the board ends before the landing cell"
    )


def test_a_hop_needs_every_cell_behind_the_marble_empty() -> None:
    far = {(11, 1): "B", (9, 1): "r", (1, 1): "B", (2, 1): "B", (2, 2): "r"}
    assert "11,1-7,1" in moves_of(THREE, far | {(3, 1): "r"})
    assert "11,1-7,1" not in moves_of(THREE, far | {(8, 1): "r"})
    assert "11,1-7,1" not in moves_of(THREE, far | {(7, 1): "r"})


def test_hops_go_over_marbles_of_either_side_and_take_nothing() -> None:
    position = arranged(COURSE, {(16, 1): "B", (15, 1): "B", (15, 2): "r"})
    assert {"16,1-14,1", "16,1-14,3"} <= set(position.moves())
    after = position.play("16,1-14,3")
    assert sorted(board_of(after).values()) == sorted(board_of(position).values())


def test_a_chain_may_pass_over_the_cell_it_started_from() -> None:
    board = {(7, 5): "B", (8, 4): "r", (9, 4): "r", (6, 4): "r", (13, 1): "B", (12, 2): "B"}
    game = checkers(size=7, home=2, colours="one")
    assert {"7,5-9,3", "7,5-9,5", "7,5-3,1"} <= moves_of(game, board), (
        "7,5 over 8,4 and 9,4, then back over 7,5 and 6,4"
    )


def test_a_move_is_named_by_its_ends_and_shown_with_its_path() -> None:
    position = COURSE.position("1/2/rg1/1Y1B/5/3g2/5B1/6r1/9/7B2/5B2r/3B3B/1r5/6/grB2/3Y/rr1/2/Y b")
    board = board_of(position)
    lengths = set()
    for code in position.move_ids:
        path = [place(COURSE.layout.cells[cell].name) for cell in COURSE.gesture(position.state, code).cells]
        assert (path[0], path[-1]) == named(COURSE.move_text(position.state, code))
        lifted = board | {path[0]: ""}
        beside = {cell for way in WAYS for cell in line_from(path[0], way, board, 10)[:1]}
        hopped = all(there in hops_from(here, lifted, 10) for here, there in pairwise(path))
        assert hopped or (len(path) == 2 and path[1] in beside)
        assert len(set(path)) == len(path)
        lengths.add(len(path))
    assert {2, 3, 4} <= lengths


def test_nobody_can_be_walled_in() -> None:
    """To stop n marbles takes more than n others on every small board that has room for them."""
    for size, marbles in ((3, 1), (4, 3), (5, 6)):
        board = dict.fromkeys(places(size), "")
        bit = {cell: 1 << index for index, cell in enumerate(board)}
        near = [sum(bit[cell] for way in WAYS for cell in line_from(here, way, board, size)[:2]) for here in board]
        for group in combinations(range(len(near)), marbles):
            own = wall = 0
            for index in group:
                own |= 1 << index
                wall |= near[index]
            assert (wall & ~own).bit_count() > marbles


# The end.

BLUE_IS_HOME = goal_board(["B", "YY", "BYB", "BBBB"])
RED_IS_HOME = turned_over(BLUE_IS_HOME, 10)


def test_a_side_wins_with_its_marbles_in_the_goal_and_the_special_ones_on_the_special_cells() -> None:
    assert arranged(COURSE, BLUE_IS_HOME, "r").result is Result.FIRST_WINS
    assert arranged(COURSE, RED_IS_HOME, "b").result is Result.SECOND_WINS


@pytest.mark.parametrize("rows", [["Y", "BY", "BYB", "BBBB"], ["B", "YY", "YBB", "BBBB"], ["B", "YY", "BYB", "BBB."]])
def test_a_goal_with_a_marble_missing_or_misplaced_wins_nothing(rows: list[str]) -> None:
    board = goal_board(rows)
    assert arranged(COURSE, board, "r").result is None
    assert arranged(COURSE, turned_over(board, 10), "b").result is None


def test_with_one_colour_a_full_goal_is_enough() -> None:
    assert arranged(checkers("single"), goal_board(["B", "BB", "BBB", "BBBB"]), "r").result is Result.FIRST_WINS


def test_the_last_ply_of_the_limit_still_wins_and_otherwise_draws() -> None:
    off = checkers(overstay="off")
    almost = {cell: letter for cell, letter in BLUE_IS_HOME.items() if cell != (4, 4)} | {(5, 5): "B"}
    position = arranged(off, almost, "b ply=199")
    assert position.play("5,5-4,4").result is Result.FIRST_WINS
    assert position.play("5,5-6,5").result is Result.DRAW
    assert position.result is None


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["r"], Result.FIRST_WINS),
        (["g"], Result.FIRST_WINS),
        (["B", "Yr"], Result.FIRST_WINS),
        (["B", "BB", "Brr"], Result.FIRST_WINS),  # ordinary marbles are passed over on special cells too
        (["B", "YY", "BYB", "BBBr"], Result.FIRST_WINS),
        ([".", "rr", "rrr", "r"], None),  # an empty cell hides what follows
        (["B", "Y.", "rrr"], None),
        (["Y", "rr", "rrr"], None),  # and so does a special marble on an ordinary cell
        (["B", "YY", "BYB", "BBB."], None),
    ],
)
def test_the_framework_gives_blue_the_game_if_the_first_thing_out_of_place_is_red(
    rows: list[str], expected: Result | None
) -> None:
    assert arranged(COURSE, goal_board(rows), "r ply=101").result is expected


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        ({(16, 1): "B"}, Result.SECOND_WINS),
        ({(16, 1): "Y"}, Result.SECOND_WINS),
        ({(16, 1): "r", (16, 2): "B"}, Result.SECOND_WINS),
        ({(16, 2): "B"}, None),
        ({(19, 1): "B"}, None),
        ({(16, 1): "g", (16, 2): "B"}, None),
        (
            {cell: letter for cell, letter in RED_IS_HOME.items() if cell != (19, 1)} | {(19, 1): "B"},
            Result.SECOND_WINS,
        ),
    ],
)
def test_the_framework_reads_the_lower_goal_from_its_upper_row_too(below: Board, expected: Result | None) -> None:
    assert arranged(COURSE, below, "b ply=101").result is expected


@pytest.mark.parametrize("side", "br")
def test_the_framework_tests_blue_first_whoever_moved(side: str) -> None:
    assert arranged(COURSE, {(1, 1): "r", (16, 1): "B"}, f"{side} ply=101").result is Result.FIRST_WINS


@pytest.mark.parametrize("overstay", ["framework", "statement"])
def test_home_is_not_looked_at_before_more_than_a_hundred_plies_have_been_played(overstay: str) -> None:
    position = arranged(checkers(overstay=overstay), {(1, 1): "r", (12, 1): "B"}, "b ply=100")
    assert position.result is None
    assert position.play("12,1-13,1").result is Result.FIRST_WINS
    early = arranged(checkers(overstay=overstay, home_turns=7), {(1, 1): "r"}, "b ply=8")
    assert early.result is Result.FIRST_WINS


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({(4, 4): "r"}, Result.FIRST_WINS),
        ({(2, 1): "g"}, Result.FIRST_WINS),
        ({(19, 1): "B"}, Result.SECOND_WINS),
        ({(17, 2): "Y"}, Result.SECOND_WINS),
        ({(4, 4): "r", (19, 1): "B"}, Result.DRAW),
        ({(4, 4): "B", (19, 1): "r"}, None),
        ({}, None),
    ],
)
def test_the_statement_lets_a_side_lose_with_a_marble_at_home_and_both_draw(
    given: Board, expected: Result | None
) -> None:
    assert arranged(checkers(overstay="statement"), given, "b ply=101").result is expected


def test_a_goal_reached_late_wins_under_every_reading() -> None:
    for overstay in ("framework", "statement", "off"):
        assert arranged(checkers(overstay=overstay), BLUE_IS_HOME, "r ply=151").result is Result.FIRST_WINS


def test_with_overstaying_allowed_nobody_loses_by_it() -> None:
    assert arranged(checkers(overstay="off"), {(1, 1): "r", (16, 1): "B"}, "b ply=199").result is None


def test_the_key_forgets_the_ply_except_for_having_to_be_away_from_home() -> None:
    def key(ply: int, **options: Any) -> tuple[Any, ...]:
        return arranged(checkers(**options), {}, f"b ply={ply}").key

    assert key(3) == key(100) != key(101) == key(180)
    assert key(3, overstay="off") == key(180, overstay="off")


# Symmetry: the moves have it, the framework's reading of the board from left to right has not.


@pytest.mark.parametrize("preset", BOARDS)
def test_the_mirror_image_and_the_board_turned_over_have_the_same_moves(preset: str) -> None:
    dice = random.Random(f"symmetry {preset}")
    game = checkers(preset)
    size = size_of(game)
    for position in (scattered(game, dice) for _ in range(10)):
        board, moves = board_of(position), [named(move) for move in position.moves()]
        mirror = game.position(text_of(mirrored(board, size), size, "br"[position.turn]))
        over = game.position(text_of(turned_over(board, size), size, "rb"[position.turn]))
        assert {named(move) for move in mirror.moves()} == {
            (mirrored_place(origin, size), mirrored_place(target, size)) for origin, target in moves
        }
        assert {named(move) for move in over.moves()} == {
            ((2 * size - origin[0], origin[1]), (2 * size - target[0], target[1])) for origin, target in moves
        }


def test_the_statement_is_fair_to_both_sides() -> None:
    dice = random.Random("statement")
    game = checkers("4x4", overstay="statement")
    results = set()
    for board in (board_of(scattered(game, dice)) for _ in range(60)):
        late = game.position(text_of(board, 4, "b ply=120")).result
        mirror = game.position(text_of(mirrored(board, 4), 4, "b ply=120")).result
        over = game.position(text_of(turned_over(board, 4), 4, "r ply=120")).result
        assert mirror is late
        assert (over or 0) == swapped(late or 0)
        results.add(late)
    assert results == {None, *Result}


def test_the_framework_tells_left_from_right_and_so_no_symmetry_is_declared() -> None:
    assert arranged(COURSE, goal_board(["B", ".r"]), "b ply=101").result is None
    assert arranged(COURSE, goal_board(["B", "r."]), "b ply=101").result is Result.FIRST_WINS
    assert COURSE.symmetries == ()
    assert [symmetry.name for symmetry in checkers(overstay="statement").symmetries] == ["mirror", "swap"]


@pytest.mark.parametrize("preset", BOARDS)
def test_symmetries_do_what_their_names_say(preset: str) -> None:
    dice = random.Random(f"transform {preset}")
    game = checkers(preset, overstay="off")
    size = size_of(game)
    for position in (scattered(game, dice) for _ in range(5)):
        board, side = board_of(position), position.turn
        assert game.write(game.transform(position.state, 0)) == text_of(mirrored(board, size), size, "br"[side])
        assert game.write(game.transform(position.state, 1)) == text_of(turned_over(board, size), size, "rb"[side])


@pytest.mark.parametrize(
    ("options", "ply", "expected"),
    [({}, 0, 101), ({}, 100, 1), ({}, 101, 99), ({"overstay": "off"}, 3, 197), ({"home_turns": 300}, 3, 197)],
)
def test_the_ply_matters_first_when_homes_are_looked_at_and_then_at_the_limit(
    options: dict[str, Any], ply: int, expected: int
) -> None:
    game = checkers(**options)
    assert horizon(arranged(game, {}, f"b ply={ply}").state, game.rules) == expected


# Texts and boards.

START = "r/gg/rgr/rrrr/5/6/7/8/9/10/9/8/7/6/5/BBBB/BYB/YY/B b"


def test_the_start_is_the_course_board() -> None:
    assert COURSE.new().text == START
    assert len(COURSE.layout.cells) == 100


@pytest.mark.parametrize(
    ("preset", "letters"),
    [("course", 7 * "B" + 3 * "Y"), ("single", 10 * "B"), ("star", 10 * "B"), ("7x7", "BBBYYY"), ("5x5", "BYY")],
)
def test_a_small_home_keeps_the_special_cells_that_lie_in_it(preset: str, letters: str) -> None:
    start = board_of(checkers(preset).new())
    assert "".join(sorted(letter for letter in start.values() if letter in tuple("BY"))) == letters
    assert start == turned_over(start, size_of(checkers(preset))) == mirrored(start, size_of(checkers(preset)))


@pytest.mark.parametrize("preset", BOARDS)
def test_position_texts_round_trip(preset: str) -> None:
    game = checkers(preset)
    for position in wander(game.new(), random.Random(preset), 40):
        assert game.position(position.text) == position


def test_a_game_keeps_its_text() -> None:
    assert str(checkers("course")) == "checkers"
    assert str(checkers(size="9", colours="one")) == "checkers:star"
    assert str(checkers("7x7", overstay="off")) == "checkers:7x7,overstay=off"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "position is empty"),
        (START[:-2], "side to move is missing"),
        (START[:-1] + "w", "side to move is 'w', expected b or r"),
        (START.replace("/10/", "/"), "has 18 rows, expected 19"),
        (START.replace("/5/6/", "/6/6/"), "row 5 '6': a run of 6 does not fit 5 cells"),
        (START.replace("/5/6/", "/4/6/"), "row 5 '4' has 4 cells, expected 5"),
        (START.replace("gg", "gx"), "row 2 'gx': 'x' is no piece"),
        (START.replace("gg", "gr"), "8 marbles are 'r', expected 7"),
        (START.replace("YY", "Y1"), "2 marbles are 'Y', expected 3"),
        (START + " ply=201", "ply is '201', expected a number from 0 to 200"),
        (START + " ply=-1", "ply is '-1'"),
        (START + " turn=3", "unexpected 'turn=3'"),
        ("B/YY/BYB/BBBB/5/6/7/8/9/10/9/8/7/6/5/rrrr/rgr/gg/r b", "both sides have won"),
    ],
)
def test_impossible_positions_are_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(BadPosition) as refusal:
        COURSE.position(text)
    assert reason in str(refusal.value)


def test_one_colour_has_no_special_marbles_to_read() -> None:
    with pytest.raises(BadPosition, match="7 marbles are 'B', expected 10"):
        checkers("single").position(START)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"size": 2}, "option size is 2, expected 3 to 12"),
        ({"size": 13}, "option size is 13, expected 3 to 12"),
        ({"size": 5, "home": 4}, "option home is 4, expected 1 to 3"),
        ({"home": 5}, "option home is 5, expected 1 to 4"),
        ({"plies": 0}, "option plies is 0"),
        ({"home_turns": -1}, "option home_turns is -1"),
        ({"overstay": "never"}, "option overstay is 'never', expected one of framework, statement, off"),
        ({"colours": "three"}, "option colours is 'three', expected one of two, one"),
    ],
)
def test_options_that_make_no_board_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadOption) as refusal:
        checkers(**options)
    assert reason in str(refusal.value)


def test_neighbours_on_the_board_are_neighbours_in_the_picture() -> None:
    cells = {place(cell.name): cell for cell in COURSE.layout.cells}
    for here, cell in cells.items():
        near = {
            there
            for there, other in cells.items()
            if there != here and (cell.x - other.x) ** 2 + (cell.y - other.y) ** 2 < 1.1
        }
        assert near == {other for way in WAYS if (other := neighbour(here, way, 10)) in cells}


def test_the_picture_shows_the_homes_and_their_special_cells() -> None:
    tones = {place(cell.name): cell.tone for cell in COURSE.layout.cells}
    assert {cell for cell, tone in tones.items() if tone == "mark"} == {
        (2, 1),
        (2, 2),
        (3, 2),
        (18, 1),
        (18, 2),
        (17, 2),
    }
    assert (tones[1, 1], tones[19, 1]) == ("second", "first")
    for preset in BOARDS:
        game = checkers(preset)
        start = board_of(game.new())
        assert {place(cell.name) for cell in game.layout.cells if cell.tone == "light"} == {
            cell for cell, marble in start.items() if not marble
        }
