"""Games over the WebSocket: what is asked, what comes back, and what is refused."""

import random
from typing import Any

import pytest

from kibitz.arena.records import game_text, json_lines
from kibitz.arena.records.replay import check_replay
from kibitz.core.result import CHANCE
from kibitz.games import catalog
from kibitz.web.api.games import GameList
from kibitz.web.server.socket import Connection
from kibitz.web.server.state import ServerState
from kibitz.web.session.steps import Note
from kibitz.web.session.table import Table
from tests.web.visiting import Place, Visitor, awaited

GAMES = ["alquerque", "breakthrough", "checkers", "vampires", "wolves"]
SHORT = {"checkers": "checkers,size=8,home=3,plies=40"}
Facts = dict[str, Any]


def started(visitor: Visitor, game: str = "wolves", **more: Any) -> Facts:
    told = visitor.ask(type="new", game=game, **{"second": "human", "seed": 1, **more})
    assert told["type"] == "state", told
    return told


@pytest.mark.parametrize("game", [SHORT.get(name, name) for name in GAMES])
def test_every_game_is_played_to_its_end_against_an_agent(visitor: Visitor, game: str) -> None:
    dice = random.Random(7)
    state = started(visitor, game, second="random:seed=3")
    turns = 0
    while not state["over"] and turns < 150:
        if state["yours"]:
            turns += 1
            visitor.say(type="play", move=dice.choice(state["moves"])["text"], ply=state["ply"])
        state = visitor.state()
    assert state["over"] or turns == 150
    here = catalog.position(state["game"], state["start"], state["line"])
    assert here.text == state["position"]
    assert (here.result is not None) == state["over"]
    assert [heard for heard in visitor.aside if heard["type"] == "error"] == []


def test_a_state_tells_the_legal_moves_with_the_cells_they_touch(visitor: Visitor) -> None:
    state = started(visitor, "breakthrough")
    here = catalog.position("breakthrough")
    assert [move["text"] for move in state["moves"]] == here.moves()
    assert state["pieces"] == here.game.pieces(here.state)
    names = [cell.name for cell in here.game.layout.cells]
    first = state["moves"][0]
    assert [names[cell] for cell in first["cells"]] == first["text"].split("-")
    assert visitor.ask(type="moves")["moves"] == state["moves"]


def test_steps_tell_each_move_and_outcome_with_the_board_after_it(visitor: Visitor) -> None:
    started(visitor, "vampires", position="9,h2/10/2,h4,v4,w4,4,h1/10/9,h2 v")
    state = visitor.ask(type="play", move="3,2>4,2:4+end")
    sides = [step["side"] for step in state["steps"]]
    assert sides == [0, 0, CHANCE]
    rolled = state["steps"][-1]
    assert rolled["text"].startswith("~")
    assert 0 < rolled["odds"] < 1
    assert rolled["pieces"] == state["pieces"]
    assert [move["text"] for move in state["last"]] == ["3,2>4,2:4", "end"]


def test_the_odds_of_a_battle_are_told_before_it_is_fought(visitor: Visitor) -> None:
    state = started(visitor, "vampires", position="9,h2/10/2,h4,v4,w4,4,h1/10/9,h2 v")
    told = visitor.ask(type="odds", moves="3,2>4,2:4")
    assert told["moves"] == "3,2>4,2:4+end"
    assert told["complete"]
    assert sum(way["odds"] for way in told["outcomes"]) == pytest.approx(1)
    here = catalog.position("vampires", state["position"]).play(told["moves"])
    assert sorted((way["text"], way["odds"]) for way in told["outcomes"]) == sorted(
        (text, odds) for odds, text in here.outcomes()
    )
    assert visitor.ask(type="state")["ply"] == 0


def test_moves_that_leave_nothing_to_chance_have_no_odds(visitor: Visitor) -> None:
    started(visitor, "vampires")
    assert visitor.ask(type="odds", moves="4,3>4,4:4")["outcomes"] == []


def test_the_same_seed_rolls_the_same_outcomes(visitor: Visitor) -> None:
    def rolled() -> str:
        started(visitor, "vampires", position="9,h2/10/2,h4,v4,w4,4,h1/10/9,h2 v", seed=99)
        return str(visitor.ask(type="play", move="3,2>4,2:4+end")["line"])

    assert rolled() == rolled()


def test_undo_goes_back_to_the_last_choice_of_a_human(visitor: Visitor) -> None:
    start = started(visitor, second="random")
    visitor.say(type="play", move=start["moves"][0]["text"])
    visitor.state(lambda state: state["ply"] == 2)
    assert visitor.ask(type="undo")["ply"] == 0
    assert visitor.ask(type="undo")["error"] == "nothing-to-undo"


def test_going_back_keeps_the_line_up_to_there(visitor: Visitor) -> None:
    state = started(visitor)
    for _ in range(4):
        state = visitor.ask(type="play", move=state["moves"][0]["text"])
    words = state["line"].split()
    assert visitor.ask(type="back", ply=2)["line"].split() == words[:2]
    assert visitor.ask(type="back", ply=3)["error"] == "nothing-to-undo"


def test_players_change_sides_and_the_agent_moves_on(visitor: Visitor) -> None:
    started(visitor, second="random")
    told = visitor.ask(type="swap")
    assert (told["first"], told["second"]) == ("random", "human")
    assert visitor.state(lambda state: state["why"] == "agent")["ply"] == 1


def test_a_position_is_set_up_by_its_text(visitor: Visitor) -> None:
    started(visitor)
    text = "sss2/5/2s2/1s1s1/1w1w1 s"
    move = catalog.position("wolves", text).moves()[0]
    told = visitor.ask(type="setup", position=text, line=move)
    assert (told["start"], told["line"], told["ply"]) == (text, move, 1)
    assert visitor.ask(type="setup", position="sssss w")["error"] == "bad-position"
    assert visitor.ask(type="setup", position=text, line="a1-a1")["error"] == "illegal-move"
    assert visitor.ask(type="state")["line"] == move


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_put_together_piece_by_piece(visitor: Visitor, game: str) -> None:
    state = started(visitor, game)
    dice = random.Random(3)
    for _ in range(5):
        state = visitor.ask(type="play", move=dice.choice(state["moves"])["text"])
    told = visitor.ask(type="compose", pieces=state["pieces"], turn=0)
    here = catalog.position(game, told["position"])
    assert here.game.pieces(here.state) == state["pieces"]
    assert here.turn == 0


def test_pieces_that_make_no_position_are_refused_with_the_reason(visitor: Visitor) -> None:
    state = started(visitor, "checkers")
    told = visitor.ask(type="compose", pieces=["", *state["pieces"][1:]], turn=0)
    assert told["error"] == "bad-position"
    assert "marbles" in told["message"]


def test_resigning_ends_the_game_for_the_other_side(visitor: Visitor) -> None:
    started(visitor)
    told = visitor.ask(type="resign")
    assert (told["result"], told["reason"], told["moves"]) == ("0-1", "resigned", [])
    assert visitor.ask(type="play", move="b1-b2")["error"] == "game-over"


def test_a_human_out_of_time_has_lost(visitor: Visitor) -> None:
    started(visitor, clock=1)
    told = visitor.state(lambda state: state["why"] == "time")
    assert (told["over"], told["result"], told["reason"]) == (True, "0-1", "time")
    assert told["clocks"]["left"][0] == 0


def test_a_move_stops_one_clock_and_starts_the_other(visitor: Visitor) -> None:
    state = started(visitor, clock=300, increment=5)
    assert state["clocks"]["running"] == 0
    told = visitor.ask(type="play", move=state["moves"][0]["text"])
    assert told["clocks"]["running"] == 1
    assert 300 < told["clocks"]["left"][0] <= 305


def test_two_agents_play_until_they_are_paused(visitor: Visitor) -> None:
    started(visitor, "breakthrough", first="random:seed=1", second="random:seed=2", pace=0.05)
    visitor.state(lambda state: state["ply"] >= 3)
    paused = visitor.ask(type="pause", on=True)
    assert visitor.ask(type="state")["ply"] == paused["ply"]
    visitor.ask(type="pause", on=False)
    visitor.state(lambda state: state["ply"] > paused["ply"])


def test_an_agent_plays_once_for_a_human(visitor: Visitor) -> None:
    started(visitor, "breakthrough")
    visitor.ask(type="go")
    told = visitor.state(lambda state: state["why"] == "agent")
    assert (told["ply"], told["first"], told["yours"]) == (1, "human", True)


def test_a_hint_is_a_legal_turn(visitor: Visitor) -> None:
    state = started(visitor, "vampires")
    told = visitor.ask(type="hint", seconds=0.1)
    assert told["type"] == "hint", told
    assert catalog.position("vampires", state["position"], told["text"]).turn != 0


def test_an_analysis_streams_follows_the_game_and_stops(visitor: Visitor) -> None:
    state = started(visitor)
    assert visitor.ask(type="analyse", on=True, lines=2, seconds=30)["on"]
    told = visitor.until(lambda heard: heard["type"] == "analysis")
    assert (told["ply"], told["side"], len(told["lines"])) == (0, 0, 2)
    assert told["lines"][0]["moves"][0]["text"] in [move["text"] for move in state["moves"]]
    assert 0 <= told["share"] <= 1
    assert told["explain"]["rows"]
    visitor.ask(type="play", move=state["moves"][0]["text"])
    assert visitor.until(lambda heard: heard["type"] == "analysis")["ply"] == 1
    visitor.ask(type="analyse", on=False)
    visitor.aside.clear()
    for _ in range(3):
        visitor.ask(type="hint", seconds=0.1)
    assert "analysis" not in [heard["type"] for heard in visitor.aside]


def test_the_heuristic_is_explained_term_by_term(visitor: Visitor) -> None:
    started(visitor)
    told = visitor.ask(type="explain")
    assert told["total"] == pytest.approx(sum(row["score"] for row in told["rows"]))
    assert visitor.ask(type="explain", heuristic="nonsense")["error"] == "bad-option"


def test_a_search_tree_is_opened_node_by_node(visitor: Visitor) -> None:
    started(visitor)
    whole = visitor.ask(type="tree", depth=3, breadth=3)["root"]
    child = whole["children"][0]
    opened = visitor.ask(type="tree", depth=3, breadth=3, path=[child["move"]])["root"]
    assert opened["move"] == child["move"]
    assert [node["move"] for node in opened["children"]] == [node["move"] for node in child["children"]]
    assert all(node["children"] == [] for node in opened["children"])

    def nodes(node: Facts) -> list[Facts]:
        return [node, *(inner for child in node["children"] for inner in nodes(child))]

    cut = [node for node in nodes(whole) if node["cut"]]
    assert cut
    assert all(node["value"] is None for node in cut)
    assert visitor.ask(type="tree", path=["h8-h9"])["error"] == "illegal-move"


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_record_is_downloaded_and_stepped_through(visitor: Visitor, form: str) -> None:
    state = started(visitor, "vampires", position="9,h2/10/2,h4,v4,w4,4,h1/10/9,h2 v")
    visitor.ask(type="play", move="3,2>4,2:4+end")
    state = visitor.ask(type="state")
    if not state["over"]:
        visitor.ask(type="resign")
    told = visitor.ask(type="record", format=form)
    text = told["text"]
    record = next(game_text.read(text, "x")) if form == "text" else json_lines.read(text, "x")
    assert record.moves == state["line"]
    assert check_replay(record).text == state["position"]
    shown = visitor.ask(type="replay", record=text)
    assert len(shown["frames"]) == len(record.plies) + 1
    assert shown["frames"][-1]["position"] == state["position"]
    assert shown["frames"][-1]["odds"] is not None


def test_a_record_that_cannot_be_replayed_says_where(visitor: Visitor) -> None:
    started(visitor)
    text = visitor.ask(type="record")["text"]
    assert visitor.ask(type="replay", record="nonsense")["error"] == "bad-record"
    told = visitor.ask(type="replay", record=text.replace("*\n", "1. a1-a5 *\n").replace('Result "*', 'Result "*'))
    assert told["error"] == "bad-record"
    assert "ply 1" in told["message"]


def test_tables_know_nothing_of_each_other(place: Place) -> None:
    with place.visit() as one, place.visit() as other:
        started(one, "wolves")
        assert other.ask(type="state")["error"] == "no-game"
        before = started(other, "breakthrough")
        one.ask(type="play", move="b1-b2")
        assert other.ask(type="state")["position"] == before["position"]
        assert other.aside == []


def test_a_long_game_keeps_no_lists_of_moves_but_the_last() -> None:
    dice, game = random.Random(1), catalog.load("vampires,plies=30")
    table = Table(game, game.new(), ["human", "human"], 1.0, 7)
    while not table.over:
        table.play(dice.choice(table.here.moves()), Note())
        table.roll()
        table.facts("play", 0.0)
    kept = [position for position in table.here.trail() if {"codes", "_moves", "_rolls"} & set(position.__dict__)]
    assert len(list(table.here.trail())) > 30
    assert len(kept) <= 1


def test_the_odds_of_several_battles_are_summed_over_all_ways(visitor: Visitor) -> None:
    """Each battle on its own is the oracle: together there are far more ways than are listed."""
    start = "w3,26,v2,h3/29/29/29/29/29/29/13,v7,h14,14/29/29/29/17,v3,h4,10/29/29/28,h1 v"
    orders = ["13,7>14,7:7", "27,0>28,0:2", "17,11>18,11:3"]
    started(visitor, "vampires:testmap2", position=start)

    def held(words: str) -> dict[int, float]:
        told = visitor.ask(type="odds", moves=words)
        assert told["covered"] == pytest.approx(1)
        return {
            found["cell"]: sum(one["odds"] for one in found["standing"] if one["text"].startswith("v"))
            for found in told["cells"]
        }

    alone = {cell: odds for order in orders for cell, odds in held(order).items()}
    together = visitor.ask(type="odds", moves="+".join(orders))
    assert not together["complete"]
    assert sum(way["odds"] for way in together["outcomes"]) < 0.95
    assert held("+".join(orders)) == pytest.approx(alone)


def test_a_visitor_who_takes_nothing_is_cut_off_by_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.web.server.socket.OVERFLOW", 100_000)

    async def fill() -> tuple[int, bool]:
        connection = Connection(object(), ServerState(GameList()))  # type: ignore[arg-type]
        for number in range(1000):
            connection.send({"type": "record", "text": "x" * 1000, "id": number})
        return connection.queued, connection.overflown.is_set()

    queued, overflown = awaited(fill())
    assert overflown
    assert 90_000 < queued <= 100_000
