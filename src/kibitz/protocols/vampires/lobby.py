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
from kibitz.protocols.vampires.line import Gone, Line

INTRODUCING = 10.0  # seconds to say one's name
LOOK = 0.5  # seconds between two looks at who has been silent for too long


def listening(host: str, port: int) -> socket.socket:
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
class Guest:
    """Somebody who has come in."""

    line: Line
    name: str = ""
    came: float = field(default_factory=time.monotonic)


class Lobby:
    """Waits until both sides have a player. Whoever misbehaves or leaves before that makes room for the next."""

    def __init__(self, door: socket.socket, start: Position, told: Callable[[str], None]) -> None:
        self.door = door
        self.start = start
        self.told = told
        self.guests: dict[int, Guest] = {}

    def filled(self) -> tuple[list[Line], list[str]]:
        """The connections and names of both players, by side."""
        while len(self.guests) < 2 or not all(guest.name for guest in self.guests.values()):
            free = [side for side in (FIRST, SECOND) if side not in self.guests]
            watched: list[Line | socket.socket] = [guest.line for guest in self.guests.values()]
            ready = select.select([*watched, self.door] if free else watched, [], [], LOOK)[0]
            if self.door in ready:
                self._welcome(free[0])
            for side, guest in list(self.guests.items()):
                self._attend(side, guest, guest.line in ready)
        guests = [self.guests[side] for side in (FIRST, SECOND)]
        return [guest.line for guest in guests], [guest.name for guest in guests]

    def close(self) -> None:
        """Send everybody away."""
        for guest in self.guests.values():
            guest.line.close()
        self.guests.clear()

    def _welcome(self, side: int) -> None:
        try:
            connection, _ = self.door.accept()
        except OSError:  # it has gone again already
            return
        self.guests[side] = Guest(Line(connection))

    def _attend(self, side: int, guest: Guest, ready: bool) -> None:
        sort = self.start.game.rulebook.sides[side]
        try:
            if ready:
                self._listen(side, guest)
            if not guest.name and time.monotonic() - guest.came > INTRODUCING:
                raise BadMessage(f"no name within {INTRODUCING:g} s")
        except (Gone, BadMessage) as problem:
            del self.guests[side]
            guest.line.close()
            self.told(f"{guest.name or 'somebody'} leaves the {sort}: {str(problem) or 'the connection is closed'}")

    def _listen(self, side: int, guest: Guest) -> None:
        if guest.name:
            for _ in guest.line.answers():  # nothing was asked: it only shows whether the player is still there
                pass
            return
        for told in guest.line.messages():
            if told.word != "NME" or guest.name:
                raise BadMessage(f"{told.word} before the game, expected {'nothing more' if guest.name else 'NME'}")
            guest.name = name_in(told)
            guest.line.say(*introduction(self.start, side))
            self.told(f"{guest.name} leads the {self.start.game.rulebook.sides[side]}")
