"""The game in the terminal, driven through a pseudo-terminal as a person would."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

from kibitz.cli.play import play
from kibitz.cli.terminal.game import HELP, TerminalGame
from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.games import catalog
from kibitz.laws.scaffold import scaffold

PATIENCE = 60  # seconds, for machines that are busy with other tests


class Terminal:
    """A person at a terminal who types and reads."""

    def __init__(self, *words: str, folder: Path) -> None:
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "kibitz.cli", *words],
            env=environment,
            cwd=str(folder),
            encoding="utf-8",
            timeout=PATIENCE,
            dimensions=(40, 100),
        )

    def read(self, text: str) -> str:
        """All that was shown up to this text."""
        self.child.expect_exact(text)
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.child.before or "")

    def type(self, line: str) -> None:
        self.child.send(line + "\r")

    def ended(self) -> int:
        self.child.expect(pexpect.EOF)
        self.child.close()
        return int(self.child.exitstatus or 0)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[list[Terminal]]:
    terminals: list[Terminal] = []
    yield terminals
    for terminal in terminals:
        terminal.child.close(force=True)


def test_a_person_is_asked_who_plays_and_plays_undoes_saves_and_goes_on(tmp_path: Path, opened: list[Terminal]) -> None:
    terminal = Terminal("play", "breakthrough", folder=tmp_path)
    opened.append(terminal)
    terminal.read("white [human]>")
    terminal.type("")
    terminal.read("black [4]>")
    terminal.type("nobody")
    terminal.read("no agent is called 'nobody'")
    terminal.type("random:seed=1")
    terminal.read("white>")
    terminal.type("a2")
    terminal.read("from a2: a2-a3 a2-b3")
    terminal.type("a2-a9")
    terminal.read("illegal move 'a2-a9'")
    terminal.type("a2-a3")
    terminal.read("black: ")
    terminal.read("white>")
    terminal.type("undo")
    terminal.read("white>")
    terminal.type("text")
    terminal.read("pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w 0 1")
    terminal.type("b2-b3")
    terminal.read("black: ")
    terminal.read("white>")
    terminal.type("save game.txt")
    terminal.read("to go on: kibitz play --resume game.txt")
    terminal.type("quit")
    assert terminal.ended() == 0

    again = Terminal("play", "--resume", "game.txt", folder=tmp_path)
    opened.append(again)
    again.read("white is human, black is random:seed=1")
    again.read("white>")
    again.type("undo")
    again.read("white>")
    again.type("text")
    again.read("PPPPPPPP/PPPPPPPP w 0 1")
    again.type("quit")
    assert again.ended() == 0


def test_the_tabulator_completes_a_move(tmp_path: Path, opened: list[Terminal]) -> None:
    terminal = Terminal("play", "wolves", "--first", "human", "--second", "random", folder=tmp_path)
    opened.append(terminal)
    terminal.read("wolves>")
    terminal.child.send("b1-b\t")
    terminal.read("b1-b2")
    terminal.child.send("\r")
    terminal.read("sheep: ")
    terminal.read("wolves>")
    terminal.child.sendcontrol("d")
    assert terminal.ended() == 0


def test_both_sides_may_be_people_or_machines_and_change_places(tmp_path: Path, opened: list[Terminal]) -> None:
    words = ("play", "alquerque", "--first", "human", "--second", "dm574:depth=1")
    terminal = Terminal(*words, folder=tmp_path)
    opened.append(terminal)
    terminal.read("white>")
    terminal.type("swap")
    terminal.read("white is dm574:depth=1, black is human")
    terminal.read("white: ")
    terminal.read("black>")
    terminal.type("quit")
    assert terminal.ended() == 0


@pytest.mark.parametrize(
    ("given", "link"),
    [
        (
            {"game": "breakthrough,rows=6", "level": 3},
            "game=breakthrough%2Crows%3D6&first=human&second=engine%3Alevel%3D3",
        ),
        (
            {"game": "wolves", "first": "random", "second": "human", "seconds": 2.0},
            "first=random&second=human&seconds=2",
        ),
        ({"game": "wolves", "position": "sssss/sssss/5/5/w3w w"}, "position=sssss%2Fsssss%2F5%2F5%2Fw3w+w"),
        ({"game": "my_game.py"}, "game=my_game&first=human"),
        ({"game": "vampires", "seed": 7}, "seed=7"),
    ],
)
def test_a_browser_is_opened_at_the_very_game(
    given: dict[str, Any], link: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages: list[str] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("typer.launch", pages.append)
    monkeypatch.setattr(
        "kibitz.web.server.listener.serve", lambda state, host, listening, ready: (ready(), listening.close())
    )
    scaffold("my_game", tmp_path)
    play(**given, web=True)
    assert link in pages[0]


@pytest.mark.parametrize(
    "given", [{"game": "wolves", "second": "uci:x"}, {"game": "vampires,map=x.xml"}, {"game": "chess"}, {}]
)
def test_what_a_page_may_not_have_is_told_before_a_browser_is_opened(given: dict[str, Any]) -> None:
    with pytest.raises(KibitzError) as refusal:
        play(**given, web=True)
    assert "\n" not in str(refusal.value)


def test_help_explains_everything_that_can_be_typed() -> None:
    game = TerminalGame(catalog.position("wolves"), ("human", "human"), Limit(depth=1), None)
    explained = {word.strip(",") for line in HELP.splitlines() for word in line[:15].split()}
    assert {*game._commands, "quit", "exit", "q"} <= explained


def test_a_hint_tells_the_chances() -> None:
    game = TerminalGame(catalog.position("wolves"), ("human", "human"), Limit(depth=2), None)
    assert re.fullmatch(r"try \S+ \(\d+ % for wolves, score [+-][\d.]+\)", game._hint())
