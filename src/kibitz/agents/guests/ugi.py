"""Engines that speak UGI, which is UCI for any game of two players."""

from kibitz.agents.agent import Agent, AgentKind
from kibitz.agents.guests.dialect import UGI
from kibitz.agents.guests.engine import EngineGuest, EngineGuestOptions
from kibitz.core.game import Game


def ugi_guest(game: Game, options: EngineGuestOptions) -> Agent:
    return EngineGuest(UGI, game, options)


KINDS = [
    AgentKind(
        name="ugi",
        summary="an engine of others that speaks UGI, as ugi:COMMAND",
        make=ugi_guest,
        options=EngineGuestOptions,
        main="program",
        free="settings",
    ),
]
