"""The server of one game: it waits for two players, lets them play, and tells how it went."""

import socket
from collections.abc import Callable

from kibitz.arena.record import Record
from kibitz.core.game import Game
from kibitz.core.result import FIRST, SECOND, Result
from kibitz.games.vampires.rules import VAMPIRES, WEREWOLVES, headcount
from kibitz.protocols.vampires.duel import Duel, Terms
from kibitz.protocols.vampires.lobby import Lobby


def serve(
    door: socket.socket, game: Game, terms: Terms, told: Callable[[str], None], kept: Callable[[list[Record]], None]
) -> str:
    """Play one game on this socket. `kept` gets its records, also of a game that is stopped; returns the result in
    words.
    """
    lobby = Lobby(door, game.new(), told)
    try:
        lines, names = lobby.filled()
        duel = Duel(game.new(), lines, names, terms, told)
        try:
            duel.played()
        finally:
            if duel.parts:
                kept(duel.parts)
            duel.farewell()
        return outcome(duel)
    finally:
        lobby.close()


def outcome(duel: Duel) -> str:
    """The result in one line."""
    last, cells = duel.parts[-1], duel.position.state.cells
    counts = f"{headcount(cells, VAMPIRES)} vampires, {headcount(cells, WEREWOLVES)} werewolves"
    turns = f"after {duel.position.state.ply} turns"
    why = "" if last.reason == "rules" else f" ({last.reason})"
    if last.result in (None, Result.DRAW):
        return f"a draw {turns}: {counts}{why}"
    side = FIRST if last.result == Result.FIRST_WINS else SECOND
    return f"the {duel.start.game.rulebook.sides[side]} of {duel.names[side]} win {turns}: {counts}{why}"
