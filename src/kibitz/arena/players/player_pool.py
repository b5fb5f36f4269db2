"""Where players wait between games, so that what takes long to start is not started for each game."""

from collections.abc import Sequence
from typing import NamedTuple

from kibitz import agents
from kibitz.arena.players.player import InProcessPlayer, Player
from kibitz.arena.players.resources import Resources
from kibitz.arena.players.subprocess_player import CHILD, SubprocessPlayer
from kibitz.core.game import Game

IDLE = 4  # players kept; each holds the memory of a process


class Seat(NamedTuple):
    """Who is wanted: players of one seat can stand in for each other."""

    game: str
    agent: str
    resources: Resources
    folder: str = ""  # the player's own, where it was handed in as one


class PlayerPool:
    """Our own agents keep their processes, and are made anew in them for each game. A guest, who may start programs and
    read files, gets a new process and a new folder each time.
    """

    def __init__(self, idle: int = IDLE, child: Sequence[str] = CHILD) -> None:
        self.idle = idle
        self.child = child
        self.waiting: list[tuple[Seat, Player]] = []  # the one that waits longest first

    def take(self, game: Game, seat: Seat, others: Sequence[str] = (), hidden: Sequence[str] = ()) -> Player:
        """A player for this seat: one that waits, or a new one that sees nothing of the others' files."""
        for number, (known, player) in enumerate(self.waiting):
            if known == seat:
                del self.waiting[number]
                return player
        agents.read(seat.agent)  # a text that means nothing is the user's mistake, not the player's
        return (
            SubprocessPlayer(
                seat.game,
                seat.agent,
                seat.resources,
                self.child,
                folder=seat.folder,
                others=others,
                hidden=hidden,
            )
            if seat.resources.apart
            else InProcessPlayer(game, seat.agent)
        )

    def give_back(self, seat: Seat, player: Player) -> None:
        """A player that has behaved, after its game."""
        if not agents.read(seat.agent).kind.is_ours or seat.resources.restart:
            player.close()
            return
        self.waiting.append((seat, player))
        while len(self.waiting) > self.idle:
            self.waiting.pop(0)[1].close()

    def close(self) -> None:
        """End all who wait."""
        while self.waiting:
            self.waiting.pop()[1].close()
