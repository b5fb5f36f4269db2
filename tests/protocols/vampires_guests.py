"""A server in a thread, and clients that are scripted byte by byte."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from kibitz.agents.guests.vampires_wire import OF_SERVERS, Message, Reader, encode, message, name_message
from kibitz.arena.records.record import Record
from kibitz.games import vampires
from kibitz.protocols.vampires.network_game import NetworkSettings
from kibitz.protocols.vampires.registration import listen
from kibitz.protocols.vampires.server import serve

PATIENCE = 60.0  # seconds: nothing here takes so long
UNHURRIED = NetworkSettings(move_seconds=60.0, seed=1)


def until(true: Callable[[], bool]) -> None:
    """Wait for something that the server does by itself."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


class Scripted:
    """A client that says what it is told to, in any pieces."""

    def __init__(self, server: "Served", name: str | None = None) -> None:
        self.connection = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
        server.clients.append(self)
        self.reader = Reader(OF_SERVERS)
        self.raw = b""
        if name is not None:
            self.say(encode(name_message(name)))
            self.introduction = [self.hear() for _ in range(4)]

    def say(self, data: bytes, pieces: bool = False) -> None:
        if not pieces:
            self.connection.sendall(data)
            return
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for number in data:
            self.connection.sendall(bytes([number]))

    def move(self, *orders: tuple[int, int, int, int, int]) -> None:
        self.say(encode(message("MOV", orders)))

    def hear(self) -> Message | None:
        """The next message; None when the server hangs up."""
        while (told := self.reader.take()) is None:
            data = self.connection.recv(1 << 16)
            if not data:
                return None
            self.raw += data
            self.reader.feed(data)
        return told

    def farewell(self) -> list[str]:
        """The words until the server hangs up."""
        words = []
        with suppress(ConnectionError):
            while told := self.hear():
                words.append(told.word)
        return words

    def leave(self) -> None:
        self.connection.close()


class Served:
    """A server and what comes of its game."""

    def __init__(self, settings: NetworkSettings, board: str, plies: int) -> None:
        self.clients: list[Scripted] = []
        self.told: list[str] = []
        self.parts: list[Record] = []
        self.result = ""
        self.door = listen("127.0.0.1", 0)
        self.port = int(self.door.getsockname()[1])
        self.game = vampires(board, plies=plies)
        self.thread = threading.Thread(target=self._run, args=(settings,), daemon=True)
        self.thread.start()

    def _run(self, settings: NetworkSettings) -> None:
        self.result = serve(self.door, self.game, settings, self.told.append, self.parts.extend)

    def finish(self) -> Record:
        """The last record, once the server has ended by itself."""
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive(), self.told
        return self.parts[-1]


@contextmanager
def served(settings: NetworkSettings = UNHURRIED, board: str = "thetrap", plies: int = 200) -> Iterator[Served]:
    server = Served(settings, board, plies)
    try:
        yield server
    finally:
        for client in server.clients:
            client.leave()
        server.door.close()
