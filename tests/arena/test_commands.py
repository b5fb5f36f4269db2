"""`kibitz match`, `tournament` and `report`, as a person types them."""

import json
import re
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import pytest

from kibitz.cli.main import main

QUICK = ("--trusted", "--balance", "0", "--nodes", "50")
BOARD = "breakthrough,columns=4,rows=5"


class Answer(NamedTuple):
    status: int
    out: str
    err: str


class Terminal:
    """Runs commands in this process, in a folder of their own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self.monkeypatch, self.capsys, self.folder = monkeypatch, capsys, folder
        monkeypatch.chdir(folder)
        monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)

    def __call__(self, *words: str) -> Answer:
        self.monkeypatch.setattr(sys, "argv", ["kibitz", *words])
        with pytest.raises(SystemExit) as end:
            main()
        out, err = self.capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Answer(end.value.code, out, err)

    def refused(self, *words: str) -> str:
        """The one line with which a command refuses."""
        before = sorted(self.folder.rglob("*"))
        answer = self(*words)
        assert answer.status == 2, answer
        assert answer.out == ""
        assert len(answer.err.splitlines()) == 1, answer.err
        assert sorted(self.folder.rglob("*")) == before
        return answer.err


@pytest.fixture
def kibitz(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Terminal:
    return Terminal(monkeypatch, capsys, tmp_path)


def test_a_match_prints_what_engine_people_know(kibitz: Terminal) -> None:
    answer = kibitz("match", BOARD, "random", "random:seed=9", "--games", "20", *QUICK)
    assert answer.status == 0
    assert re.search(r"games 20: \d+ won, 0 drawn, \d+ lost; score \d+\.\d%", answer.out)
    assert re.search(r"Elo [+-]\d+\.\d \[.+, .+\] \(95%\)   nElo [+-]\d+\.\d   LOS \d+\.\d%", answer.out)
    assert re.search(r"pairs 10, by score 0 1/2 1 3/2 2: \d+ 0 \d+ 0 \d+", answer.out)
    assert "random:seed=9 has a fixed seed and rolls the same dice in every game" in answer.out


def test_a_match_for_programs_holds_the_same_facts(kibitz: Terminal) -> None:
    answer = kibitz("match", BOARD, "random", "random:seed=9", "--games", "8", "--json", "--sprt", "0", "50", *QUICK)
    facts = json.loads(answer.out)
    assert facts["games"] == facts["wins"] + facts["draws"] + facts["losses"] == 8
    assert sum(facts["pairs"]) == 4
    assert facts["sprt"]["bounds"] == [0, 50]
    assert facts["sprt"]["decision"] is None


def test_the_same_seed_gives_the_same_match(kibitz: Terminal) -> None:
    words = ("match", BOARD, "random", "random", "--games", "10", *QUICK)
    assert kibitz(*words).out == kibitz(*words, "--jobs", "1").out
    assert kibitz(*words, "--record", "a.jsonl").out != kibitz(*words, "--seed", "2").out


def test_a_match_in_a_store_goes_on_where_it_was(kibitz: Terminal) -> None:
    words = ("match", BOARD, "random", "random:seed=9", "--store", "games.db", *QUICK)
    kibitz(*words, "--games", "10")
    first = (kibitz.folder / "games.db").read_bytes()
    assert "games 16:" in kibitz(*words, "--games", "16").out
    assert (kibitz.folder / "games.db").read_bytes() != first


def test_deterministic_agents_from_one_start_are_told_that_they_replay_one_game(kibitz: Terminal) -> None:
    answer = kibitz("match", BOARD, "random:seed=3", "random:seed=9", "--games", "8", "--plies", "0", *QUICK)
    assert "6 of 8 games repeat another one move by move" in answer.out


def test_records_are_written_in_the_form_their_name_asks_for(kibitz: Terminal) -> None:
    words = ("match", BOARD, "random", "random:seed=9", "--games", "4", *QUICK)
    kibitz(*words, "--record", "games.txt")
    kibitz(*words, "--record", "games.jsonl")
    assert (kibitz.folder / "games.txt").read_text().count("[Game ") == 4
    lines = (kibitz.folder / "games.jsonl").read_text().splitlines()
    assert [json.loads(line)["tags"]["Pair"] for line in lines] == ["1", "1", "2", "2"]


def test_given_openings_are_played_from_both_sides(kibitz: Terminal) -> None:
    (kibitz.folder / "lines.txt").write_text("a2-a3 b4-b3\n")
    kibitz(
        "match",
        BOARD,
        "random",
        "random:seed=9",
        "--games",
        "2",
        "--openings",
        "lines.txt",
        "--record",
        "g.jsonl",
        *QUICK,
    )
    for line in (kibitz.folder / "g.jsonl").read_text().splitlines():
        assert [ply["text"] for ply in json.loads(line)["plies"][:2]] == ["a2-a3", "b4-b3"]


def test_a_tournament_prints_standings_and_a_cross_table_and_keeps_its_games(kibitz: Terminal) -> None:
    words = ("tournament", BOARD, "random", "random:seed=4", "random:seed=5", "--games", "4", *QUICK)
    answer = kibitz(*words)
    assert re.search(r"#\s+player\s+Elo\s+95%\s+points", answer.out)
    assert answer.out.count("/4") == 6
    assert (kibitz.folder / "kibitz-breakthrough.db").is_file()
    assert kibitz("report", "kibitz-breakthrough.db").out.splitlines()[1:] == answer.out.splitlines()
    facts = json.loads(kibitz("report", "kibitz-breakthrough.db", "--json").out)
    assert sum(player["points"] for player in facts["players"]) == facts["games"] == 12


@pytest.mark.parametrize(("form", "games"), [("gauntlet", 8), ("swiss", 12)])
def test_other_formats_play_their_own_number_of_games(kibitz: Terminal, form: str, games: int) -> None:
    players = [f"random:seed={number}" for number in range(1, 6)]
    answer = kibitz("tournament", BOARD, *players, "--format", form, "--rounds", "3", "--json", *QUICK)
    assert json.loads(answer.out)["games"] == games


GUESTS = {
    "first.py": "def choose(position, limit):\n    return position.moves()[0]\n",
    "last.py": "def choose(position, limit):\n    return position.moves()[-1]\n",
    "broken.py": "def choose(position, limit)\n",
    "cheat.py": "def choose(position, limit):\n    return 'a1-h8'\n",
    "deep/player.py": "def choose(position, limit):\n    return position.moves()[0]\n",
    "_hidden.py": "raise SystemExit\n",
}


def test_a_folder_of_submissions_becomes_a_leaderboard_and_a_page_for_each(kibitz: Terminal) -> None:
    folder = kibitz.folder / "submissions"
    for name, text in GUESTS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    answer = kibitz("tournament", BOARD, "submissions", *QUICK)
    assert answer.status == 0
    assert "broken did not take part" in answer.out
    assert re.search(r"cheat lost [456] games by its own fault: illegal", answer.out)
    pages = {page.name for page in (kibitz.folder / "kibitz-breakthrough-report").iterdir()}
    assert pages == {
        "index.html",
        *(f"entry-00{n}-{name}.html" for n, name in enumerate(("broken", "cheat", "deep", "first", "last"), 1)),
    }
    cheat = (kibitz.folder / "kibitz-breakthrough-report" / "entry-002-cheat.html").read_text()
    assert cheat.count("illegal: ") >= 4
    broken = (kibitz.folder / "kibitz-breakthrough-report" / "entry-001-broken.html").read_text()
    assert "broken.py:1" in broken
    (folder / "last.py").write_text(GUESTS["first.py"])
    again = kibitz("tournament", BOARD, "submissions", *QUICK)
    assert again.status == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("match", "breakthru", "random", "random"), "no game is called 'breakthru'; did you mean 'breakthrough'?"),
        (("match", BOARD, "random", "rundom"), "no agent is called 'rundom'; did you mean 'random'?"),
        (("match", BOARD, "random", "uci:no-such-engine"), "no program is called 'no-such-engine'"),
        (("match", BOARD, "random", f"uci:{'long' * 99}"), "no program is called 'longlong"),
        (("match", BOARD, "random", "flappy"), "agent flappy plays"),
        (("match", BOARD, "random", "random", "--games", "7"), "7 games cannot be played in pairs"),
        (("match", BOARD, "random", "random", "--sprt", "5", "0"), "the smaller first"),
        (("match", BOARD, "random", "random", "--clock", "soon"), "clock is 'soon', expected SECONDS"),
        (("match", BOARD, "random", "random", "--clock", "0"), "clock is '0', expected SECONDS"),
        (("match", BOARD, "random", "random", "--plies", "8-4"), "openings of 8 to 4 turns"),
        (("match", BOARD, "random", "random", "--seconds", "-1"), "seconds is -1"),
        (("match", BOARD, "random", "random", "--jobs", "0"), "jobs is 0"),
        (("match", BOARD, "random", "random", "--openings", "none.txt"), "cannot read the openings 'none.txt'"),
        (("match", BOARD, "random", "random", "--cluster", "here"), "expected tcp://HOST:PORT or local:N"),
        (("match", BOARD, "random", "random", "--record", "no/such.txt"), "cannot write 'no/such.txt'"),
        (("match", BOARD, "random", "random", "--store", "no/such.db"), "cannot write 'no/such.db'"),
        (("tournament", BOARD, "random"), "1 agents take part, expected at least two"),
        (("tournament", BOARD, "random", "random", "--html", "no/such.html"), "cannot write 'no/such.html'"),
        (("report", "none.db"), "there is no store 'none.db'"),
    ],
)
def test_a_mistake_is_one_line_and_changes_nothing(kibitz: Terminal, words: tuple[str, ...], told: str) -> None:
    extra = ("--trusted", "--balance", "0") if words[0] != "report" else ()
    assert told in kibitz.refused(*words, *extra)


@pytest.mark.parametrize("words", [("match", BOARD, "random", "random", "--store"), ("report",)])
def test_a_file_that_is_no_store_is_one_line_and_left_alone(kibitz: Terminal, words: tuple[str, ...]) -> None:
    (kibitz.folder / "notes.txt").write_text("my notes\n" * 500)
    assert "'notes.txt' cannot be used as a store: file is not a database" in kibitz.refused(*words, "notes.txt")
    assert (kibitz.folder / "notes.txt").read_text() == "my notes\n" * 500


def test_an_empty_folder_of_submissions_is_refused(kibitz: Terminal) -> None:
    (kibitz.folder / "submissions").mkdir()
    assert "no entry in the folder 'submissions'" in kibitz.refused("tournament", BOARD, "submissions")


def test_a_missing_cluster_library_names_the_extra(kibitz: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    line = kibitz.refused("match", BOARD, "random", "random", "--cluster", "local:2", "--trusted")
    assert "pip install 'kibitz[cluster]'" in line
