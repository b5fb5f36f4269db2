"""Agents that a stranger may ask for: kinds that declare themselves safe, with options that are numbers."""

import re
from typing import Any, get_type_hints

from kibitz import agents
from kibitz.agents.agent import AgentKind, AgentText, UnknownAgent
from kibitz.core.errors import BadOption, did_you_mean, quoted
from kibitz.core.game import Game
from kibitz.core.rulebook import Rulebook
from kibitz.web.api import limits

HUMAN = "human"
LONGEST = 200  # characters of an agent's text
MOST: dict[str, float] = {
    "seconds": limits.MOST_SECONDS,
    "hash": limits.MOST_HASH,
    "threads": 1,
    "depth": 100,
    "nodes": 10**9,
    "level": 10,
    "breadth": 10_000,
    "cap": 10_000,
}
MOST_OTHER = 10**9  # seeds and the like
LEAST: dict[str, float] = {"threads": 1, "hash": 1}
NUMBER = r"[0-9]{1,12}(\.[0-9]{1,12})?"


def kinds_for(book: Rulebook) -> dict[str, AgentKind]:
    """The kinds of agents that strangers may set against each other in a game."""
    known = agents.kinds().items()
    return {name: kind for name, kind in known if kind.web and (not kind.games or book.name in kind.games)}


def default_for(game: Game) -> str:
    """Whom a visitor meets who names nobody."""
    chosen = agents.default_agent(game)
    return chosen if chosen in kinds_for(game.rulebook) else "random"


def check(text: Any, game: Game) -> str:
    """The canonical text of a safe agent for this game, with what it may use bounded; `human` stays as it is."""
    if not isinstance(text, str) or len(text) > LONGEST or not text.isprintable():
        raise UnknownAgent("a player is 'human' or an agent's text, as 'engine:level=3'")
    if text.strip() == HUMAN:
        return HUMAN
    name = text.strip().partition(":")[0]
    kinds = kinds_for(game.rulebook)
    if name not in kinds:
        raise UnknownAgent(f"no agent for this page is called {quoted(name)}{did_you_mean(name, kinds)}")
    _refuse_words(text.strip(), kinds[name])
    return str(_bounded(agents.read(text)))


def _refuse_words(text: str, kind: AgentKind) -> None:
    """Every option must be named and hold a number, before anything else looks at it."""
    known = numbers_of(kind)
    for part in filter(None, text.partition(":")[2].split(",")):
        key, _, value = (word.strip() for word in part.partition("="))
        if key not in known:
            listed = ", ".join(known) or "none"
            raise BadOption(f"agent {kind.name}: {quoted(part)} is no option for this page, expected one of: {listed}")
        if not re.fullmatch(NUMBER, value):
            raise BadOption(f"agent {kind.name}: option {key} is {quoted(value)}, expected a number")


def _bounded(read: AgentText) -> AgentText:
    """The same agent; where an option asks for more than a stranger gets, an error."""
    given, usual = read.options._asdict(), read.kind.options()._asdict()
    for name in numbers_of(read.kind):
        low, high = bounds(name)
        if given[name] != usual[name] and not low <= given[name] <= high:
            raise BadOption(f"agent {read.kind.name}: option {name} is {given[name]:g}, expected {low:g} to {high:g}")
    return read


def bounds(name: str) -> tuple[float, float]:
    """The least and the most that an option may be."""
    return LEAST.get(name, 0), MOST.get(name, MOST_OTHER)


def with_small_hash(text: str) -> str:
    """The agent as a worker makes it: where nobody asked for a size, its table is small, for many share a worker."""
    read = agents.read(text)
    if "hash" not in read.options._fields or "hash=" in text:
        return text
    return str(AgentText(read.kind, read.options._replace(hash=limits.USUAL_HASH)))


def numbers_of(kind: AgentKind) -> dict[str, type]:
    """The options a stranger may set, each with its type: whole and decimal numbers, nothing else."""
    return {name: hint for name, hint in get_type_hints(kind.options).items() if hint in (int, float)}


def compile_key(text: str) -> str:
    """What must be compiled for an agent: its kind, for numbers compile nothing."""
    return agents.read(text).kind.name


def facts(kind: AgentKind) -> dict[str, Any]:
    """A kind of agent for a page to offer."""
    usual = kind.options()._asdict() | {"hash": limits.USUAL_HASH}
    options = [_option(name, hint, usual[name]) for name, hint in numbers_of(kind).items()]
    return {"name": kind.name, "summary": kind.summary, "games": list(kind.games), "options": options}


def _option(name: str, hint: type, default: float) -> dict[str, Any]:
    low, high = bounds(name)
    return {"name": name, "type": hint.__name__, "default": default, "low": low, "high": high}
