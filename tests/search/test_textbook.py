"""Minimax is what the ten-line oracle says; alpha-beta is minimax with fewer nodes."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kibitz import games
from kibitz.core.errors import BadLimit, IllegalMove
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.seam import interpreting
from kibitz.games.vampires.rules import State as Creatures
from kibitz.heuristics import alquerque_report, breakthrough_report, checkers_report, wolves_report
from kibitz.search.perft import perft
from kibitz.search.report import Report
from kibitz.search.textbook import PLAIN_STYLE, Style, alphabeta, minimax
from tests.laws.coin_race import State, coin_race
from tests.search.oracles import expectiminimax, score_for, walked
from tests.search.trees import score, trees

EXAMPLES = Path(__file__).parent.parent.parent / "tests" / "rules"
Rule = Callable[..., Any]


def more_vampires(state: Creatures) -> float:
    total = 0.0
    for content in state.cells:
        kind, number = int(content) >> 8, int(content) & 255
        if kind == 2:
            total += number
        if kind == 3:
            total -= 1.25 * number
    return total


def of_its_numbers(state: Any) -> float:
    """Says nothing of use, but different things of different positions."""
    return float(int(state[0]) % 11 - int(state[1]) % 13)


def made_up(game: str, evaluate: Rule) -> Heuristic:
    return Heuristic(name="made-up", game=game, bounds=(-1000.0, 1000.0), evaluate=evaluate)


class Case(NamedTuple):
    """A game, a heuristic, and how many positions to try at each depth: 1, 2, 3."""

    game: str
    heuristic: Heuristic
    positions: tuple[int, int, int]

    def __str__(self) -> str:
        return Path(self.game).name

    def searched(self, search: Rule, position: Position, depth: int, style: Style = PLAIN_STYLE) -> Report:
        found: Report = search(position, depth, self.heuristic, style)
        return found


OFFENSIVE_2 = breakthrough_report.REPORT[2]
DM574 = alquerque_report.REPORT[0]
CASES = [
    Case("breakthrough", OFFENSIVE_2, (100, 25, 1)),
    Case("breakthrough:5x10-three", OFFENSIVE_2, (20, 10, 0)),
    Case("wolves", wolves_report.REPORT[0], (200, 50, 4)),
    Case("alquerque", DM574, (200, 50, 20)),
    Case("alquerque:bell", DM574, (200, 50, 10)),
    Case("alquerque:qirkat", DM574, (50, 20, 5)),
    Case("checkers:5x5", checkers_report.REPORT[0], (50, 10, 0)),
    Case("vampires:testmap", made_up("vampires", more_vampires), (15, 0, 0)),
    *(Case(str(file), made_up(file.stem, of_its_numbers), (200, 50, 10)) for file in sorted(EXAMPLES.glob("[!_]*.py"))),
]
HEURISTICS = {case.game: case.heuristic for case in CASES}  # few pairs of game and heuristic: each is compiled


@cache
def game_of(text: str) -> Game:
    return games.load(text)


def samples(case: Case) -> list[tuple[Position, int]]:
    """Random positions, and the depth to try each of them to."""
    share = 10 if interpreting() else 1
    return [
        (walked(game_of(case.game), 1 + seed * 3 % 40, 100 * depth + seed), depth)
        for depth, number in enumerate(case.positions[: 2 if interpreting() else 3], 1)
        for seed in range(-(-number // share))
    ]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_minimax_is_what_the_oracle_says(case: Case) -> None:
    for position, depth in samples(case):
        value = score_for(position.game, case.heuristic, position.turn)
        expected = expectiminimax(position.game, position.state, depth, value, position.turn)
        found = case.searched(minimax, position, depth).score
        assert found is not None
        assert found.value == pytest.approx(expected, abs=1e-9), (position, depth)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_alphabeta_finds_the_same_turn_and_value_from_no_more_nodes(case: Case) -> None:
    for position, depth in samples(case):
        for style in (Style(seed=5), Style(shuffle=True, shallow=True, noise=0.25, seed=5)):
            full = case.searched(minimax, position, depth, style)
            cut = case.searched(alphabeta, position, depth, style)
            assert full.score == cut.score, (position, depth, style)
            assert full.moves == cut.moves, (position, depth, style)
            assert cut.nodes <= full.nodes, (position, depth, style)


@pytest.mark.parametrize("case", [CASES[0], CASES[2], CASES[4]], ids=str)
def test_the_order_of_the_moves_does_not_change_the_value(case: Case) -> None:
    for position, depth in samples(case)[::7]:
        plain = case.searched(minimax, position, depth).score
        for seed in range(1, 4):
            style = Style(shuffle=True, seed=seed)
            assert case.searched(alphabeta, position, depth, style).score == plain, (position, depth)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_line_leads_to_the_leaf_that_gave_the_score(case: Case) -> None:
    for position, depth in samples(case)[::5]:
        found = case.searched(minimax, position, depth)
        leaf = Position(position.game, position.state).play(found.lines[0].text)
        if found.score is None or found.score.win_in is not None or leaf.over or leaf.outcomes():
            continue
        said = score_for(position.game, case.heuristic, position.turn)(leaf.state)
        assert said == pytest.approx(found.score.value), position


@pytest.mark.parametrize(("game", "depth"), [("breakthrough", 3), ("wolves", 4), ("alquerque", 4)])
def test_every_call_of_the_search_is_a_node(game: str, depth: int) -> None:
    start, heuristic = games.load(game).new(), HEURISTICS[game]
    deepest = min(depth, 2) if interpreting() else depth
    assert minimax(start, deepest, heuristic).nodes == 1 + sum(perft(start, turns) for turns in range(1, deepest + 1))


def test_alphabeta_needs_one_reply_to_refute_a_move_that_is_no_better() -> None:
    """Two turns into Alquerque White has captured nothing, whatever the three moves and two replies to each."""
    found = alphabeta(games.alquerque().new(), 2, HEURISTICS["alquerque"])
    assert found.nodes == 1 + (1 + 2) + 2 * (1 + 1)
    assert found.cutoffs == 2


SCORES = made_up("trees", score)


@cache
def tree(root: int) -> Position:
    return Position(trees(), trees.state(root))


def searched(search: Rule, root: int, depth: int, style: Style = PLAIN_STYLE) -> tuple[float, str, int]:
    """The value, the line and the nodes of a tree drawn by hand."""
    found = search(tree(root), depth, SCORES, style)
    return found.score.value, found.lines[0].text, found.nodes


def test_minimax_sees_every_node_of_a_tree_drawn_by_hand_and_alphabeta_what_matters() -> None:
    assert searched(minimax, 0, 2) == (3.0, "1 4", 8)
    assert searched(alphabeta, 0, 2) == (3.0, "1 4", 7)


@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_among_equal_scores_the_first_met_or_the_shallower_leaf_wins(search: Rule) -> None:
    assert searched(search, 8, 2)[:2] == (0.0, "9 10")
    assert searched(search, 8, 2, Style(shallow=True))[:2] == (0.0, "12")
    assert searched(search, 13, 3)[:2] == (0.0, "14 15 17")
    assert searched(search, 13, 3, Style(shallow=True))[:2] == (0.0, "14 16")


@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_chance_is_worth_its_mean_and_costs_no_depth(search: Rule) -> None:
    assert searched(search, 20, 1) == (2.0, "21", 5)


@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_moves_of_one_turn_cost_one_turn(search: Rule) -> None:
    assert searched(search, 25, 1)[:2] == (7.0, "26+27")
    assert search(tree(25), 1, SCORES).moves == (26, 27)


@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_a_game_won_within_a_turn_is_won_sooner_than_one_that_takes_two(search: Rule) -> None:
    found = search(tree(30), 2, SCORES)
    assert found.score.win_in == 1
    assert found.moves == (32, 34)


@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_a_battle_is_worth_the_mean_of_its_outcomes(search: Rule) -> None:
    """One vampire against two humans wins with 1/4, and then each of the three lives with 1/4. Another vampire and
    four werewolves stay away.
    """
    game = games.load("vampires:testmap")
    attack = game.position("v1,5/6/6/w4,5/4,h2,v1 v").play("5,4>4,4:1")
    found = search(attack, 1, HEURISTICS[game.text], style=Style(breadth=1))
    assert found.lines[0].text == "end"
    assert found.score.value == pytest.approx(1 + 1 / 4 * 3 / 4 - 1.25 * 4)


def test_breadth_keeps_the_first_moves_only() -> None:
    start, heuristic = games.breakthrough().new(), HEURISTICS["breakthrough"]
    assert minimax(start, 3, heuristic, style=Style(breadth=2)).nodes == 1 + 2 + 4 + 8
    assert minimax(start, 2, heuristic, style=Style(breadth=1000)).nodes == minimax(start, 2, heuristic).nodes


def test_noise_moves_a_score_by_less_than_its_size_and_depends_on_the_seed_alone() -> None:
    start, heuristic = games.wolves().new(), HEURISTICS["wolves"]
    quiet = minimax(start, 1, heuristic).score
    noisy = [minimax(start, 1, heuristic, style=Style(noise=0.5, seed=seed)).score for seed in range(1, 20)]
    again = [minimax(start, 1, heuristic, style=Style(noise=0.5, seed=seed)).score for seed in range(1, 20)]
    assert noisy == again
    assert len({found.value for found in noisy if found}) > 10
    assert quiet is not None
    assert all(found is not None and quiet.value <= found.value < quiet.value + 0.5 for found in noisy)


def test_shuffled_ties_fall_on_every_move() -> None:
    start, heuristic = games.alquerque().new(), HEURISTICS["alquerque"]
    met = {minimax(start, 1, heuristic, style=Style(shuffle=True, seed=seed)).moves for seed in range(1, 40)}
    assert met == {(code,) for code in start.move_ids}


def test_a_limit_lowers_the_depth_and_never_raises_it() -> None:
    start, heuristic = games.wolves().new(), HEURISTICS["wolves"]
    assert minimax(start, 3, heuristic, limit=Limit(depth=1)).depth == 1
    assert minimax(start, 1, heuristic, limit=Limit(depth=3)).depth == 1


@pytest.mark.parametrize("search", [minimax, alphabeta])
@pytest.mark.parametrize("game", ["wolves", "vampires:testmap", "alquerque:bell"])
def test_a_search_out_of_nodes_still_has_a_whole_legal_turn(search: Rule, game: str) -> None:
    position = walked(games.load(game), 6, seed=2)
    for nodes in (1, 2, 10):
        found = search(position, 2, HEURISTICS[game], limit=Limit(nodes=nodes))
        assert found.nodes <= nodes
        after = position
        for move in found.moves:
            after = after.play(move)
        assert after.over or after.turn != position.turn


def test_a_search_out_of_time_stops_with_a_move() -> None:
    found = minimax(games.breakthrough().new(), 12, HEURISTICS["breakthrough"], limit=Limit(seconds=0.05))
    assert found.moves
    assert "stopped early" in found.remarks


def test_there_is_nothing_to_choose_when_the_game_is_over_or_chance_moves() -> None:
    over = games.position("breakthrough", "P7/8/8/8/8/8/7p/8 b 0 1")
    with pytest.raises(IllegalMove, match="no move to choose: the game is over in breakthrough position 'P7"):
        minimax(over, 1)
    with pytest.raises(IllegalMove, match="no move to choose: chance is to move"):
        alphabeta(tree(21), 1)


def test_a_depth_of_nothing_is_refused() -> None:
    with pytest.raises(BadLimit, match="depth is 0, expected at least 1"):
        minimax(games.wolves().new(), 0)


@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_a_win_is_proven_where_no_chance_and_no_missing_move_speaks_against_it(search: Any) -> None:
    after = State(0, 0, 0, False)
    for first, second, throws, proven in ((2, 0, 1, True), (2, 2, 1, True), (1, 0, 1, False), (1, 1, 5, False)):
        position = Position(coin_race(), after._replace(first=first, second=second))
        score = search(position, throws).score
        assert score.proven == proven, (first, second, throws)
        assert score.win_in == (1 if proven else None)
    line = trees().position("node=30")
    assert search(line, 2).score.win_in == 1
    assert search(line, 2, style=Style(breadth=1)).score.win_in is None
