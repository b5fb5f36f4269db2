"""What a game's outcome hangs on, as short digests: the rules, an agent, the conditions."""

import ast
import hashlib
import inspect
import json
import os
import shlex
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import kibitz
from kibitz import agents
from kibitz.agents.agent import AgentText
from kibitz.agents.guests.program import find_program
from kibitz.arena.task import House, TimeControl
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game

MOST_FILES = 2_000  # of a guest's folder that are looked at


def digest(*parts: object) -> str:
    """A short digest of values that print the same everywhere."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:16]


def of_rules(game: Game) -> str:
    """The rules of a game: its options, the parameters made from them (a map, say), and its source."""
    parameters = [part.tobytes().hex() if hasattr(part, "tobytes") else str(part) for part in game.rules]
    return digest(game.text, parameters, list(_sources(game.rulebook.play)))


def of_conditions(control: TimeControl, house: House) -> str:
    """How games are timed and what players may use."""
    return digest(asdict(control), asdict(house))


def of_agent(text: str, game: Game) -> str:
    """An agent: its text, the version of what it is made of, and what the files that it names hold."""
    try:
        agent = agents.read(text)
    except KibitzError:
        return digest(text)
    return digest(str(agent), list(_made_of(agent, game)), _named(agent))


def _made_of(agent: AgentText, game: Game) -> Iterator[str]:
    """The sources of our own agents; a guest's are in the files that it names."""
    if not agent.kind.web:
        return
    yield kibitz.__version__
    yield from _sources(agent.kind.make)
    root = Path(kibitz.__file__).parent
    yield from map(_of_source, sorted(root.glob("search/**/*.py")))
    yield from map(_of_source, sorted(root.glob(f"heuristics/{game.rulebook.name}*.py")))
    yield from _sources(game.rulebook.play)  # a user's game may hold its heuristics


def _sources(thing: Any) -> Iterator[str]:
    """The module that defines something, or all modules of its package where that is not one of many."""
    module = sys.modules.get(thing.__module__)
    name = None if module is None else inspect.getsourcefile(module)
    if name is None:
        yield str(thing.__module__)
        return
    place = Path(name)
    alone = place.parent.name in ("games", "agents", "published", "guests") or not place.is_relative_to(
        Path(kibitz.__file__).parent
    )
    yield from map(_of_source, [place] if alone else sorted(place.parent.glob("*.py")))


@lru_cache(maxsize=512)
def _of_source(place: Path) -> str:
    """A source without its comments and its layout."""
    text = place.read_bytes()
    try:
        return digest(ast.dump(ast.parse(text)))
    except (SyntaxError, ValueError):
        return hashlib.sha256(text).hexdigest()


def _named(agent: AgentText) -> list[str]:
    """What a guest's files, folders and programs hold: those that its main option names, alone or as a command."""
    value = str(getattr(agent.options, agent.kind.main)) if agent.kind.main else ""
    whole = value.partition("::")[0]
    return [_held(whole)] if os.path.exists(whole) else [_held(word) for word in _words(value)]


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return [command]


def _held(name: str) -> str:
    """What stands in the file or folder of this name, or which program goes by it; the name itself if none does."""
    place = Path(name)
    try:
        if name and place.is_file():
            return _of_file(place)
        if name and place.is_dir():
            files = [file for file in sorted(place.rglob("*")) if file.is_file() and "__pycache__" not in file.parts]
            return digest([(str(file.relative_to(place)), _of_file(file)) for file in files[:MOST_FILES]])
        program = find_program(name) if name else None
        if program is not None:
            facts = Path(program).stat()
            return digest(program, facts.st_size, facts.st_mtime_ns)
    except OSError:
        pass
    return name


def _of_file(place: Path) -> str:
    return hashlib.sha256(place.read_bytes()).hexdigest()[:16]
