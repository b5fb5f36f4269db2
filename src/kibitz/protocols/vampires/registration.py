"""Where players come in: the first connection leads the vampires, the second the werewolves."""

import select
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from kibitz.agents.guests.vampires_messages import introduction
from kibitz.agents.guests.vampires_wire import BadMessage, name_in
from kibitz.core.errors import KibitzError
from kibitz.core.position import Position
from kibitz.core.result import FIRST, SECOND
from kibitz.protocols.vampires.connection import ConnectionClosed, PlayerConnection

INTRODUCING = 10.0  # seconds to say one's name
LOOK = 0.5  # seconds between two looks at who has been silent for too long


def listen(host: str, port: int) -> socket.socket:
    """A socket on this address, or one line that says why not."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        found = socket.socket(family, socket.SOCK_STREAM)
    except OSError as problem:
        raise KibitzError(f"cannot listen on {host}: {problem.strerror}") from None
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(8)
    except OSError as problem:
        found.close()
        raise KibitzError(f"cannot listen on {host}, port {port}: {problem.strerror}") from None
    return found


@dataclass
class Player:
    """Somebody who has come in."""

    connection: PlayerConnection
    name: str = ""
    came: float = field(default_factory=time.monotonic)


class Registration:
    """Waits until both sides have a player. Whoever misbehaves or leaves before that makes room for the next."""

    def __init__(self, listener: socket.socket, start: Position, log: Callable[[str], None]) -> None:
        self.listener = listener
        self.start = start
        self.log = log
        self.players: dict[int, Player] = {}

    def wait_for_players(self) -> tuple[list[PlayerConnection], list[str]]:
        """The connections and names of both players, by side."""
        while len(self.players) < 2 or not all(player.name for player in self.players.values()):
            free = [side for side in (FIRST, SECOND) if side not in self.players]
            watched: list[PlayerConnection | socket.socket] = [player.connection for player in self.players.values()]
            ready = select.select([*watched, self.listener] if free else watched, [], [], LOOK)[0]
            if self.listener in ready:
                self._welcome(free[0])
            for side, player in list(self.players.items()):
                self._attend(side, player, player.connection in ready)
        players = [self.players[side] for side in (FIRST, SECOND)]
        return [player.connection for player in players], [player.name for player in players]

    def close(self) -> None:
        """Send everybody away."""
        for player in self.players.values():
            player.connection.close()
        self.players.clear()

    def _welcome(self, side: int) -> None:
        try:
            connection, _ = self.listener.accept()
        except OSError:  # it has gone again already
            return
        self.players[side] = Player(PlayerConnection(connection))

    def _attend(self, side: int, player: Player, ready: bool) -> None:
        sort = self.start.game.rulebook.sides[side]
        try:
            if ready:
                self._listen(side, player)
            if not player.name and time.monotonic() - player.came > INTRODUCING:
                raise BadMessage(f"no name within {INTRODUCING:g} s")
        except (ConnectionClosed, BadMessage) as problem:
            del self.players[side]
            player.connection.close()
            self.log(f"{player.name or 'somebody'} leaves the {sort}: {str(problem) or 'the connection is closed'}")

    def _listen(self, side: int, player: Player) -> None:
        if player.name:
            for _ in player.connection.answers():  # nothing was asked: it only shows whether the player is still there
                pass
            return
        for received in player.connection.messages():
            if received.word != "NME" or player.name:
                raise BadMessage(
                    f"{received.word} before the game, expected {'nothing more' if player.name else 'NME'}"
                )
            player.name = name_in(received)
            player.connection.say(*introduction(self.start, side))
            self.log(f"{player.name} leads the {self.start.game.rulebook.sides[side]}")
