"""Libraries that Kibitz can do without: which extra of the package brings them, and the line that says so."""

from importlib.util import find_spec
from typing import NamedTuple

from kibitz.core.errors import KibitzError


class MissingExtra(KibitzError):
    """A library that a command needs is not installed."""


class Extra(NamedTuple):
    """What an extra is for, and the modules that it brings."""

    purpose: str
    modules: tuple[str, ...]


EXTRAS = {
    "web": Extra("the board in the browser", ("starlette", "uvicorn", "websockets")),
    "sat": Extra("the SAT solver of Flow", ("pysat",)),
    "learn": Extra("training on a graphics card", ("torch",)),
    "cluster": Extra("playing on a cluster", ("distributed",)),
    "pettingzoo": Extra("the PettingZoo adapter", ("pettingzoo",)),
    "openspiel": Extra("the OpenSpiel adapter", ("pyspiel",)),
}


def require(name: str) -> None:
    """Refuse to go on without the modules of an extra."""
    missing = missing_modules(name)
    if missing:
        libraries = ", ".join(missing)
        raise MissingExtra(f"{EXTRAS[name].purpose} needs {libraries}, not installed here: {install_command(name)}")


def missing_modules(name: str) -> list[str]:
    """The modules of an extra that cannot be imported here."""
    return [module for module in EXTRAS[name].modules if find_spec(module) is None]


def install_command(name: str) -> str:
    """What installs an extra."""
    return f"pip install 'kibitz[{name}]'"
