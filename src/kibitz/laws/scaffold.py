"""A first file for a game of one's own: a short game, complete and ready to be changed, and its test."""

import builtins
import keyword
import re
import sys
from importlib.resources import files
from pathlib import Path

from kibitz.core.errors import KibitzError, did_you_mean, quoted
from kibitz.games import catalog

LONGEST = 30  # letters of a name, so that the first line keeps its length
NEEDED = ("kibitz", "numba", "numpy", "pytest")  # modules that a file of such a name would hide


class BadName(KibitzError):
    """A name that a new game cannot have."""


# What a new game may start from, and what it is.
SHAPES = {
    "grid": "tic-tac-toe: a set of cells for each side in one number",
    "hex": "a connection game on hexagons",
    "dice": "a race with a die",
    "turns": "a game of two moves a turn",
    "array": "five in a row on 81 cells, in an array",
}


def scaffold(name: str, folder: Path = Path(), like: str = "grid") -> list[Path]:
    """Write NAME.py and test_NAME.py; what is there already stays as it is."""
    refuse_bad_name(name)
    if like not in SHAPES:
        raise KibitzError(f"no game to start from is like {quoted(like)}{did_you_mean(like, SHAPES)}")
    texts = {folder / f"{name}.py": text_of_game(name, like=like), folder / f"test_{name}.py": text_of_test(name)}
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
    """Nothing, or the reason why no game can be called so, and a name that would do."""
    reason = _reason_against(name)
    if reason:
        free = _suggestion(name)
        hint = f"; {quoted(free)} is free" if free else ""
        raise BadName(f"a game cannot be called {quoted(name)}, expected {reason}{hint}")


def _suggestion(name: str) -> str:
    """A name like this one that a game can have; empty where there is none."""
    plain = re.sub(r"[^a-z0-9]+", "_", Path(name).name.lower()).strip("_")[: LONGEST - 3]
    return next((free for free in (plain, f"my_{plain}") if plain and not _reason_against(free)), "")


def _reason_against(name: str) -> str:
    """What is expected of a name that this one is not; empty where it will do."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        return "letters, digits and _ only, beginning with a letter"
    if len(name) > LONGEST:
        return f"at most {LONGEST} letters"
    if keyword.iskeyword(name) or keyword.issoftkeyword(name) or hasattr(builtins, name):
        return "a name that means nothing to Python"
    if name.startswith("test_") or name == "conftest":
        return "a name that does not make the file a test"
    if name in sys.stdlib_module_names or name in NEEDED:
        return "a name that no Python module has"
    if name in {entry.name for entry in catalog.entries()}:
        return "a name that no other game has"
    return ""


def text_of_game(name: str, title: str | None = None, like: str = "grid") -> str:
    """The rules file of a new game."""
    return _template(f"{like}.txt", name, title)


def text_of_test(name: str, title: str | None = None) -> str:
    """The test of a new game."""
    return _template("test.txt", name, title)


def _template(file: str, name: str, title: str | None) -> str:
    text = (files("kibitz.laws") / "templates" / file).read_text(encoding="utf-8")
    return text.replace("$name", name).replace("$title", title or name.replace("_", " ").capitalize())
