"""The vampires server, with clients that behave and clients that do not."""

import socket
import threading
from contextlib import closing

import pytest

from kibitz.agents.guests.vampires_wire import Message, encode, message, name_message
from kibitz.arena.records import replay
from kibitz.arena.records.record import Record
from kibitz.core.errors import KibitzError
from kibitz.core.result import Result
from kibitz.games.vampires import vampires
from kibitz.protocols.vampires.network_game import NetworkSettings
from kibitz.protocols.vampires.registration import listen
from kibitz.protocols.vampires.server import serve_series
from tests.protocols.vampires_guests import Scripted, Served, served, until

HURRIED = NetworkSettings(move_seconds=1.5, seed=1)
MAP = (
    (9, 0, 2, 0, 0),
    (4, 1, 0, 0, 4),
    (2, 2, 4, 0, 0),
    (9, 2, 1, 0, 0),
    (4, 3, 0, 4, 0),
    (9, 4, 2, 0, 0),
)


def both(server: Served) -> tuple[Scripted, Scripted]:
    return Scripted(server, "Ann"), Scripted(server, "Bob")


# What is said, and to whom.


def test_a_player_is_told_size_houses_home_and_map_as_soon_as_it_has_a_name() -> None:
    with served() as server:
        first = Scripted(server, "Ann")
        assert first.introduction == [
            message("SET", [(5, 10)]),
            message("HUM", [(9, 0), (2, 2), (9, 2), (9, 4)]),
            message("HME", [(4, 3)]),
            Message("MAP", MAP),
        ]
        assert first.raw.startswith(b"SET\x05\x0aHUM\x04\x09\x00")
        second = Scripted(server, "Bob")
        assert second.introduction[2] == message("HME", [(4, 1)])
        assert first.hear() == message("UPD")
        first.leave()
        server.finish()


def test_a_player_hears_of_both_latest_turns_when_it_is_its_own() -> None:
    with served() as server:
        first, second = both(server)
        assert first.hear() == message("UPD")
        first.move((4, 3, 1, 5, 3), (4, 3, 1, 3, 3))
        assert second.hear() == message("UPD", [(3, 3, 0, 1, 0), (4, 3, 0, 2, 0), (5, 3, 0, 1, 0)])
        second.move((4, 1, 4, 5, 1))
        assert first.hear() == message(
            "UPD", [(4, 1, 0, 0, 0), (5, 1, 0, 0, 4), (3, 3, 0, 1, 0), (4, 3, 0, 2, 0), (5, 3, 0, 1, 0)]
        )
        first.move((4, 3, 2, 4, 4))
        assert second.hear() == message("UPD", [(4, 1, 0, 0, 0), (5, 1, 0, 0, 4), (4, 3, 0, 0, 0), (4, 4, 0, 2, 0)])
        second.leave()
        assert first.farewell() == ["END", "BYE"]
        assert server.finish().result == Result.FIRST_WINS


def test_a_game_to_the_end_of_its_turns_replays() -> None:
    with served(plies=2) as server:
        first, second = both(server)
        first.hear()
        first.move((4, 3, 4, 3, 2))
        second.hear()
        second.move((4, 1, 4, 5, 1))
        assert first.farewell() == second.farewell() == ["END", "BYE"]
        record = server.finish()
        assert (record.first, record.second, record.result, record.reason) == ("Ann", "Bob", Result.DRAW, "rules")
        assert replay.check_replay(record).state.ply == 2
        assert server.result == "a draw after 2 turns: 4 vampires, 4 werewolves"


def test_battles_are_rolled_by_the_seed_and_written_down() -> None:
    lines = []
    for _ in range(2):
        with served(plies=2) as server:
            first, second = both(server)
            first.hear()
            first.move((4, 3, 3, 4, 2))
            second.hear()
            second.move((4, 1, 4, 4, 2))
            first.farewell()
            record = server.finish()
            replay.check_replay(record)
            lines.append(record.moves)
    assert lines[0] == lines[1]
    assert "~4,2:" not in lines[0].split()[0]


# Turns that lose.


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ([], "no orders"),
        ([(4, 3, 0, 5, 3)], "sends nobody"),
        ([(4, 1, 2, 5, 1)], "illegal move"),
        ([(4, 3, 5, 5, 3)], "illegal move"),
        ([(4, 3, 3, 5, 3), (4, 3, 3, 3, 3)], "illegal move"),
        ([(4, 3, 3, 5, 3), (4, 3, 3, 5, 3)], "illegal move"),
        ([(4, 3, 1, 6, 3)], "illegal move"),
        ([(4, 3, 1, 200, 200)], "illegal move"),
        ([(4, 3, 1, 4, 3)], "illegal move"),
    ],
)
def test_a_turn_against_the_rules_loses_at_once(orders: list[tuple[int, int, int, int, int]], said: str) -> None:
    with served() as server:
        first, second = both(server)
        first.hear()
        first.move(*orders)
        assert first.farewell() == second.farewell() == ["END", "BYE"]
        record = server.finish()
        assert record.result == Result.SECOND_WINS
        assert record.reason.startswith("illegal: ")
        assert said in record.reason


def test_a_cell_that_sends_and_receives_in_one_turn_loses() -> None:
    with served() as server:
        first, second = both(server)
        first.hear()
        first.move((4, 3, 2, 5, 3))
        second.hear()
        second.move((4, 1, 4, 5, 1))
        first.hear()
        first.move((4, 3, 1, 5, 3), (5, 3, 1, 6, 3))
        second.farewell()
        assert server.finish().reason.startswith("illegal: ")


def test_orders_for_one_way_count_together() -> None:
    with served() as server:
        first, second = both(server)
        first.hear()
        first.move((4, 3, 1, 5, 3), (4, 3, 2, 5, 3))
        assert second.hear() == message("UPD", [(4, 3, 0, 1, 0), (5, 3, 0, 3, 0)])
        first.leave()
        assert server.finish().plies[0].text == "4,3>5,3:3+end"


# Slow clients.


def test_a_late_answer_skips_the_turn_and_is_not_taken_for_the_next_one() -> None:
    with served(HURRIED) as server:
        first, second = both(server)
        first.hear()
        assert second.hear() == message("UPD")  # the vampires were late
        second.move((4, 1, 4, 5, 1))
        assert first.hear() == message("UPD", [(4, 1, 0, 0, 0), (5, 1, 0, 0, 4)])
        first.move((4, 3, 4, 5, 3))  # to the first question
        first.move((4, 3, 4, 3, 3))  # to the second
        assert second.hear() == message("UPD", [(4, 1, 0, 0, 0), (5, 1, 0, 0, 4), (3, 3, 0, 4, 0), (4, 3, 0, 0, 0)])
        second.leave()
        server.finish()
        late, rest = server.parts
        assert (late.result, late.plies) == (None, ())
        assert late.reason == "vampires late: no answer within 1.5 s"
        assert rest.moves == "4,1>5,1:4+end 4,3>3,3:4+end"
        assert rest.start.endswith(" w")
        replay.check_replay(rest)


def test_an_answer_that_comes_between_two_questions_is_dropped() -> None:
    with served(HURRIED) as server:
        first, second = both(server)
        first.hear()
        second.hear()
        first.move((4, 3, 4, 5, 3))
        second.move((4, 1, 4, 5, 1))
        first.hear()
        first.move((4, 3, 4, 3, 3))
        second.hear()
        second.leave()
        assert server.finish().moves == "4,1>5,1:4+end 4,3>3,3:4+end"


def test_a_message_that_began_before_its_question_answers_nothing() -> None:
    with served() as server:
        first = Scripted(server, "Ann")
        early = encode(message("MOV", [(4, 3, 4, 5, 3)]))
        first.say(early[:5])
        Scripted(server, "Bob")
        first.hear()
        first.say(early[5:])
        first.move((4, 3, 4, 3, 3))
        first.leave()
        assert server.finish().plies[0].text == "4,3>3,3:4+end"


def skipped(server: Served, reason: str, times: int) -> None:
    """Wait until so many turns were skipped for this reason."""
    until(lambda: sum(reason in line for line in list(server.told)) >= times)


@pytest.mark.parametrize("cut", range(9))
def test_after_a_long_silence_exactly_the_answers_that_are_owed_are_dropped(cut: int) -> None:
    """The vampires answer their first two questions after seven of their turns, in two pieces cut anywhere; only what
    they say to the third question is played.
    """
    late = [encode(message("MOV", [(4, 3, 4, x, 3)])) for x in (5, 4)]  # the second against the rules
    with served(NetworkSettings(move_seconds=0.1, seed=1)) as server:
        first, second = both(server)
        first.hear()
        first.hear()
        skipped(server, "vampires: late: no answer within 0.1 s (2 owed)", 6)
        first.say(late[0][:cut])
        skipped(server, "vampires: late", 8)
        first.say(late[0][cut:] + late[1])
        told = first.hear()
        first.move((4, 3, 4, 3, 3))
        until(lambda: any("vampires: 4,3>" in line for line in list(server.told)))
        second.leave()
        server.finish()
        assert told == message("UPD")
        assert [ply.text for part in server.parts for ply in part.plies] == ["4,3>3,3:4+end"]


def test_who_leaves_a_question_out_owes_its_answer_for_ever() -> None:
    """Its later answers cannot be told from late ones; so its turns are skipped, and it loses nothing else."""
    with served(NetworkSettings(move_seconds=0.2, seed=1), plies=12) as server:
        first, second = both(server)
        first.hear()  # and says nothing
        first.hear()
        first.move((4, 3, 4, 3, 3))
        assert first.farewell() == ["END", "BYE"]
        second.farewell()
        server.finish()
        assert not [ply for part in server.parts for ply in part.plies]


def test_silent_players_skip_their_turns_to_the_end() -> None:
    with served(NetworkSettings(move_seconds=0.05, seed=1), plies=40) as server:
        first, second = both(server)
        assert first.farewell() == ["UPD", "UPD", "END", "BYE"]  # while it owes two answers it is not asked again
        second.farewell()
        assert server.finish().result == Result.DRAW
        assert len(server.parts) == 41


def test_a_game_that_lasts_too_long_goes_to_the_more_numerous() -> None:
    with served(NetworkSettings(move_seconds=0.05, game_seconds=0.3, seed=1)) as server:
        both(server)
        record = server.finish()
        assert (record.result, record.reason) == (Result.DRAW, "time: 0.3 s for the game are over")
        assert len(server.parts) % 2 == 1  # both had the same number of turns, all of them skipped


# Rude clients.


def test_messages_may_come_byte_by_byte() -> None:
    with served(plies=2) as server:
        first, second = Scripted(server), Scripted(server)
        first.say(encode(name_message("Ann")), pieces=True)
        second.say(encode(name_message("Bob")), pieces=True)
        assert [first.hear() for _ in range(5)][-1] == message("UPD")
        first.say(encode(message("MOV", [(4, 3, 4, 3, 2)])), pieces=True)
        assert [second.hear() for _ in range(5)][-1] == message("UPD", [(3, 2, 0, 4, 0), (4, 3, 0, 0, 0)])
        second.say(encode(message("MOV", [(4, 1, 4, 5, 1)])), pieces=True)
        assert first.farewell() == ["END", "BYE"]
        assert server.finish().result == Result.DRAW


@pytest.mark.parametrize(
    "data",
    [b"GET / HTTP/1.1\r\n\r\n", b"\x00" * 100_000, b"MO?", encode(name_message("again")), b"END", b"UPD\x00"],
)
def test_garbage_in_the_game_loses_it(data: bytes) -> None:
    with served() as server:
        first, second = both(server)
        first.hear()
        first.say(data)
        assert second.farewell() == ["END", "BYE"]
        record = server.finish()
        assert record.result == Result.SECOND_WINS
        assert record.reason.startswith(("garbage: ", "illegal: "))


def test_garbage_out_of_turn_loses_too() -> None:
    with served() as server:
        first, second = both(server)
        first.hear()
        second.say(b"hello?")
        assert first.farewell() == ["END", "BYE"]
        assert server.finish().reason == "garbage: b'hello?' is no message, expected NME or MOV"


def test_a_flood_of_answers_to_nothing_loses() -> None:
    with served() as server:
        first, second = both(server)
        first.hear()
        second.say(encode(message("MOV", [(4, 1, 4, 5, 1)])) * 200)
        first.farewell()
        assert server.finish().reason == "garbage: more than 100 answers to no question"


@pytest.mark.parametrize("data", [b"", b"NM", b"NME\xff12", b"hello", b"MOV\x00", b"NME\x01AMOV\x00NME\x01B"])
def test_who_misbehaves_or_leaves_before_the_game_makes_room(data: bytes) -> None:
    with served(plies=2) as server:
        rude = Scripted(server)
        rude.say(data)
        rude.leave()
        rude.connection.close()
        first = _let_in(server, "Ann")
        second = Scripted(server, "Bob")
        first.hear()
        first.leave()
        second.farewell()
        assert server.finish().first == "Ann"


def _let_in(server: Served, name: str) -> Scripted:
    """A player that comes as soon as the first seat is free again: until then it is sent the other side's home."""
    while True:
        player = Scripted(server, name)
        if player.introduction[2] == message("HME", [(4, 3)]):
            return player
        player.leave()


def test_who_leaves_while_waiting_makes_room() -> None:
    with served() as server:
        Scripted(server, "Ann").leave()
        first = _let_in(server, "Eve")
        second = Scripted(server, "Bob")
        first.hear()
        second.leave()
        record = server.finish()
        assert (record.first, record.second, record.reason) == ("Eve", "Bob", "left: it closed the connection")


@pytest.mark.parametrize("half", [b"", b"MOV", b"MOV\x01\x04\x03", b"MOV\xff\x04"])
def test_who_vanishes_in_the_game_loses_it(half: bytes) -> None:
    with served() as server:
        first, second = both(server)
        first.hear()
        first.say(half)
        first.leave()
        assert second.farewell() == ["END", "BYE"]
        record = server.finish()
        assert (record.result, record.reason) == (Result.SECOND_WINS, "left: it closed the connection")


def test_who_vanishes_with_a_reset_while_the_other_thinks_loses_at_once() -> None:
    with served() as server:
        first, second = both(server)
        first.hear()
        second.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        second.leave()
        assert first.farewell() == ["END", "BYE"]
        assert server.finish().result == Result.FIRST_WINS


def test_a_port_in_use_is_told_in_one_line() -> None:
    with listen("127.0.0.1", 0) as door, pytest.raises(KibitzError, match="Address already in use"):
        listen("127.0.0.1", door.getsockname()[1])


def test_a_series_of_games_is_served_on_one_socket_and_kept_together() -> None:
    kept: list[Record] = []

    def save(records: list[Record]) -> None:
        kept[:] = records

    with listen("127.0.0.1", 0) as door:
        series = serve_series(door, vampires("thetrap", plies=2), HURRIED, 2, lambda _: None, save)
        results: list[str] = []
        server = threading.Thread(target=lambda: results.extend(series), daemon=True)
        server.start()
        for _ in range(2):
            with closing(socket.create_connection(door.getsockname())) as first:
                first.sendall(encode(name_message("Ann")))
                with closing(socket.create_connection(door.getsockname())) as second:
                    second.sendall(encode(name_message("Bob")))
                    second.recv(1)
                first.recv(1 << 16)
        server.join(30)
    assert len(results) == 2
    assert [record.tags["Round"] for record in kept] == ["1", "2"]
    assert [record.seed for record in kept] == [HURRIED.seed, HURRIED.seed + 1]
