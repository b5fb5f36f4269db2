"""What a game's outcome hangs on, as short digests: the rules, an agent, the conditions.

A fingerprint covers what files hold, not where they lie: the same agent on another machine has the same one.
"""

import ast
import hashlib
import inspect
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import kibitz
from kibitz import agents, nets
from kibitz.agents.agent import AgentText
from kibitz.agents.guests.program import find_program, split_command
from kibitz.arena.play.task import TimeControl
from kibitz.arena.players.agent_files import named_places, needed_files
from kibitz.arena.players.resources import Resources
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.tables.file.stamp import find_checksum
from kibitz.tables.folder import path_for

COMMANDS = ("command", "program")  # main options that name a program and its arguments


def digest(*parts: object) -> str:
    """A short digest of values that print the same everywhere."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:16]


def of_rules(game: Game) -> str:
    """The rules of a game: the parameters made from its options (a map, say), and its source."""
    parameters = [part.tobytes().hex() if hasattr(part, "tobytes") else str(part) for part in game.rules]
    return digest(game.rulebook.name, parameters, list(_sources(game.rulebook.play)))


def of_conditions(control: TimeControl, resources: Resources) -> str:
    """How games are timed and what players may use, as far as it is not the usual: a further setting changes nothing
    where it is not used.
    """
    usual = {**asdict(TimeControl()), **asdict(Resources())}
    asked = {**asdict(control), **asdict(resources)}
    return digest({name: value for name, value in asked.items() if value != usual[name] and name != "isolation"})


def of_agent(text: str, game: Game, folder: str = "") -> str:
    """An agent: its text, the version of what it is made of, and what its files hold. `folder` is its own, where it has
    one: then all of it counts.
    """
    try:
        agent = agents.read(text)
    except KibitzError:
        return digest(text)
    places = [Path(folder)] if folder else named_places(agent)
    meaning = str(agent)
    for number, place in enumerate(sorted(places, key=lambda path: -len(str(path)))):
        meaning = meaning.replace(str(place), f"<place {number}>")
    return digest(meaning, list(_made_of(agent, game)), [_of_files(place) for place in places], _of_program(agent))


def _made_of(agent: AgentText, game: Game) -> Iterator[str]:
    """The sources of our own agents and the table they look up; a guest's are in the files that it names."""
    if not agent.kind.is_ours:
        return
    yield kibitz.__version__
    yield from _sources(agent.kind.make)
    root = Path(kibitz.__file__).parent
    yield from map(_of_source, sorted(root.glob("search/**/*.py")))
    yield from map(_of_source, sorted(root.glob(f"heuristics/{game.rulebook.name}*.py")))
    yield from _sources(game.rulebook.play)  # a user's game may hold its heuristics
    yield net_hash(str(agent), game)
    table = path_for(game)
    if table.is_file():
        yield _of_table(table)


def net_hash(text: str, game: Game) -> str:
    """The hash of the net by which an agent judges positions; empty where it has none."""
    try:
        agent = agents.read(text)
        if "heuristic" not in agent.options._fields or not agent.kind.web:
            return ""
        net = nets.net_of(game, agent.options.heuristic or None)
    except KibitzError:
        return ""
    return "" if net is None else net.hash


def _of_table(path: Path) -> str:
    try:
        return find_checksum(path)
    except KibitzError as problem:  # told when it is opened
        return str(problem)


def _sources(thing: Any) -> Iterator[str]:
    """The module that defines something, or all modules of its package where that is not one of many."""
    while isinstance(thing, partial):  # it says of itself that it is of the standard library
        thing = thing.func
    module = sys.modules.get(thing.__module__)
    name = None if module is None else inspect.getsourcefile(module)
    if name is None:
        yield str(thing.__module__)
        return
    place = Path(name)
    if not place.is_relative_to(Path(kibitz.__file__).parent):
        yield from map(_of_source, (file for file in needed_files(place) if file.suffix == ".py"))
        return
    alone = place.parent.name in ("games", "gallery", "agents", "published", "guests")
    yield from map(_of_source, [place] if alone else sorted(place.parent.glob("*.py")))


def _of_source(place: Path) -> str:
    facts = place.stat()
    return _source_digest(place, facts.st_mtime_ns, facts.st_size)


@lru_cache(maxsize=2048)
def _source_digest(place: Path, changed: int, size: int) -> str:
    """A source without its comments and its layout; read again when it has changed."""
    text = place.read_bytes()
    try:
        return digest(ast.dump(ast.parse(text)))
    except (SyntaxError, ValueError):
        return hashlib.sha256(text).hexdigest()


def _of_files(place: Path) -> str:
    root = place if place.is_dir() else place.parent
    try:
        return digest([(str(file.relative_to(root)), of_file(file)) for file in needed_files(place)])
    except OSError as problem:
        return f"unreadable: {problem.strerror}"


def _of_program(agent: AgentText) -> str:
    """The program that a command starts, where it is found on the path."""
    value = str(getattr(agent.options, agent.kind.main)) if agent.kind.main in COMMANDS else ""
    try:
        program = find_program(split_command(value)[0]) if value else None
        return "" if program is None else of_file(Path(program).resolve())
    except (OSError, KibitzError):
        return ""


def of_file(place: Path) -> str:
    """What a file holds; read again when it has changed."""
    facts = place.stat()
    return _file_digest(place, facts.st_mtime_ns, facts.st_size)


@lru_cache(maxsize=8192)
def _file_digest(place: Path, changed: int, size: int) -> str:
    with place.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]
