"""The commands, as a person runs them: in a process of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kibitz.core.seam import interpreting
from tests.core.stones import STONES, edited

ROOT = Path(__file__).parent.parent.parent
compiled_only = pytest.mark.skipif(interpreting(), reason="about compiled code")


def kibitz(*words: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kibitz.cli", *words],
        capture_output=True,
        text=True,
        input=typed,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
    )


def refused(*words: str) -> str:
    """The one line on standard error with which a command refuses."""
    answer = kibitz(*words)
    assert answer.returncode == 2, answer
    assert answer.stdout == ""
    lines = answer.stderr.splitlines()
    assert len(lines) == 1, answer.stderr
    return lines[0]


def test_alone_it_says_what_can_be_done_in_one_screen() -> None:
    answer = kibitz()
    assert answer.returncode == 0
    assert len(answer.stdout.splitlines()) < 50
    for verb in ("play", "games", "show", "perft", "analyse", "new", "check", "warm", "cache", "doctor"):
        assert f"\n  {verb}" in answer.stdout


@pytest.mark.parametrize("words", ["--help", "games", "show breakthrough", "show checkers --json"])
def test_listing_and_showing_do_not_load_the_compiler(words: str) -> None:
    code = (
        f"import sys; sys.argv[1:] = {words.split()!r}; from kibitz.cli.main import main\n"
        "try: main()\nexcept SystemExit: pass\nprint('numba' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert answer.stdout.endswith("False\n")


def test_games_are_listed_with_presets_and_options() -> None:
    listed = {game["name"]: game for game in json.loads(kibitz("games", "--json").stdout)}
    assert set(listed) >= {"alquerque", "breakthrough", "checkers", "vampires", "wolves"}
    assert listed["breakthrough"]["presets"] == ["8x8", "5x10", "three", "5x10-three"]
    assert listed["breakthrough"]["options"] == {"rows": 8, "columns": 8, "base": 1}


@pytest.mark.parametrize(
    "game", ["alquerque", "breakthrough:5x10", "checkers", "vampires:testmap2", "wolves", "tests/rules/connectfour.py"]
)
def test_every_game_is_shown_as_text_and_as_a_picture(game: str, tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    answer = kibitz("show", game, "--svg", str(picture))
    assert answer.returncode == 0, answer.stderr
    assert "to move" in answer.stdout
    assert " moves: " in answer.stdout
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_show_plays_a_line_first_and_knows_the_end() -> None:
    answer = kibitz("show", "breakthrough", "7P/8/8/8/8/8/8/p7 w 0 1")
    assert "both sides have won" in answer.stderr
    over = kibitz("show", "breakthrough", "8/6P1/8/8/p7/8/8/8 w 0 1", "--line", "g7-g8", "--json")
    assert json.loads(over.stdout)["result"] == "first_wins"


@compiled_only
def test_perft_ends_with_the_total() -> None:
    assert kibitz("perft", "breakthrough", "4").stdout.splitlines()[-1] == "total 256036"
    divided = kibitz("perft", "wolves", "2", "--divide").stdout.splitlines()
    assert divided[-1] == "total 30"
    assert sum(int(line.split(": ")[1]) for line in divided[:-1]) == 30
    told = json.loads(kibitz("perft", "alquerque", "3", "--json").stdout)
    assert [row["lines"] for row in told["rows"]] == [3, 6, 19]
    placed = kibitz("perft", "breakthrough", "1", "--position", "8/6P1/8/8/p7/8/8/8 w 0 1").stdout
    assert placed.splitlines()[-1] == "total 3"


@compiled_only
def test_warm_fills_the_cache_and_cache_shows_and_clears_it(tmp_path: Path) -> None:
    rules = tmp_path / "stones.py"
    rules.write_text(STONES)
    there = {"KIBITZ_CACHE": str(tmp_path / "cache")}
    assert "1/1" in kibitz("warm", str(rules), **there).stdout
    shown = kibitz("cache", **there).stdout
    assert "stones_perft_count_lines" in shown
    assert str(tmp_path / "cache") in shown
    assert "removed" in kibitz("cache", "clear", **there).stdout
    assert kibitz("cache", **there).stdout.startswith("0 compiled modules")
    assert not list((tmp_path / "cache").glob("**/*.nb?"))


@compiled_only
def test_doctor_finds_all_well_here() -> None:
    answer = kibitz("doctor")
    assert answer.returncode == 0, answer.stdout
    assert answer.stdout.endswith("all is well\n")
    assert "11132 lines" in answer.stdout


@compiled_only
def test_doctor_says_what_is_broken(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    answer = kibitz("doctor", KIBITZ_CACHE=str(tmp_path / "file" / "cache"))
    assert answer.returncode == 1
    assert "BROKEN  cache folder" in answer.stdout


def test_a_game_is_played_by_typing(tmp_path: Path) -> None:
    typed = "moves\nnonsense\na2-a3\nundo\ntext\nquit\n"
    answer = kibitz("play", "breakthrough", "--second", "random:seed=1", typed=typed)
    assert answer.returncode == 0, answer.stderr
    assert "illegal move 'nonsense'" in answer.stdout
    assert "black: " in answer.stdout
    goes_on = "to go on: kibitz play breakthrough --first human --second random:seed=1 --position 'pppppppp/"
    assert goes_on in answer.stdout


def test_two_machines_play_to_the_end() -> None:
    answer = kibitz("play", "vampires:testmap", "--first", "random:seed=1", "--second", "random:seed=2", "--seed", "3")
    assert answer.returncode == 0, answer.stderr
    assert "won by" in answer.stdout or "drawn" in answer.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["show", "breakthru"], "no game is called 'breakthru'; did you mean 'breakthrough'?"),
        (["show", "breakthrough:5x11"], "no preset is called '5x11'; did you mean '5x10'?"),
        (["show", "breakthrough,row=5"], "no option is called 'row'; did you mean 'rows'?"),
        (["show", "breakthrough,rows=0"], "option rows is 0, expected 5 to 32"),
        (["show", "breakthrough,rows=1000000"], "option rows is 1000000, expected"),
        (["show", "breakthrough,rows=10,columns=10"], "100 cells, expected at most 64"),
        (["show", "breakthrough,rows=x"], "option rows is 'x', expected a whole number"),
        (["show", "breakthrough", "pp/8 w"], "has 2 rows, expected 8"),
        (["show", "breakthrough", "x7/8/8/8/8/8/8/8 w"], "'x' is no piece, expected P, p"),
        (["show", "breakthrough", "9/8/8/8/8/8/8/8 w"], "a run of 9 does not fit 8 cells"),
        (["show", "breakthrough", "99999999999/8/8/8/8/8/8/8 w"], "does not fit 8 cells"),
        (["show", "breakthrough", ""], "position is empty"),
        (["show", "breakthrough", "\x00\x01\xff"], "cannot be printed"),
        (["show", "wolves", "5/5/5/5/5 w"], "has 0 wolves, expected 2"),
        (["show", "alquerque", "wwwww/wwwww/wwwww/5/bbbbb w"], "white has 15 pieces, expected at most 12"),
        (["show", "checkers", "x w"], "expected"),
        (["show", "vampires,map=/nowhere.xml"], "/nowhere.xml"),
        (["show", "vampires,map=README.md"], "README.md"),
        (["show", "vampires,map=docs"], "docs"),
        (["show", "breakthrough", "--line", "a2-a9"], "illegal move 'a2-a9' in breakthrough position"),
        (["show", "nothere.py"], "cannot read the rules file 'nothere.py': No such file or directory"),
        (["show", "docs.py"], "docs.py"),
        (["show", "README.py,x=1"], "README.py"),
        (["show", "breakthrough", "--svg", "/nowhere/at/all.svg"], "cannot write '/nowhere/at/all.svg'"),
        (["perft", "breakthrough", "zero"], "valid integer"),
        (["perft", "breakthrough", "0"], "greater than or equal to 1"),
        (["perft", "breakthrough"], "Missing argument"),
        (["cache", "burn"], "clear"),
        (["analyse", "breakthrough", "--seconds", "-1"], "limit seconds is -1.0, expected more than zero"),
        (["analyse", "breakthrough", "--hash", "99999999"], "hash is 99999999 MB, expected"),
        (["analyse", "breakthrough", "--heuristic", "flapy"], "breakthrough has no heuristic 'flapy'"),
        (["best", "breakthrough", "--agent", "engin"], "no agent is called 'engin'; did you mean 'engine'?"),
        (["best", "breakthrough", "--agent", "engine:levl=3"], "no option is called 'levl'; did you mean 'level'?"),
        (["best", "breakthrough", "8/6P1/8/8/8/8/8/8 w"], "the game is over"),
        (["show", "breakthrough,rows"], "'rows' is no option, expected key=value"),
        (["show", "breakthrough,rows=8,rows=9"], "option 'rows' is given twice"),
        (["show", "breakthrough", "--svg", "docs"], "cannot write 'docs': it is a folder"),
        (["analyse", "wolves", "--nodes", "9" * 25], "expected at most 1152921504606846976"),
        (["explain", "tests/rules/tictactoe.py"], "has no heuristic"),
        (["flow", "solve", "nothere.txt"], "nothere.txt"),
        (["flow", "generate", "--size", "1000000x2"], "size is '1000000x2', expected columns x rows"),
        (["tree", "breakthrough", "--depth", "99"], "option depth is 99, expected 1 to 4"),
    ],
    ids=lambda value: None if isinstance(value, str) else " ".join(value)[:40].replace("\x00", "0"),
)
def test_bad_input_is_one_clear_line_and_status_two(words: list[str], said: str) -> None:
    if any("\x00" in word for word in words):
        words = [word.replace("\x00", "\x02") for word in words]
    assert said in refused(*words)


def test_binary_garbage_as_a_rules_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "garbage.py"
    path.write_bytes(bytes(range(256)) * 4)
    assert "garbage.py:1:" in refused("show", str(path))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("return state.side\n", "return state.sid\n", "turn() fails with AttributeError"),
        ("State(9, 0)", "State(9)", "fails with TypeError"),
        ("        yield stones", "        yield 1 // 0", "moves() fails with ZeroDivisionError"),
        ("max_moves=3", "max_moves=-9", "max_moves of stones is -9, expected 1 or more"),
        ("MOST = 3", "raise SystemExit(7)", "the file ends the program when it is loaded"),
    ],
)
def test_rules_that_fail_are_told_with_file_and_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    rules = tmp_path / "stones.py"
    rules.write_text(edited((old, new)))
    line = refused("show", str(rules))
    assert line.startswith("kibitz: stones.py:")
    assert said in line


def test_a_file_without_a_game_and_one_with_two_are_told_apart(tmp_path: Path) -> None:
    empty = tmp_path / "empty.py"
    empty.write_text("x = 1\n")
    assert "holds no game, expected a Rulebook" in refused("show", str(empty))
    double = tmp_path / "double.py"
    double.write_text(STONES + "\nfrom dataclasses import replace\nmore = replace(stones, name='more')\n")
    assert "holds several games, expected" in refused("show", str(double))
    assert kibitz("show", f"{double}:more").returncode == 0


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = f"{sys.executable} -m kibitz.cli show breakthrough | head -1"
    answer = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd=ROOT)
    assert answer.stderr == ""


def test_a_game_that_begins_with_chance_is_analysed_played_and_refused_where_nobody_chooses(tmp_path: Path) -> None:
    source = (ROOT / "tests/laws/coin_race.py").read_text()
    game = tmp_path / "coin_race.py"
    thrown_first = source.replace("return State(0, 0, 0, False)", "return State(0, 0, 0, True)")
    assert thrown_first != source
    game.write_text(thrown_first.replace("THROW, GOAL = 0, 3", "THROW, GOAL = 0, 30"))
    answer = kibitz("analyse", str(game), "--depth", "2", "--json")
    assert answer.returncode == 0, answer.stderr
    assert [found["odds"] for found in json.loads(answer.stdout)["outcomes"]] == [0.5, 0.5]
    match = kibitz("match", str(game), "engine:depth=1", "random", "--games", "2")
    assert match.returncode == 0, match.stderr
    assert "games 2" in match.stdout
    best = kibitz("best", str(game), "--agent", "engine:depth=1")
    assert best.returncode == 2
    assert "chance is to move" in best.stderr.splitlines()[-1]
