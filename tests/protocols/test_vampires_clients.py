"""Clients of the vampires game: ours on a server, and those of others as agents."""

import re
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kibitz import agents, games
from kibitz.agents import match
from kibitz.agents.guests.errors import GuestFailed
from kibitz.agents.guests.vampires_messages import introduction
from kibitz.agents.guests.vampires_wire import Message, encode, message
from kibitz.arena.records import files, replay
from kibitz.core.errors import BadOption, IllegalMove, KibitzError
from kibitz.core.limit import Limit
from kibitz.core.result import FIRST, SECOND
from kibitz.games import vampires
from kibitz.games.vampires import maps
from kibitz.protocols.vampires.client import BadServer, View, join
from tests.protocols.vampires_guests import served

FOREIGN = Path(__file__).parent / "foreign_client.py"
LIMIT = Limit(seconds=60)


def foreign(fault: str = "none") -> str:
    return f"vampires-client:{sys.executable} {FOREIGN} {fault} {{ip}} {{port}}"


def quietly(line: str) -> None: ...


# Ours.


def test_two_of_our_clients_play_a_whole_game_on_our_server() -> None:
    with served(plies=30) as server:
        player = agents.read("random:seed=1")
        ends: list[str] = []

        def play(name: str) -> None:
            ends.append(join("127.0.0.1", server.port, player, name, LIMIT, 30, quietly))

        threads = [threading.Thread(target=play, args=(name,), daemon=True) for name in ("one", "two")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        record = server.finish()
        assert record.reason == "rules"
        assert replay.check_replay(record).over
        assert all(end.startswith("the game is over; when we last heard of it, we were ") for end in ends)
        assert len(ends) == 2


@pytest.mark.parametrize("line", ["", "4,3>3,3:2+4,3>5,3:1+end 4,1>5,1:3+end", "4,3>4,4:4+end 4,1>4,2:4+end"])
@pytest.mark.parametrize("side", [FIRST, SECOND])
def test_a_client_sees_the_position_that_the_server_has(line: str, side: int) -> None:
    start = games.position("vampires", None, line)
    said = {told.word: told for told in introduction(start, side)}
    view = View(said, plies=200)
    assert view.side == side
    assert list(view.position().state.cells) == list(start.state.cells)
    assert view.position().turn == side


def test_maps_that_nobody_knows_can_be_played() -> None:
    game = vampires(map="random", rows=7, columns=9, groups=4, seed=5)
    view = View({told.word: told for told in introduction(game.new(), FIRST)}, plies=10)
    assert list(view.position().state.cells) == list(game.new().state.cells)
    view.turns = 50  # beyond the limit that it was told
    assert not view.position().over


@pytest.mark.parametrize("name", maps.KNOWN)
def test_known_maps_are_recognised(name: str) -> None:
    view = View({told.word: told for told in introduction(vampires(name).new(), SECOND)}, plies=200)
    assert view.game == vampires(name)


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ([message("HUM")], "says HUM, expected SET"),
        ([message("SET", [(5, 10)])], "hung up before the game"),
        ([message("SET", [(5, 10)]), message("HUM"), message("HME", [(0, 0)]), message("MAP")], "lacks vampires"),
        ([*introduction(vampires().new(), FIRST)[:2], message("HME", [(0, 0)])], "hung up"),
        ([*introduction(vampires().new(), FIRST), message("MAP")], "says MAP in the middle"),
        ([*introduction(vampires().new(), FIRST), message("UPD", [(99, 0, 0, 1, 0)])], "cannot be"),
        ([*introduction(vampires().new(), FIRST), message("UPD", [(0, 0, 1, 1, 0)])], "cannot be"),
    ],
)
def test_a_server_that_makes_no_sense_is_told_in_one_line(said: list[Message], problem: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:

        def talk() -> None:
            connection, _ = door.accept()
            with connection:
                connection.sendall(b"".join(map(encode, said)))
                connection.shutdown(socket.SHUT_WR)
                connection.recv(1000)

        thread = threading.Thread(target=talk, daemon=True)
        thread.start()
        with pytest.raises(BadServer, match=problem):
            join("127.0.0.1", door.getsockname()[1], agents.read("random"), "us", LIMIT, 200, quietly)
        thread.join(60)


def test_nobody_at_the_port_is_told_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    with pytest.raises(KibitzError, match=f"nobody answers at '127.0.0.1', port {port}: Connection refused"):
        join("127.0.0.1", port, agents.read("random"), "us", LIMIT, 200, quietly)


# Those of others.


@pytest.mark.parametrize("side", [FIRST, SECOND])
def test_a_foreign_client_plays_a_match(side: int) -> None:
    game = vampires(plies=12)
    pair = [agents.agent("random:seed=3", game)] * 2
    pair[side] = agents.agent(foreign(), game)
    end = match.play(game, pair[0], pair[1], LIMIT, seed=2)
    turns = [token for token in end.line.split() if not token.startswith("~")]
    assert turns[side] == ("4,3>5,3:4+end", "4,1>5,1:4+end")[side]
    assert end.over


def test_a_foreign_client_is_started_anew_for_another_game() -> None:
    game = vampires(plies=4)
    client = agents.agent(foreign(), game)
    for _ in range(2):
        assert match.play(game, client, agents.agent("random:seed=1", game), LIMIT, seed=1).over


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        ("dies", "ended with status 1: 'no licence found'"),
        ("rude", "b'HELLO' is no message"),
        ("vanishes", "(ended with status 0|closed the connection)"),
    ],
)
def test_a_foreign_client_that_fails_is_told_in_one_line(fault: str, problem: str) -> None:
    game = vampires()
    with pytest.raises(GuestFailed, match=problem):
        agents.agent(foreign(fault), game).choose(game.new(), LIMIT)


def test_a_foreign_client_that_cheats_has_played_illegally() -> None:
    game = vampires()
    with pytest.raises(IllegalMove, match=r"illegal move MOV \[\] from .* in vampires position"):
        agents.agent(foreign("cheats"), game).choose(game.new(), LIMIT)


def test_a_foreign_client_needs_a_command_and_plays_vampires_only() -> None:
    with pytest.raises(BadOption, match="needs a command"):
        agents.agent("vampires-client", vampires())
    with pytest.raises(BadOption, match="plays vampires, not wolves"):
        agents.agent("vampires-client:x", games.load("wolves"))


def test_the_text_of_a_foreign_client_round_trips() -> None:
    text = "vampires-client:python3 ai.py {ip} {port}"
    assert str(agents.read(text)) == text


# The commands.


def command(*words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "kibitz.cli", "vampires", *words]
    return subprocess.run(line, check=False, capture_output=True, text=True, timeout=120)


def test_the_commands_serve_and_join_a_game(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    words = ["serve", "--port", "0", "--plies", "6", "--seed", "1", "--move-seconds", "60", "--record", str(record)]
    with subprocess.Popen(
        [sys.executable, "-m", "kibitz.cli", "vampires", *words], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        waiting = re.fullmatch(
            r"vampires,plies=6: waiting for two players at 127.0.0.1, port (\d+)\n", server.stdout.readline()
        )
        assert waiting is not None
        port = int(waiting[1])
        other = threading.Thread(
            target=join, args=("127.0.0.1", port, agents.read("random:seed=2"), "here", LIMIT, 6, quietly), daemon=True
        )
        other.start()
        joined = command("join", "127.0.0.1", str(port), "--agent", "random:seed=1", "--name", "there", "--quiet")
        other.join(60)
        said = server.stdout.read()
    assert server.returncode == joined.returncode == 0
    assert joined.stdout.startswith("the game is over")
    assert "here leads the" in said
    assert f"\n{record}: the record; kibitz replay {record} shows it\n" in said
    (found,) = files.load(record)
    assert {found.first, found.second} == {"here", "there"}
    assert replay.check_replay(found).over


def test_mistakes_at_the_command_are_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = str(door.getsockname()[1])
        refused = command("serve", "--port", port, "--record", str(tmp_path / "x.txt"))
    assert refused.returncode == 2
    assert refused.stderr == f"kibitz: cannot listen on 127.0.0.1, port {port}: Address already in use\n"
    assert not (tmp_path / "x.txt").exists()
