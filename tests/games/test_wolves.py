"""The rules of wolves eat sheep, by hand-built positions, by counts, and against a plain second generator."""

import random
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from kibitz.core import Game, Position, Result
from kibitz.core.errors import BadOption, BadPosition
from kibitz.core.notation import write_rows
from kibitz.core.result import SECOND_WINS
from kibitz.games import load, wolves

PRESETS = ("standard", "twelve", "fifteen")
COUNTS = Path(__file__).parents[1] / "perft" / "wolves.txt"


def perft(game: Game, state: Any, depth: int) -> int:
    codes = game.moves(state)
    return len(codes) if depth == 1 else sum(perft(game, game.play(state, code), depth - 1) for code in codes)


def counts() -> list[list[str]]:
    lines = [line for line in COUNTS.read_text().splitlines() if line and not line.startswith("#")]
    return [[part.strip() for part in line.split("|")] for line in lines]


def wander(position: Position, dice: random.Random, most: int = 80) -> Iterator[Position]:
    """The positions of a random game."""
    while not position.over and most:
        yield position
        position = position.play(dice.choice(position.move_ids))
        most -= 1
    yield position


# Counts.


@pytest.mark.parametrize(("game", "position", "numbers"), counts())
def test_there_are_as_many_lines_as_on_file(game: str, position: str, numbers: str) -> None:
    rules = load(game)
    state = rules.new().state if position == "-" else rules.position(position).state
    expected = [int(number) for number in numbers.split()][:4]
    assert [perft(rules, state, depth + 1) for depth in range(len(expected))] == expected


def test_eight_placements_of_three_sheep_trap_two_wolves() -> None:
    game = wolves()
    kind = game.rulebook.state
    trapped = 0
    for pack in combinations(range(25), 2):
        others = [cell for cell in range(25) if cell not in pack]
        for flock in combinations(others, 3):
            state = kind(sum(1 << cell for cell in pack), sum(1 << cell for cell in flock), 0, 0)
            trapped += game.rulebook.result(state) == SECOND_WINS
    assert trapped == 8


# The start and the options.


def test_the_start_is_written_as_in_the_rulebook() -> None:
    assert wolves().new().text == "sssss/sssss/5/5/1w1w1 w"
    assert wolves("twelve").new().text == "sssss/sssss/1s1s1/5/1w1w1 w"
    assert wolves("fifteen").new().text == "sssss/sssss/sssss/5/1www1 w"
    assert wolves(begins="sheep").new().text == "sssss/sssss/5/5/1w1w1 s"


def test_wolves_begin_with_six_steps() -> None:
    assert wolves().new().moves() == ["b1-a1", "b1-b2", "b1-c1", "d1-c1", "d1-d2", "d1-e1"]


def test_a_game_may_start_from_any_board() -> None:
    game = wolves(start="sss2/5/5/5/w4", begins="sheep", plies=40)
    assert game.text == "wolves,start=sss2/5/5/5/w4,begins=sheep,plies=40"
    assert load(game.text) == game
    assert game.new().text == "sss2/5/5/5/w4 s"
    assert wolves(start="sssss/sssss/1s1s1/5/1w1w1").text == "wolves:twelve"


# Steps and meals.


def test_everyone_steps_to_an_empty_square_beside() -> None:
    text = "s3s/5/2w2/5/s3w"
    assert wolves().position(f"{text} w").moves() == ["c3-b3", "c3-c2", "c3-c4", "c3-d3", "e1-d1", "e1-e2"]
    assert wolves().position(f"{text} s").moves() == ["a1-a2", "a1-b1", "a5-a4", "a5-b5", "e5-d5", "e5-e4"]


def test_a_wolf_eats_over_an_empty_square_in_four_directions() -> None:
    position = wolves().position("2s2/5/s1w1s/5/w1s2 w")
    meals = [move for move in position.moves() if "x" in move]
    assert meals == ["a1xa3", "a1xc1", "c3xa3", "c3xc1", "c3xc5", "c3xe3"]
    assert position.play("c3xc5").text == "2w2/5/s3s/5/w1s2 s ply=1"


def test_a_meal_is_never_forced() -> None:
    assert "c3-c4" in wolves().position("2s2/5/s1w1s/5/w1s2 w").moves()


@pytest.mark.parametrize(
    ("sheep", "board"),
    [
        ("beside the wolf", "5/2s2/1sws1/2s2/w4"),
        ("behind another", "2s2/2s2/2wss/5/w4"),
        ("behind a wolf", "5/5/2wws/5/s4"),
        ("two diagonal steps away", "s3s/5/2w2/5/s3w"),
        ("one diagonal step away", "5/1s1s1/2w2/1s1s1/w4"),
        ("a knight's leap away", "1s1s1/s3s/2w2/s3s/ws1s1"),
        ("three squares away", "5/5/1w2s/5/1w1s1"),
    ],
)
def test_sheep_that_stand_otherwise_are_safe(sheep: str, board: str) -> None:
    meals = [move for move in wolves().position(f"{board} w").moves() if "x" in move]
    assert not [move for move in meals if move[:2] in ("c3", "b3")], sheep


def test_nobody_leaps_around_the_edge() -> None:
    position = wolves().position("5/s4/3sw/1s3/w4 w")
    assert position.moves() == ["a1-a2", "a1-b1", "e3-e2", "e3-e4"]


def test_sheep_eat_nothing() -> None:
    assert not [move for move in wolves().position("s1w2/5/s4/5/w1s2 s").moves() if "x" in move]


# How it ends.


def test_wolves_win_when_two_sheep_are_left() -> None:
    position = wolves().position("s1w2/5/s4/5/w1s2 w")
    assert position.result is None
    assert position.play("c5xa5").result == Result.FIRST_WINS


def test_sheep_win_when_no_wolf_has_room() -> None:
    position = wolves().position("5/5/5/s3s/w1ssw s")
    assert position.result is None
    assert position.play("c1-b1").result == Result.SECOND_WINS
    assert position.play("d1-d2").result is None


def test_sheep_that_cannot_move_lose_when_it_is_their_turn() -> None:
    game = wolves("fifteen")
    for text in ("ssw2/sw3/w4/5/5", "2wss/3ws/4w/5/5", "5/5/w4/sw3/ssw2", "5/5/4w/3ws/2wss"):
        assert game.position(f"{text} s").result == Result.FIRST_WINS
        assert game.position(f"{text} w").result is None


def test_the_third_time_is_a_draw() -> None:
    back_and_forth = " b1-a1 a4-a3 a1-b1 a3-a4"
    twice = wolves().new().play(back_and_forth)
    assert twice.result is None
    assert twice.play(back_and_forth).result == Result.DRAW


def test_a_game_of_300_plies_is_a_draw_unless_the_last_one_wins() -> None:
    assert wolves().position("sss2/5/5/5/w3w w ply=299").play("a1-a2").result == Result.DRAW
    assert wolves().position("s1w2/5/s4/5/w1s2 w ply=299").play("c5xa5").result == Result.FIRST_WINS
    assert wolves(plies=9).position("sss2/5/5/5/w3w s ply=8").play("a5-a4").result == Result.DRAW


# A second generator: a grid of rows and columns, written from the rulebook and sharing no code with the rules.


def plain_moves(rows: list[str], side: str) -> list[str]:
    def at(row: int, column: int) -> str:
        return rows[row][column] if row in range(5) and column in range(5) else "#"

    found = []
    for row, column in ((row, column) for row in range(5) for column in range(5) if rows[row][column] == side):
        for down, across in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            origin = f"{'abcde'[column]}{5 - row}"
            if at(row + down, column + across) == ".":
                found.append(f"{origin}-{'abcde'[column + across]}{5 - row - down}")
                if side == "w" and at(row + 2 * down, column + 2 * across) == "s":
                    found.append(f"{origin}x{'abcde'[column + 2 * across]}{5 - row - 2 * down}")
    return sorted(found)


def plain_play(rows: list[str], move: str) -> list[str]:
    cells = {(row, column): rows[row][column] for row in range(5) for column in range(5)}
    origin, target = [(5 - int(name[1]), "abcde".index(name[0])) for name in (move[:2], move[3:])]
    cells[target], cells[origin] = cells[origin], "."
    return ["".join(cells[row, column] for column in range(5)) for row in range(5)]


def plain_result(rows: list[str], side: str) -> Result | None:
    if "".join(rows).count("s") <= 2:
        return Result.FIRST_WINS
    if not plain_moves(rows, "w"):
        return Result.SECOND_WINS
    return Result.FIRST_WINS if side == "s" and not plain_moves(rows, "s") else None


def unpacked(board: str) -> list[str]:
    return ["".join("." * int(cell) if cell.isdigit() else cell for cell in row) for row in board.split("/")]


def any_board(game: Game, dice: random.Random) -> str:
    begin = game.options.start
    pieces = ["w"] * begin.count("w") + ["s"] * dice.randint(2, begin.count("s"))
    return write_rows(dice.sample(pieces + [""] * (25 - len(pieces)), 25), 5)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_plain_second_generator_plays_the_same_game(preset: str) -> None:
    dice = random.Random(5)
    game = wolves(preset)
    for _ in range(120):
        board, side = any_board(game, dice), dice.choice("ws")
        position, rows = game.position(f"{board} {side}"), unpacked(board)
        for _ in range(12):
            assert position.result == plain_result(rows, side), position
            if position.over:
                break
            assert position.moves() == plain_moves(rows, side), position
            move = dice.choice(position.moves())
            position, rows, side = position.play(move), plain_play(rows, move), "s" if side == "w" else "w"
            assert unpacked(position.text.split()[0]) == rows


# Laws.


@pytest.mark.parametrize("preset", PRESETS)
def test_a_position_is_read_as_it_was_written(preset: str) -> None:
    dice = random.Random(1)
    for _ in range(5):
        for position in wander(wolves(preset).new(), dice):
            assert wolves(preset).position(position.text) == position


@pytest.mark.parametrize("symmetry", range(7))
def test_the_turned_board_has_the_turned_moves(symmetry: int) -> None:
    game = wolves("fifteen")
    for position in wander(game.new(), random.Random(symmetry)):
        turned = game.transform(position.state, symmetry)
        moves = {code: game.transform_move(code, symmetry) for code in game.moves(position.state)}
        assert sorted(game.moves(turned)) == sorted(moves.values())
        for code, seen in moves.items():
            after = game.play(position.state, code)
            assert game.play(turned, seen) == game.transform(after, symmetry)


def test_the_seven_symmetries_and_the_board_itself_all_differ() -> None:
    game = wolves()
    lopsided = game.position("ss3/5/s4/5/w1w2 w").state
    seen = {game.transform(lopsided, symmetry) for symmetry in range(len(game.symmetries))}
    assert len(seen | {lopsided}) == 8


def test_symmetries_do_what_their_names_say() -> None:
    game = wolves()
    seen = {
        symmetry.name: game.write(game.transform(game.position("ss3/5/s4/5/w1w2 w").state, index))
        for index, symmetry in enumerate(game.symmetries)
    }
    assert seen["rotate-90"] == "w1s1s/4s/w4/5/5 w"
    assert seen["rotate-180"] == "2w1w/5/4s/5/3ss w"
    assert seen["rotate-270"] == "5/5/4w/s4/s1s1w w"
    assert seen["mirror"] == "3ss/5/4s/5/2w1w w"


# What is refused.


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        ("wolves", "sssss/sssss/s4/5/1w1w1 w", "has 11 sheep, expected at most 10"),
        ("wolves", "sssss/5/5/5/1www1 w", "has 3 wolves, expected 2"),
        ("wolves:fifteen", "sssss/5/5/5/1w1w1 w", "has 2 wolves, expected 3"),
        ("wolves", "sssss/sssss/5/1w1w1 w", "has 4 rows, expected 5"),
        ("wolves", "sssss/sssss/5/5/1w1x1 w", "'x' is no piece, expected w, s"),
        ("wolves", "sssss/sssss/5/5/1w1w1 b", "side to move is 'b', expected w or s"),
        ("wolves", "sssss/sssss/5/5/1w1w1 w ply=301", "ply is '301', expected a number from 0 to 300"),
        ("wolves", "sssss/sssss/5/5/1w1w1 w 7", "unexpected '7' in position"),
    ],
)
def test_an_impossible_position_is_refused_with_its_reason(game: str, text: str, reason: str) -> None:
    with pytest.raises(BadPosition) as refusal:
        load(game).position(text)
    assert reason in str(refusal.value)


def test_a_finished_game_is_a_position() -> None:
    for text in ("5/5/5/5/1w1w1 s", "s4/5/5/5/1w1w1 s", "ss3/5/5/5/1w1w1 s"):
        assert wolves().position(text).result == Result.FIRST_WINS


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"start": "sssss/5/5/5/5"}, "where the game is over before it begins"),
        ({"start": "ss3/5/5/5/4w"}, "where the game is over before it begins"),
        ({"start": "sssss/5/5/4w"}, "option start: board 'sssss/5/5/4w' has 4 rows, expected 5"),
        ({"begins": "dogs"}, "option begins is 'dogs', expected one of wolves, sheep"),
        ({"plies": 0}, "option plies is 0, expected 1 to 100000"),
    ],
)
def test_an_impossible_option_is_refused_with_its_reason(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadOption) as refusal:
        wolves(**options)
    assert reason in str(refusal.value)
