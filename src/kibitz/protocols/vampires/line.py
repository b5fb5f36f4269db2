"""A connection to a player, as the server has it: what was asked, what was answered, and which belongs to which."""

import select
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

from kibitz.agents.guests.vampires_wire import OF_CLIENTS, BadMessage, Message, Reader, written

CHUNK = 1 << 16  # bytes read at a time
SENDING = 5.0  # seconds for a player to take what it is told
UNASKED = 100  # answers to nothing, before a player is taken to be out of its mind
WRITTEN_OFF = 5.0  # move times of silence, after which an open question is taken to have been left out
PARTING = 0.2  # seconds for a player to hear the last word


class Gone(Exception):
    """The player has closed the connection."""


class Line:
    """Answers are counted: a player gives one to each question, in order. So an answer that comes after the next
    question is known to belong to the one before.

    A player that is late is asked its next question all the same, once; then no more until no question is open. One
    that left a question out would stay an answer behind for ever: after a long silence what is open is forgotten.
    """

    def __init__(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(SENDING)
        self.connection = connection
        self.reader = Reader(OF_CLIENTS)
        self.asked = 0
        self.answered = 0
        self.unasked = 0
        self.doubled = False  # was a question asked while another was open?
        self.before_asking = False  # does a message that is half here belong to no question?
        self.heard_at = time.monotonic()

    def fileno(self) -> int:
        return self.connection.fileno()

    def say(self, *messages: Message) -> None:
        """Tell the player something."""
        try:
            self.connection.sendall(b"".join(map(written, messages)))
        except OSError:
            raise Gone from None

    def may_ask(self, move_seconds: float) -> bool:
        """Is the player ready for a question?"""
        if self.doubled and time.monotonic() - self.heard_at >= WRITTEN_OFF * move_seconds:
            self.answered, self.doubled = self.asked, False
        return not self.doubled

    def ask(self, question: Message) -> None:
        """Ask for a turn. What the player said before is none."""
        for _ in self.answers():
            pass
        self.doubled = self.asked > self.answered
        self.before_asking = self.reader.amid and not self.doubled
        self.say(question)
        self.asked += 1
        self.heard_at = time.monotonic()

    def answers(self) -> Iterator[Message]:
        """What has come that answers the latest question."""
        for told in self.messages():
            if told.word != "MOV":
                raise BadMessage(f"{told.word} in the middle of the game, expected MOV")
            if self.asked == self.answered or self.before_asking:
                self.before_asking = False
                self._count_unasked()
                continue
            self.answered += 1
            if self.answered == self.asked:
                self.doubled = False
                yield told

    def messages(self) -> Iterator[Message]:
        """What has come, without waiting for more."""
        data = self._received()
        if data:
            self.heard_at = time.monotonic()
            self.reader.feed(data)
        while told := self.reader.take():
            yield told
        if data == b"":
            raise Gone

    def close(self) -> None:
        """Hang up. What the player still says is read for a moment: unread, it would undo our last word."""
        until = time.monotonic() + PARTING
        with suppress(OSError), self.connection:
            self.connection.shutdown(socket.SHUT_WR)
            while (left := until - time.monotonic()) > 0:
                self.connection.settimeout(left)
                if not self.connection.recv(CHUNK):
                    break

    def _received(self) -> bytes | None:
        """Bytes that are here; none of them if the player has gone, None if it is silent."""
        try:
            return self.connection.recv(CHUNK) if select.select([self.connection], [], [], 0.0)[0] else None
        except OSError:
            return b""

    def _count_unasked(self) -> None:
        self.unasked += 1
        if self.unasked > UNASKED:
            raise BadMessage(f"more than {UNASKED} answers to no question")
