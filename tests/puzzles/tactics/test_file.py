"""Files of puzzles: they come back as they were written, and whatever does not fit is refused with its line."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.errors import KibitzError
from kibitz.games import catalog
from kibitz.puzzles.tactics import file
from kibitz.puzzles.tactics.file import BadPuzzleFile, format_set, load, parse, save
from kibitz.puzzles.tactics.puzzle import BadPuzzle, Puzzle, PuzzleSet, positions_of

PUZZLE = Puzzle(
    position="3/2x/o2 x",
    goal="win",
    line=("c1", "c3", "b2"),
    turns=5,
    choices=7,
    level=7,
    evidence="table",
    origin="engine game 3 of seed 1, turn 3",
)
SET = PuzzleSet(game="tictactoe", rules="0" * 64, puzzles=(PUZZLE, PUZZLE), made={"seed": 1}, looked_at=3)


def changed(number: int, /, **values: Any) -> str:
    """The text of a set with some values of one line changed; None leaves one out."""
    rows = [json.loads(row) for row in format_set(SET).splitlines()]
    rows[number] = {name: value for name, value in (rows[number] | values).items() if value is not None}
    return "\n".join(map(json.dumps, rows))


def test_a_set_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.puzzles"
    save(path, SET)
    assert load(path) == SET


BAD = [
    ("", "a:1: '' is not JSON"),
    ("[]", "a:1: '[]' is no object"),
    ("{}", "a:1: this is no file of puzzles"),
    (changed(0, format=2), "a:1: format '2', this Kibitz reads 1"),
    (changed(0, format=True), "a:1: format 'True'"),
    (changed(0, rules=None), "a:1: there is no 'rules'"),
    (changed(0, game=7), "a:1: 'game' is '7'"),
    (changed(0, extra=1), "a:1: nothing is known of 'extra'"),
    (changed(0, looked_at=-1), "a:1: 'looked_at' is '-1'"),
    (changed(1, position="x" * 5000), "a:2: 'position' is"),
    (changed(1, position="a\nb"), "a:2: 'position' is"),
    (changed(1, goal="lose"), "a:2: 'goal' is 'lose'"),
    (changed(1, goal="best"), "a:2: there is no 'margin'"),
    (changed(1, line=[]), "a:2: 'line' is '[]'"),
    (changed(1, line=["a", "b"]), "a:2: 'line' is"),
    (changed(1, line=["a b"]), "a:2: 'line' is"),
    (changed(1, line=["a"] * 65), "a:2: 'line' is"),
    (changed(1, level=11), "a:2: 'level' is '11'"),
    (changed(1, level=True), "a:2: 'level' is 'True'"),
    (changed(2, margin=2), "a:3: 'margin' is '2'"),
    (changed(2, evidence="trust me"), "a:3: 'evidence' is 'trust me'"),
    (changed(2, why="?"), "a:3: nothing is known of 'why'"),
    (changed(0) + "\n{", "a:2: '{' is not JSON"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_what_does_not_fit_is_refused_with_its_line(text: str, message: str) -> None:
    if text.endswith("\n{"):
        text = text.split("\n")[0] + "\n{"
    with pytest.raises(BadPuzzleFile) as refusal:
        parse(text, "a")
    assert str(refusal.value).startswith(message)
    assert "\n" not in str(refusal.value)


def test_a_file_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "MOST_PUZZLES", 1)
    with pytest.raises(BadPuzzleFile, match="2 puzzles, expected at most 1"):
        parse(format_set(SET), "a")
    path = tmp_path / "a.puzzles"
    with path.open("wb") as large:
        large.truncate(file.LARGEST + 1)
    with pytest.raises(BadPuzzleFile, match="it has more than 16 MB"):
        load(path)


def test_a_set_of_other_rules_is_refused() -> None:
    game = catalog.load("tictactoe")
    with pytest.raises(BadPuzzle, match="made under other rules"):
        SET.check_game(game, "a")
    with pytest.raises(BadPuzzle, match="has puzzles of 'tictactoe', expected some of wolves"):
        SET.check_game(catalog.load("wolves"), "a")


@pytest.mark.parametrize("line", [("c1", "c1", "b2"), ("c1", "z9", "b2"), ("c1+c3", "b2", "a2")])
def test_a_line_that_cannot_be_played_is_refused(line: tuple[str, ...]) -> None:
    game = catalog.load("tictactoe")
    assert len(positions_of(PUZZLE, game)) == 4
    with pytest.raises(KibitzError):
        positions_of(replace(PUZZLE, line=line), game)
