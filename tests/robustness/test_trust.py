"""Opening a file never runs somebody's code."""

import hashlib
import json
from pathlib import Path

import pytest

from kibitz.arena.contest.openings import Opening
from kibitz.arena.contest.store import Store
from kibitz.arena.play.fixture import PlayedGame
from kibitz.laws.scaffold import text_of_game
from tests.arena.samples import WON, contest, record
from tests.robustness.command import assert_refused, kibitz

EVIL = "from pathlib import Path\nPath('owned').touch()\n"
RECORD = """[Format "1"]
[Game "{game}"]
[First "{first}"]
[Second "human"]
[Start "{start}"]
[Opening "0"]
[Seed "0"]
[Result "*"]
[Reason "unfinished"]

*
"""
HOW = "name them with --rules FILE.py or say --trust-game"


def write_record(folder: Path, game: str, first: str = "human", start: str = "x") -> Path:
    (folder / "evil.py").write_text(EVIL)
    path = folder / "record.txt"
    path.write_text(RECORD.format(game=game, first=first, start=start))
    return path


@pytest.mark.parametrize(
    ("game", "words"), [("evil.py", ["replay"]), ("evil", ["replay"]), ("./evil.py:x", ["play", "--resume"])]
)
def test_a_record_runs_no_rules_that_the_user_did_not_name(tmp_path: Path, game: str, words: list[str]) -> None:
    path = write_record(tmp_path, game)
    assert_refused(kibitz(*words, str(path), cwd=tmp_path), HOW)
    assert not (tmp_path / "owned").exists()


def test_a_proof_runs_no_rules_that_the_user_did_not_name(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text(EVIL)
    about = {"file": "proof", "format": 1, "game": "evil.py", "position": "x", "winner": 0, "draw_will_do": False}
    about |= {"positions": 0, "nodes": 0, "seconds": 0, "sha256": hashlib.sha256(b"").hexdigest()}
    (tmp_path / "e.proof").write_text(json.dumps(about) + "\n")
    assert_refused(kibitz("prove", "--check", "e.proof", cwd=tmp_path), HOW)
    assert not (tmp_path / "owned").exists()


def test_a_store_runs_no_rules_that_the_user_did_not_name(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text(EVIL)
    one = contest("random", "first", games=2)
    with Store(tmp_path / "games.db") as store:
        number = store.enter(one)
        store.add_opening(one.book, Opening(number=0, line="", seed=5))
        for fixture in one.fixtures(("first", "random"), store.openings(one.book)[0], 0):
            made = record(fixture.key.first, fixture.key.second, WON)
            object.__setattr__(made, "game", "evil.py")
            store.add(number, PlayedGame(fixture.key, 0, fixture.fingerprint, made))
    found = kibitz("report", "games.db", "--html", "report.html", cwd=tmp_path)
    assert "Traceback" not in found.stderr
    assert not (tmp_path / "owned").exists()


def test_a_record_starts_no_program_of_its_players(tmp_path: Path) -> None:
    start = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w 0 1"
    path = write_record(tmp_path, "breakthrough", "python:evil.py", start)
    found = kibitz("play", "--resume", str(path), cwd=tmp_path, stdin=None)
    assert_refused(found, "name the players with --first and --second, or say --trust-game")
    assert not (tmp_path / "owned").exists()


def test_rules_that_the_user_names_are_used_wherever_they_lie(tmp_path: Path) -> None:
    path = write_record(tmp_path, "somewhere/mygame.py", start="9 x")
    (tmp_path / "mygame.py").write_text(text_of_game("mygame"))
    for words in (["--rules", str(tmp_path / "mygame.py")], []):
        found = kibitz("replay", str(path), *words, cwd=tmp_path)
        assert (HOW in found.stderr) is not bool(words), found.stderr


def test_a_file_that_is_trusted_may_name_rules(tmp_path: Path) -> None:
    path = write_record(tmp_path, "evil.py")
    assert_refused(kibitz("replay", str(path), "--trust-game", cwd=tmp_path), "evil.py holds no game")
    assert (tmp_path / "owned").exists()
