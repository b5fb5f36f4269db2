"""Tables of any game: against brute force, against published counts, and against another solver."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz import games
from kibitz.core.game import Game
from kibitz.core.result import FIRST, SECOND
from kibitz.core.seam import specialise
from kibitz.core.seam.slots import UNKNOWN
from kibitz.tables.errors import CannotSolve
from kibitz.tables.generic import solver as generic
from kibitz.tables.generic.estimate import estimate
from kibitz.tables.probe import hash_of
from kibitz.tables.resources import MemoryBudget
from kibitz.tables.table import Table, Value
from kibitz.tables.worker_pool import WorkerPool
from tests.core.stones import edited
from tests.laws.coin_race import coin_race
from tests.laws.two_at_a_time import two_at_a_time
from tests.tables import oracle

EXAMPLES = Path(__file__).parents[2] / "tests" / "rules"
PLENTY = MemoryBudget(2_000_000_000)


def table_of(game: Game) -> Table:
    with WorkerPool(2, game.max_moves) as pool:
        solved = generic.solve(game, PLENTY, pool)
    return Table(game, solved.header, solved.data, {"rows": solved.rows})


def positions(table: Table) -> int:
    return sum(row["entries"] for row in table.about["rows"])


def refuse_difference(game: Game) -> None:
    table = table_of(game)
    expected = oracle.solved(game)
    assert positions(table) == len(expected)
    for key, state in oracle.reachable(game).items():
        value = expected[key]
        assert table.probe(state) == (Value(None) if value is None else Value(*value)), game.write(state)


def test_tic_tac_toe_has_5478_positions_and_all_are_worth_what_brute_force_says() -> None:
    game = games.load(f"{EXAMPLES}/tictactoe.py")
    refuse_difference(game)
    assert positions(table_of(game)) == 5478
    assert table_of(game).probe(game.new().state) == Value(None)


def test_turns_of_several_moves_count_as_one() -> None:
    refuse_difference(two_at_a_time())


def test_wins_that_need_both_kinds_of_turns_are_counted_right() -> None:
    refuse_difference(games.load(f"{EXAMPLES}/connectfour.py,rows=3,columns=3,connect=3"))


# Legal positions by rows and columns: J. Tromp, "John's Connect Four Playground", found again by M. Böck, "Strongly
# Solving ConnectFour on Consumer Grade Hardware" (arXiv 2507.05267, github.com/markus7800/Connect4-Strong-Solver), who
# gives 3,945,711 for 4x5. That the first player cannot win on an even number of rows and up to six columns: V. Allis,
# "A Knowledge-based Approach of Connect-Four" (1988).
@pytest.mark.parametrize(("rows", "columns", "count"), [(4, 4, 161_029), (5, 4, 1_706_255)])
def test_small_connect_four_boards_are_drawn_and_have_the_published_number_of_positions(
    rows: int, columns: int, count: int
) -> None:
    game = games.load(f"{EXAMPLES}/connectfour.py,rows={rows},columns={columns}")
    table = table_of(game)
    assert positions(table) == count
    assert table.probe(game.new().state) == Value(None)


def test_a_position_that_cannot_come_about_is_unknown() -> None:
    game = games.load(f"{EXAMPLES}/tictactoe.py")
    table = table_of(game)
    assert table.probe(game.new().state._replace(crosses=3, noughts=0, side=0)) is None


def test_many_positions_are_looked_up_at_once() -> None:
    game = games.load(f"{EXAMPLES}/tictactoe.py")
    table = table_of(game)
    states = list(oracle.reachable(game).values())
    states.append(states[0]._replace(crosses=3))
    found = table.probe_many([np.array(column) for column in zip(*states, strict=True)])
    assert found[-1] == UNKNOWN
    for state, value in zip(states[:-1], found[:-1].tolist(), strict=True):
        expected = table.probe(state)
        assert expected is not None
        signs = {None: 0, FIRST: expected.turns + 1, SECOND: -expected.turns - 1}
        assert value == signs[expected.winner]


def test_states_with_arrays_are_looked_up_at_once_too() -> None:
    game = games.load("checkers:4x4,size=3,home=1,overstay=off")
    table = table_of(game)
    state: Any = game.new().state
    dice = random.Random(3)
    states = [state]
    while len(states) < 40 and game.moves(states[-1]):
        states.append(game.play(states[-1], dice.choice(game.moves(states[-1]))))
    columns = [np.array([state.cells for state in states])]
    columns += [np.array([getattr(state, name) for state in states]) for name in ("side", "ply")]
    for state, value in zip(states, table.probe_many(columns).tolist(), strict=True):
        expected = table.probe(state)
        assert expected is not None
        assert abs(value) == (expected.turns + 1 if expected.winner is not None else 0)


def test_a_game_without_end_is_drawn_and_its_ply_limit_is_ignored() -> None:
    game = games.load("checkers:4x4,size=3,home=1,overstay=off,plies=4")
    longer = games.load("checkers:4x4,size=3,home=1,overstay=off,plies=200")
    table, other = table_of(game), table_of(longer)
    assert positions(table) == positions(other) == len(oracle.reachable(longer))
    assert table.probe(game.new().state) == other.probe(longer.new().state)


def test_a_game_that_does_not_fit_says_how_many_positions_it_met_and_what_they_need() -> None:
    game = games.load(f"{EXAMPLES}/connectfour.py,rows=4,columns=4")
    with pytest.raises(CannotSolve, match=r"more positions than fit into 2 MB of memory: [\d,]+ were found"):
        generic.solve(game, MemoryBudget(2_000_000), WorkerPool(1, game.max_moves))


def test_a_game_with_chances_is_refused() -> None:
    with pytest.raises(CannotSolve, match="has chances"):
        generic.solve(coin_race(), PLENTY, WorkerPool(1, 1))


def test_states_that_differ_only_in_the_highest_bits_have_different_codes() -> None:
    words = np.array([0, 5, 1 << 61, 1 << 62, -(1 << 63), -1], np.int64)
    codes = {int(hash_of(np.array([word, 3], np.int64), 2, 1)) for word in words}
    assert len(codes) == len(words)
    assert all(0 <= code < 1 << 62 for code in codes)
    compiled = specialise(None, hash_of)
    assert codes == {int(compiled(np.array([word, 3], np.int64), 2, 1)) for word in words}


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_unfinished_game_without_moves_is_named_before_anything_is_solved(tmp_path: Path, jobs: int) -> None:
    rules = tmp_path / "stones.py"
    rules.write_text(edited(("if state.heap > 0:", "if state.heap > -1:")))
    game = games.load(str(rules))
    assert estimate(game, sample=500).games > 0
    with (
        WorkerPool(jobs, game.max_moves) as pool,
        pytest.raises(CannotSolve, match=r"moves\(\) yields nothing in an unfinished game, position 'heap=0"),
    ):
        generic.solve(game, MemoryBudget(1 << 30, 0), pool)
