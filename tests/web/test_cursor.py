"""The tree of a game over the WebSocket: looking, variations, redo, notes, and an analysis that follows the cursor."""

import random
from typing import Any

import pytest

from kibitz import games
from kibitz.core.errors import KibitzError
from kibitz.search.report import PROVEN, WIN, Score, win_chance
from kibitz.web.session.game_tree import GameTree
from kibitz.web.session.new_game import read_notes
from kibitz.web.session.steps import Note
from kibitz.web.session.table import Table
from tests.web.visiting import Place, Visitor

Facts = dict[str, Any]
LINE = "a2-a3 b7-b6 a3-a4 b6-b5"


def opened(visitor: Visitor, line: str = LINE, game: str = "breakthrough", **more: Any) -> Facts:
    told = visitor.ask(type="new", game=game, line=line, **{"second": "human", "seed": 1, **more})
    assert told["type"] == "state", told
    return told


def node_after(state: Facts, text: str) -> int:
    return int(next(node["node"] for node in state["nodes"] if node["text"] == text))


def test_looking_shows_an_earlier_moment_with_its_own_moves_and_leaves_the_game_alone(visitor: Visitor) -> None:
    state = opened(visitor)
    view = visitor.ask(type="look", node=node_after(state, "a2-a3"))
    there = games.position("breakthrough", None, "a2-a3")
    assert (view["type"], view["ply"], view["turn"], view["position"]) == ("view", 1, 1, there.text)
    assert [move["text"] for move in view["moves"]] == there.moves()
    assert visitor.ask(type="state")["line"] == LINE


def test_playing_elsewhere_makes_a_variation_and_the_game_goes_on(visitor: Visitor) -> None:
    state = opened(visitor)
    view = visitor.ask(type="play", move="c7-c6", node=node_after(state, "a2-a3"))
    assert (view["type"], view["line"]) == ("view", "a2-a3 c7-c6")
    assert [node["text"] for node in view["nodes"]] == ["c7-c6"]
    again = visitor.ask(type="play", move="c7-c6", node=node_after(state, "a2-a3"))
    assert again["node"] == view["node"], "the same move is the same node"
    played = visitor.ask(type="play", move="b1-a2")
    assert played["line"] == f"{LINE} b1-a2"


def test_news_of_the_game_leave_a_visitor_who_looks_elsewhere_where_he_is(visitor: Visitor) -> None:
    state = opened(visitor, "", second="random", pace=1)
    visitor.ask(type="play", move="a2-a3")
    visitor.ask(type="look", node=0)
    told = visitor.state(lambda state: state["why"] == "agent")
    assert (told["cursor"], told["live"] > 0, state["cursor"]) == (0, True, 0)


def test_what_is_taken_back_is_played_again(visitor: Visitor) -> None:
    opened(visitor, "")
    for move in LINE.split():
        state = visitor.ask(type="play", move=move)
    assert not state["redo"]
    for count in (3, 2, 1):
        state = visitor.ask(type="undo")
        assert (state["ply"], state["redo"]) == (count, True)
    assert visitor.ask(type="redo")["line"] == "a2-a3 b7-b6"
    assert visitor.ask(type="redo")["line"] == "a2-a3 b7-b6 a3-a4"
    visitor.ask(type="play", move="h7-h6")
    assert visitor.ask(type="redo")["error"] == "nothing-to-redo"


def test_redo_rolls_what_was_rolled(visitor: Visitor) -> None:
    opened(visitor, "", "vampires", position="9,h2/10/2,h4,v4,w4,4,h1/10/9,h2 v")
    line = visitor.ask(type="play", move="3,2>4,2:4+end")["line"]
    while visitor.ask(type="undo")["ply"]:
        pass
    while visitor.ask(type="redo")["type"] == "state":
        pass
    assert visitor.ask(type="state")["line"] == line


def test_the_game_goes_on_from_a_variation_and_keeps_what_it_left(visitor: Visitor) -> None:
    state = opened(visitor)
    view = visitor.ask(type="play", move="c7-c6", node=node_after(state, "a2-a3"))
    told = visitor.ask(type="back", node=view["node"])
    assert (told["line"], told["live"]) == ("a2-a3 c7-c6", view["node"])
    assert visitor.ask(type="look", node=node_after(state, "b6-b5"))["line"] == LINE


def test_moves_are_annotated_and_variations_removed(visitor: Visitor) -> None:
    state = opened(visitor)
    node = node_after(state, "a3-a4")
    told = visitor.ask(type="annotate", node=node, mark="?!", comment="slow")
    assert (told["mark"], told["comment"]) == ("?!", "slow")
    assert visitor.ask(type="annotate", node=node, comment="")["mark"] == "?!"
    view = visitor.ask(type="play", move="c7-c6", node=node_after(state, "a2-a3"))
    gone = visitor.ask(type="remove", node=view["node"])
    assert (gone["type"], gone["line"]) == ("removed", "a2-a3")
    assert visitor.ask(type="look", node=view["node"])["error"] == "stale"


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ({"type": "look", "node": 99}, "stale"),
        ({"type": "look", "node": "0"}, "stale"),
        ({"type": "look", "node": True}, "stale"),
        ({"type": "play", "move": "a2-a3", "node": -1}, "stale"),
        ({"type": "play", "move": "a2-a9", "node": 1}, "illegal-move"),
        ({"type": "play", "move": "b7-b6+a3-a4", "node": 1}, "illegal-move"),
        ({"type": "annotate", "node": 1, "mark": "!!"}, "bad-message"),
        ({"type": "annotate", "node": 1, "comment": "x" * 1001}, "bad-message"),
        ({"type": "annotate", "node": 1, "comment": 5}, "bad-message"),
        ({"type": "remove", "node": 1}, "bad-message"),
        ({"type": "remove", "node": 0}, "bad-message"),
        ({"type": "back", "node": 77}, "stale"),
        ({"type": "preview", "line": "a2-a4"}, "illegal-move"),
    ],
)
def test_stale_cursors_and_oversized_notes_are_refused_and_nothing_is_lost(
    visitor: Visitor, message: Facts, kind: str
) -> None:
    opened(visitor)
    assert visitor.ask(**message)["error"] == kind
    assert visitor.ask(type="state")["line"] == LINE


def test_the_boards_along_a_line_are_previewed(visitor: Visitor) -> None:
    opened(visitor, "")
    frames = visitor.ask(type="preview", line="a2-a3 b7-b6")["frames"]
    after = games.position("breakthrough", None, "a2-a3 b7-b6")
    assert [frame["gesture"]["text"] for frame in frames] == ["a2-a3", "b7-b6"]
    assert frames[-1]["pieces"] == after.game.pieces(after.state)


def test_the_analysis_follows_the_cursor(visitor: Visitor) -> None:
    state = opened(visitor)
    visitor.ask(type="analyse", on=True)
    assert visitor.until(lambda heard: heard["type"] == "analysis")["node"] == state["live"]
    visitor.ask(type="look", node=node_after(state, "a2-a3"))
    told = visitor.until(lambda heard: heard["type"] == "analysis" and heard["node"] != state["live"])
    assert (told["node"], told["ply"], told["side"]) == (1, 1, 1)
    legal = games.position("breakthrough", None, "a2-a3").moves()
    assert told["lines"][0]["moves"][0]["text"] in legal
    assert 0 < told["share"] < 1


def test_an_analysis_that_waits_for_others_says_so(place: Place) -> None:
    with place.visit() as one, place.visit() as two:
        for visitor in (one, two):
            opened(visitor)
        one.ask(type="analyse", on=True)
        one.until(lambda heard: heard["type"] == "analysis")
        two.say(type="analyse", on=True)
        assert two.until(lambda heard: heard["type"] == "waiting")["on"]
        assert not two.until(lambda heard: heard["type"] == "waiting")["on"], "and that it no longer does"


def test_a_game_is_put_back_with_clocks_ending_seed_and_notes(visitor: Visitor) -> None:
    notes = [{"line": "a2-a3 c7-c6", "mark": "?", "comment": "tried"}]
    ending = {"result": "0-1", "reason": "resigned"}
    told = opened(visitor, clock=60, increment=2, left=[12, 34], notes=notes, ending=ending)
    assert (told["over"], told["result"], told["reason"]) == (True, "0-1", "resigned")
    assert (told["clocks"]["left"], told["clocks"]["clock"], told["clocks"]["increment"]) == ([12, 34], 60, 2)
    tried = next(node for node in told["nodes"] if node["text"] == "c7-c6")
    assert (tried["mark"], tried["comment"]) == ("?", "tried")


def test_a_game_of_chance_that_is_put_back_rolls_on_as_it_would_have() -> None:
    game = games.load("vampires,plies=40")

    def play(table: Table, turns: int) -> None:
        chooser = random.Random(5)
        while table.ply < turns and not table.over:
            table.replay([chooser.choice(table.here.move_ids)])
            table.roll()

    whole = Table(game, game.new(), ["human", "human"], 1.0, 11)
    play(whole, 60)
    rolled = [at for at, step in enumerate(whole.steps) if step.odds is not None]
    cut = rolled[0] + 1
    part = Table(game, game.new().play(" ".join(whole.line.split())), ["human", "human"], 1.0, 11)
    part.back(cut)
    again = Table(game, part.here, ["human", "human"], 1.0, 11)
    for step in whole.steps[cut:]:
        if step.odds is None:
            again.replay([step.code])
        else:
            again.roll()
    assert again.line == whole.line


@pytest.mark.parametrize("notes", [5, [5], [{"line": 5}], [{"mark": "nonsense"}], [{"comment": "x" * 2000}]])
def test_bad_notes_are_refused(notes: Any) -> None:
    with pytest.raises(KibitzError):
        read_notes({"notes": notes})


def test_a_tree_keeps_the_game_first_and_loses_nothing() -> None:
    start = games.load("wolves").new()
    table = Table(start.game, start, ["human", "human"], 1.0, 1)
    tree, dice = GameTree(start), random.Random(1)
    for _ in range(3):
        table.play(table.here.moves()[0], Note())
        tree.follow(table.steps)
    other = tree.play(tree.root, start.moves()[-1], dice)
    table.back(0)
    table.play(start.moves()[-1], Note())
    tree.follow(table.steps)
    assert tree.live is other
    assert [child is other for child in tree.root.children] == [True, False]
    assert len(tree.nodes) == 5


def test_only_a_proven_score_is_worth_all_or_nothing() -> None:
    assert win_chance(Score(WIN - 5, "white", proven=True), 100.0) == 1.0
    assert win_chance(Score(-(WIN - 5), "white", proven=True), 100.0) == 0.0
    assert win_chance(Score.estimate(0.0, "white"), 100.0) == 0.5
    assert 0.99 < win_chance(Score.estimate(PROVEN - 1, "white"), 100.0) < 1.0
    assert win_chance(Score.estimate(200.0, "white"), 100.0) == pytest.approx(0.76, abs=0.01)
