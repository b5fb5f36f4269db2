"""The tree to look at: what it calls best is best among all moves, however few are shown."""

import pytest

from kibitz import games, heuristics
from kibitz.core.heuristic import Heuristic
from kibitz.core.position import Position
from kibitz.core.seam import interpreting
from kibitz.search.textbook import minimax
from kibitz.search.tree import Node, grow_tree, tree_svg, tree_text
from tests.search.chance_first import chance_first
from tests.search.trees import score, trees
from tests.search.walks import walk

SCORES = Heuristic(name="scores", game="trees", evaluate=score, bounds=(-10.0, 10.0))


def best_line(node: Node) -> list[str]:
    found = [child for child in node.children if child.best]
    return [found[0].move, *best_line(found[0])] if found else []


@pytest.mark.parametrize("game", ["breakthrough", "wolves"])
@pytest.mark.parametrize("seed", range(2 if interpreting() else 8))
def test_the_best_move_does_not_depend_on_how_many_are_shown(game: str, seed: int) -> None:
    position = Position(games.load(game), walk(games.load(game).new(), 12, seed).state)
    heuristic = heuristics.find(position.game.rulebook, None)
    depth = 1 if interpreting() else 2
    expected = minimax(position, depth, heuristic).score
    assert expected is not None
    whole = grow_tree(position, depth, 500, heuristic)
    assert whole.value == pytest.approx(expected.value, rel=1e-5)
    for breadth in (1, 2, 4, 8):
        root = grow_tree(position, depth, breadth, heuristic)
        assert root.value == whole.value
        assert best_line(root)[:1] == best_line(whole)[:1]
        assert len(root.children) == min(breadth, len(position.moves()))
        assert root.left_out == len(position.moves()) - len(root.children)


def test_chance_is_weighed_and_shown() -> None:
    root = grow_tree(trees().position("node=20"), 1, 4, SCORES)
    assert root.value == 2.0
    assert [child.move for child in root.children] == ["21", "24"]
    assert [(leaf.move, leaf.value) for leaf in root.children[0].children] == [("22", 8.0), ("23", 0.0)]
    fewer = grow_tree(trees().position("node=20"), 1, 1, SCORES)
    assert fewer.value == 2.0
    assert fewer.children[0].left_out == 1


def test_a_game_may_begin_with_chance() -> None:
    start = chance_first().new()
    nothing = Heuristic(name="nothing", game="chance_first", bounds=(0.0, 0.0))
    root = grow_tree(start, 4, 4, nothing)
    assert [child.move for child in root.children] == ["~1", "~2"]
    assert root.value is not None
    assert root.value > 0
    assert "win" in tree_text(root)
    assert tree_svg(root).startswith("<svg")


def test_what_alpha_beta_never_looks_at_is_cut() -> None:
    root = grow_tree(trees().position("node=0"), 2, 4, SCORES)
    assert root.value == 3.0
    assert best_line(root) == ["1", "4"]
    cut = [leaf.move for child in root.children for leaf in child.children if leaf.value is None]
    assert cut == ["7"]
