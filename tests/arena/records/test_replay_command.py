"""`kibitz replay`: shows, lists, steps through and writes pages of recorded games, and refuses what does not replay."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kibitz.arena.records import files, json_lines
from kibitz.arena.records.record import Record
from kibitz.cli.app import app
from kibitz.core.errors import KibitzError
from tests.arena.records.test_record import small


@pytest.fixture
def game(tmp_path: Path) -> Path:
    files.save(tmp_path / "game.pgn", [small()])
    return tmp_path / "game.pgn"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    files.save(tmp_path / "games.jsonl", [small(), replace(small(), reason="died: exit status 3")])
    return tmp_path / "games.jsonl"


def run(*words: object, typed: str = "") -> str:
    done = CliRunner().invoke(app, ["replay", *map(str, words)], input=typed, catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def refused(*words: object) -> str:
    with pytest.raises(KibitzError) as caught:
        CliRunner().invoke(app, ["replay", *map(str, words)], catch_exceptions=False, standalone_mode=False)
    return str(caught.value)


def test_one_game_is_shown_with_its_end_and_reason(game: Path) -> None:
    shown = run(game)
    assert "4 [w] .  ." in shown
    assert "1. a2-a3 b7-b6 {+0.35/12 0.1s 1500n} 2. a3-a4" in shown
    assert shown.endswith("breakthrough: engine:depth=4 - random\n0-1, late: 1.53 s of 1 s\n")


def test_several_games_are_listed(games: Path) -> None:
    listed = run(games).splitlines()
    assert listed[1] == "   2  0-1         3 plies  breakthrough: engine:depth=4 - random  (died: exit status 3)"
    assert "0-1, died: exit status 3" in run(games, "--game", 2)


def test_a_game_that_is_not_there_is_refused(games: Path) -> None:
    assert refused(games, "--game", 3).endswith("games.jsonl' has no game 3, expected 1 to 2")
    assert refused(games, "--step").endswith("games.jsonl' holds 2 games, expected --game 1 to 2")


def test_a_page_holds_the_whole_game_and_needs_nothing_else(game: Path, tmp_path: Path) -> None:
    run(game, "--html", tmp_path / "game.html")
    page = (tmp_path / "game.html").read_text()
    assert "2. black: b7-b6, +0.35 for black, depth 12, 0.10 s" in page
    assert "3. white: a3-a4, white loses in 7, depth 9 - 0-1, late: 1.53 s of 1 s" in page
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", page)


def test_one_can_go_through_it_and_back(game: Path) -> None:
    shown = run(game, "--step", typed="\n\nb\n")
    captions = re.findall(r"^(the start|\d)[.\n]", shown, re.MULTILINE)
    assert captions == ["the start", "1", "2", "1"]


def test_a_record_that_does_not_replay_writes_nothing(game: Path, tmp_path: Path) -> None:
    game.write_text(game.read_text().replace("b7-b6", "b7-b4"))
    message = refused(game, "--html", tmp_path / "game.html")
    assert message.startswith("ply 2, 'b7-b4', does not replay: illegal move 'b7-b4' in breakthrough position")
    assert not (tmp_path / "game.html").exists()


def test_json_is_the_record(game: Path) -> None:
    record: Record = json_lines.read(run(game, "--json"), "out")
    assert record == small()
