"""What guests and our own agents need is there in a sandbox: their files, programs, tables, the cache, one server."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz import agents
from kibitz.arena.play.referee import Referee
from kibitz.arena.play.task import GameTask, TimeControl
from kibitz.arena.players import sandbox
from kibitz.arena.players.resources import Resources
from kibitz.arena.players.sandbox import NotIsolated, require_isolation
from kibitz.arena.players.subprocess_player import environment
from kibitz.arena.players.visible_files import VisibleFiles
from kibitz.core.seam import cache
from kibitz.games import catalog
from kibitz.search.perft import perft
from kibitz.tables import folder as tables
from tests.protocols.test_vampires_clients import FOREIGN

RESOURCES = Resources(isolation="required")
GUEST = """
from helper import number

def choose(position, limit):
    open("notes.txt", "a").write("own folder")
    return position.move_ids[number() - 1]
"""
COMPILES = """
import os
from kibitz import perft

def prepare(game):
    perft(game.new(), 2)
    links = [entry for entry in os.scandir(os.environ["KIBITZ_CACHE"]) if entry.is_symlink()]
    assert links, "compiled anew"

def choose(position, limit):
    return position.move_ids[0]
"""

LOOKS = """
from kibitz.nets import folder as nets
from kibitz.tables import folder as tables

def prepare(game):
    assert all((place.root() / "kept").exists() for place in (nets, tables))

def choose(position, limit):
    return position.move_ids[0]
"""

needs_sandbox = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


def play(game: str, first: str, second: str = "random", turns: int = 4) -> str:
    control = TimeControl(nodes=10)
    task = GameTask(game=game, first=first, second=second, control=control, resources=RESOURCES, turns=turns)
    with Referee() as referee:
        record = referee.play(task)
    assert (record.tags["FirstIsolation"], record.tags["SecondIsolation"]) == ("isolated", "isolated")
    return record.reason


@needs_sandbox
def test_a_guest_finds_what_lies_beside_it_and_the_map_of_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "guest.py").write_text(GUEST)
    (tmp_path / "helper.py").write_text("def number():\n    return int(open(__file__[:-9] + 'weight').read())\n")
    (tmp_path / "weight").write_text("1")
    monkeypatch.chdir(tmp_path)
    assert play("breakthrough", "python:guest.py") == "adjudicated: no end after 4 turns"


@needs_sandbox
def test_a_network_client_reaches_the_one_server_that_is_its_own() -> None:
    client = f"vampires-client:{sys.executable} {FOREIGN} none {{ip}} {{port}}"
    assert play("vampires:testmap", client) == "adjudicated: no end after 4 turns"


@needs_sandbox
def test_a_guest_uses_compiled_code_of_the_shared_cache(tmp_path: Path) -> None:
    perft(catalog.load("breakthrough").new(), 2)  # compiled now at the latest
    (tmp_path / "guest.py").write_text(COMPILES)
    assert play("breakthrough", f"python:{tmp_path / 'guest.py'}") == "adjudicated: no end after 4 turns"


def test_players_find_the_users_tables_and_nets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("KIBITZ_TABLES", "KIBITZ_NETS"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "kept").touch()
        monkeypatch.setenv(name, str(tmp_path / name))
    (tmp_path / "apart").mkdir()
    (tmp_path / "apart" / "guest.py").write_text(LOOKS)
    with Referee() as referee:
        for isolation in ("best", "limited"):
            resources = Resources(isolation=isolation)
            referee.try_out("breakthrough", f"python:{tmp_path / 'apart' / 'guest.py'}", resources)
    own = environment(guest=False)
    assert (own["KIBITZ_TABLES"], own["KIBITZ_CACHE"]) == (str(tables.root()), str(cache.folder().absolute()))


def test_a_home_is_never_shown_as_a_whole(tmp_path: Path) -> None:
    for name in ("guest.py", "helper.py", "diary.txt"):
        (tmp_path / name).touch()
    guest = agents.read("python:guest.py")
    shown = VisibleFiles(tmp_path, tmp_path).view("breakthrough", guest, [], []).readable
    assert {tmp_path / "guest.py", tmp_path / "helper.py"} <= set(shown)
    assert not {tmp_path, tmp_path / "diary.txt"} & set(shown)
    assert tmp_path in VisibleFiles(tmp_path, Path("/somewhere/else")).view("breakthrough", guest, [], []).readable


def test_files_of_others_are_hidden_unless_they_are_its_own(tmp_path: Path) -> None:
    for name in ("guest.py", "other.py"):
        (tmp_path / name).touch()
    files = VisibleFiles(tmp_path, Path("/somewhere/else"))
    others = ["python:other.py", "python:guest.py", "random"]
    assert files.view("x", agents.read("python:guest.py"), [], others).hidden == (tmp_path / "other.py",)
    (tmp_path / "theirs").mkdir()
    folders = [str(tmp_path / "theirs")]
    (tmp_path / "theirs" / "player.py").write_text("")
    others = [f"python:{tmp_path / 'theirs' / 'player.py'}"]
    assert files.view("x", agents.read("python:guest.py"), [], others, folders).hidden == (tmp_path / "theirs",)


def test_only_our_own_agents_may_write_the_shared_cache(tmp_path: Path) -> None:
    files = VisibleFiles(tmp_path, tmp_path)
    guests = ("python:guest.py", "uci:fairy-stockfish", "course-wolves:guest.py", "vampires-client:java Bot")
    may = [text for text in ("engine", "perfect", *guests) if files.view("x", agents.read(text), [], []).writable]
    assert may == ["engine", "perfect"]


def test_isolation_that_cannot_be_had_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox.find_ability.cache_clear()
    try:
        with pytest.raises(NotIsolated, match=r"players cannot be isolated here, .*: bubblewrap is not installed"):
            require_isolation()
        broken = tmp_path / "bwrap"
        broken.write_text("#!/bin/sh\necho no permission >&2\nexit 1\n")
        broken.chmod(0o755)
        sandbox.find_ability.cache_clear()
        with pytest.raises(NotIsolated, match="installed, but does not work here: no permission"):
            require_isolation()
    finally:
        sandbox.find_ability.cache_clear()


def test_folders_that_a_path_file_names_are_shown(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "odd_library.py").write_text("")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    (packages,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    paths = [str(tmp_path / "library"), *(place for place in sys.path if place)]
    (packages / "paths.pth").write_text("\n".join(paths))
    shown = "from kibitz.arena.players import sandbox; print(sandbox.enclose(sandbox.View(), 1))"
    python = tmp_path / "venv" / "bin" / "python"
    answer = subprocess.run([python, "-P", "-c", shown], capture_output=True, text=True, check=True)
    assert f"'{tmp_path / 'library'}'" in answer.stdout
