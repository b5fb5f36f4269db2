"""A folder of submissions as agents: each file or subfolder is one, of the kind that its game's course has."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kibitz import agents
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game

# Which kind of guest plays a submission. Where a course has none, a file must hold a function `choose`.
FILE_KINDS = {"wolves": "course-wolves", "checkers": "course-checkers"}
FOLDER_KINDS = {"alquerque": "course-alquerque"}


class NoEntries(KibitzError):
    """A folder in which nobody takes part."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Who takes part, under which name."""

    name: str
    text: str
    submitted: bool = False  # from a folder: where it cannot play, only it fails


def named(wanted: "str | Entry") -> Entry:
    """An agent under its own text."""
    return wanted if isinstance(wanted, Entry) else Entry(str(agents.read(wanted)), wanted)


def expanded(given: str, game: Game) -> list["str | Entry"]:
    """The entries of a folder; anything else is an agent's text."""
    folder = Path(given)
    if given.endswith("/") and not os.path.isdir(folder):
        raise NoEntries(f"there is no folder '{given}', expected one that holds entries, or an agent")
    if not os.path.isdir(folder):  # unlike the path itself it answers for any text
        return [given]
    found = sorted(_entries(folder, game), key=lambda entry: entry.name.lower())
    if not found:
        raise NoEntries(f"no entry in the folder '{folder}', expected *.py files or folders that hold them")
    return list(found)


def _entries(folder: Path, game: Game) -> Iterator[Entry]:
    for place in folder.iterdir():
        if place.name.startswith((".", "_")):
            continue
        if place.suffix == ".py" and place.is_file():
            yield Entry(place.stem, _file_text(place, game), submitted=True)
        elif place.is_dir():
            yield from _of_folder(place, game)


def _of_folder(place: Path, game: Game) -> Iterator[Entry]:
    """A subfolder is one entry: a folder guest where the game has such, else the file in it that seems to be it."""
    kind = FOLDER_KINDS.get(game.rulebook.name)
    if kind is not None:
        yield Entry(place.name, f"{kind}:{place}", submitted=True)
        return
    files = sorted(file for file in place.glob("*.py") if not file.name.startswith("_"))
    if files:
        yield Entry(place.name, _file_text(_main(files, place), game), submitted=True)


def _main(files: list[Path], place: Path) -> Path:
    """The only file, the one named like its folder, one with a usual name, or else the first."""
    usual = (place.name, "player", "agent", "main", "ai", "submission")
    for name in usual:
        for file in files:
            if file.stem.lower() == name.lower():
                return file
    return files[0]


def _file_text(file: Path, game: Game) -> str:
    """A file by its course's kind, unless it is plainly one of ours, with a function `choose`."""
    kind = FILE_KINDS.get(game.rulebook.name, "python")
    text = file.read_text(errors="replace")
    if re.search(r"^def choose\b", text, re.MULTILINE) and not re.search(r"\bAIAlgorithm\b|\bgetAction\b", text):
        kind = "python"
    return f"{kind}:{file}::{_class(file)}" if kind == "course-checkers" else f"{kind}:{file}"


def _class(file: Path) -> str:
    """The last class in a file that has a getAction: the one a student wrote. Read as text: nothing is run here."""
    text = file.read_text(errors="replace")
    found = [
        name
        for name, body in re.findall(r"^class\s+(\w+)[^\n]*\n((?:[ \t]+[^\n]*\n|\s*\n)*)", f"{text}\n", re.MULTILINE)
        if re.search(r"^\s+def\s+getAction\b", body, re.MULTILINE)
    ]
    return found[-1] if found else file.stem
