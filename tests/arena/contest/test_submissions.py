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
from kibitz.arena.players.agent_files import needed_files
from kibitz.arena.report import pages
from kibitz.arena.report.live import Silent
from kibitz.arena.teams.local import Alone
from kibitz.arena.teams.parcels import pack
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
        ('name = "\\u001b[2Jgone"', "'?[2Jgone', expected at most 80 letters that can be printed"),
        (f"authors = ['Ann', '{'x' * 81}']", "expected at most 80 letters that can be printed"),
        ("agent = 'python:../rival/player.py'", "expected files of its own folder"),
        ("command = 'python3 player.py ../rival/player.py'", "expected files of its own folder"),
    ],
)
def test_what_is_wrong_with_a_submissions_facts_is_its_own_failure(tmp_path: Path, facts: str, said: str) -> None:
    write(tmp_path, {"group/kibitz.toml": facts, "group/player.py": CHOOSE, "rival/player.py": CHOOSE})
    found = entries(tmp_path, "wolves")
    assert said in found["group"].failure
    assert found["rival"].failure == ""


def test_what_lies_elsewhere_or_is_too_much_cannot_be_handed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"secret/player.py": CHOOSE, "secret/facts.toml": "name = 'Secret'", "in/fine/player.py": CHOOSE})
    write(tmp_path, {"in/facts/player.py": CHOOSE, "in/large/player.py": CHOOSE, "in/large/book.bin": "x" * 3000})
    (tmp_path / "in" / "folder").symlink_to(tmp_path / "secret")
    (tmp_path / "in" / "file.py").symlink_to(tmp_path / "secret" / "player.py")
    (tmp_path / "in" / "gone.py").symlink_to(tmp_path / "nowhere.py")
    (tmp_path / "in" / "facts" / "kibitz.toml").symlink_to(tmp_path / "secret" / "facts.toml")
    (tmp_path / "in" / "inner").symlink_to("fine")
    monkeypatch.setattr("kibitz.arena.players.agent_files.LARGEST", 2000)
    found = entries(tmp_path / "in", "breakthrough")
    out = "is a link that leads out of the folder"
    wrong = {name: entry.failure for name, entry in found.items() if entry.failure}
    assert wrong.keys() == {"folder", "file", "gone", "facts", "large"}
    assert all(out in wrong[name] for name in ("folder", "file", "gone", "facts"))
    assert wrong["large"] == "large cannot be taken: it holds more than 0 MB"


def test_a_link_out_of_a_submission_is_neither_hashed_nor_sent(tmp_path: Path) -> None:
    write(tmp_path, {"mine/player.py": CHOOSE, "mine/.hidden": "", "secret": "top"})
    before = needed_files(tmp_path / "mine")
    (tmp_path / "mine" / "exam.txt").symlink_to(tmp_path / "secret")
    (tmp_path / "mine" / "all").symlink_to("/")
    assert needed_files(tmp_path / "mine") == before == [tmp_path / "mine" / "player.py"]
    assert [path for path, *_ in pack(tmp_path / "mine").files] == ["player.py"]
    write(tmp_path, {"mine/player.py": "NAME = 'exam.txt'\n" + CHOOSE})
    assert needed_files(tmp_path / "mine" / "player.py") == [tmp_path / "mine" / "player.py"]


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
