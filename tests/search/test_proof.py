"""Proof search: its verdicts are those of brute force, whatever its memory."""

import random

import pytest

from kibitz import games
from kibitz.core.errors import KibitzError
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import FIRST, SECOND
from kibitz.core.rulebook import Rulebook
from kibitz.core.seam import interpreting
from kibitz.games.breakthrough import Rules, State
from kibitz.search.proof import prove
from tests.search.mazes import (
    EXPERT,
    can_force_a_win,
    changing,
    limited,
    limited_and_repeating,
    maze,
    repeating,
    tictactoe_value,
    value,
)
from tests.search.walks import walk

SOLVED = {"5x2": SECOND, "5x3": SECOND, "6x2": FIRST, "7x2": SECOND, "8x2": FIRST}  # rows x columns
SMALL = {"5x2": SECOND}
TICTACTOE = "tests/rules/tictactoe.py"


def breakthrough(size: str) -> Position:
    rows, columns = size.split("x")
    return games.breakthrough(rows=rows, columns=columns).new()


def one_step_away(state: State, rules: Rules) -> int:
    """Who is to move and stands before the far row wins at once."""
    if state.side == FIRST:
        return 1 if state.white & (rules.top >> rules.columns) else 0
    return -1 if state.black & (rules.bottom << rules.columns) else 0


@pytest.mark.parametrize(("size", "winner"), (SMALL if interpreting() else SOLVED).items())
def test_solved_breakthrough_boards_are_won_by_the_side_that_is_known_to_win(size: str, winner: int) -> None:
    start = breakthrough(size)
    verdicts = [prove(start, side, Limit()).verdict for side in (FIRST, SECOND)]
    assert verdicts == [("proven" if side == winner else "disproven") for side in (FIRST, SECOND)]


@pytest.mark.skipif(interpreting(), reason="needs compiled speed")
def test_one_megabyte_gives_the_same_answers() -> None:
    assert prove(breakthrough("5x3"), FIRST, Limit(), megabytes=1).verdict == "disproven"
    assert prove(breakthrough("8x2"), FIRST, Limit(), megabytes=1).verdict == "proven"


@pytest.mark.skipif(interpreting(), reason="needs compiled speed")
def test_sure_results_save_nodes_and_change_no_verdict() -> None:
    runner = Heuristic(name="runner", game="breakthrough", bounds=(0.0, 0.0), known_result=one_step_away)
    start = breakthrough("8x2")
    plain, helped = prove(start, FIRST, Limit()), prove(start, FIRST, Limit(), heuristic=runner)
    assert helped.verdict == plain.verdict == "proven"
    assert helped.nodes < plain.nodes


@pytest.mark.parametrize("book", [maze, repeating, limited], ids=["endless", "repeating", "limited"])
def test_mazes_with_circles_and_double_moves_are_judged_as_by_brute_force(book: Rulebook) -> None:
    for seed in range(1, 9 if interpreting() else 60):
        plies = 3 + seed % 7 if book is limited else 0
        start = book(seed=seed, rooms=8 + seed % 13, ends=2 + seed % 4, plies=plies).new()
        for side in (FIRST, SECOND):
            found = prove(start, side, Limit(nodes=100_000), megabytes=1)
            assert found.verdict == ("proven" if can_force_a_win(start, side) else "disproven"), (start, side)
            if found.verdict == "proven" and found.moves:
                after = start
                for move in found.moves:
                    after = after.play(move)
                assert after.over or after.turn != start.turn
                assert can_force_a_win(after, side), (start, side, found)


@pytest.mark.parametrize(
    ("book", "heuristic"),
    [(repeating, EXPERT), (limited_and_repeating, None), (changing, EXPERT)],
    ids=["repeating", "limited and repeating", "changing"],
)
def test_no_proof_is_claimed_where_what_was_on_the_board_or_the_ply_speaks_against_it(
    book: Rulebook, heuristic: Heuristic | None
) -> None:
    agreed = 0
    for seed in range(1, 8 if interpreting() else 150):
        plies = 0 if book is repeating else 3 + seed % 3
        position = book(seed=seed, rooms=5 + seed % 3, ends=2 + seed % 4, plies=plies).new()
        position = walk(position, seed % 3, seed)
        for side in (FIRST, SECOND):
            found = prove(position, side, Limit(nodes=20_000), megabytes=1, heuristic=heuristic)
            wins = value(position) == (1 if side == FIRST else -1)
            assert found.verdict in ("unknown", "proven" if wins else "disproven"), (position, side)
            agreed += found.verdict != "unknown"
    assert agreed > 2


@pytest.mark.parametrize(("seed", "rooms", "side"), [(287, 12, SECOND), (347, 12, FIRST), (466, 9, FIRST)])
def test_a_proof_found_on_one_path_is_not_used_on_another_that_repeats(seed: int, rooms: int, side: int) -> None:
    start = limited_and_repeating(seed=seed, rooms=rooms, ends=3 + seed % 4, plies=5).new()
    assert value(start) == 0
    assert prove(start, side, Limit(nodes=20_000), megabytes=1).verdict != "proven"


def test_tictactoe_is_judged_as_by_brute_force() -> None:
    dice = random.Random(5)
    for _ in range(5 if interpreting() else 40):
        position = games.load(TICTACTOE).new()
        for _ in range(dice.randrange(3 if interpreting() else 0, 6)):
            position = position.play(dice.choice(position.move_ids))
            if position.over:
                break
        if position.over:
            continue
        for side in (FIRST, SECOND):
            wins = tictactoe_value(position) == (1 if side == FIRST else -1)
            assert prove(position, side, Limit(), megabytes=1).verdict == ("proven" if wins else "disproven")


@pytest.mark.skipif(interpreting(), reason="needs compiled speed")
@pytest.mark.parametrize("side", [FIRST, SECOND])
def test_nobody_can_force_four_in_a_row_on_four_by_four(side: int) -> None:
    start = games.load("tests/rules/connectfour.py,rows=4,columns=4").new()
    assert prove(start, side, Limit()).verdict == "disproven"


def test_the_line_of_a_proof_is_legal_and_ends_with_the_win() -> None:
    start = games.position("breakthrough,columns=3", "3/3/p2/2P/3/3/3/3 w 0 1")
    found = prove(start, FIRST, Limit())
    assert found.verdict == "proven"
    end = start.play(found.line)
    assert end.result is not None
    assert end.result.winner == FIRST
    assert found.line.startswith(start.game.move_text(start.state, found.moves[0]))


def test_a_node_limit_leaves_the_question_open() -> None:
    found = prove(games.breakthrough().new(), FIRST, Limit(nodes=50))
    assert (found.verdict, found.moves, found.line) == ("unknown", (), "")
    assert found.nodes <= 51


def test_games_of_chance_and_finished_games_are_refused_in_one_line() -> None:
    with pytest.raises(KibitzError, match=r"^vampires.* is a game of chance"):
        prove(games.load("vampires:testmap").new(), FIRST, Limit())
    with pytest.raises(KibitzError, match="the game is over"):
        prove(games.position("breakthrough", "P7/8/8/8/8/8/7p/8 b 0 1"), FIRST, Limit())
    with pytest.raises(KibitzError, match="0 megabytes, expected 1"):
        prove(games.breakthrough().new(), FIRST, Limit(), megabytes=0)
