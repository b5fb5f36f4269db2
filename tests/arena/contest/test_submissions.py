"""Who takes part: names, folders of any game, and what submissions say of themselves."""

import re
from pathlib import Path

import pytest

from kibitz.agents.agent import UnknownAgent
from kibitz.arena.contest.rehearsal import rehearse
from kibitz.arena.contest.runner import run_contest
from kibitz.arena.contest.settings import Settings, make_contest, make_tournament
from kibitz.arena.contest.store import Store
from kibitz.arena.contest.submissions import Entry, NoEntries, expand, read_entry
from kibitz.arena.report import pages
from kibitz.arena.report.live import Silent
from kibitz.arena.teams.local import Alone
from kibitz.games import catalog

CHOOSE = "def choose(position, limit):\n    return position.moves()[0]\n"


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def entries(folder: Path, game: str) -> dict[str, Entry]:
    return {entry.name: entry for entry in expand(str(folder), catalog.load(game))}


def test_an_agent_may_be_given_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write(tmp_path, {"a.py": CHOOSE}))
    assert read_entry("Ann=python:a.py") == Entry("Ann", f"python:{tmp_path}/a.py")
    assert read_entry("engine:level=5").name == "engine:level=5"
    with pytest.raises(UnknownAgent):
        read_entry("Ann=nobody")


def test_a_folder_says_in_a_file_who_it_is(tmp_path: Path) -> None:
    facts = 'name = "Deep Sheep"\nauthors = ["Ann", "Bob"]\nlanguage = "Java"\ncommand = "java -jar bot.jar --fast"\n'
    write(tmp_path, {"group1/kibitz.toml": facts, "group1/bot.jar": "", "group2/kibitz.toml": 'agent = "python:x.py"'})
    write(tmp_path, {"group2/x.py": CHOOSE, "group2/y.py": ""})
    found = entries(tmp_path, "wolves")
    assert found["Deep Sheep"].text == f"ugi:java -jar {tmp_path}/group1/bot.jar --fast"
    assert found["Deep Sheep"].authors == ("Ann", "Bob")
    assert found["Deep Sheep"].folder == str(tmp_path / "group1")
    assert found["group2"].text == f"python:{tmp_path}/group2/x.py"


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ("name = ", "group/kibitz.toml cannot be read"),
        ("nmae = 'x'", "group/kibitz.toml: nothing is known of 'nmae'; did you mean 'name'?"),
        ("authors = 'Ann'", "authors is 'Ann', expected a list of texts"),
        ("agent = 'random'\ncommand = 'x'", "has a command and an agent, expected one of them"),
        ("agent = 'nobody'", "no agent is called 'nobody'"),
    ],
)
def test_what_is_wrong_with_a_submissions_facts_is_its_own_failure(tmp_path: Path, facts: str, said: str) -> None:
    write(tmp_path, {"group/kibitz.toml": facts, "group/player.py": CHOOSE})
    assert said in entries(tmp_path, "wolves")["group"].failure


def test_every_game_has_folders_of_the_kind_of_its_course(tmp_path: Path) -> None:
    student = "class Mine:\n    def getAction(self, state):\n        pass\n"
    write(tmp_path, {"a/main.py": student, "b/main.py": CHOOSE})
    (place,) = {entry.folder.rpartition("/")[0] for entry in entries(tmp_path, "checkers").values()}
    assert entries(tmp_path, "checkers")["a"].text == f"course-checkers:{place}/a/main.py::Mine"
    assert entries(tmp_path, "wolves")["a"].text == f"course-wolves:{place}/a/main.py"
    assert entries(tmp_path, "alquerque")["a"].text == f"course-alquerque:{place}/a"
    assert entries(tmp_path, "breakthrough")["a"].text == f"python:{place}/a/main.py"
    assert entries(tmp_path, "vampires")["a"].text.startswith("vampires-client:")
    assert {entries(tmp_path, game)["b"].text for game in ("wolves", "vampires")} == {f"python:{place}/b/main.py"}


def test_a_folder_without_entries_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoEntries, match="no entry in the folder"):
        expand(str(tmp_path), catalog.load("wolves"))


def test_a_rehearsal_says_what_is_wrong_with_each(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "fine.py": CHOOSE,
            "broken.py": "def choose(position limit):\n",
            "cheat.py": "def choose(position, limit):\n    return 'h1-h8'\n",
            "late/kibitz.toml": "language = 7",
            "client/kibitz.toml": "agent = 'python:gone.py'",
        },
    )
    wanted = expand(str(tmp_path), catalog.load("breakthrough"))
    found = {one.name: one for one in rehearse(make_contest(["breakthrough"], "swiss", wanted, 2, Settings(depth=1)))}
    assert found["fine"].problem == ""
    assert found["fine"].turns >= 10
    assert "broken.py:1: invalid syntax" in found["broken"].problem
    assert found["cheat"].problem.startswith("illegal: ")
    assert "language is '7', expected a text" in found["late"].problem
    assert "gone.py" in found["client"].problem


NOISY = "import sys\nprint('hello from', __name__)\ndef choose(position, limit):\n"
NOISY += "    print('on standard error', file=sys.stderr)\n    return position.moves()[0]\n"


def test_what_a_guest_prints_is_kept_and_linked_in_its_page(tmp_path: Path) -> None:
    write(tmp_path, {"entries/noisy.py": NOISY, "entries/quiet.py": CHOOSE})
    contest = make_tournament(["wolves,plies=10"], [str(tmp_path / "entries")], "round-robin", 2, Settings(depth=1))
    with Store(tmp_path / "games.db") as store:
        run_contest(contest, store, Alone(), Silent())
        pages.write(tmp_path / "report", contest, store.games(1), store.openings(contest.book), store.printed)
    (log,) = (tmp_path / "report").glob("*.log")
    assert log.read_text().count("on standard error") >= 4
    page = (tmp_path / "report" / f"{log.stem}.html").read_text()
    assert re.search(rf'href="{log.name}">what it printed</a> on either stream in 2 games: \d+ bytes<', page)
