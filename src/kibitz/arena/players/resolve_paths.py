"""An agent's text with the files that it names in full: a player works in a folder, and with a home, of its own."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from kibitz.agents.agent import AgentText
from kibitz.agents.guests.loader import strip_quotes
from kibitz.agents.guests.program import find_program

PLACES = ("file", "folder")  # main options that name a place as it is; the others are commands, with quotes


@dataclass(frozen=True, slots=True)
class PathResolver:
    """Where a match was started, and the home of whoever started it: there the files are that an agent's text names."""

    started: Path
    home: Path

    def resolve(self, text: AgentText) -> AgentText:
        """The agent as it is found from anywhere."""
        main = text.kind.main
        value = getattr(text.options, main) if main else ""
        if not isinstance(value, str) or not value:
            return text
        name, *rest = value.split("::")
        place = self._place(strip_quotes(name))
        whole = main in PLACES and os.path.exists(place)
        value = "::".join([str(place), *rest]) if whole else self._command(value)
        return text._replace(options=text.options._replace(**{main: value}))

    def _command(self, command: str) -> str:
        """The command with its files in full, quoted or not. A program on the path is none of them."""
        try:
            words = shlex.split(command)
        except ValueError:  # told when it is to be run
            return command
        full = [word if number == 0 and find_program(word) else self._word(word) for number, word in enumerate(words)]
        return command if full == words else shlex.join(full)

    def _word(self, word: str) -> str:
        place = self._place(word)
        return str(place) if word and os.path.isfile(place) else word

    def _place(self, name: str) -> Path:
        return self.home / name[2:] if name.startswith("~/") else self.started / name
