"""A first file for a game of one's own: tic-tac-toe, complete and ready to be changed, and its test."""

import ast
import builtins
import keyword
import re
import sys
from importlib.resources import files
from pathlib import Path

from kibitz.core.errors import KibitzError, quoted
from kibitz.games import catalog

LONGEST = 30  # letters of a name, so that every line keeps its length
NEEDED = ("kibitz", "numba", "numpy", "pytest")  # modules that a file of such a name would hide


class BadName(KibitzError):
    """A name that a new game cannot have."""


def scaffold(name: str, folder: Path = Path()) -> list[Path]:
    """Write NAME.py and test_NAME.py; what is there already stays as it is."""
    refuse_bad_name(name)
    texts = {folder / f"{name}.py": text_of_game(name), folder / f"test_{name}.py": text_of_test(name)}
    for path in texts:
        if path.exists() or path.is_symlink():
            raise KibitzError(f"'{path}' is there already, expected a name that is free")
    for path, text in texts.items():
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except OSError as problem:
            raise KibitzError(f"cannot write '{path}': {problem.strerror}") from None
    return list(texts)


def refuse_bad_name(name: str) -> None:
    """Nothing, or the reason why no game can be called so."""
    shown = f"a game cannot be called {quoted(name)}"
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise BadName(f"{shown}, expected letters, digits and _ only, beginning with a letter")
    if len(name) > LONGEST:
        raise BadName(f"{shown}, expected at most {LONGEST} letters")
    if keyword.iskeyword(name) or keyword.issoftkeyword(name) or hasattr(builtins, name):
        raise BadName(f"{shown}, expected a name that means nothing to Python")
    if name.startswith("test_") or name == "conftest":
        raise BadName(f"{shown}, expected a name that does not make the file a test")
    if name in sys.stdlib_module_names or name in NEEDED:
        raise BadName(f"{shown}, expected a name that no Python module has")
    if name in {entry.name for entry in catalog.entries()}:
        raise BadName(f"{shown}, expected a name that no other game has")
    if name in _names_in(text_of_game("name")):
        raise BadName(f"{shown}, expected a name that the rules file does not use itself")


def _names_in(text: str) -> set[str]:
    """Every name that a file defines, imports or uses."""
    nodes = list(ast.walk(ast.parse(text)))
    found = {node.id for node in nodes if isinstance(node, ast.Name)}
    found |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    found |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.alias))}
    return found


def text_of_game(name: str, title: str | None = None) -> str:
    """The rules file of a new game."""
    return _template("game.txt", name, title)


def text_of_test(name: str, title: str | None = None) -> str:
    """The test of a new game."""
    return _template("test.txt", name, title)


def _template(file: str, name: str, title: str | None) -> str:
    text = (files("kibitz.laws") / "templates" / file).read_text(encoding="utf-8")
    return text.replace("$name", name).replace("$title", title or name.replace("_", " ").capitalize())
