"""Tables with a link: seats and their tokens, spectators, offers, clocks, and games that outlive the server."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.errors import KibitzError
from kibitz.web.api.games import GameList
from kibitz.web.api.limits import Limits
from kibitz.web.server import table_store
from kibitz.web.server.listener import bind, network_address
from kibitz.web.server.state import ServerState
from kibitz.web.server.table_store import TableStore
from kibitz.web.session.shared_table import find_table
from tests.web.visiting import Place, Visitor, awaited, served

Facts = dict[str, Any]


@pytest.fixture
def two(place: Place) -> Iterator[tuple[Visitor, Visitor, str]]:
    """Two visitors in their seats, white and black, and the code of their table."""
    with place.visit() as white, place.visit() as black:
        code = opened(white)["code"]
        black.ask(type="join", code=code)
        assert black.ask(type="sit")["table"]["seat"] == 1
        white.state(lambda state: all(state["table"]["online"]))
        yield white, black, code


def opened(visitor: Visitor, **more: Any) -> Facts:
    """A table of breakthrough with this visitor as white; what he is told of his seat."""
    visitor.say(type="open", game="breakthrough", **{"side": 0, **more})
    found = visitor.until(lambda heard: heard["type"] in ("seated", "error"))
    assert found["type"] == "seated", found
    visitor.state()
    return found


def test_two_play_by_link_and_a_spectator_sees_every_move(two: tuple[Visitor, Visitor, str], place: Place) -> None:
    white, black, code = two
    with place.visit() as watching:
        told = watching.ask(type="join", code=code)
        assert (told["table"]["seat"], told["yours"], told["table"]["watching"]) == (None, False, 1)
        assert white.ask(type="play", move="a2-a3")["line"] == "a2-a3"
        assert black.state(lambda state: state["why"] == "play")["yours"]
        black.ask(type="play", move="b7-b6")
        seen = watching.state(lambda state: state["ply"] == 2)
        assert (seen["line"], seen["steps"][0]["text"]) == ("a2-a3 b7-b6", "b7-b6")


def test_only_who_holds_a_seats_token_moves_its_pieces(two: tuple[Visitor, Visitor, str], place: Place) -> None:
    white, black, code = two
    assert black.ask(type="play", move="a2-a3")["error"] == "forbidden"
    with place.visit() as stranger:
        stranger.ask(type="join", code=code)
        assert stranger.ask(type="play", move="a2-a3")["error"] == "forbidden"
        assert stranger.ask(type="sit")["error"] == "taken"
        assert stranger.ask(type="resign")["error"] == "forbidden"
        assert stranger.ask(type="offer", what="draw")["error"] == "forbidden"
        wrong: list[Any] = ["", "x" * 22, 5, [], {"a": 1}, True, "ä"]
        for token in wrong:
            assert stranger.ask(type="join", code=code, token=token)["error"] == "forbidden"
    assert white.ask(type="state")["line"] == ""


@pytest.mark.parametrize("code", ["nowhere1", "", 5, None, [], "x" * 100_000, "../../etc"])
def test_unknown_codes_are_refused(visitor: Visitor, code: Any) -> None:
    assert visitor.ask(type="join", code=code)["error"] == "not-found"


@pytest.mark.parametrize(
    "message",
    [
        {"type": "undo"}, {"type": "redo"}, {"type": "back", "ply": 0}, {"type": "swap"}, {"type": "go"},
        {"type": "players", "second": "random"}, {"type": "pause", "on": True},
        {"type": "setup", "position": "x"}, {"type": "hint"}, {"type": "analyse", "on": True}, {"type": "review"},
        {"type": "explain"}, {"type": "tree"}, {"type": "explore"}, {"type": "sit"},
        {"type": "offer", "what": "rematch"}, {"type": "decline", "what": "draw"},
    ],
)  # fmt: skip
def test_at_a_table_with_a_link_nobody_changes_the_game_alone_or_asks_an_engine(
    two: tuple[Visitor, Visitor, str], message: Facts
) -> None:
    white, _, _ = two
    white.ask(type="play", move="a2-a3")
    assert white.ask(**message)["error"] == "not-allowed"
    assert white.ask(type="state")["line"] == "a2-a3"


def test_a_stranger_moves_no_piece_whatever_he_sends(two: tuple[Visitor, Visitor, str], place: Place) -> None:
    white, _, code = two
    dice = random.Random(1)
    kinds = ["play", "resign", "offer", "decline", "undo", "redo", "back", "swap", "setup", "players", "go", "pause"]
    fields: dict[str, list[Any]] = {
        "move": ["a2-a3", "a2-a3+end", 5], "node": [0, 1, 99, None], "ply": [0, 1], "side": [0, 1, 2],
        "what": ["draw", "undo", "rematch", 7], "token": ["x", None], "code": [code], "on": [True],
        "first": ["random"], "second": ["human"], "position": ["x"], "line": [""],
    }  # fmt: skip
    with place.visit() as stranger:
        stranger.ask(type="join", code=code)
        for _ in range(120):
            chosen = {name: dice.choice(values) for name, values in fields.items() if dice.random() < 0.5}
            told = stranger.ask(type=dice.choice(kinds), **chosen)
            assert told["type"] in ("error", "view"), told
    state = white.ask(type="state")
    assert (state["line"], state["over"], state["table"]["offers"]) == ("", False, {})


def test_a_draw_is_offered_declined_and_agreed(two: tuple[Visitor, Visitor, str]) -> None:
    white, black, _ = two
    assert white.ask(type="offer", what="draw")["table"]["offers"] == {"draw": 0}
    black.state(lambda state: state["table"]["offers"] == {"draw": 0})
    assert black.ask(type="decline", what="draw")["table"]["offers"] == {}
    white.ask(type="offer", what="draw")
    told = black.ask(type="offer", what="draw")
    assert (told["over"], told["result"], told["reason"]) == (True, "1/2-1/2", "agreed")


def test_a_move_is_taken_back_where_both_agree_and_an_offer_lapses_with_a_move(
    two: tuple[Visitor, Visitor, str],
) -> None:
    white, black, _ = two
    assert white.ask(type="offer", what="undo")["error"] == "nothing-to-undo"
    white.ask(type="play", move="a2-a3")
    white.ask(type="offer", what="undo")
    assert black.ask(type="play", move="b7-b6")["table"]["offers"] == {}
    white.ask(type="offer", what="undo")
    assert black.ask(type="offer", what="undo")["line"] == ""


def test_a_rematch_has_the_same_two_with_sides_changed(two: tuple[Visitor, Visitor, str], place: Place) -> None:
    white, black, code = two
    white.ask(type="resign")
    black.ask(type="offer", what="rematch")
    following = white.ask(type="offer", what="rematch")["table"]["next"]
    assert following not in ("", code)
    kept = place.state.shared[code].tokens
    assert white.ask(type="join", code=following, token=kept[0])["table"]["seat"] == 1
    assert black.ask(type="join", code=following, token=kept[1])["table"]["seat"] == 0


def test_who_resigns_is_who_holds_the_seat(two: tuple[Visitor, Visitor, str]) -> None:
    _, black, _ = two
    told = black.ask(type="resign", side=0)
    assert (told["result"], told["reason"]) == ("1-0", "resigned")
    assert black.ask(type="analyse", on=True, seconds=0.1)["type"] == "analysing", "help is there after the game"


def test_clocks_wait_for_the_second_player_and_then_run(place: Place) -> None:
    with place.visit() as white, place.visit() as black:
        code = opened(white, clock=60, increment=1)["code"]
        assert white.ask(type="state")["clocks"]["running"] is None
        black.ask(type="join", code=code)
        assert black.ask(type="sit")["clocks"]["running"] == 0


def test_a_game_outlives_the_server_with_clock_result_and_seats(tmp_path: Path) -> None:
    file = tmp_path / "games.db"

    async def restored() -> Facts:
        state = ServerState(GameList(), Limits(workers=2), kept=TableStore(file))
        shared = await find_table(state, code)
        return shared.table_facts(None) | shared.facts("state")

    with served(kept=TableStore(file)) as place, place.visit() as white, place.visit() as black:
        seat = opened(white, clock=60, increment=0)
        code = seat["code"]
        black.ask(type="join", code=code)
        black.ask(type="sit")
        white.ask(type="play", move="a2-a3")
        told = black.ask(type="resign")
        other = TableStore(file).load(code)
        assert other is not None, "it is kept at once, not when the server ends"
        assert (other["line"], other["ending"]) == ("a2-a3", ["1-0", "resigned"])
    again = awaited(restored())
    assert (again["line"], again["result"], again["reason"]) == ("a2-a3", "1-0", "resigned")
    assert again["taken"] == [True, True]
    assert again["clocks"]["left"] == pytest.approx(told["clocks"]["left"], abs=0.1)
    with served(kept=TableStore(file)) as place, place.visit() as white:
        assert white.ask(type="join", code=code, token=seat["token"])["table"]["seat"] == 0


def test_the_oldest_tables_are_forgotten_where_there_are_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_store, "MOST_KEPT", 2)
    store = TableStore(tmp_path / "deep" / "games.db")
    for code in ("one", "two", "three"):
        store.save(code, {})
    store.forget_oldest()
    assert [store.load(code) for code in ("one", "two", "three")] == [None, {}, {}]


def test_a_file_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no database")
    with pytest.raises(KibitzError, match="cannot keep games in"):
        TableStore(tmp_path / "file")
    with pytest.raises(KibitzError, match="cannot keep games in"):
        TableStore(tmp_path / "file" / "below.db")


def test_the_address_for_others_is_told_only_where_others_can_come() -> None:
    listening = bind("127.0.0.1", 0)
    try:
        assert network_address("127.0.0.1", listening) == ""
        assert network_address("192.0.2.7", listening).startswith("http://192.0.2.7:")
    finally:
        listening.close()
