"""Monte Carlo tree search: legal, repeatable, right where it claims to be sure, and near where it estimates."""

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.core.errors import BadLimit, BadOption, IllegalMove
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, FIRST_WINS, SECOND_WINS
from kibitz.core.seam import interpreting
from kibitz.core.seam.control import StopSignal
from kibitz.search.mcts import LEAVES, Leaf, Settings, Tree
from tests.laws.coin_race import State
from tests.search.chance_first import chance_first, ends_at_once
from tests.search.mazes import EXPERT, changing, repeating, tictactoe_value, value
from tests.search.walks import walk

TICTACTOE = "tests/rules/tictactoe.py"
GAMES = ["breakthrough", "alquerque", "wolves", "checkers", "vampires:testmap", TICTACTOE]
WON_IN_ONE = "8/4P3/8/8/8/8/p7/8 w 0 1"


def a_tree(game: str, megabytes: int = 8, seed: int = 1, leaf: Leaf = "rollout", cap: int = 400) -> Tree:
    return Tree(games.load(game), None, Settings(megabytes=megabytes, seed=seed, leaf=leaf, cap=cap))


@pytest.mark.parametrize("game", GAMES)
def test_the_turn_chosen_is_legal_and_whole(game: str) -> None:
    tree = a_tree(game, cap=30)
    for seed in range(2 if interpreting() else 12):
        position = walk(tree.game.new(), 4 * seed, seed)
        if position.turn == CHANCE:
            continue
        report = tree.search(position, Limit(nodes=2 if interpreting() else 60), lines=3)
        here = position
        for move in report.moves:
            assert here.turn == position.turn
            here = here.play(move)
        assert here.over or here.turn != position.turn
        assert all(line.text for line in report.lines)


def test_what_is_solved_has_the_value_of_brute_force() -> None:
    tree = a_tree(TICTACTOE)
    for seed in range(4 if interpreting() else 40):
        position = walk(tree.game.new(), 5 if interpreting() else 2 + seed % 4, seed)
        report = tree.search(position, Limit(nodes=50_000))
        assert "solved" in report.remarks
        assert report.score is not None
        sign = 1 if position.turn == FIRST else -1
        assert np.sign(report.score.value) == sign * tictactoe_value(position), position
        after = position.play(report.moves[0])
        assert tictactoe_value(after) == tictactoe_value(position), (position, report)


def test_a_repetition_is_a_draw_and_solved_as_such() -> None:
    solved = 0
    for seed in range(1, 8 if interpreting() else 40):
        start = repeating(seed=seed, rooms=6, ends=3).new()
        tree = Tree(start.game, None, Settings(megabytes=1, seed=1))
        report = tree.search(start, Limit(nodes=3_000))
        if "solved" in report.remarks:
            assert report.score is not None
            sign = 1 if start.turn == FIRST else -1
            assert np.sign(report.score.value) == sign * value(start), start
            solved += 1
    assert solved > 4


def test_a_known_result_beyond_the_horizon_is_not_believed() -> None:
    solved = 0
    for seed in range(1, 8 if interpreting() else 60):
        start = changing(seed=seed, rooms=6, ends=2 + seed % 3, plies=3 + seed % 3).new()
        report = Tree(start.game, EXPERT, Settings(megabytes=1, seed=1)).search(start, Limit(nodes=2_000))
        if "solved" in report.remarks:
            assert report.score is not None
            assert np.sign(report.score.value) == (1 if start.turn == FIRST else -1) * value(start), start
            solved += 1
    assert solved > 4


def test_a_game_that_begins_with_chance_is_searched_after_it() -> None:
    start = chance_first().new()
    tree = Tree(start.game, None, Settings(megabytes=1, seed=1))
    report = tree.search(start.play("~1"), Limit(nodes=500))
    assert report.score is not None
    assert not report.score.proven
    assert report.score.value == pytest.approx(-expectation(start.play("~1")), abs=0.2)
    with pytest.raises(IllegalMove, match="chance is to move"):
        tree.search(start, Limit(nodes=10))


def test_a_game_that_the_first_throw_ends_can_be_searched_where_it_is_not_over() -> None:
    game = ends_at_once()
    tree = Tree(game, None, Settings(megabytes=1, seed=1))
    report = tree.search(Position(game, State(0, 0, 0, False)), Limit(nodes=500))
    assert report.score is not None


def test_a_signal_given_before_the_search_ends_it_at_once() -> None:
    tree = a_tree("breakthrough,rows=5,columns=4")
    signal = StopSignal()
    signal.stop()
    report = tree.search(tree.game.new(), Limit(nodes=1 << 40), stop=signal)
    assert report.nodes <= 1
    assert report.moves[0] in tree.game.new().move_ids


@pytest.mark.parametrize("leaf", LEAVES)
def test_a_win_in_one_is_found_at_once(leaf: Leaf) -> None:
    position = games.position("breakthrough", WON_IN_ONE)
    report = a_tree("breakthrough", leaf=leaf).search(position, Limit(nodes=5))
    assert report.score is not None
    assert report.score.win_in == 1
    assert str(report.score) == "white wins in 1"
    after = position.play(report.moves[0])
    assert after.result == FIRST_WINS


def test_the_distance_of_a_win_counts_turns() -> None:
    """A lone runner with three steps to go, and Black four."""
    position = games.position("breakthrough", "p7/8/8/7P/8/8/8/8 b 0 1")
    report = a_tree("breakthrough").search(position, Limit(nodes=5_000))
    assert report.score is not None
    assert report.score.win_in == -6


@pytest.mark.parametrize("leaf", LEAVES)
def test_the_same_seed_and_nodes_give_the_same_report(leaf: Leaf) -> None:
    start = games.breakthrough().new()
    limit = Limit(nodes=20 if interpreting() else 2_000)
    one, two = (a_tree("breakthrough", leaf=leaf).search(start, limit, lines=5) for _ in range(2))
    other = a_tree("breakthrough", leaf=leaf, seed=2).search(start, limit, lines=5)
    assert (one.moves, one.lines, one.nodes) == (two.moves, two.lines, two.nodes)
    assert one.lines != other.lines


def expectation(position: Position) -> float:
    """The result for the first player between -1 and 1, by trying every turn and weighing every outcome."""
    if position.result is not None:
        return {FIRST_WINS: 1.0, SECOND_WINS: -1.0}.get(position.result, 0.0)
    if position.turn == CHANCE:
        return sum(odds * expectation(position.play(text)) for odds, text in position.outcomes())
    best = max if position.turn == FIRST else min
    return best(expectation(position.play(code)) for code in position.game.moves_once(position.state))


def test_estimates_come_near_the_exact_expectation() -> None:
    """The last turn of the game: two werewolves beside three vampires have one random battle left to win."""
    position = games.position("vampires:testmap", "w2,v3,4/6/6/6/6 w ply=199")
    tree = a_tree("vampires:testmap")
    report = tree.search(position, Limit(nodes=1_500 if interpreting() else 60_000))
    assert report.score is not None
    assert report.score.value == pytest.approx(-expectation(position), abs=0.15 if interpreting() else 0.03)
    assert -0.9 < report.score.value < 0.9


def test_the_tree_of_the_last_move_is_kept_with_its_counts() -> None:
    tree = a_tree("breakthrough")
    start = games.breakthrough().new()
    first = tree.search(start, Limit(nodes=30 if interpreting() else 2_000))
    later = start.play(" ".join(first.lines[0].text.split()[:2]))
    node = tree._node_of(later)
    assert node is not None
    kept = int(tree.pool[node].visits)
    assert kept > 0
    second = tree.search(later, Limit(nodes=50))
    assert second.nodes == 50
    assert tree.simulations == (kept + 50 if tree.root == node else 50)
    elsewhere = tree.search(games.breakthrough().new().play("a2-a3"), Limit(nodes=40))
    assert tree.simulations == 40
    assert elsewhere.remarks == ()


@pytest.mark.skipif(interpreting(), reason="needs compiled speed")
def test_forgetting_all_but_a_subtree_keeps_that_subtree() -> None:
    tree = a_tree("breakthrough", megabytes=1)
    start = games.breakthrough().new()
    report = tree.search(start, Limit(nodes=1_500))
    assert 2 * tree.used > len(tree.pool)
    later = start.play(report.moves[0])
    node = tree._node_of(later)
    assert node is not None
    before = subtree(tree, node)
    tree._go_to(later)
    assert tree.root == 0
    assert 2 * tree.used < len(tree.pool)
    assert subtree(tree, 0) == before


def subtree(tree: Tree, node: int) -> list[object]:
    row = tree.pool[node]
    below = [subtree(tree, child) for child in range(row.first_child, row.first_child + row.children)]
    return [int(row.move), int(row.visits), float(row.total), below]


@pytest.mark.skipif(interpreting(), reason="needs compiled speed")
def test_a_full_tree_still_answers_and_says_so() -> None:
    report = a_tree("breakthrough", megabytes=1).search(games.breakthrough().new(), Limit(nodes=5_000))
    assert report.nodes == 5_000
    assert "the tree of 1 megabytes is full" in report.remarks


def test_what_makes_no_sense_is_refused() -> None:
    tree = a_tree("breakthrough")
    with pytest.raises(BadLimit, match="expected a limit of seconds or nodes"):
        tree.search(games.breakthrough().new(), Limit(depth=3))
    with pytest.raises(IllegalMove, match="the game is over"):
        tree.search(games.position("breakthrough", "P7/8/8/8/8/8/7p/8 b 0 1"), Limit(nodes=10))
    with pytest.raises(BadOption, match="0 megabytes"):
        a_tree("breakthrough", megabytes=0)
    with pytest.raises(BadOption, match="leaf is 'rolout', expected one of rollout"):
        agents.read("mcts:leaf=rolout")
    with pytest.raises(BadOption, match="mixing 2"):
        agents.agent("mcts:mixing=2,heuristic=nothing", games.breakthrough())


def test_the_agent_is_text_and_keeps_to_the_smaller_bound() -> None:
    text = "mcts:nodes=30,leaf=implicit,hash=8,heuristic=nothing,seed=7"
    assert str(agents.read(text)) == text
    player = agents.agent(text, games.breakthrough())
    start = games.breakthrough().new()
    assert player.choose(start, Limit(nodes=1_000)).nodes == 30
    assert player.choose(start.play("a2-a3 a7-a6"), Limit(nodes=9, depth=2)).nodes == 9
