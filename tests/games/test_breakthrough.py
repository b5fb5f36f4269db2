"""The rules of Breakthrough: by counts, against a plain second generator, on hand-built positions."""

import random
from pathlib import Path
from typing import Any

import pytest

from kibitz.core import Game, Position, Result
from kibitz.core.errors import BadOption, BadPosition, IllegalMove
from kibitz.core.options import split
from kibitz.games import breakthrough

COUNTS = Path(__file__).parents[1] / "perft" / "breakthrough.txt"
EIGHT = breakthrough()
THREE = breakthrough("three")
START = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w 0 1"


def perft(game: Game, state: Any, depth: int) -> int:
    codes = game.moves(state)
    return len(codes) if depth == 1 else sum(perft(game, game.play(state, code), depth - 1) for code in codes)


def counts() -> list[list[str]]:
    lines = [line for line in COUNTS.read_text().splitlines() if line and not line.startswith("#")]
    return [[part.strip() for part in line.split("|")] for line in lines]


@pytest.mark.parametrize(("text", "start", "numbers"), counts())
def test_the_rules_count_as_many_lines_as_the_counts_on_file(text: str, start: str, numbers: str) -> None:
    spec = split(text)
    game = breakthrough(spec.preset, **dict(spec.pairs))
    position = game.new() if start == "-" else game.position(start)
    small = [int(number) for number in numbers.split() if int(number) < 25_000]
    assert [perft(game, position.state, depth) for depth in range(1, len(small) + 1)] == small


def reference_moves(position: Position) -> set[str]:
    """The rules once more, on squares by name: forward only, straight if empty, diagonally unless one's own."""
    board = dict(
        zip([cell.name for cell in position.game.layout.cells], position.game.pieces(position.state), strict=True)
    )
    own, forward = ("p", -1) if position.turn else ("P", 1)
    found = set()
    for origin in (name for name, worker in board.items() if worker == own):
        for aside in (-1, 0, 1):
            target = f"{chr(ord(origin[0]) + aside)}{int(origin[1:]) + forward}"
            if board.get(target) == "":
                found.add(f"{origin}-{target}")
            elif aside and board.get(target, own) != own:
                found.add(f"{origin}x{target}")
    return found


@pytest.mark.parametrize("text", ["8x8", "three", "5x10", "5x10-three"])
def test_a_plain_second_generator_finds_the_same_moves_in_every_position_of_a_game(text: str) -> None:
    dice = random.Random(text)
    for _ in range(4):
        position = breakthrough(text).new()
        while not position.over:
            assert set(position.moves()) == reference_moves(position), position.text
            assert len(position.move_ids) == len(set(position.move_ids)) == len(position.moves())
            position = position.play(dice.choice(position.move_ids))


# Moves.


def test_white_begins_and_the_sides_take_turns() -> None:
    position = EIGHT.new()
    assert (position.text, position.to_move) == (START, "white")
    assert position.play("a2-a3").to_move == "black"
    assert position.play("a2-a3 h7-g6").to_move == "white"


def test_a_worker_steps_forward_straight_or_diagonally_and_never_back() -> None:
    assert EIGHT.position("7p/8/8/8/3P4/8/8/8 w").moves() == ["d4-c5", "d4-d5", "d4-e5"]
    assert EIGHT.position("8/8/8/8/3p4/8/8/P7 b").moves() == ["d4-c3", "d4-d3", "d4-e3"]


def test_the_edge_of_the_board_is_not_crossed() -> None:
    assert EIGHT.position("3p4/8/8/8/P6P/8/8/8 w").moves() == ["a4-a5", "a4-b5", "h4-g5", "h4-h5"]
    assert EIGHT.position("8/8/8/8/p6p/8/8/3P4 b").moves() == ["a4-a3", "a4-b3", "h4-g3", "h4-h3"]


def test_only_a_diagonal_step_captures_and_none_is_forced() -> None:
    assert EIGHT.position("8/8/8/2ppp3/3P4/8/8/8 w").moves() == ["d4xc5", "d4xe5"]
    assert EIGHT.position("8/8/8/2p5/3P4/8/8/8 w").moves() == ["d4-d5", "d4-e5", "d4xc5"]
    assert EIGHT.position("8/8/8/3p4/2PPP3/8/8/8 b").moves() == ["d5xc4", "d5xe4"]


def test_a_worker_does_not_step_onto_its_own_side() -> None:
    assert EIGHT.position("7p/8/8/2PPP3/3P4/8/8/8 w").moves() == [
        f"{origin}5-{target}6" for origin in "cde" for target in (chr(ord(origin) + aside) for aside in (-1, 0, 1))
    ]


def test_a_capture_takes_the_worker_off_the_board() -> None:
    after = EIGHT.position("p7/8/8/2p5/3P4/8/8/8 w").play("d4xc5")
    assert after.text == "p7/8/8/2P5/8/8/8/8 b 0 1"


# The end.


def test_a_worker_on_the_far_row_wins() -> None:
    assert EIGHT.position("7p/P7/8/8/8/8/8/8 w").play("a7-a8").result is Result.FIRST_WINS
    assert EIGHT.position("8/8/8/8/8/8/p7/7P b").play("a2-a1").result is Result.SECOND_WINS


def test_capturing_the_last_worker_wins() -> None:
    assert EIGHT.position("8/8/8/2p5/3P4/8/8/8 w").play("d4xc5").result is Result.FIRST_WINS
    assert EIGHT.position("8/8/8/2p5/3P4/8/8/8 b").play("c5xd4").result is Result.SECOND_WINS


def test_a_finished_game_has_no_moves() -> None:
    position = EIGHT.position("P6p/8/8/8/8/8/8/8 b")
    assert position.moves() == []
    with pytest.raises(IllegalMove, match="the game is over"):
        position.play("h8-h7")


def test_with_three_to_base_the_third_worker_there_wins() -> None:
    position = THREE.position("PP1p2p1/3P3p/8/8/8/8/8/8 w")
    assert position.result is None
    assert position.play("d7-c8").result is Result.FIRST_WINS
    black = THREE.position("8/8/8/8/8/8/3p3P/pp1P2P1 b")
    assert black.result is None
    assert black.play("d2-c1").result is Result.SECOND_WINS


def test_a_worker_at_base_stays_there() -> None:
    position = THREE.position("PP5p/7p/7p/8/8/8/8/P7 w")
    assert position.moves() == ["a1-a2", "a1-b2"]


def test_a_side_with_fewer_workers_than_must_get_to_base_has_lost() -> None:
    position = THREE.position("8/8/8/2ppp3/3P1P2/P7/8/8 w")
    assert position.result is None
    assert position.play("d4xe5").result is Result.FIRST_WINS
    assert THREE.position("8/8/8/2ppp3/3P1P2/P7/8/8 b").play("e5xd4").result is Result.SECOND_WINS


def test_one_to_base_asks_for_one_and_three_for_three_in_the_same_position() -> None:
    text = "PP5p/7p/7p/8/8/8/8/P7 w"
    assert EIGHT.position(text).result is Result.FIRST_WINS
    assert THREE.position(text).result is None


NARROW = breakthrough(rows=5, columns=3, base=3)


def test_a_side_to_move_that_cannot_move_has_lost() -> None:
    assert NARROW.position("PpP/1P1/p1p/3/3 w").result is Result.SECOND_WINS
    assert NARROW.position("3/3/P1P/1p1/pPp b").result is Result.FIRST_WINS


def test_a_side_that_cannot_move_has_not_lost_while_the_other_is_to_move() -> None:
    position = NARROW.position("PpP/1P1/p1p/3/3 b")
    assert position.result is None
    assert position.play("a3-a2").result is Result.SECOND_WINS


@pytest.mark.parametrize("text", ["8x8", "three", "5x10-three"])
def test_every_game_ends_with_a_winner(text: str) -> None:
    dice = random.Random(f"end of {text}")
    for _ in range(10):
        position = breakthrough(text).new()
        while not position.over:
            position = position.play(dice.choice(position.move_ids))
        assert position.result in (Result.FIRST_WINS, Result.SECOND_WINS)


# Texts.


@pytest.mark.parametrize("tail", ["w", "w 0 1", "w - - 0 1", "w - - 12 34"])
def test_positions_are_read_in_both_forms_of_fen_and_written_in_one(tail: str) -> None:
    assert EIGHT.position(f"{START.split()[0]} {tail}").text == START


def test_people_and_programs_write_moves_in_their_own_way() -> None:
    position = EIGHT.position("8/8/8/2p5/3P4/8/8/8 w")
    assert [EIGHT.protocol_text(position.state, code) for code in sorted(position.move_ids)] == ["d4c5", "d4d5", "d4e5"]
    assert position.play("d4c5") == position.play("d4xc5")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "position is empty"),
        ("8/8/8/8/8/8/8/8", "side to move is missing, expected w or b"),
        (START.replace(" w ", " x "), "side to move is 'x', expected w or b"),
        (START.replace("/8/8/8/8/", "/8/8/8/"), "has 7 rows, expected 8"),
        (START.replace("/8/8/8/8/", "/8/8/8/9/"), "row 6 '9': a run of 9 does not fit 8 cells"),
        (START.replace("/8/8/8/8/", "/8/8/8/7/"), "row 6 '7' has 7 cells, expected 8"),
        (START.replace("/8/8/8/8/", "/8/8/8/k7/"), "row 6 'k7': 'k' is no piece, expected P, p"),
        (START.replace("/8/8/8/8/", "/8/8/8/P7/"), "white has 17 workers, expected at most 16"),
        (START.replace("/8/8/8/8/", "/8/8/8/p7/"), "black has 17 workers, expected at most 16"),
        (START.replace("w 0 1", "w KQkq - 0 1"), "unexpected 'KQkq - 0 1' after the side, expected '0 1' or '- - 0 1'"),
        (START.replace("w 0 1", "w 0 1 2"), "unexpected '0 1 2' after the side"),
        ("P7/8/8/8/8/8/8/p7 w", "both sides have won"),
        ("8/8/8/8/8/8/8/8 w", "both sides have won"),
    ],
)
def test_impossible_positions_are_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(BadPosition) as refusal:
        EIGHT.position(text)
    assert reason in str(refusal.value)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"rows": 4}, "option rows is 4, expected 5 to 32"),
        ({"columns": 1}, "option columns is 1, expected 2 to 12"),
        ({"columns": 13}, "option columns is 13, expected 2 to 12"),
        ({"rows": 8, "columns": 9}, "a board of 8 rows and 9 columns has 72 cells, expected at most 64"),
        ({"base": 0}, "option base is 0, expected 1 to 8"),
        ({"base": 9}, "option base is 9, expected 1 to 8"),
        ({"base": "many"}, "option base is 'many', expected a whole number"),
    ],
)
def test_options_that_make_no_board_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadOption) as refusal:
        breakthrough(**options)
    assert reason in str(refusal.value)


def test_the_three_variants_of_the_course_are_presets() -> None:
    assert breakthrough("three") == breakthrough(base=3)
    assert breakthrough("5x10") == breakthrough(rows=5, columns=10)
    assert breakthrough("5x10-three") == breakthrough(rows=5, columns=10, base=3)
    assert breakthrough("5x10").new().text.startswith("pppppppppp/pppppppppp/10/")
