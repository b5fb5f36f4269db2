"""A connection to a player, as the server has it: what was asked, what was answered, and which belongs to which."""

import select
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

from kibitz.agents.guests.vampires_wire import OF_CLIENTS, BadMessage, Message, Reader, encode

CHUNK = 1 << 16  # bytes read at a time
SENDING = 5.0  # seconds for a player to take what it is sent
UNASKED = 100  # answers to nothing, before a player is taken to be out of its mind
PARTING = 0.2  # seconds for a player to hear the last word


class ConnectionClosed(Exception):
    """The player has closed the connection."""


class PlayerConnection:
    """Answers are counted: a player gives one to each question, in order. So an answer that comes after the next
    question is known to belong to the one before, however late it is.

    A player that is late is asked its next question all the same, once; then no more until no question is open, so
    that it can catch up. One that leaves a question out owes that answer for ever: nothing on the wire could tell its
    next answer from a late one.
    """

    def __init__(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(SENDING)
        self.connection = connection
        self.reader = Reader(OF_CLIENTS)
        self.asked = 0
        self.answered = 0
        self.unasked = 0
        self.may_ask = True  # not after a question was asked while another was open
        self.before_asking = False  # does a message that is half here belong to no question?

    def fileno(self) -> int:
        return self.connection.fileno()

    def say(self, *messages: Message) -> None:
        """Tell the player something."""
        try:
            self.connection.sendall(b"".join(map(encode, messages)))
        except OSError:
            raise ConnectionClosed from None

    @property
    def owed(self) -> int:
        """Answers that are still to come."""
        return self.asked - self.answered

    def ask(self, question: Message) -> None:
        """Ask for a turn. What the player said before is none."""
        for _ in self.answers():
            pass
        self.may_ask = not self.owed
        self.before_asking = self.reader.has_partial and not self.owed
        self.say(question)
        self.asked += 1

    def answers(self) -> Iterator[Message]:
        """What has come that answers the latest question."""
        for received in self.messages():
            if received.word != "MOV":
                raise BadMessage(f"{received.word} in the middle of the game, expected MOV")
            if not self.owed or self.before_asking:
                self.before_asking = False
                self._count_unasked()
                continue
            self.answered += 1
            if not self.owed:
                self.may_ask = True
                yield received

    def messages(self) -> Iterator[Message]:
        """What has come, without waiting for more."""
        data = self._receive()
        if data:
            self.reader.feed(data)
        while received := self.reader.take():
            yield received
        if data == b"":
            raise ConnectionClosed

    def close(self) -> None:
        """Hang up. What the player still says is read for a moment: unread, it would undo our last word."""
        until = time.monotonic() + PARTING
        with suppress(OSError), self.connection:
            self.connection.shutdown(socket.SHUT_WR)
            while (left := until - time.monotonic()) > 0:
                self.connection.settimeout(left)
                if not self.connection.recv(CHUNK):
                    break

    def _receive(self) -> bytes | None:
        """Bytes that are here; none of them if the player has gone, None if it is silent."""
        try:
            return self.connection.recv(CHUNK) if select.select([self.connection], [], [], 0.0)[0] else None
        except OSError:
            return b""

    def _count_unasked(self) -> None:
        self.unasked += 1
        if self.unasked > UNASKED:
            raise BadMessage(f"more than {UNASKED} answers to no question")
