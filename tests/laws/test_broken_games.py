"""Each law catches a game that breaks it: a law that cannot fail is worth nothing."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz import games
from kibitz.core import Game
from kibitz.core.errors import RulesError
from kibitz.core.layout import Cell, Gesture, Layout, Piece
from kibitz.core.result import DRAW, FIRST, ONGOING, SECOND
from kibitz.core.rulebook import Rulebook, Symmetry
from kibitz.core.seam import interpreting
from kibitz.laws import LAWS, Broken, Law, NotApplicable, Sample, try_law
from tests.laws.coin_race import coin_race
from tests.laws.two_at_a_time import moves_once, two_at_a_time

TICTACTOE = games.load(str(Path(__file__).parents[2] / "tests" / "rules" / "tictactoe.py"))
BOOK = TICTACTOE.rulebook
State: Any = BOOK.state
read: Any = BOOK.read
write: Any = BOOK.write
compiled_only = pytest.mark.skipif(interpreting(), reason="KIBITZ_INTERPRET=1 asks for plain Python")


def law(name: str) -> Law:
    return next(law for law in LAWS if law.name == name)


def broken(name: str, book: Rulebook, count: int = 6) -> Broken:
    """How the law is broken by this game."""
    with pytest.raises(Broken) as caught:
        try_law(law(name), Sample(Game(book, book.options(), TICTACTOE.label), count))
    return caught.value


# Rules that are wrong.


def always_drawn(state: Any) -> int:
    return DRAW


def never_drawn(state: Any) -> int:
    return ONGOING


def result_seven(state: Any) -> int:
    return 7 if state.crosses else ONGOING


def turn_five(state: Any) -> int:
    return 5 if state.crosses else FIRST


def moves_twice(state: Any) -> Iterator[int]:
    for cell in range(9):
        if not (state.crosses | state.noughts) >> cell & 1:
            yield cell
            yield 8 - cell


def play_in_vain(state: Any, move: int) -> Any:
    return State(state.crosses, state.noughts, 1 - state.side)


asked: list[int] = []


def moves_that_remember(state: Any) -> Iterator[int]:
    asked.append(state.crosses)
    free = [cell for cell in range(9) if not (state.crosses | state.noughts) >> cell & 1]
    yield from free if len(asked) % 2 else reversed(free)


def play_by_mood(state: Any, move: int) -> Any:
    asked.append(move)
    return BOOK.play(state, move) if len(asked) % 2 else State(state.crosses | 1 << move, state.noughts, SECOND)


def unfair_odds(state: Any) -> Iterator[tuple[float, int]]:
    yield 0.5, 1
    yield 0.4, 2


def impossible_odds(state: Any) -> Iterator[tuple[float, int]]:
    yield 1.0, 1
    yield 0.0, 2


def odds_twice(state: Any) -> Iterator[tuple[float, int]]:
    yield 0.5, 1
    yield 0.5, 1


def odds_by_side(state: Any) -> Iterator[tuple[float, int]]:
    yield 0.5 + state.side / 4, 1
    yield 0.5 - state.side / 4, 2


def key_without_noughts(state: Any) -> Any:
    return State(state.crosses, 0, state.side)


def first_come_only(state: Any) -> Iterator[int]:
    for cell in moves_once(state):
        yield cell
        return


def free_middle(state: Any) -> Iterator[int]:
    yield from moves_once(state)
    if state.last >= 0 and state.last != 2:
        yield 2


def turn_the_crosses(state: Any, symmetry: int) -> Any:
    return State(TICTACTOE.transform(state, symmetry).crosses, state.noughts, state.side)


def keep_the_move(move: int, symmetry: int) -> int:
    return move


def keep_the_state(state: Any, symmetry: int) -> Any:
    return state


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        ("a new game is unfinished", {"result": always_drawn}, "result() says 3 before the first move"),
        ("turns and results are known codes", {"result": result_seven}, "result() says 7, expected ONGOING"),
        ("turns and results are known codes", {"turn": turn_five}, "turn() says 5, expected FIRST"),
        (
            "an unfinished game has moves and a finished one has none",
            {"result": never_drawn},
            "the game goes on, but moves() yields nothing",
        ),
        ("there are never more moves than declared", {"max_moves": 8}, "more moves or outcomes than the 8"),
        ("no move is listed twice", {"moves": moves_twice, "max_moves": 18}, "twice"),
        (
            "playing a move leaves the old position alone",
            {"moves": moves_that_remember},
            "playing its moves has changed [",
        ),
        ("playing a move leaves the old position alone", {"play": play_by_mood}, "played twice gives"),
        ("positions with equal keys have equal moves", {"key": key_without_noughts}, "which has the same key"),
        ("symmetries keep the result", {"symmetries": (Symmetry("x", swaps=True),) * 7}, "is a turn of 0, expected 1"),
        ("symmetries keep the result", {"transform": turn_the_crosses}, "has the result"),
        ("symmetries keep the moves", {"transform": keep_the_state}, "has other moves than the turned ones"),
        ("symmetries keep the moves", {"transform": None}, "not both transform() and transform_move()"),
        ("symmetries commute with playing", {"transform_move": keep_the_move}, "image leads to '"),
    ],
)
def test_wrong_rules_break_the_law(name: str, changes: dict[str, Any], reason: str) -> None:
    assert reason in broken(name, replace(BOOK, **changes), 20).reason


def test_a_side_that_moves_twice_breaks_a_declared_alternation() -> None:
    name = "every move ends its turn where the game is alternating"
    found = broken(name, replace(two_at_a_time, alternating=True))
    assert found.reason == "crosses moves again after move 0, but the game declares alternating=True"


def test_games_that_never_end_break_the_law() -> None:
    found = broken("random games end", replace(BOOK, play=play_in_vain), 1)
    assert found.reason == "a random game is not over after 5000 moves"


@pytest.mark.parametrize(
    ("outcomes", "reason"),
    [
        (unfair_odds, "the probabilities of the outcomes sum to 0.9, expected 1"),
        (impossible_odds, "outcomes() yields the probability [0.0], expected more than 0"),
        (odds_twice, "outcomes() yields [1] twice"),
    ],
)
def test_wrong_odds_break_the_law(outcomes: Any, reason: str) -> None:
    assert reason == broken("chance sums to one over different outcomes", replace(coin_race, outcomes=outcomes)).reason


def test_rolls_that_hand_over_to_rolls_break_the_law() -> None:
    def play(state: Any, move: int) -> Any:
        return state if state.thrown and move == 1 else coin_race.play(state, move)

    found = broken("rolls do not follow rolls without end", replace(coin_race, play=play))
    assert "50 rolls can follow each other: play() at test_broken_games.py:" in found.reason


def test_odds_that_know_their_side_break_the_symmetry() -> None:
    reason = broken("symmetries keep the odds", replace(coin_race, outcomes=odds_by_side)).reason
    assert reason == "chance ends otherwise in the swap image: 2 states differ in probability"


def test_chance_that_nobody_declared_breaks_the_law() -> None:
    found = broken("turns and results are known codes", replace(coin_race, outcomes=None))
    assert found.reason == "turn() says CHANCE, but the game has no outcomes()"


@pytest.mark.parametrize(
    ("once", "reason"),
    [
        (two_at_a_time.moves, "in more than one sequence"),
        (first_come_only, "moves_once() never builds the turn ["),
        (free_middle, "moves_once() builds the turn ["),
    ],
)
def test_turns_built_twice_or_never_break_the_law(once: Any, reason: str) -> None:
    name = "moves once builds each turn in exactly one sequence"
    assert reason in broken(name, replace(two_at_a_time, moves_once=once)).reason


# Notation that is wrong.


def always_crosses(state: Any) -> str:
    return f"{write(state).split()[0]} x"


def spaced_out(state: Any) -> str:
    return str(write(state)).replace(" ", "  ")


def upside_down(text: str) -> Any:
    state = read(text)
    return State(state.noughts, state.crosses, state.side)


def careless(text: str) -> Any:
    board, side = text.split()
    return read(f"{board} {side}")


def with_a_space(state: Any, move: int) -> str:
    return f"to {move}"


def with_a_plus(state: Any, move: int) -> str:
    return f"{move}+"


def like_chance(state: Any, move: int) -> str:
    return f"~{move}"


def unspeakable(state: Any, move: int) -> str:
    return ""


def all_alike(state: Any, move: int) -> str:
    return "here"


def mirrored(state: Any, move: int) -> str:
    return str(TICTACTOE.layout.cells[8 - move].name)


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        ("a position is read as it was written", {"write": always_crosses}, "the position's own text is refused: "),
        ("a position is read as it was written", {"write": spaced_out}, "not a line of words with one space between"),
        ("a position is read as it was written", {"read": upside_down}, "the position's own text is read as State("),
        ("a damaged text is refused or is a position", {"read": careless}, "expected BadPosition"),
        ("the texts of moves are words", {"move_text": with_a_space}, "expected neither a space nor '+'"),
        ("the texts of moves are words", {"move_text": with_a_plus}, "expected neither a space nor '+'"),
        ("the texts of moves are words", {"move_text": like_chance}, "expected '~' before outcomes of chance only"),
        ("the texts of moves are words", {"move_text": unspeakable}, "expected something that can be printed"),
        ("the texts of moves are all different", {"move_text": all_alike}, "several moves have the text 'here'"),
        ("the texts of moves are understood", {"protocol_text": mirrored}, " plays "),
        ("the texts of moves are understood", {"move_text": with_a_space}, "is refused: illegal move 'to'"),
        ("a game is replayed from its line", {"move_text": all_alike}, "the line of a game"),
    ],
)
def test_wrong_notation_breaks_the_law(name: str, changes: dict[str, Any], reason: str) -> None:
    assert reason in broken(name, replace(BOOK, **changes)).reason


def test_a_text_that_loads_another_game_breaks_the_law() -> None:
    assert "loads tictactoe with NoOptions()" in broken("the text of a game loads it again", replace(BOOK)).reason


def test_a_text_that_loads_nothing_breaks_the_law() -> None:
    with pytest.raises(Broken, match="'coin_race' is not loaded: no game is called 'coin_race'"):
        try_law(law("the text of a game loads it again"), Sample(coin_race()))


def test_a_text_read_as_an_impossible_position_breaks_the_law() -> None:
    def lenient(text: str) -> Any:
        return State(-1, -1, FIRST) if text.startswith("0") else read(text)

    def endless(state: Any) -> int:
        return ONGOING if state.crosses == -1 else int(BOOK.result(state))

    found = broken("a damaged text is refused or is a position", replace(BOOK, read=lenient, result=endless), 100)
    assert "is read, but the game can neither go on there nor has it ended" in found.reason


# Boards that are wrong.

CROSS = Piece("cross", "x", FIRST)


def board(*cells: Cell, lines: tuple[tuple[int, int], ...] = (), cross: Piece = CROSS) -> Layout:
    return Layout(cells, {"x": cross}, lines=lines)


def no_cells() -> Layout:
    return board()


def one_name() -> Layout:
    return board(Cell("a", 0, 0), Cell("a", 1, 0))


def one_place() -> Layout:
    return board(Cell("a", 0, 0), Cell("b", 0, 0))


def loose_line() -> Layout:
    return board(Cell("a", 0, 0), lines=((0, 1),))


def long_glyph() -> Layout:
    return board(Cell("a", 0, 0), cross=Piece("cross", "xx", FIRST))


def odd_tone() -> Layout:
    return board(Cell("a", 0, 0, "green"))  # type: ignore[arg-type]


def too_few(state: Any) -> list[str]:
    return [""] * 8


def strange(state: Any) -> list[str]:
    return ["q", *[""] * 8]


def off_the_board(move: int) -> Gesture:
    return Gesture((move + 9,))


def taken_from_nowhere(move: int) -> Gesture:
    return Gesture((move,), captured=(-1,))


def nobody_goes(move: int) -> Gesture:
    return Gesture((move,), amount=0)


def everywhere_the_same(move: int) -> Gesture:
    return Gesture((4,))


def number_text(state: Any, move: int) -> str:
    return str(move)


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        ("the layout is a board", {"layout": no_cells}, "the layout has no cells"),
        ("the layout is a board", {"layout": one_name}, "several cells are called a"),
        ("the layout is a board", {"layout": one_place}, "several cells lie at (0, 0)"),
        ("the layout is a board", {"layout": loose_line}, "the end of a line is 1, expected 0 to 0"),
        ("the layout is a board", {"layout": long_glyph}, "the glyph of cross is 'xx', expected one character"),
        ("the layout is a board", {"layout": odd_tone}, "the tone of a cell is 'green', expected light, dark"),
        ("the pieces fit the layout", {"pieces": too_few}, "pieces() gives 8 cells, but the layout has 9"),
        ("the pieces fit the layout", {"pieces": strange}, "'q' stands on a1, expected one of x, o"),
        ("gestures touch only cells of the board", {"gesture": off_the_board, "move_text": number_text}, "cells [9]"),
        ("gestures touch only cells of the board", {"gesture": taken_from_nowhere}, "touches the cells [-1]"),
        ("gestures touch only cells of the board", {"gesture": nobody_goes}, "moves 0, expected 1 or more"),
        (
            "gestures tell the moves apart",
            {"gesture": everywhere_the_same, "move_text": number_text},
            "have the same gesture (4,)",
        ),
    ],
)
def test_a_wrong_board_breaks_the_law(name: str, changes: dict[str, Any], reason: str) -> None:
    assert reason in broken(name, replace(BOOK, **changes)).reason


# Rules that mean something else to the compiler, whose integers have 64 bits and whose arrays have no fence.

TABLE = np.zeros(4, np.int64)


def play_beyond_64_bits(state: Any, move: int) -> Any:
    marks = ((state.crosses if state.side == FIRST else state.noughts) | 1 << move) << 60 >> 60
    if state.side == FIRST:
        return State(marks, state.noughts, SECOND)
    return State(state.crosses, marks, FIRST)


def result_beyond_the_table(state: Any) -> int:
    beyond = 10**6 if state.crosses << 60 < 0 else 0
    if (state.crosses | state.noughts) == 511:
        return DRAW
    return ONGOING + int(TABLE[beyond])


@compiled_only
@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        (
            "interpreted and compiled rules agree",
            {"play": play_beyond_64_bits},
            "state of 'a2': compiled rules say [-8, 0, 1], interpreted ones [8, 0, 1]",
        ),
        (
            "compiled and interpreted counts are equal",
            {"play": play_beyond_64_bits},
            "lines of 2 turns are counted compiled, 72 interpreted",
        ),
        ("compiled rules stay in bounds", {"result": result_beyond_the_table}, "reach outside an array"),
    ],
)
def test_rules_that_compile_to_another_game_break_the_law(name: str, changes: dict[str, Any], reason: str) -> None:
    assert reason in broken(name, replace(BOOK, **changes)).reason


# How a counterexample is told.


def test_a_counterexample_is_the_first_of_its_game_and_names_the_position() -> None:
    found = broken("turns and results are known codes", replace(BOOK, result=result_seven))
    assert found.position is not None
    assert found.position.before is not None
    assert found.position.before.text == "3/3/3 x"
    assert str(found).startswith("result() says 7, expected ONGOING, FIRST_WINS, SECOND_WINS or DRAW, in position '")
    assert f"after '{found.position.line}'" in str(found)


def test_a_position_that_cannot_be_written_is_shown_as_its_state() -> None:
    def unwritable(state: Any) -> str:
        raise KeyError("crosses")

    found = broken("a position is read as it was written", replace(BOOK, write=unwritable))
    assert "unwritable() fails with KeyError: 'crosses'" in found.reason
    assert found.where == "state State(crosses=0, noughts=0, side=0)"


def test_rules_that_fail_while_playing_are_a_mistake_with_its_line() -> None:
    def fails(state: Any, move: int) -> Any:
        return move // 0 if state.crosses else BOOK.play(state, move)

    book = replace(BOOK, play=fails)
    with pytest.raises(RulesError, match=r"test_broken_games.py:\d+: fails\(\) fails with ZeroDivisionError"):
        try_law(law("random games end"), Sample(book()))


@pytest.mark.parametrize("book", [coin_race, two_at_a_time], ids=["coin race", "two at a time"])
@pytest.mark.parametrize("each", LAWS, ids=str)
def test_the_games_that_were_broken_here_are_sound_themselves(each: Law, book: Rulebook) -> None:
    if each.name == "the text of a game loads it again":
        pytest.skip("they are not in the catalog")
    try:
        assert try_law(each, Sample(book(), 6)) > 0
    except NotApplicable as reason:
        pytest.skip(str(reason))
