"""An agent chooses moves, and is a piece of text: `alphabeta:depth=4,heuristic=offensive-2`."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from kibitz.core.errors import BadOption, KibitzError, did_you_mean, quoted
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.options import NoOptions, chosen, written
from kibitz.core.position import Position
from kibitz.search.report import Report


class UnknownAgent(KibitzError):
    """No agent goes by that name."""


class Agent(Protocol):
    """Something that plays. It belongs to one game and may remember what it saw of it."""

    def choose(self, position: Position, limit: Limit) -> Report:
        """The moves of the turn at hand, within the limit. The position is not over and not chance's."""
        ...


@dataclass(frozen=True, kw_only=True)
class AgentKind:
    """A kind of agent: its name, its options, and how one is made ready, compiled and all, for a game.

    `games` names the games it can play; empty means every game.
    """

    name: str
    summary: str
    make: Callable[[Game, Any], Agent]  # (game, options) -> an agent that is ready to think
    options: type = NoOptions  # a NamedTuple with defaults
    games: tuple[str, ...] = ()
    web: bool = False  # safe to be asked for by a stranger: starts no program, reads no file named in its options
    main: str = ""  # the option that may stand first without its key: `uci:fairy-stockfish`


class AgentText(NamedTuple):
    """An agent's text, understood: its kind and options. `str` gives the canonical text again."""

    kind: AgentKind
    options: Any

    def __str__(self) -> str:
        text = written(self.kind.name, self.options, {}).replace(",", ":", 1)
        return text.replace(f":{self.kind.main}=", ":", 1) if self.kind.main else text

    def ready_for(self, game: Game) -> Agent:
        """The agent, compiled and ready, so that no clock ever runs while it is made."""
        if self.kind.games and game.rulebook.name not in self.kind.games:
            played = ", ".join(self.kind.games)
            raise BadOption(f"agent {self.kind.name} plays {played}, not {game.rulebook.name}")
        return self.kind.make(game, self.options)


def parsed(text: str, kinds: dict[str, AgentKind]) -> AgentText:
    """Read `name[:key=value,...]`."""
    name, colon, rest = text.strip().partition(":")
    if name not in kinds:
        raise UnknownAgent(f"no agent is called {quoted(name)}{did_you_mean(name, kinds)}")
    main = kinds[name].main
    pairs = {}
    for number, part in enumerate(re.split(r",(?=\s*[A-Za-z_-]+=)", rest) if colon else []):
        key, equals, value = part.partition("=")
        if main and not equals and number == 0:
            key, value = main, part
        elif not equals:
            raise BadOption(f"agent {name}: {quoted(part)} is no option, expected key=value")
        if key.strip() in pairs:
            raise BadOption(f"agent {name}: option {quoted(key.strip())} is given twice, expected once")
        pairs[key.strip()] = value.strip()
    try:
        return AgentText(kinds[name], chosen(kinds[name].options, {}, None, pairs))
    except BadOption as error:
        raise BadOption(f"agent {name}: {error}") from None
