"""Engines that speak UCI, such as Fairy-Stockfish at Breakthrough."""

import tempfile
from pathlib import Path

from kibitz.agents.agent import Agent, AgentKind
from kibitz.agents.guests.dialect import UCI
from kibitz.agents.guests.engine import EngineGuest, EngineGuestOptions
from kibitz.agents.guests.errors import GuestFailed
from kibitz.agents.guests.fairy import VariantFile, variant_file
from kibitz.agents.guests.program import Program
from kibitz.core.errors import BadOption
from kibitz.core.game import Game


class UciGuest(EngineGuest):
    """A UCI engine. Where it lists variants, ours must be among them or be one that it can be taught."""

    def choose_game(self, program: Program) -> None:
        listed = self.settings["uci variant"].choices if "uci variant" in self.settings else None
        if listed is None:
            return
        if self.game.text in listed:
            self.set(program, "UCI_Variant", self.game.text)
            return
        variant = variant_file(self.game) if "variantpath" in self.settings else None
        if variant is not None and variant.base in listed:
            self._teach(program, variant)
        else:
            raise BadOption(f"{program.name} does not play {self.game.text}")

    def _teach(self, program: Program, variant: VariantFile) -> None:
        """An engine that does not take a variant keeps the one it had, and says nothing: so look whether it has it."""
        with tempfile.TemporaryDirectory(prefix="kibitz-") as folder:
            file = Path(folder) / "variants.ini"
            file.write_text(variant.text)
            self.set(program, "VariantPath", file)
            program.say(f"setoption name UCI_Variant value {variant.name}")
            program.say("isready")
            said = self.wait_for(program, "readyok")
        if not any(line.startswith(f"info string variant {variant.name} ") for line in said):
            raise GuestFailed(f"{program.name} does not take the board of {self.game.text}")


def uci_guest(game: Game, options: EngineGuestOptions) -> Agent:
    return UciGuest(UCI, game, options)


KINDS = [
    AgentKind(
        name="uci",
        summary="an engine of others that speaks UCI, as uci:fairy-stockfish,Skill_Level=5",
        make=uci_guest,
        options=EngineGuestOptions,
        main="program",
        free="settings",
    ),
]
