"""Reviews: what a move cost, which moves are marked, and that neither errors nor an analysis hold one up."""

from typing import Any

import pytest

from kibitz import games
from kibitz.core.errors import KibitzError
from kibitz.core.position import Position
from kibitz.core.result import Result
from kibitz.web.api.refusals import Refused
from kibitz.web.session.game_tree import GameTree, Node
from kibitz.web.session.review import mean_accuracy, rate_turn, review_line, split_turns
from tests.web.visiting import Visitor, awaited

Facts = dict[str, Any]


def line_of(text: str, line: str) -> list[Node]:
    start = games.load(text).new()
    tree = GameTree(start)
    return tree.add(tree.root, list(start.play(line).trail())[-2::-1]).path()


def judged(share: float, best: list[int], second: float | None = None) -> Facts:
    lines = [{"share": share, "moves": [{"code": code} for code in best]}]
    if second is not None:
        lines.append({"share": second, "moves": []})
    more = {"text": "", "score": 0, "unit": "", "win_in": None, "side": 0}
    return {"share": share, "lines": [line | more for line in lines]}


@pytest.mark.parametrize(
    ("after", "mark"), [(0.60, ""), (0.56, ""), (0.54, "?!"), (0.49, "?"), (0.39, "??"), (0.90, "")]
)
def test_a_move_is_marked_by_the_chances_it_lost(after: float, mark: str) -> None:
    (turn,) = split_turns(line_of("breakthrough", "a2-a3"))
    told = rate_turn(turn, judged(0.60, [-1]), after)
    assert told["mark"] == mark
    assert (told["better"] is None) == (mark == "")


def test_losses_are_those_of_the_side_that_moved() -> None:
    _, black = split_turns(line_of("breakthrough", "a2-a3 b7-b6"))
    assert rate_turn(black, judged(0.3, [-1]), 0.5)["mark"] == "??"
    assert rate_turn(black, judged(0.3, [-1]), 0.1)["mark"] == ""


def test_the_best_move_loses_nothing_and_is_good_where_it_was_the_only_one() -> None:
    (turn,) = split_turns(line_of("breakthrough", "a2-a3"))
    assert rate_turn(turn, judged(0.6, turn.codes, 0.58), 0.3)["mark"] == ""
    told = rate_turn(turn, judged(0.6, turn.codes, 0.4), 0.3)
    assert (told["mark"], told["loss"]) == ("!", 0)


def test_a_turn_of_several_moves_and_its_luck_are_one() -> None:
    start = games.position("vampires", "9,h2/10/2,h4,v4,w4,4,h1/10/9,h2 v")
    after = start.play("3,2>4,2:4+end")
    tree = GameTree(start)
    rolled = after.play(after.outcomes()[0][1])
    nodes = tree.add(tree.root, list(rolled.trail())[-2::-1]).path()
    (turn,) = split_turns(nodes)
    assert (len(turn.nodes), len(turn.codes), turn.last.position.text) == (3, 2, after.text)


def test_a_move_before_chance_is_worth_the_mean_of_its_outcomes() -> None:
    start = games.position("vampires", "9,h2/10/2,h4,v4,w4,4,h1/10/9,h2 v")
    rolled = start.play("3,2>4,2:4+end")

    async def judge(position: Position) -> Facts:
        return judged(0.9, [-1])

    tree = GameTree(start)
    nodes = tree.add(tree.root, list(rolled.play(rolled.outcomes()[0][1]).trail())[-2::-1]).path()
    told = awaited(review_line(nodes, judge, lambda done, total: None))
    ends = [(odds, rolled.play(text).result) for odds, text in rolled.outcomes()]
    assert len(ends) <= 12
    mean = sum(odds for odds, end in ends if end == Result.FIRST_WINS)
    mean += sum(odds / 2 for odds, end in ends if end == Result.DRAW)
    assert 0.3 < mean < 0.7
    assert told["moves"][0]["loss"] == pytest.approx(0.9 - mean, abs=1e-4)


def test_accuracy_is_a_hundred_without_losses_and_falls_with_them() -> None:
    assert mean_accuracy([{"side": 0, "loss": 0.0}], 0) == 100
    assert mean_accuracy([{"side": 0, "loss": 0.1}], 0) == 61
    assert mean_accuracy([{"side": 0, "loss": 0.1}], 1) is None


def test_a_failing_judge_ends_the_review_with_its_error() -> None:
    async def judge(position: Position) -> Facts:
        raise Refused("agent-failed", "broken")

    with pytest.raises(KibitzError, match="broken"):
        awaited(review_line(line_of("wolves", "b1-b2"), judge, lambda done, total: None))


def test_a_game_is_reviewed_marked_and_analysed_further(visitor: Visitor) -> None:
    game = "breakthrough,rows=5,columns=4"
    line = "b2-b3 c4-c3 a2-a3 d4-d3 c1-b2"
    state = visitor.ask(type="new", game=game, second="human", line=line)
    own = next(node["node"] for node in state["nodes"] if node["text"] == "c4-c3")
    visitor.ask(type="annotate", node=own, mark="!", comment="mine")
    visitor.ask(type="analyse", on=True)
    told = visitor.ask(type="review", seconds=0.05)
    assert told["type"] == "reviewed", told
    assert [heard for heard in visitor.aside if heard["type"] == "reviewing"][-1]["total"] == 5
    assert [move["side"] for move in told["moves"]] == [0, 1, 0, 1, 0]
    assert len(told["shares"]) == 6
    marks = {node["node"]: node["mark"] for node in visitor.ask(type="new", game=game, line=line)["nodes"]}
    assert set(marks.values()) == {""}


def test_a_mark_of_ones_own_stays_when_a_game_is_reviewed() -> None:
    (node,) = line_of("wolves", "b1-b2")
    tree = GameTree(games.load("wolves").new())
    node = tree.add(tree.root, list(node.position.trail())[-2::-1])
    tree.annotate(node, "!", "")
    tree.mark_reviewed(node.number, "??")
    assert node.mark == "!"
    tree.annotate(node, "", "")
    tree.mark_reviewed(node.number, "??")
    tree.mark_reviewed(node.number, "?!")
    assert node.mark == "?!"


def test_an_empty_game_is_not_reviewed(visitor: Visitor) -> None:
    visitor.ask(type="new", game="wolves", second="human")
    assert visitor.ask(type="review")["error"] == "bad-message"
