"""Files of tables: verified once and not at each opening, and those of Kibitz 0.1."""

import os
import shutil
from pathlib import Path

import pytest

from kibitz import games
from kibitz.core.game import Game
from kibitz.core.seam import cache
from kibitz.tables.errors import BadTable
from kibitz.tables.file import container, identity, stamp
from kibitz.tables.table import Table, Value
from tests.cli.test_commands import kibitz

OLD = Path(__file__).parent / "kibitz_0_1" / "three_sheep.table"  # written by Kibitz 0.1.0
THREE = "wolves,start=sss2/5/5/5/1w1w1"
TIC_TAC_TOE = Path(__file__).parents[2] / "tests" / "rules" / "tictactoe.py"


@pytest.fixture
def game() -> Game:
    return games.load(THREE)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game) -> Path:
    """A table of today's rules, and a cache of its own."""
    monkeypatch.setattr(cache, "folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(stamp, "SETTLED", -1.0)
    header = container.read_header(OLD)
    data = [container.read_data(OLD, header, 1)]
    path = tmp_path / "three.table"
    container.write(path, {**header, "rules": identity.rules_hash(game)}, data, 1)
    return path


def count_readings(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that are read through from now on."""
    found: list[Path] = []
    verify = container.verify_checksum

    def counted(path: Path) -> str:
        found.append(path)
        return verify(path)

    monkeypatch.setattr(container, "verify_checksum", counted)
    return found


def test_a_table_is_read_through_when_it_is_first_opened_and_not_again(
    path: Path, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = count_readings(monkeypatch)
    values = [Table.open(path, game).probe(game.new().state) for _ in range(3)]
    assert values == [Value(None)] * 3
    assert readings == [path]


def test_a_file_that_was_touched_or_replaced_is_read_through_again(
    path: Path, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    Table.open(path, game)
    readings = count_readings(monkeypatch)
    os.utime(path, (1, 1))
    Table.open(path, game)
    shutil.copy2(path, path.with_name("copy.table"))
    os.replace(path.with_name("copy.table"), path)
    Table.open(path, game)
    assert readings == [path, path]


def test_damage_after_the_first_opening_is_noticed(path: Path, game: Game) -> None:
    Table.open(path, game)
    content = path.read_bytes()
    path.write_bytes(content[:-50] + bytes([content[-50] ^ 1]) + content[-49:])
    with pytest.raises(BadTable, match="is damaged: its checksum does not fit"):
        Table.open(path, game)


def test_a_file_that_was_just_written_is_not_believed_by_its_times(
    path: Path, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stamp, "SETTLED", 1000.0)
    readings = count_readings(monkeypatch)
    Table.open(path, game)
    Table.open(path, game)
    assert readings == [path, path]


def test_a_damaged_stamp_does_no_harm(path: Path, game: Game, tmp_path: Path) -> None:
    Table.open(path, game)
    for noted in (tmp_path / "cache" / "tables").glob("*.stamp"):
        noted.write_text("[]")
    assert Table.open(path, game).probe(game.new().state) == Value(None)


def test_the_command_reads_every_table_through(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TABLES", str(path.parent))
    assert "1 checked, 0 damaged" in kibitz("tables", "--check").stdout
    content = path.read_bytes()
    path.write_bytes(content[:-50] + bytes([content[-50] ^ 1]) + content[-49:])
    assert "is damaged" not in kibitz("tables").stdout
    answer = kibitz("tables", "--check")
    assert answer.returncode == 1
    assert "is damaged: its checksum does not fit" in answer.stdout
    assert "1 checked, 1 damaged" in answer.stdout


# What a table belongs to.


def test_a_table_of_kibitz_0_1_opens_or_says_which_command_builds_it_again(game: Game) -> None:
    if identity.rules_hash_of_0_1(game) == container.read_header(OLD)["rules"]:
        assert Table.open(OLD, game).probe(game.new().state) == Value(None)
    else:  # a function of its rules has another name today
        with pytest.raises(BadTable, match=f"is of other rules of .*; build it again: kibitz solve {THREE}$"):
            Table.open(OLD, game)


def test_a_rules_file_may_be_moved_and_commented_but_not_changed(tmp_path: Path) -> None:
    text = TIC_TAC_TOE.read_text()
    hashes = []
    for name, written in (
        ("here", text),
        ("there", f"# a comment\n{text}"),
        ("other", text.replace("0b000_000_111", "0b000_001_011")),
    ):
        place = tmp_path / name / "tictactoe.py"
        place.parent.mkdir()
        place.write_text(written)
        hashes.append(identity.rules_hash(games.load(str(place))))
    assert hashes[0] == hashes[1]
    assert hashes[0] != hashes[2]


def test_the_hash_of_rules_is_the_same_on_every_python() -> None:
    # Computed with Python 3.11, 3.12 and 3.13. Another one voids every table that users have built.
    wanted = "d3835b41e774aa4c5205d4121456d2d794a5ba31c8273e44ae55fdb8bdab0ed7"
    assert identity.rules_hash(games.load(str(TIC_TAC_TOE))) == wanted
