"""The options of an agent as UCI and UGI write them: what may be set, and what was."""

import os
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

from kibitz.agents.agent import AgentText
from kibitz.core.errors import BadOption, did_you_mean, quoted
from kibitz.core.game import Game
from kibitz.core.options import chosen, in_range, shown

LARGEST = 2**31 - 1
MULTI_PV, VARIANT = "MultiPV", "UCI_Variant"
MOST_LINES = 64


class EngineOptions:
    """What an agent lets us set, under names such as `Hash`; `MultiPV` where it can show several lines."""

    def __init__(self, agent: AgentText, game: Game, several_lines: bool) -> None:
        self.agent = agent
        self.game = game
        self.several_lines = several_lines
        self.lines = 1

    def declarations(self) -> Iterator[str]:
        """The lines that say what there is."""
        hints = get_type_hints(self.agent.kind.options)
        for key, value in self.agent.options._asdict().items():
            yield f"option name {_option_name(key)} {_kind(key, hints[key], value)}"
        if self.several_lines:
            yield f"option name {MULTI_PV} type spin default 1 min 1 max {MOST_LINES}"
        yield f"option name {VARIANT} type combo default {self.game.text} var {self.game.text}"

    def set(self, name: str, value: str) -> None:
        """Set one option, or say in one line why not."""
        word = name.lower()
        if word == VARIANT.lower():
            if value != self.game.text:
                raise BadOption(f"{VARIANT} is {quoted(value)}, expected {self.game.text}, the game this engine plays")
        elif word == MULTI_PV.lower() and self.several_lines:
            self.lines = in_range(MULTI_PV, _whole(value), 1, MOST_LINES)
        else:
            self._set_agents(word, value)

    def _set_agents(self, word: str, value: str) -> None:
        options = self.agent.options
        if word not in options._fields:
            names = [*map(_option_name, options._fields), MULTI_PV]
            raise BadOption(f"no option is called {quoted(word)}{did_you_mean(word, names)}")
        given = {key: shown(old) for key, old in options._asdict().items()} | {word: "" if value == EMPTY else value}
        read = chosen(type(options), {}, None, given)
        if get_type_hints(type(options))[word] is int:
            in_range(word, getattr(read, word), *_range(word))
        self.agent = self.agent._replace(options=read)


EMPTY = "<empty>"


def _option_name(key: str) -> str:
    return "_".join(part.capitalize() for part in key.split("_"))


def _kind(key: str, hint: Any, value: Any) -> str:
    if get_origin(hint) is Literal:
        return f"type combo default {value}" + "".join(f" var {choice}" for choice in get_args(hint))
    if hint is bool:
        return f"type check default {str(value).lower()}"
    if hint is int:
        low, high = _range(key)
        return f"type spin default {value} min {low} max {high}"
    return f"type string default {shown(value) or EMPTY}"


def _range(key: str) -> tuple[int, int]:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    return {"hash": (1, memory // 2), "threads": (1, 256), "level": (0, 10)}.get(key, (0, LARGEST))


def _whole(value: str) -> int:
    if not value.isdecimal() or len(value) > 9:
        raise BadOption(f"{MULTI_PV} is {quoted(value)}, expected a whole number")
    return int(value)
