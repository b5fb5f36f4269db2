"""`kibitz doctor`: what works here, and what is missing."""

import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from typing import NamedTuple

import typer

from kibitz import __version__
from kibitz.arena.players.control_group import find_parents
from kibitz.arena.players.guest_user import describe_bound
from kibitz.arena.players.sandbox import find_ability
from kibitz.core.errors import KibitzError
from kibitz.core.extras import EXTRAS, install_command, missing_modules
from kibitz.core.seam import cache
from kibitz.games import catalog
from kibitz.search.perft import perft


class Finding(NamedTuple):
    """One thing looked at; `ok` is None where something optional is absent."""

    what: str
    ok: bool | None
    detail: str


def doctor() -> None:
    """Say what is installed, whether compiling works, and what is missing."""
    findings = []
    for finding in _findings():
        sign = {True: "ok     ", False: "BROKEN ", None: "absent "}[finding.ok]
        print(f"{sign} {finding.what}: {finding.detail}", flush=True)
        findings.append(finding)
    broken = [finding.what for finding in findings if finding.ok is False]
    print(f"broken: {', '.join(broken)}" if broken else "all is well")
    raise typer.Exit(1 if broken else 0)


def _findings() -> Iterator[Finding]:
    yield Finding("kibitz", True, f"{__version__}, Python {platform.python_version()}, {platform.platform()}")
    yield Finding(
        "libraries",
        True,
        ", ".join(f"{name} {version(name)}" for name in ("numba", "numpy", "scipy", "rich", "typer")),
    )
    yield Finding("processors", True, str(os.cpu_count()))
    yield _cache()
    yield _compiler()
    yield _isolation()
    yield _control_groups()
    yield Finding("processes of a guest", True, describe_bound())
    yield from _games()
    yield from _extras()
    for program, use in (("fairy-stockfish", "an opponent at Breakthrough"), ("chromium", "tests of the web pages")):
        place = shutil.which(program) or (shutil.which(program, path="/usr/games") if os.name == "posix" else None)
        yield Finding(program, True if place else None, place or f"optional, {use}; Debian: apt install {program}")


def _extras() -> Iterator[Finding]:
    """Each extra: there with all its libraries, or what is missing and what installs it."""
    for name, extra in EXTRAS.items():
        missing = missing_modules(name)
        detail = f"{', '.join(missing)} for {extra.purpose}: {install_command(name)}" if missing else extra.purpose
        yield Finding(f"extra {name}", None if missing else True, detail)


def _cache() -> Finding:
    place = cache.folder()
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"x")
    except OSError as problem:
        return Finding("cache folder", False, f"{place} cannot be written ({problem.strerror}); set KIBITZ_CACHE")
    damaged = cache.find_damaged()
    if damaged:
        what = f"{len(damaged)} damaged, such as {damaged[0]}; kibitz cache repair removes them"
        return Finding("cache folder", False, f"{place}: {what}")
    return Finding("cache folder", True, str(place))


def _compiler() -> Finding:
    try:
        found = perft(catalog.load("breakthrough").new(), 3)
    except Exception as problem:  # noqa: BLE001 - whatever is wrong with this machine is the answer
        return Finding("compiler", False, f"{type(problem).__name__}: {problem}".splitlines()[0])
    return Finding("compiler", found == 11132, f"Breakthrough to depth 3 has {found} lines")


def _isolation() -> Finding:
    """What keeps players of matches from this machine; installed but unusable is a mistake of the installation."""
    ability = find_ability()
    if not ability.installed:
        return Finding("isolation of players", None, f"{ability.detail}; without it they are only limited")
    return Finding("isolation of players", ability.usable, ability.detail)


def _control_groups() -> Finding:
    abilities = find_parents().abilities
    without = "none that this user may write to; players are suspended by signals, and their memory is watched"
    return Finding("control groups", True if abilities else None, ", ".join(abilities) or without)


def _games() -> Iterator[Finding]:
    for entry in catalog.entries():
        try:
            catalog.load(entry.name).new()
        except KibitzError as problem:
            yield Finding(f"game {entry.name}", False, str(problem))
        else:
            yield Finding(f"game {entry.name}", True, entry.origin)
