"""The gallery is discovered: a file there is a game, and one that fails hides no other."""

import ast
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from kibitz import games
from kibitz.core.errors import RulesError
from kibitz.games import catalog, gallery
from kibitz.laws.scaffold import text_of_game

TICTACTOE = (gallery.FOLDER / "tictactoe.py").read_text()


def listed() -> list[str]:
    return [entry.name for entry in catalog.entries() if entry.origin == catalog.GALLERY]


def test_every_file_of_the_gallery_is_a_game() -> None:
    assert set(listed()) == {path.stem for path in gallery.FOLDER.glob("*.py")} - {"__init__"}
    for name in listed():
        start = games.load(name).new()
        assert start.moves() or start.outcomes()
        assert getattr(games, name) is games.load(name).rulebook


def test_a_file_that_fails_to_load_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "FOLDER", tmp_path)
    monkeypatch.setattr(gallery, "__path__", [str(tmp_path)])
    (tmp_path / "broken.py").write_text("\nimport numpy\nnumpy.no_such_thing\n")
    (tmp_path / "unclosed.py").write_text("(\n")
    (tmp_path / "whole.py").write_text(TICTACTOE)
    assert listed() == ["broken", "unclosed", "whole"]
    assert games.load("whole").new().moves()
    with pytest.raises(RulesError, match=r"broken.py:3: AttributeError: module 'numpy' has no attribute"):
        games.load("broken")
    with pytest.raises(RulesError, match=r"unclosed.py:1: '\(' was never closed"):
        games.load("unclosed")


@pytest.mark.kibitz("tictactoe", "connectfour", "othello:6x6", games=2, positions=12, heuristics=False)
def test_games_of_the_gallery_obey_every_law(kibitz_law: Callable[[], None]) -> None:
    kibitz_law()


def code_lines(text: str) -> int:
    """How many lines there are besides docstrings and blank ones."""
    owners = (ast.Module, ast.FunctionDef, ast.ClassDef)
    firsts = [node.body[0] for node in ast.walk(ast.parse(text)) if isinstance(node, owners)]
    docs = [node for node in firsts if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    left_out = {line for node in docs for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    return sum(1 for number, line in enumerate(text.splitlines(), 1) if line.strip() and number not in left_out)


def test_short_games_are_short() -> None:
    lengths = {name: code_lines((gallery.FOLDER / f"{name}.py").read_text()) for name in listed()}
    assert lengths["tictactoe"] <= 40
    assert lengths["connectfour"] <= 60
    assert median(lengths.values()) <= 90
    assert code_lines(text_of_game("mygame")) <= 40
