"""The rules of alquerque and its relatives: hand-built positions, counts, and a plain second generator."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kibitz.core import Game, Position, Result
from kibitz.core.errors import BadOption, BadPosition, IllegalMove
from kibitz.games import alquerque, load

PRESETS = ("dm574", "alfonso", "bell", "qirkat")
COUNTS = Path(__file__).parents[1] / "perft" / "alquerque.txt"


def perft(game: Game, state: Any, turns: int) -> int:
    if turns == 0:
        return 1
    children = [game.play(state, code) for code in game.moves(state)]
    return sum(perft(game, child, turns - (game.turn(child) != game.turn(state))) for child in children)


def counts() -> list[list[str]]:
    lines = [line for line in COUNTS.read_text().splitlines() if line and not line.startswith("#")]
    return [[part.strip() for part in line.split("|")] for line in lines]


def wander(position: Position, dice: random.Random, most: int = 120) -> Iterator[Position]:
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
    expected = [int(number) for number in numbers.split()][:5]
    assert [perft(rules, state, turns + 1) for turns in range(len(expected))] == expected


# The start and the board.


def test_the_start_is_written_as_in_the_rulebook() -> None:
    assert alquerque().new().text == "bbbbb/bbbbb/bb1ww/wwwww/wwwww w"


def test_the_first_move_goes_to_the_middle() -> None:
    assert alquerque().new().moves() == ["17-13", "18-13", "19-13"]
    for preset in ("alfonso", "bell", "qirkat"):
        assert alquerque(preset).new().moves() == ["14-13", "17-13", "18-13", "19-13"]


def test_diagonal_lines_join_odd_fields_only() -> None:
    layout = alquerque().layout
    diagonal = [(a, b) for a, b in layout.lines if b - a in (4, 6)]
    assert len(layout.lines) == 56
    assert len(diagonal) == 16
    assert all(int(layout.cells[cell].name) % 2 == 1 for line in diagonal for cell in line)
    assert layout.shape == "point"


def test_presets_are_options_under_a_name() -> None:
    assert alquerque("dm574") == alquerque()
    assert alquerque(steps="sideways", capture="forced", chain="free", blocked="loses").text == "alquerque:bell"
    assert alquerque("qirkat", far_row_steps="yes", sideways_undo="yes", chain="free") == alquerque("bell")


# Steps.


@pytest.mark.parametrize(
    ("steps", "targets"),
    [
        ("forward", [7, 8, 9]),
        ("sideways", [7, 8, 9, 12, 14]),
        ("all", [7, 8, 9, 12, 14, 17, 18, 19]),
    ],
)
def test_a_piece_steps_in_the_directions_of_its_ruleset(steps: str, targets: list[int]) -> None:
    white = alquerque(steps=steps).position("b4/5/2w2/5/5 w")
    black = alquerque(steps=steps).position("5/5/2b2/5/4w b")
    assert white.moves() == sorted(f"13-{target}" for target in targets)
    assert black.moves() == sorted(f"13-{26 - target}" for target in targets)


def test_an_even_field_has_no_diagonals() -> None:
    assert alquerque().position("4b/5/1w3/5/5 w").moves() == ["12-7"]


def test_a_piece_on_the_edge_does_not_step_around_it() -> None:
    assert alquerque(steps="all").position("b4/5/5/w4/5 w").moves() == ["16-11", "16-17", "16-21"]


# Captures.


def test_captures_go_in_every_direction_and_over_one_enemy() -> None:
    position = alquerque().position("5/1bbb1/1bwb1/1bbb1/5 w")
    assert position.moves() == sorted(f"13x{target}" for target in (1, 3, 5, 11, 15, 21, 23, 25))
    assert position.play("13x23").text == "5/1bbb1/1b1b1/1b1b1/2w2 b"


def test_nothing_is_jumped_without_a_line_or_a_free_field_behind_or_an_enemy() -> None:
    no_diagonal_at_12 = "5/1b1b1/1w3/5/5 w"
    assert alquerque().position(no_diagonal_at_12).moves() == ["12x2"]
    assert alquerque().position("b4/1b3/2w2/5/5 w").moves() == ["13-8", "13-9"]
    assert "13x3" not in alquerque().position("b4/2w2/2w2/5/5 w").moves()


def test_a_capture_is_free_or_forced() -> None:
    text = "5/5/2w2/2b2/4w w"
    assert alquerque().position(text).moves() == ["13-7", "13-8", "13-9", "13x23", "25-19", "25-20"]
    assert alquerque(capture="forced").position(text).moves() == ["13x23"]


def test_without_chains_the_turn_passes_after_one_jump() -> None:
    after = alquerque().position("5/1b3/5/3b1/4w w").play("25x13")
    assert after.text == "5/1b3/2w2/5/5 b"


def test_in_a_free_chain_the_piece_may_jump_on_or_stop() -> None:
    middle = alquerque("bell").position("5/1b3/5/3b1/w3w w").play("25x13")
    assert middle.text == "5/1b3/2w2/5/w4 w chain=13"
    assert middle.moves() == ["13x1", "stop"]
    stopped = middle.play("stop")
    assert stopped.text == "5/1b3/2w2/5/w4 b ply=1"
    assert stopped.line == "25x13+stop"


def test_a_full_chain_is_played_to_its_end_by_the_same_piece() -> None:
    middle = alquerque("qirkat").position("5/1b3/5/3b1/w3w w").play("25x13")
    assert middle.to_move == "white"
    assert middle.moves() == ["13x1"]
    with pytest.raises(IllegalMove, match="stop"):
        middle.play("stop")
    assert middle.play("13x1").line == "25x13+13x1"


def test_only_the_jumping_piece_goes_on() -> None:
    text = "5/1b3/5/bb1b1/w3w w"
    assert alquerque("bell").position(text).moves() == ["21x11", "21x13", "25x13"]
    assert alquerque("bell").position(text).play("25x13").moves() == ["13x1", "stop"]


def test_a_chain_ends_by_itself_where_nothing_is_left_to_jump() -> None:
    after = alquerque("bell").position("b4/5/5/3b1/4w w").play("25x13")
    assert after.text == "b4/5/2w2/5/5 b ply=1"


def test_a_chain_is_one_ply() -> None:
    after = alquerque("qirkat").position("4b/1b3/5/3b1/w3w w ply=6").play("25x13+13x1")
    assert after.text == "w3b/5/5/5/w4 b ply=7"


# Qirkat's own rules.


def test_a_piece_on_the_far_row_rests_unless_it_captures() -> None:
    resting = "w4/5/5/w4/4b w"
    assert alquerque("bell").position(resting).moves() == ["1-2", "16-11", "16-17"]
    assert alquerque("qirkat").position(resting).moves() == ["16-11", "16-17"]
    assert alquerque("qirkat").position("wb3/5/5/w4/4b w").moves() == ["1x3"]


def test_a_sideways_step_is_not_undone_by_the_next_move_of_that_piece() -> None:
    line = "22-21 4-5"
    after = alquerque("qirkat").position("3b1/5/5/5/1w2w w").play(line)
    assert after.text == "4b/5/5/5/w3w w ply=2 barred=5-4,21-22"
    assert after.moves() == ["21-16", "21-17", "25-19", "25-20", "25-24"]
    assert "21-22" in alquerque("bell").position("3b1/5/5/5/1w2w w").play(line).moves()
    later = after.play("25-20 5-10")
    assert later.text == "5/4b/5/4w/w4 w ply=4 barred=21-22"
    assert "21-22" not in later.moves()


def test_a_piece_that_moved_on_may_step_either_way() -> None:
    game = alquerque("qirkat")
    ahead = game.position("3b1/5/5/5/1w2w w").play("22-21 4-5 21-16 5-10")
    assert ahead.text == "5/4b/5/w4/4w w ply=4"
    onwards = game.position("3b1/5/5/5/2w1w w").play("23-22 4-9 22-21")
    assert onwards.text == "5/3b1/5/5/w3w b ply=3 barred=21-22"


def test_a_captured_piece_takes_its_bar_along() -> None:
    position = alquerque("qirkat").position("b4/5/5/2wb1/5 w barred=18-17,19-18")
    assert position.play("18x20").text == "b4/5/5/4w/5 b ply=1"


# How it ends.


def test_who_captures_the_last_enemy_wins() -> None:
    for preset in PRESETS:
        white, black = alquerque(preset).position("5/5/2w2/2b2/5 w"), alquerque(preset).position("5/5/2w2/2b2/5 b")
        assert white.play("13x23").result == Result.FIRST_WINS
        assert black.play("18x8").result == Result.SECOND_WINS


def test_a_blocked_side_draws_or_loses() -> None:
    stuck = "w4/5/5/5/4b w"
    assert alquerque().position(stuck).result == Result.DRAW
    assert alquerque(blocked="loses").position(stuck).result == Result.SECOND_WINS
    assert alquerque("bell").position(stuck).result is None
    assert alquerque("qirkat").position(stuck).result == Result.SECOND_WINS
    assert alquerque("qirkat").position("w4/5/5/5/4b b").result == Result.FIRST_WINS


def test_a_side_whose_only_steps_are_barred_is_blocked() -> None:
    hemmed_in = "5/5/b1b2/bb3/w4 w"
    assert alquerque("qirkat").position(hemmed_in).moves() == ["21-22"]
    assert alquerque("qirkat").position(f"{hemmed_in} barred=21-22").result == Result.SECOND_WINS


def test_the_third_time_is_a_draw() -> None:
    position = alquerque("alfonso").position("b4/5/5/5/4w w")
    back_and_forth = " 25-24 1-2 24-25 2-1"
    twice = position.play(back_and_forth)
    assert twice.result is None
    assert twice.play(back_and_forth).result == Result.DRAW


def test_a_game_of_300_turns_is_a_draw_unless_the_last_one_wins() -> None:
    assert alquerque("alfonso").position("b4/5/5/5/4w w ply=299").play("25-24").result == Result.DRAW
    assert alquerque("alfonso").position("5/5/5/3b1/4w w ply=299").play("25x13").result == Result.FIRST_WINS
    assert alquerque("bell", plies=7).position("b4/5/5/5/4w w ply=6").play("25-24").result == Result.DRAW


def test_a_forward_only_game_does_not_count_plies() -> None:
    game = alquerque(plies=1)
    after = game.new().play("17-13 9x17 21x13")
    assert after.result is None
    assert "ply" not in after.text
    assert game.rulebook.plies_left is not None
    assert game.rulebook.plies_left(after.state, game.rules) > 147


def test_a_forward_only_game_ends_within_147_plies() -> None:
    dice = random.Random(147)
    for _ in range(30):
        *_, last = wander(alquerque().new(), dice, most=148)
        assert last.over


# A second generator: dictionaries and field numbers, written from the rulebook and sharing no code with the rules.


class Plain(NamedTuple):
    """Who stands where, whose turn it is, the piece in its chain, and where pieces that stepped sideways came from."""

    board: dict[int, str]
    side: str
    chain: int
    came: dict[int, int]
    ply: int


def beyond(field: int, towards: tuple[int, int]) -> int:
    """The next field along a line, 0 if there is none."""
    (row, column), (down, across) = divmod(field - 1, 5), towards
    if down and across and field % 2 == 0:
        return 0
    row, column = row + down, column + across
    return 5 * row + column + 1 if row in range(5) and column in range(5) else 0


WAYS = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if (down, across) != (0, 0)]


def plain_jumps(plain: Plain, field: int) -> dict[str, tuple[int, int, int]]:
    found = {}
    for way in WAYS:
        middle = beyond(field, way)
        end = beyond(middle, way) if middle else 0
        if end and end not in plain.board and plain.board.get(middle, plain.side) != plain.side:
            found[f"{field}x{end}"] = (field, middle, end)
    return found


def plain_steps(plain: Plain, field: int, options: Any) -> dict[str, tuple[int, int, int]]:
    ahead = -1 if plain.side == "w" else 1
    if not options.far_row_steps and (field - 1) // 5 == (0 if plain.side == "w" else 4):
        return {}
    downs = {"forward": [ahead], "sideways": [ahead, 0], "all": [ahead, 0, -ahead]}[options.steps]
    ends = [beyond(field, way) for way in WAYS if way[0] in downs]
    return {f"{field}-{end}": (field, 0, end) for end in ends if end not in (0, plain.came.get(field), *plain.board)}


def plain_moves(plain: Plain, options: Any) -> dict[str, tuple[int, int, int]]:
    own = [field for field, side in plain.board.items() if side == plain.side]
    jumps = {text: move for field in own for text, move in plain_jumps(plain, field).items()}
    if plain.chain:
        going_on = {text: move for text, move in jumps.items() if move[0] == plain.chain}
        return going_on | ({"stop": (0, 0, 0)} if options.chain == "free" else {})
    if jumps and options.capture == "forced":
        return jumps
    return jumps | {text: move for field in own for text, move in plain_steps(plain, field, options).items()}


def plain_play(plain: Plain, move: tuple[int, int, int], options: Any) -> Plain:
    origin, middle, end = move
    board = {field: side for field, side in plain.board.items() if field not in (origin, middle)}
    came = {field: back for field, back in plain.came.items() if field not in (origin, middle)}
    if end:
        board[end] = plain.side
        if abs(end - origin) == 1 and not options.sideways_undo:
            came[end] = origin
    after = Plain(board, plain.side, end, came, plain.ply)
    if middle and options.chain != "none" and plain_jumps(after, end):
        return after
    return Plain(board, "b" if plain.side == "w" else "w", 0, came, plain.ply + (options.steps != "forward"))


def plain_result(plain: Plain, options: Any) -> Result | None:
    loses = Result.SECOND_WINS if plain.side == "w" else Result.FIRST_WINS
    if plain.side not in plain.board.values():
        return loses
    if plain_moves(plain, options):
        return None
    return loses if options.blocked == "loses" else Result.DRAW


def plain_text(plain: Plain) -> str:
    letters = "".join(plain.board.get(field, ".") for field in range(1, 26))
    rows = "/".join(letters[at : at + 5] for at in range(0, 25, 5))
    for run in (5, 4, 3, 2, 1):
        rows = rows.replace("." * run, str(run))
    barred = ",".join(f"{field}-{back}" for field, back in sorted(plain.came.items()))
    extras = {"ply": plain.ply, "chain": plain.chain, "barred": barred}
    return f"{rows} {plain.side}" + "".join(f" {name}={value}" for name, value in extras.items() if value)


def any_game(dice: random.Random) -> Game:
    return alquerque(
        steps=dice.choice(["forward", "sideways", "all"]),
        capture=dice.choice(["optional", "forced"]),
        chain=dice.choice(["none", "free", "full"]),
        blocked=dice.choice(["draw", "loses"]),
        far_row_steps=dice.choice(["yes", "no"]),
        sideways_undo=dice.choice(["yes", "no"]),
    )


def any_board(dice: random.Random) -> dict[int, str]:
    fields = dice.sample(range(1, 26), dice.randint(2, 24))
    return {field: "wb"[index % 2] for index, field in enumerate(fields)}


@pytest.mark.parametrize("seed", range(60))
def test_a_plain_second_generator_plays_the_same_game(seed: int) -> None:
    dice = random.Random(seed)
    game = alquerque(PRESETS[seed % 4]) if seed % 3 else any_game(dice)
    plain = Plain(any_board(dice), dice.choice("wb"), 0, {}, 0)
    position = game.position(plain_text(plain))
    for _ in range(40):
        expected = plain_moves(plain, game.options)
        assert position.text == plain_text(plain)
        assert position.result == (Result.DRAW if position.seen == 3 else plain_result(plain, game.options)), position
        if position.over:
            break
        assert position.moves() == sorted(expected), position
        move = dice.choice(sorted(expected))
        position, plain = position.play(move), plain_play(plain, expected[move], game.options)


# Laws.


@pytest.mark.parametrize("preset", PRESETS)
def test_a_position_is_read_as_it_was_written(preset: str) -> None:
    dice = random.Random(1)
    for _ in range(5):
        for position in wander(alquerque(preset).new(), dice):
            assert alquerque(preset).position(position.text) == position


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("symmetry", range(3))
def test_the_turned_board_has_the_turned_moves(preset: str, symmetry: int) -> None:
    game = alquerque(preset)
    for position in wander(game.new(), random.Random(symmetry)):
        turned = game.transform(position.state, symmetry)
        assert game.transform(turned, symmetry) == position.state
        moves = {code: game.transform_move(code, symmetry) for code in game.moves(position.state)}
        assert sorted(game.moves(turned)) == sorted(moves.values())
        for code, seen in moves.items():
            after = game.play(position.state, code)
            assert game.play(turned, seen) == game.transform(after, symmetry)


# What is refused.


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        ("alquerque", "bbbbb/bbbbb/bbb2/5/4w w", "black has 13 pieces, expected at most 12"),
        ("alquerque", "4b/5/2www/wwwww/wwwww w", "white has 13 pieces, expected at most 12"),
        ("alquerque", "5/5/5/5/4w w", "white is to move and black has no piece"),
        ("alquerque", "b4/5/5/5/5 b", "black is to move and white has no piece"),
        ("alquerque", "b4/5/5/4w w", "has 4 rows, expected 5"),
        ("alquerque", "b4/5/5/5/4x w", "'x' is no piece, expected w, b"),
        ("alquerque", "b4/5/5/5/4w s", "side to move is 's', expected w or b"),
        ("alquerque", "b4/5/5/5/4w w ply=3", "unexpected 'ply=3'"),
        ("alquerque:alfonso", "b4/5/5/5/4w w ply=301", "ply is '301', expected a number from 0 to 300"),
        ("alquerque:alfonso", "b4/5/5/5/4w w chain=25", "unexpected 'chain=25'"),
        ("alquerque:bell", "b4/5/5/5/4w w barred=25-24", "unexpected 'barred=25-24'"),
        ("alquerque:bell", "b4/5/5/5/4w w chain=26", "chain is '26', expected a number from 1 to 25"),
        ("alquerque:bell", "5/5/5/3b1/4w w chain=19", "chain is '19', expected a field of white"),
        ("alquerque:bell", "b4/5/5/5/4w w chain=25", "chain is '25', expected a piece that can jump on"),
        ("alquerque:bell", "bbbbb/bbbbb/b4/3b1/4w w chain=25", "chain is '25', but black has lost no piece"),
        ("alquerque:bell", "5/5/5/3b1/4w w ply=300 chain=25", "ply is '300', expected a number from 0 to 299"),
        ("alquerque:qirkat", "5/5/5/3b1/4w w chain=25 barred=25-24", "chain is '25', but that piece is barred"),
        ("alquerque:qirkat", "b4/5/5/5/4w w barred=", "barred step's origin is '', expected a number from 1 to 25"),
        ("alquerque:qirkat", "b4/5/5/5/4w w barred=25-20", "barred step '25-20' is not sideways"),
        ("alquerque:qirkat", "b4/5/5/w4/5 w barred=16-15", "barred step '16-15' is not sideways"),
        ("alquerque:qirkat", "b4/5/5/5/4w w barred=24-25", "barred step '24-25' starts where no piece came by a step"),
        ("alquerque:qirkat", "1w3/5/5/5/4b b barred=2-1", "barred step '2-1' starts where no piece came by a step"),
        ("alquerque:qirkat", "b4/5/5/5/3w1 w barred=24-23,24-25", "field 24 stands twice among the barred"),
    ],
)
def test_an_impossible_position_is_refused_with_its_reason(game: str, text: str, reason: str) -> None:
    with pytest.raises(BadPosition) as refusal:
        load(game).position(text)
    assert reason in str(refusal.value)


def test_an_option_out_of_range_is_refused() -> None:
    with pytest.raises(BadOption, match="option plies is 0, expected 1 to 100000"):
        alquerque("bell", plies=0)
    with pytest.raises(BadOption, match="option steps is 'back', expected one of forward, sideways, all"):
        alquerque(steps="back")
