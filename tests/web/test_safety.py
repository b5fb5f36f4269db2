"""What a server must refuse, and that it goes on afterwards."""

import json
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from kibitz.core.errors import BadOption, KibitzError, UnknownGame
from kibitz.games import catalog
from kibitz.web.api import safe_agents
from kibitz.web.api.games import GameList
from kibitz.web.api.limits import Limits
from kibitz.web.server import guard
from tests.web.abuse import abused
from tests.web.visiting import Place, Visitor, awaited, served


@pytest.fixture(scope="module")
def api(place: Place) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=place.url, timeout=60, trust_env=False) as client:
        yield client


@pytest.mark.parametrize(
    "text", ["", "{", "null", "[]", "7", '"new"', "[" * 50_000, '{"type": NaN}', "\x00", '{"type":"new"' + " " * 9999]
)
def test_what_is_no_json_object_is_refused(visitor: Visitor, text: str) -> None:
    assert visitor.raw(text)["error"] == "bad-json"
    assert visitor.ask(type="ping")["type"] == "pong"


def test_bytes_that_are_no_text_are_refused(visitor: Visitor) -> None:
    assert visitor.raw(b"\xff\xfe\x00")["error"] == "bad-json"
    assert visitor.ask(type="ping")["type"] == "pong"


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ({}, "unknown-type"),
        ({"type": 5}, "unknown-type"),
        ({"type": ["new"]}, "unknown-type"),
        ({"type": "__init__"}, "unknown-type"),
        ({"type": "new"}, "unknown-game"),
        ({"type": "new", "game": {"a": 1}}, "unknown-game"),
        ({"type": "new", "game": "chess"}, "unknown-game"),
        ({"type": "new", "game": "x" * 100_000}, "unknown-game"),
        ({"type": "new", "game": "breakthrough:none"}, "bad-option"),
        ({"type": "new", "game": "breakthrough,rows=99"}, "bad-option"),
        ({"type": "new", "game": "breakthrough,rows=" + "9" * 200}, "bad-option"),
        ({"type": "new", "game": "vampires,map=random,rows=200,columns=200"}, "bad-option"),
        ({"type": "new", "game": "wolves", "first": 3}, "unknown-agent"),
        ({"type": "new", "game": "wolves", "first": "engine:level=99"}, "bad-option"),
        ({"type": "new", "game": "wolves", "seconds": 1e12}, "bad-limit"),
        ({"type": "new", "game": "wolves", "seconds": True}, "bad-limit"),
        ({"type": "new", "game": "wolves", "seconds": 10**400}, "bad-json"),
        ({"type": "new", "game": "wolves", "clock": -1}, "bad-limit"),
        ({"type": "new", "game": "wolves", "seed": "x"}, "bad-limit"),
        ({"type": "new", "game": "wolves", "position": 5}, "bad-message"),
        ({"type": "new", "game": "wolves", "position": "www"}, "bad-position"),
        ({"type": "new", "game": "wolves", "line": "b1-b5"}, "illegal-move"),
        ({"type": "new", "game": "wolves", "line": "b1-b2 " * 5000}, "too-large"),
        ({"type": "play", "move": "b1-b2"}, "no-game"),
        ({"type": "undo"}, "no-game"),
        ({"type": "analyse", "on": True}, "no-game"),
        ({"type": "record"}, "no-game"),
        ({"type": "ping", "id": {"deep": []}}, "bad-message"),
    ],
)
def test_unknown_and_untimely_messages_get_typed_errors(visitor: Visitor, message: dict[str, Any], kind: str) -> None:
    told = visitor.raw(json.dumps(message))
    assert (told["type"], told["error"]) == ("error", kind)
    assert "\n" not in told["message"]
    assert visitor.ask(type="ping")["type"] == "pong"


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ({"type": "play"}, "bad-message"),
        ({"type": "play", "move": "b1-b2 s"}, "illegal-move"),
        ({"type": "play", "move": "b1-b5"}, "illegal-move"),
        ({"type": "play", "move": "b1-b2+a5-a4"}, "illegal-move"),
        ({"type": "play", "move": "b1-b2", "ply": 7}, "stale"),
        ({"type": "play", "move": "b1-b2", "ply": "0"}, "stale"),
        ({"type": "back", "ply": 3}, "nothing-to-undo"),
        ({"type": "back", "ply": -1}, "bad-limit"),
        ({"type": "undo"}, "nothing-to-undo"),
        ({"type": "players", "first": "nobody"}, "unknown-agent"),
        ({"type": "compose", "pieces": [1], "turn": 0}, "bad-message"),
        ({"type": "compose", "pieces": [], "turn": 0}, "bad-position"),
        ({"type": "pause"}, "bad-message"),
        ({"type": "analyse", "on": True, "lines": 1000}, "bad-limit"),
        ({"type": "tree", "depth": 50}, "bad-limit"),
        ({"type": "tree", "path": "b1"}, "bad-message"),
        ({"type": "record", "format": "exe"}, "bad-message"),
        ({"type": "replay"}, "bad-record"),
        ({"type": "odds", "moves": "zz"}, "illegal-move"),
    ],
)
def test_a_refused_message_leaves_the_game_as_it_was(visitor: Visitor, message: dict[str, Any], kind: str) -> None:
    before = visitor.ask(type="new", game="wolves", second="human")
    told = visitor.ask(**message)
    assert (told["type"], told["error"]) == ("error", kind)
    after = visitor.ask(type="state")
    assert (after["position"], after["ply"], after["first"]) == (before["position"], 0, "human")


def test_a_move_in_an_agents_turn_is_refused(visitor: Visitor) -> None:
    visitor.ask(type="new", game="wolves", first="random", second="human", pace=30)
    assert visitor.ask(type="play", move="b1-b2")["error"] == "not-your-turn"


def test_a_message_too_large_is_refused_and_a_huge_one_ends_only_its_own_table(place: Place) -> None:
    limit = place.state.limits.message
    with place.visit() as one, place.visit() as other:
        assert one.raw(json.dumps({"type": "ping", "pad": "x" * limit}))["error"] == "too-large"
        assert one.ask(type="ping")["type"] == "pong"
        with pytest.raises(ConnectionClosed):
            one.raw("x" * (4 * limit))
        assert other.ask(type="ping")["type"] == "pong"


def test_too_many_messages_are_refused_and_then_the_table_goes_on(place: Place) -> None:
    with place.visit() as visitor:
        for _ in range(400):
            visitor.say(type="ping")
        heard = [visitor.hear() for _ in range(400)]
        kinds = [told.get("error", told["type"]) for told in heard]
        assert set(kinds) == {"pong", "too-fast"}
        assert kinds.count("pong") >= place.state.limits.burst
        while visitor.ask(type="ping")["type"] != "pong":
            pass


def test_more_visitors_than_tables_are_turned_away_until_one_leaves() -> None:
    with served(Limits(tables=1, workers=1)) as place:
        with place.visit() as first:
            assert first.ask(type="ping")["type"] == "pong"
            with place.visit() as second:
                assert second.hear()["error"] == "too-many"
        while True:
            with place.visit() as third:
                third.say(type="ping")
                if third.hear()["type"] == "pong":
                    break


def test_a_silent_visitor_is_sent_away() -> None:
    with served(Limits(idle=0.2, workers=1)) as place, place.visit() as visitor:
        assert visitor.hear()["error"] == "idle"
        with pytest.raises(ConnectionClosed):
            visitor.hear()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1.evil.example", "file://"])
def test_a_page_of_another_site_cannot_open_the_socket(place: Place, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refusal, place.visit(Origin=origin):
        pass
    assert refusal.value.response.status_code == 403


def test_a_page_of_our_own_opens_the_socket(place: Place) -> None:
    with place.visit(Origin=place.url) as visitor:
        assert visitor.ask(type="ping")["type"] == "pong"


def test_a_page_on_another_port_of_this_machine_cannot_open_the_socket(place: Place) -> None:
    with pytest.raises(InvalidStatus), place.visit(Origin=f"http://127.0.0.1:{place.port + 1}"):
        pass


def test_a_page_of_another_site_cannot_post(api: httpx.Client) -> None:
    given = {"board": "A__B/__C_/A_B_/C___"}
    assert api.post("/api/flow/parse", json=given, headers={"origin": "http://evil.example"}).status_code == 403
    assert api.post("/api/flow/parse", data=given).json()["error"] == "bad-message"
    assert api.post("/api/flow/parse", json=given).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[", "10.0.0.1"])
def test_a_name_that_is_not_ours_is_not_answered(api: httpx.Client, host: str) -> None:
    reply = api.get("/api/games", headers={"host": host})
    assert reply.status_code in (400, 403)


def test_a_server_for_others_answers_to_numbers_but_not_to_strange_names() -> None:
    open_to_all = guard.Guard(lambda *_: None, "0.0.0.0", 1)  # type: ignore[arg-type]
    assert open_to_all._known("192.168.1.5:8300")
    assert open_to_all._known(socket.gethostname())
    assert not open_to_all._known("evil.example")


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static//etc/passwd",
        "/static/..\\app.py",
        "/picture/../svg.py",
        "/picture/%2e%2e/svg.py",
        "/..%2f..%2fetc%2fpasswd",
        "/%00",
        "/static/%00",
        "/app.py",
        "/static/" + "a" * 5000,
    ],
)
def test_path_tricks_lead_nowhere(place: Place, path: str) -> None:
    with socket.create_connection((place.host, place.port)) as wire:
        wire.sendall(f"GET {path} HTTP/1.1\r\nHost: {place.host}:{place.port}\r\nConnection: close\r\n\r\n".encode())
        reply = b"".join(iter(lambda: wire.recv(65536), b""))
    status = int(reply.split()[1])
    assert 400 <= status < 500, reply[:200]
    assert b"import" not in reply


def test_a_body_too_large_is_refused(place: Place, api: httpx.Client) -> None:
    reply = api.post("/api/flow/parse", json={"board": "A" * place.state.limits.message})
    assert (reply.status_code, reply.json()["error"]) == (413, "too-large")
    assert api.get("/api/games").status_code == 200


@pytest.mark.parametrize(
    "text",
    [
        "uci:/bin/sh",
        "uci:fairy-stockfish",
        "python:/tmp/x.py",
        "engine:without=/etc/passwd",
        "engine:without=nullmove",
        "engine:heuristic=nothing",
        "mp2:search=minimax",
        "minimax:shuffle=yes",
        "mcts:leaf=heuristic",
        "engine:level=five",
        "engine:level=-3",
        "engine:level=1e1",
        "engine:seed=99999999999",
        "mcts:exploration=nan",
        "engine:heuristic=/etc/passwd",
        "engine:heuristic=../../x",
        "engine:hash=100000",
        "engine:threads=64",
        "engine:seconds=86400",
        "mcts:hash=100000",
        "minimax:depth=1000",
        "engine:level=3;rm -rf",
        "engine:level=3\nuci:sh",
        "engine:level",
        "engine:/bin/sh",
        "",
        "x" * 10_000,
    ],
)
def test_no_agent_text_of_a_stranger_starts_a_program_or_takes_the_machine(text: str) -> None:
    with pytest.raises(KibitzError):
        safe_agents.check(text, catalog.load("breakthrough"))


@pytest.mark.parametrize("text", ["engine:level=3", "random", "mp2:depth=2", "mcts:exploration=1.5,seed=7"])
def test_safe_agents_keep_their_canonical_text(text: str) -> None:
    assert safe_agents.check(text, catalog.load("breakthrough")) == text


def test_an_agent_of_another_game_is_unknown_here() -> None:
    with pytest.raises(KibitzError, match="mp2"):
        safe_agents.check("mp2", catalog.load("wolves"))


@pytest.mark.parametrize("name", [entry.name for entry in catalog.entries() if entry.origin == "built in"])
def test_safe_agents_offer_bounded_numbers_and_nothing_else(name: str) -> None:
    for kind in safe_agents.kinds_for(catalog.load(name).rulebook).values():
        assert kind.web
        assert not kind.main
        for option in safe_agents.facts(kind)["options"]:
            assert option["type"] in ("int", "float")
            assert option["low"] <= option["default"] <= option["high"]


@pytest.mark.parametrize(
    "text",
    ["tests/rules/tictactoe.py", "/etc/passwd", "os.path", "kibitz.games.wolves", "../x", "wolves.py", "nonesuch", ""],
)
def test_no_game_text_of_a_stranger_reads_a_file_or_imports_a_module(text: str) -> None:
    with pytest.raises(UnknownGame):
        GameList().game(text)


@pytest.mark.parametrize("name", ["/etc/passwd", "map.xml", "..", "nomap"])
def test_no_option_of_a_stranger_names_a_file(name: str) -> None:
    with pytest.raises(BadOption, match="expected one of"):
        GameList().game(f"vampires,map={name}")


def test_a_random_map_may_be_asked_for() -> None:
    assert GameList().game("vampires,map=random,rows=8,columns=9,seed=4").layout.cells[-1].name == "8,7"


def test_thousands_of_bad_requests_are_each_refused_by_a_typed_error_and_the_server_stays_up(place: Place) -> None:
    counts = awaited(abused(f"{place.host}:{place.port}", 700, 700, 30))
    assert sum(counts.values()) == 1430
    assert [kind for kind in counts if kind.startswith("!")] == []
    assert len(counts) > 12
    with place.visit() as visitor:
        assert visitor.ask(type="new", game="wolves", second="human")["type"] == "state"
