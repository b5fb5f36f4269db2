"""An agent chooses moves, and is a piece of text: `alphabeta:depth=4,heuristic=offensive-2`."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from kibitz.core.errors import BadOption, KibitzError, did_you_mean, quoted
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.options import NoOptions, chosen, written
from kibitz.core.position import Position
from kibitz.search.report import Report

KEY = r"[A-Za-z_][\w-]*="  # what an option begins with


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
    stopped: bool = False  # does not stop by itself when its time is over: it is stopped, and what it has then counts
    ours: bool = False  # runs our code alone, although it is not for strangers
    main: str = ""  # the option that may stand first without its key: `uci:fairy-stockfish`
    takes_class: bool = False  # is the main option FILE::Class?
    free: str = ""  # the last option: it takes every key that is no other's, `uci:fairy-stockfish,Skill_Level=5`

    @property
    def is_ours(self) -> bool:
        """Does it run our code alone? Any other kind is a guest."""
        return self.web or self.ours


class AgentText(NamedTuple):
    """An agent's text, understood: its kind and options. `str` gives the canonical text again."""

    kind: AgentKind
    options: Any

    def __str__(self) -> str:
        text = written(self.kind.name, self.options, {}).replace(",", ":", 1)
        main, free = self.kind.main, self.kind.free
        if free:
            rest = getattr(self.options, free)
            text = text.removesuffix(f"{free}={rest}") + rest if rest else text
        bare = main and not re.match(KEY, getattr(self.options, main))
        return text.replace(f":{main}=", ":", 1) if bare else text

    def ready_for(self, game: Game) -> Agent:
        """The agent, compiled and ready, so that no clock ever runs while it is made."""
        self.refuse_others(game)
        return self.kind.make(game, self.options)

    def refuse_others(self, game: Game) -> None:
        """An agent for certain games plays no others."""
        if self.kind.games and game.rulebook.name not in self.kind.games:
            played = ", ".join(self.kind.games)
            raise BadOption(f"agent {self.kind.name} plays {played}, not {game.rulebook.name}")


def wins_at_once(position: Position, moves: tuple[int, ...]) -> bool:
    """Has the side to move won the game with the moves of this turn?"""
    after = position
    for move in moves:
        after = after.play(move)
    return after.result is not None and after.result.winner == position.turn


def parse_agent(text: str, kinds: dict[str, AgentKind]) -> AgentText:
    """Read `name[:key=value,...]`."""
    name, colon, rest = text.strip().partition(":")
    if name not in kinds:
        raise UnknownAgent(f"no agent is called {quoted(name)}{_suggestion(name, kinds)}")
    kind = kinds[name]
    try:
        pairs = pairs_of(rest, kind.main) if colon else {}
        return AgentText(kind, chosen(kind.options, {}, None, _gather_free(pairs, kind)))
    except BadOption as error:
        raise BadOption(f"agent {name}: {error}") from None


def _suggestion(name: str, kinds: dict[str, AgentKind]) -> str:
    """The tail of a message about an unknown agent: a Python file is meant as one, any other word as a known one."""
    file = name.endswith(".py") and "python" in kinds
    return f"; did you mean 'python:{name}'?" if file else did_you_mean(name, kinds)


def pairs_of(text: str, main: str = "") -> dict[str, str]:
    """The options by key; the first may leave its key out where there is a main one."""
    pairs: dict[str, str] = {}
    for number, part in enumerate(_parts(text)):
        key, equals, value = part.partition("=")
        if main and number == 0 and not re.match(KEY, part.strip()):
            key, value = main, part
        elif not equals:
            raise BadOption(f"{quoted(part)} is no option, expected key=value")
        if key.strip() in pairs:
            raise BadOption(f"option {quoted(key.strip())} is given twice, expected once")
        pairs[key.strip()] = value.strip()
    return pairs


def _parts(text: str) -> list[str]:
    """The text cut at commas where `key=` follows; what stands in quotes is never cut."""
    hidden = re.sub(r"'[^']*'|\"[^\"]*\"", lambda found: "." * len(found[0]), text)
    cuts = [found.start() for found in re.finditer(rf",(?=\s*{KEY})", hidden)]
    return [text[before + 1 : cut] for before, cut in pairwise([-1, *cuts, len(text)])]


def _gather_free(pairs: dict[str, str], kind: AgentKind) -> dict[str, str]:
    """The pairs, those with a key that is no option's gathered under the free one, if the kind has it."""
    if not kind.free:
        return pairs
    fields: tuple[str, ...] = getattr(kind.options, "_fields")  # noqa: B009 - a NamedTuple class
    own = {key: value for key, value in pairs.items() if key in fields and key != kind.free}
    rest = ",".join(f"{key}={value}" for key, value in pairs.items() if key not in own)
    return own | ({kind.free: rest} if rest else {})
