"""Who takes part: agents by their texts, and folders in which each file or subfolder is a submission.

A submission's folder may have a file `kibitz.toml`:

    name = "Deep Sheep"            # what tables call it; the folder's name if left out
    authors = ["Ann", "Bob"]
    command = "java -jar bot.jar"  # how it is started, if it is no Python file; files are those of the folder
    language = "Java"
    agent = "python:player.py"     # or an agent's text, instead of a command
"""

import os
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz import agents
from kibitz.agents.agent import AgentKind
from kibitz.arena.players.agent_files import find_excess, leads_out
from kibitz.arena.players.player import printable
from kibitz.arena.players.resolve_paths import PathResolver
from kibitz.arena.players.sandbox import is_of_system
from kibitz.arena.players.visible_files import VisibleFiles
from kibitz.core.errors import KibitzError, did_you_mean, quoted
from kibitz.core.game import Game
from kibitz.core.home import home_folder
from kibitz.core.input_file import MB, read_bytes, read_text

FACTS_FILE = "kibitz.toml"
LARGEST_FACTS = MB
LARGEST_SOURCE = 64 * MB
FACTS: dict[str, type] = {"name": str, "authors": list, "command": str, "language": str, "agent": str}
USUAL_NAMES = ("player", "agent", "main", "client", "ai", "submission")  # of the file that is the player
LONGEST_NAME = 80  # letters, also of an author
OWN_FILE = "python"  # the kind of a file with a function `choose`


class NoEntries(KibitzError):
    """A folder in which nobody takes part."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Who takes part, under which name."""

    name: str
    text: str
    submitted: bool = False  # from a folder: where it cannot play, only it fails
    folder: str = ""  # its own
    authors: tuple[str, ...] = ()
    language: str = ""
    failure: str = ""  # what is wrong with the submission itself


def expand(given: str, game: Game) -> list[Entry]:
    """The entries that one argument means: those of a folder, or one agent, as TEXT or NAME=TEXT."""
    folder = Path(given)
    if given.endswith("/") and not os.path.isdir(folder):
        raise NoEntries(f"there is no folder '{given}', expected one that holds entries, or an agent")
    if not os.path.isdir(folder):  # unlike the path itself it answers for any text
        return [read_entry(given)]
    found = sorted(_entries(folder.resolve(), game), key=lambda entry: entry.name.lower())
    if not found:
        raise NoEntries(f"no entry in the folder '{folder}', expected *.py files or folders that hold them")
    return found


def read_entry(given: str) -> Entry:
    """An agent of the user's, under its own text or a name: `NAME=TEXT`. Its files are named in full."""
    named = re.fullmatch(r"([^:=,/]{1,60})=(.+)", given)
    name, text = (named[1].strip(), named[2]) if named else ("", given)
    agent = agents.read(text)
    return Entry(name or str(agent), str(PathResolver(Path.cwd(), home_folder()).resolve(agent)))


def _entries(folder: Path, game: Game) -> Iterator[Entry]:
    for place in folder.iterdir():
        if place.name.startswith((".", "_")):
            continue
        if place.suffix == ".py" and (place.is_file() or place.is_symlink()):
            yield _of_file(place, game)
        elif place.is_dir():
            yield from _of_folder(place, game)


def _of_file(place: Path, game: Game) -> Entry:
    try:
        _refuse_strange(place)
        return Entry(printable(place.stem), _file_text(place, game), submitted=True)
    except KibitzError as error:
        return Entry(printable(place.stem), "", submitted=True, failure=printable(str(error)))


def _refuse_strange(place: Path) -> None:
    """Nobody hands in what lies elsewhere, or more than can be looked at."""
    if leads_out(place, place.parent):
        raise NoEntries(f"{place.name} is a link that leads out of the folder, expected files of its own")
    if excess := find_excess(place):
        raise NoEntries(f"{place.name} cannot be taken: {excess}")


def _of_folder(place: Path, game: Game) -> Iterator[Entry]:
    """A subfolder is one entry: as its facts say, a folder guest where the game has such, else a file in it."""
    try:
        _refuse_strange(place)
        facts = _read_facts(place / FACTS_FILE)
        text = _text_by_facts(place, facts, game) or _text_by_files(place, game)
    except KibitzError as error:
        failure = printable(str(error))
        yield Entry(printable(place.name), "", submitted=True, folder=str(place), failure=failure)
        return
    if text is not None:
        yield Entry(
            facts.get("name", printable(place.name)),
            text,
            submitted=True,
            folder=str(place),
            authors=tuple(facts.get("authors", ())),
            language=facts.get("language", ""),
        )


def _read_facts(path: Path) -> dict[str, Any]:
    """What a submission says of itself, checked."""
    if not path.is_file():
        return {}
    where = f"{path.parent.name}/{path.name}"
    if leads_out(path, path.parent):
        raise NoEntries(f"{where} is a link that leads out of the folder, expected a file of its own")
    try:
        facts = tomllib.loads(read_text(path, LARGEST_FACTS, NoEntries))
    except (ValueError, RecursionError) as problem:
        raise NoEntries(f"{where} cannot be read: {' '.join(str(problem).split())}") from None
    for key, value in facts.items():
        if key not in FACTS:
            raise NoEntries(f"{where}: nothing is known of {quoted(key)}{did_you_mean(key, FACTS)}")
        if not isinstance(value, FACTS[key]) or not value:
            kind = "a list of texts" if FACTS[key] is list else "a text"
            raise NoEntries(f"{where}: {key} is {quoted(str(value))}, expected {kind}")
    if not all(isinstance(author, str) for author in facts.get("authors", ())):
        raise NoEntries(f"{where}: an author is no text, expected a list of texts")
    for text in (facts.get("name", ""), facts.get("language", ""), *facts.get("authors", ())):
        if not text.isprintable() or text != text.strip() or len(text) > LONGEST_NAME:
            said = quoted(printable(text))
            raise NoEntries(f"{where}: {said}, expected at most {LONGEST_NAME} letters that can be printed")
    if "command" in facts and "agent" in facts:
        raise NoEntries(f"{where} has a command and an agent, expected one of them")
    return facts


def _text_by_facts(place: Path, facts: dict[str, Any], game: Game) -> str | None:
    given = facts.get("agent")
    if "command" in facts:
        kind = _kind_for(game, "command")
        given = f"{'ugi' if kind is None else kind.name}:{facts['command']}"
    if given is None:
        return None
    agent = PathResolver(place, home_folder()).resolve(agents.read(given))
    for named in VisibleFiles(place, home_folder()).name_files(agent):
        if named.exists() and leads_out(named, place) and not is_of_system(named):
            raise NoEntries(f"{place.name}/{FACTS_FILE} names '{named}', expected files of its own folder")
    return str(agent)


def _text_by_files(place: Path, game: Game) -> str | None:
    folder_kind = _kind_for(game, "folder")
    if folder_kind is not None:
        return f"{folder_kind.name}:{place}"
    files = sorted(file for file in place.glob("*.py") if not file.name.startswith("_"))
    return _file_text(_main(files, place), game) if files else None


def _kind_for(game: Game, main: str) -> AgentKind | None:
    """The kind of guest that plays submissions of this game's course, by what its main option names."""
    fitting = [kind for kind in agents.kinds().values() if game.rulebook.name in kind.games and kind.main == main]
    return fitting[0] if fitting else None


def _main(files: list[Path], place: Path) -> Path:
    """The only file, the one named like its folder, one with a usual name, or else the first."""
    for name in (place.name, *USUAL_NAMES):
        for file in files:
            if file.stem.lower() == name.lower():
                return file
    return files[0]


def _file_text(file: Path, game: Game) -> str:
    """A file by its course's kind, unless it is plainly one of ours, with a function `choose`."""
    source = read_bytes(file, LARGEST_SOURCE, NoEntries).decode(errors="replace")
    kind, command = _kind_for(game, "file"), _kind_for(game, "command")
    ours = re.search(r"^def choose\b", source, re.MULTILINE) and not re.search(r"\bAIAlgorithm\b|\bgetAction\b", source)
    if ours or (kind is None and command is None):
        return f"{OWN_FILE}:{file}"
    if kind is None:
        assert command is not None
        return f"{command.name}:{shlex.join([sys.executable, str(file)])}"
    class_name = _class_with("getAction", source)
    return f"{kind.name}:{file}::{class_name or file.stem}" if kind.takes_class else f"{kind.name}:{file}"


def _class_with(method: str, source: str) -> str | None:
    """The last class in a file that has this method: the one a student wrote. Read as text: nothing is run here."""
    found = [
        name
        for name, body in re.findall(r"^class\s+(\w+)[^\n]*\n((?:[ \t]+[^\n]*\n|\s*\n)*)", f"{source}\n", re.MULTILINE)
        if re.search(rf"^\s+def\s+{method}\b", body, re.MULTILINE)
    ]
    return found[-1] if found else None
