"""Small boards are worth what is known of them."""

from typing import Any

import pytest

from kibitz import DRAW, FIRST, FIRST_WINS, ONGOING, SECOND_WINS, Game, games
from kibitz.core.seam import interpreting
from kibitz.tables.generic import solver as generic
from kibitz.tables.resources import MemoryBudget
from kibitz.tables.table import Table
from kibitz.tables.worker_pool import WorkerPool

pytestmark = pytest.mark.skipif(interpreting(), reason="plain Python in both modes, so once is enough")
WON, DRAWN, LOST = 1, 0, -1


def value_of(game: Game, state: Any, known: dict[str, int]) -> int:
    """What a state is worth to the first side, by trying everything."""
    text = game.write(state)
    if text not in known:
        result = game.result(state)
        if result != ONGOING:
            known[text] = {FIRST_WINS: WON, SECOND_WINS: LOST, DRAW: DRAWN}[result]
        else:
            best = max if game.turn(state) == FIRST else min
            known[text] = best(value_of(game, game.play(state, move), known) for move in game.moves(state))
    return known[text]


def value(text: str) -> int:
    game = games.load(text)
    return value_of(game, game.new().state, {})


# Who wins with best play, the first side moving upright, by rows and columns. D. Breuker, J. Uiterwijk and J. van den
# Herik, "Solving 8x8 Domineering" (2000): the side to move wins on squares of 2, 3, 4, 6, 7 and 8, the other on 5.
DOMINEERING = {(1, 1): LOST, (2, 2): WON, (3, 3): WON, (1, 4): LOST, (4, 1): WON, (4, 4): WON}


@pytest.mark.parametrize(("size", "worth"), DOMINEERING.items())
def test_domineering_is_won_by_whom_it_is_known_to_be(size: tuple[int, int], worth: int) -> None:
    assert value(f"domineering,rows={size[0]},columns={size[1]}") == worth


# The short diagonal wins and the acute corners lose on 2x2 and 3x3 (mazeworks.com/hex7, "Basic Strategy II"); that the
# middle row wins as well was worked out with the plain description of this folder.
@pytest.mark.parametrize(("size", "winning"), [(2, {"b1", "a2"}), (3, {"c1", "b2", "a3", "a2", "c2"})])
def test_hex_is_won_by_the_openings_that_are_known(size: int, winning: set[str]) -> None:
    start, known = games.load(f"hex,size={size}").new(), dict[str, int]()
    worth = {move: value_of(start.game, start.play(move).state, known) for move in start.moves()}
    assert {move for move in worth if worth[move] == WON} == winning


# G. Irving, J. Donkers and J. Uiterwijk, "Solving Kalah", ICGA Journal 23 (2000): rows of houses, columns of seeds.
KALAH = {1: "DLWLWD", 2: "WLLLWW", 3: "DWWWWL", 4: "WWWWWD", 5: "DDWWWW"}
SMALL_KALAH = [(houses, seeds) for houses in (1, 2, 3, 4) for seeds in range(1, 7) if houses * seeds <= 6]


@pytest.mark.parametrize(("houses", "seeds"), SMALL_KALAH)
def test_kalah_is_worth_what_was_solved(houses: int, seeds: int) -> None:
    assert value(f"kalah,houses={houses},seeds={seeds}") == "LDW".index(KALAH[houses][seeds - 1]) - 1


# One box goes to the second side. 2x2: E. Berlekamp, J. Conway and R. Guy, "Winning Ways", chapter 16: the first wins.
@pytest.mark.parametrize(("rows", "columns", "worth"), [(1, 1, LOST), (2, 2, WON)])
def test_dots_and_boxes_is_won_by_whom_it_is_known_to_be(rows: int, columns: int, worth: int) -> None:
    assert value(f"dotsandboxes,rows={rows},columns={columns}") == worth


def solved(text: str) -> int:
    """The same by the solver of tables, for boards of millions of positions."""
    game = games.load(text)
    with WorkerPool(2, game.max_moves) as pool:
        found = generic.solve(game, MemoryBudget(6_000_000_000), pool)
    winner = Table(game, found.header, found.data, {"rows": found.rows}).probe(game.new().state)
    assert winner is not None
    return DRAWN if winner.winner is None else WON if winner.winner == FIRST else LOST


@pytest.mark.proof
@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("domineering,rows=5,columns=5", LOST),
        ("hex,size=4", WON),
        ("kalah,houses=3,seeds=4", WON),
        ("kalah,houses=4,seeds=3", WON),
        ("kalah,houses=3,seeds=6", LOST),
        ("dotsandboxes,rows=2,columns=3", LOST),  # by two boxes, says a count over all 2**17 sets of lines
    ],
)
def test_larger_boards_are_worth_what_is_known(text: str, worth: int) -> None:
    assert solved(text) == worth
