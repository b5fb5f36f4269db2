"""The store: nothing lost, nothing twice, nothing overwritten."""

import os
import sqlite3
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from kibitz import agents
from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.lock import Locked
from kibitz.arena.contest.merge import Merged, merge
from kibitz.arena.contest.runner import run_contest
from kibitz.arena.contest.store import BadStore, Store, check
from kibitz.arena.play import fingerprint
from kibitz.arena.report.live import Silent
from kibitz.core.errors import KibitzError
from kibitz.games import catalog
from kibitz.web.server.table_store import TableStore
from tests.arena.samples import Scripted, contest


def held(place: Path | None, asked: Contest) -> Scripted:
    team = Scripted()
    with Store(place) as store:
        run_contest(asked, store, team, Silent())
    return team


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    place, asked = tmp_path / "games.db", contest("a", "b", "c")
    team = held(place, asked)
    with Store(place, create=False) as store:
        (number,) = store.contests()
        assert store.contests()[number] == asked
        assert {game.key for game in store.games(number)} == {fixture.key for fixture in team.asked}
        assert len(store.openings(asked.book)) == 2


def test_a_contest_held_again_plays_nothing(tmp_path: Path) -> None:
    place, asked = tmp_path / "games.db", contest("a", "b")
    assert len(held(place, asked).asked) == 4
    assert held(place, asked).asked == []


def test_more_games_are_added_to_those_there(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    held(place, contest("a", "b", games=4))
    more = held(place, contest("a", "b", games=8)).asked
    assert sorted({fixture.key.opening for fixture in more}) == [2, 3]


def test_another_entrant_plays_only_its_own_games(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    held(place, contest("a", "b"))
    assert all("c" in fixture.key for fixture in held(place, contest("a", "b", "c")).asked)


def test_a_changed_agent_plays_its_games_anew_and_the_old_ones_count_again_when_it_changes_back(tmp_path: Path) -> None:
    place, asked = tmp_path / "games.db", contest("a", "b", "c")
    held(place, asked)
    a, b, c = asked.entrants
    changed = replace(asked, entrants=(a, b, replace(c, fingerprint="another")))
    assert len(held(place, changed).asked) == 8
    with Store(place) as store:
        (number,) = store.contests()
        assert len(store.games(number)) == 12
        assert len(store.known(number)) == 20
    assert held(place, asked).asked == []


def test_changed_rules_play_everything_anew(tmp_path: Path) -> None:
    place, asked = tmp_path / "games.db", contest("a", "b")
    held(place, asked)
    assert len(held(place, replace(asked, rules="changed")).asked) == 4


def test_another_control_or_seed_is_another_contest(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    held(place, contest("a", "b"))
    held(place, contest("a", "b", seed=2))
    with Store(place) as store:
        assert len(store.contests()) == 2


def test_three_fields_in_one_store_all_stay_reportable(tmp_path: Path) -> None:
    place, fields = tmp_path / "games.db", [("a", "b"), ("c", "d", "e"), ("a", "c")]
    for field in fields:
        held(place, contest(*field))
    with Store(place, create=False) as store:
        kept = store.contests()
        assert [tuple(entrant.name for entrant in one.entrants) for one in kept.values()] == fields
        assert [len(store.games(number)) for number in kept] == [4, 12, 4]
        assert len({one.name for one in kept.values()}) == 3


def test_a_labelled_contest_grows_and_keeps_those_who_left(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    held(place, replace(contest("a", "b"), label="league"))
    held(place, replace(contest("b", "c"), label="league"))
    with Store(place, create=False) as store:
        (one,) = store.contests().values()
        assert [entrant.name for entrant in one.entrants] == ["b", "c", "a"]
        assert len(store.games(1)) == 8


def test_a_label_is_not_given_to_other_conditions(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    held(place, replace(contest("a", "b"), label="league"))
    with pytest.raises(BadStore, match=r"has a contest 'league' of breakthrough.*another name"):
        held(place, replace(contest("a", "b", seed=2), label="league"))
    with Store(place, create=False) as store:
        assert len(store.games(1)) == 4


def test_stores_are_merged_and_no_game_counts_twice(tmp_path: Path) -> None:
    here, there = tmp_path / "here.db", tmp_path / "there.db"
    held(here, contest("a", "b"))
    held(there, contest("a", "b", games=8))
    held(there, contest("c", "d"))
    with Store(here) as target, Store(there, create=False) as source:
        assert merge(target, source) == Merged(contests=2, games=8)
        assert merge(target, source).games == 0
        assert [len(target.games(number)) for number in target.contests()] == [8, 4]


def test_a_contest_is_chosen_by_number_or_name(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    held(place, replace(contest("a", "b"), label="league"))
    held(place, contest("a", "c"))
    with Store(place, create=False) as store:
        assert store.choose()[0] == 2
        assert store.choose("league")[0] == store.choose("1")[0] == 1
        with pytest.raises(BadStore, match=r"has no contest 'cup' \(it has 1, 2\)"):
            store.choose("cup")


class DiskFull(sqlite3.OperationalError):
    """What SQLite says when a write fails."""


class Failing:
    """A connection whose n-th statement that writes fails."""

    def __init__(self, rows: sqlite3.Connection, failing: int) -> None:
        self.rows, self.left = rows, failing

    @property
    def in_transaction(self) -> bool:
        return self.rows.in_transaction

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if statement.split()[0] in ("BEGIN", "INSERT", "UPDATE", "DELETE", "COMMIT"):
            self.left -= 1
            if self.left == 0:
                raise DiskFull("database or disk is full")
        return self.rows.execute(statement, *values)


def test_whichever_write_fails_the_store_stays_whole_and_goes_on(tmp_path: Path) -> None:
    """Each write of a small contest fails once; what was kept before stays, and the same command plays the rest."""
    asked = contest("a", "b", games=4)
    for failing in range(1, 200):
        place = tmp_path / f"{failing}.db"
        with Store(place) as store:
            real = store.rows
            store.rows = cast(sqlite3.Connection, Failing(real, failing))
            with suppress(BadStore):
                run_contest(asked, store, Scripted(), Silent())
            over = cast(Failing, store.rows).left > 0
            store.rows = real
            store.contests()  # no transaction is left open
        again = held(place, asked)
        with Store(place, create=False) as store:
            assert len(store.games(1)) == 4, failing
            assert len(store.known(1)) == 4, failing
        if over:
            assert again.asked == []
            return
    raise AssertionError("the contest has more writes than were tried")


def test_a_game_that_is_known_stays_as_it_was(tmp_path: Path) -> None:
    asked = contest("a", "b")
    with Store(tmp_path / "games.db") as store:
        run_contest(asked, store, Scripted(), Silent())
        game = store.games(1)[0]
        store.add(1, replace(game, record=replace(game.record, reason="changed")))
        assert store.games(1)[0] == game


def test_a_store_in_memory_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    held(None, contest("a", "b"))
    assert list(tmp_path.iterdir()) == []


def refused(place: Path) -> str:
    before = place.read_bytes() if place.is_file() else None
    with pytest.raises(KibitzError) as caught:
        held(place, contest("a", "b"))
    assert (place.read_bytes() if place.is_file() else None) == before
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "notes.txt"
    place.write_text("my notes, which took me a year\n" * 100)
    assert "cannot be used as a store: file is not a database" in refused(place)


def test_a_database_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "other.db"
    with sqlite3.connect(place) as rows:
        rows.execute("CREATE TABLE mine (value)")
    rows.close()
    assert "is a database of something else" in refused(place)


def test_a_store_and_a_file_of_shared_games_are_told_apart(tmp_path: Path) -> None:
    tables, games = tmp_path / "tables.db", tmp_path / "games.db"
    TableStore(tables).close()
    assert f"'{tables}' is a file of shared games, expected a store of tournaments" in refused(tables)
    held(games, contest("a", "b"))
    before = games.read_bytes()
    with pytest.raises(KibitzError, match=r"games.db': it is a store of tournaments, expected a file of shared games$"):
        TableStore(games)
    assert games.read_bytes() == before
    TableStore(tables).close()


@pytest.mark.parametrize(
    ("number", "needed"), [(99, "a newer one is needed"), (2, "an older one is needed, or another")]
)
def test_a_store_of_another_format_is_refused_and_left_alone(number: int, needed: str, tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    held(place, contest("a", "b"))
    rows = sqlite3.connect(place)
    rows.execute(f"PRAGMA user_version = {number}")
    rows.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    rows.close()
    assert f"has format {number}, this Kibitz reads 3; {needed}" in refused(place)


def test_a_damaged_store_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    held(place, contest("a", "b", games=40))
    whole = place.read_bytes()
    place.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    assert "cannot be used as a store" in refused(place)


def test_a_folder_and_a_place_that_is_not_there_are_refused(tmp_path: Path) -> None:
    assert "it is a folder" in refused(tmp_path)
    assert "No such file or directory" in refused(tmp_path / "nowhere" / "games.db")


def test_a_store_into_which_games_are_played_is_refused_to_others_and_can_be_read(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    with Store(place) as store:
        number = store.enter(contest("a", "b"))
        assert f"games are being played into '{place}' by another command (process {os.getpid()})" in refused(place)
        with pytest.raises(Locked):
            check(place)
        with Store(place, create=False) as reader:
            assert list(reader.contests()) == [number]
    assert held(place, contest("a", "b")).asked
    assert [file.name for file in tmp_path.iterdir()] == ["games.db"]


def test_a_store_is_free_again_when_its_player_was_killed(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    program = f"""
import pathlib, time
from kibitz.arena.contest.store import Store
with Store(pathlib.Path({str(place)!r})):
    print("open", flush=True)
    time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert f"(process {process.pid})" in refused(place)
        process.kill()
    assert held(place, contest("a", "b")).asked


def test_a_store_to_be_read_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match="there is no store"):
        Store(tmp_path / "games.db", create=False)
    assert not (tmp_path / "games.db").exists()


def test_an_agents_fingerprint_changes_with_the_file_it_names(tmp_path: Path) -> None:
    game = catalog.load("wolves")
    guest = tmp_path / "guest.py"
    guest.write_text("def choose(position, limit): return position.moves()[0]\n")
    before = fingerprint.of_agent(f"python:{guest}", game)
    assert fingerprint.of_agent(f"python:{guest}", game) == before
    guest.write_text("def choose(position, limit): return position.moves()[1]\n")
    assert fingerprint.of_agent(f"python:{guest}", game) != before


def test_an_agents_fingerprint_covers_what_it_imports_and_reads_beside_it_and_nothing_else(tmp_path: Path) -> None:
    game = catalog.load("wolves")
    (tmp_path / "guest.py").write_text("from helper import best\nWEIGHTS = open('weights.txt')\n")
    for name in ("helper.py", "deeper.py", "weights.txt", "neighbour.py"):
        (tmp_path / name).write_text("import deeper\n" if name == "helper.py" else "")

    def seen() -> str:
        return fingerprint.of_agent(f"python:{tmp_path / 'guest.py'}", game)

    prints = [seen()]
    for name in ("neighbour.py", "helper.py", "deeper.py", "weights.txt"):
        (tmp_path / name).write_text("import deeper  # changed\n")
        prints.append(seen())
    assert prints[0] == prints[1]
    assert len(set(prints)) == 4


def test_an_agent_has_one_fingerprint_wherever_it_lies(tmp_path: Path) -> None:
    game = catalog.load("wolves")
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "guest.py").write_text("def choose(position, limit): return position.moves()[0]\n")
    here, there = (fingerprint.of_agent(f"python:{tmp_path / name / 'guest.py'}", game) for name in ("here", "there"))
    assert here == there


def test_an_agents_fingerprint_changes_with_a_file_that_its_command_names_in_quotes(tmp_path: Path) -> None:
    game, script = catalog.load("wolves"), tmp_path / "my engine.py"
    text = f"ugi:python3 '{script}'"
    script.write_text("print('one')")
    before = fingerprint.of_agent(text, game)
    script.write_text("print('two')")
    assert fingerprint.of_agent(text, game) != before


def test_an_agents_fingerprint_is_that_of_its_meaning() -> None:
    game = catalog.load("wolves")
    assert fingerprint.of_agent("engine:seconds=1", game) == fingerprint.of_agent("engine:seconds=1.0", game)
    assert fingerprint.of_agent("engine:seconds=1", game) != fingerprint.of_agent("engine:seconds=2", game)


def test_the_fingerprint_of_rules_sees_options_and_sources() -> None:
    prints = {fingerprint.of_rules(catalog.load(text)) for text in ("wolves", "wolves:fifteen", "breakthrough")}
    assert len(prints) == 3


def test_an_agents_fingerprint_is_of_its_own_sources_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def note(place: Path) -> str:
        read.append(place)
        return str(place)

    monkeypatch.setattr(fingerprint, "_of_source", note)
    ours = Path(agents.__file__).parent.parent
    for kind in agents.kinds().values():
        if kind.is_ours:
            read.clear()
            fingerprint.of_agent(kind.name, catalog.load("checkers"))
            made = kind.make.func if isinstance(kind.make, partial) else kind.make
            assert Path(str(sys.modules[made.__module__].__file__)) in read, kind.name
            assert all(place.is_relative_to(ours) for place in read), kind.name
