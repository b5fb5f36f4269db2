"""Agents that a stranger may ask for: kinds that declare themselves safe, options that are numbers or listed words."""

import math
import re
from typing import Any, Literal, get_args, get_origin, get_type_hints

from kibitz import agents, heuristics
from kibitz.agents.agent import AgentKind, AgentText, UnknownAgent
from kibitz.core.errors import BadOption, did_you_mean, quoted
from kibitz.core.game import Game
from kibitz.core.rulebook import Rulebook
from kibitz.web import limits

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
LEAST: dict[str, float] = {"level": 1, "threads": 1, "hash": 1}


def kinds_for(book: Rulebook) -> dict[str, AgentKind]:
    """The kinds of agents that strangers may set against each other in a game."""
    known = agents.kinds().items()
    return {name: kind for name, kind in known if kind.web and (not kind.games or book.name in kind.games)}


def default_for(game: Game) -> str:
    """Whom a visitor meets who names nobody."""
    chosen = agents.default_agent(game)
    return chosen if chosen in kinds_for(game.rulebook) else "random"


def checked(text: Any, game: Game) -> str:
    """The canonical text of a safe agent for this game, with what it may use bounded; `human` stays as it is."""
    if not isinstance(text, str) or len(text) > LONGEST or not text.isprintable():
        raise UnknownAgent("a player is 'human' or an agent's text, as 'engine:level=3'")
    if text.strip() == HUMAN:
        return HUMAN
    name = text.strip().partition(":")[0]
    kinds = kinds_for(game.rulebook)
    if name not in kinds:
        raise UnknownAgent(f"no agent for this page is called {quoted(name)}{did_you_mean(name, kinds)}")
    _refuse_free_text(text.strip(), kinds[name])
    return str(_bounded(agents.read(text), game))


def _refuse_free_text(text: str, kind: AgentKind) -> None:
    """Every option must be named and hold a number or a plain word, before anything else looks at it."""
    for part in filter(None, text.partition(":")[2].split(",")):
        if not re.fullmatch(r"\s*[A-Za-z_-]+=[A-Za-z0-9._-]{1,40}\s*", part):
            raise BadOption(f"agent {kind.name}: {quoted(part)} is no option for this page, expected key=number")
        key = part.partition("=")[0].strip()
        if key not in choices_of(kind):
            raise BadOption(f"agent {kind.name}: option {quoted(key)} is not for this page, expected a number's")


def _bounded(read: AgentText, game: Game) -> AgentText:
    for name, value in read.options._asdict().items():
        low, high = LEAST.get(name, 0), MOST.get(name, math.inf)
        default = value == read.kind.options()._asdict()[name]
        if name in MOST and not default and not low <= value <= high:
            raise BadOption(f"agent {read.kind.name}: option {name} is {value:g}, expected {low:g} to {high:g}")
        if name == "heuristic" and get_type_hints(read.kind.options)[name] is str and value:
            heuristics.find(game.rulebook, value)
    return read


def thrifty(text: str) -> str:
    """The agent as a worker makes it: where nobody asked for a size, its table is small, for many share a worker."""
    read = agents.read(text)
    if "hash" not in read.options._fields or "hash=" in text:
        return text
    return str(AgentText(read.kind, read.options._replace(hash=limits.USUAL_HASH)))


def choices_of(kind: AgentKind) -> dict[str, Any]:
    """The options a stranger may set, each with its type: numbers, yes or no, listed words, and known heuristics."""
    hints = get_type_hints(kind.options)
    return {
        name: hint
        for name, hint in hints.items()
        if hint in (int, float, bool) or get_origin(hint) is Literal or name == "heuristic"
    }


def compile_key(text: str) -> str:
    """What must be compiled for an agent: its kind and the options that are words; numbers compile nothing."""
    read = agents.read(text)
    words = [
        f"{name}={value}"
        for name, value in read.options._asdict().items()
        if isinstance(value, str) and value != read.kind.options()._asdict()[name]
    ]
    return f"{read.kind.name}:{','.join(words)}" if words else read.kind.name


def facts(kind: AgentKind) -> dict[str, Any]:
    """A kind of agent for a page to offer."""
    defaults = kind.options()._asdict()
    options = [_option(name, hint, defaults[name]) for name, hint in choices_of(kind).items()]
    return {"name": kind.name, "summary": kind.summary, "games": list(kind.games), "options": options}


def _option(name: str, hint: Any, default: Any) -> dict[str, Any]:
    listed = [str(word) for word in get_args(hint)] if get_origin(hint) is Literal else None
    sort = "choice" if listed or hint is str else hint.__name__
    shown = limits.USUAL_HASH if name == "hash" else default
    return {
        "name": name,
        "type": sort,
        "default": shown,
        "low": LEAST.get(name, 0) if sort in ("int", "float") else None,
        "high": MOST.get(name) if sort in ("int", "float") else None,
        "choices": listed,
    }
