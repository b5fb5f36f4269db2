"""A client program of the vampires game as an agent: we are the server it asks for, on this machine, for it alone.

It is started with our address, says its name, and is sent the map when it is first asked for a turn: only then it is
known which side it leads. The protocol knows one game a connection; for another game it is started anew.
"""

import contextlib
import select
import socket
import time
import weakref
from typing import NamedTuple

from kibitz.agents.agent import AgentKind
from kibitz.agents.guests.errors import GuestFailed, illegal_answer
from kibitz.agents.guests.program import Program, split_command
from kibitz.agents.guests.vampires_messages import changed_cells, contents, introduction, turn_of
from kibitz.agents.guests.vampires_wire import MOST, OF_CLIENTS, BadMessage, Message, Reader, encode, message
from kibitz.core.errors import BadOption, IllegalMove
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.search.report import Report

IP = "127.0.0.1"
STARTING = 60.0  # seconds to connect and say a name
PATIENCE = 10.0  # seconds beyond a limit, before it is given up
LONGEST = 3600.0  # seconds, where nothing bounds a turn
LOOK = 0.1  # seconds between two looks at the program
CHUNK = 1 << 16


class Options(NamedTuple):
    command: str = ""  # {ip} and {port} stand for our address; without them it is added


class Connection:
    """A client program that was started and has connected."""

    def __init__(self, command: str) -> None:
        with socket.create_server((IP, 0)) as door:
            self.program = Program(add_address(command, door.getsockname()[1]), deaf=True)
            try:
                self.line = self._accept(door)
            except BaseException:
                self.program.end()
                raise
        self.reader = Reader(OF_CLIENTS)
        self.end = weakref.finalize(self, _end, self.line, self.program)

    def say(self, *messages: Message) -> None:
        """Tell it something."""
        try:
            self.line.sendall(b"".join(map(encode, messages)))
        except OSError:
            raise self._hung_up() from None

    def hear(self, word: str, seconds: float) -> Message:
        """Its next message, which must be of this word."""
        until = time.monotonic() + seconds
        try:
            while (received := self.reader.take()) is None:
                self._receive(until, word, seconds)
        except BadMessage as problem:
            raise GuestFailed(f"{self.program.name}: {problem}") from None
        if received.word != word:
            raise GuestFailed(f"{self.program.name} said {received.word}, expected {word}")
        return received

    def discard_input(self) -> None:
        """Drop what was said before it is asked."""
        with contextlib.suppress(BlockingIOError):
            while data := self.line.recv(CHUNK, socket.MSG_DONTWAIT):
                self.reader.feed(data)
        with contextlib.suppress(BadMessage):
            while self.reader.take():
                pass

    def _receive(self, until: float, word: str, seconds: float) -> None:
        left = until - time.monotonic()
        if left <= 0:
            raise GuestFailed(f"{self.program.name} said no {word} within {seconds:g} s")
        if not select.select([self.line], [], [], min(left, LOOK))[0]:
            self._look()
            return
        data = b""
        with contextlib.suppress(OSError):
            data = self.line.recv(CHUNK)
        if not data:
            raise self._hung_up()
        self.reader.feed(data)

    def _accept(self, door: socket.socket) -> socket.socket:
        until = time.monotonic() + STARTING
        while time.monotonic() < until:
            if select.select([door], [], [], LOOK)[0]:
                return door.accept()[0]
            self._look()
        raise GuestFailed(f"{self.program.name} did not connect within {STARTING:g} s")

    def _look(self) -> None:
        """Pass over what it prints, and see whether it has died."""
        with contextlib.suppress(TimeoutError):
            self.program.hear("", 0.0)

    def _hung_up(self) -> GuestFailed:
        try:
            self._look()
        except GuestFailed as death:
            return death
        return GuestFailed(f"{self.program.name} closed the connection")


def add_address(command: str, port: int) -> str:
    """The command with our address in it."""
    if "{ip}" not in command and "{port}" not in command:
        command += " {ip} {port}"
    return command.replace("{ip}", IP).replace("{port}", str(port))


def _end(line: socket.socket, program: Program) -> None:
    """Say that it is over, hang up, and end the program with its children."""
    with contextlib.suppress(OSError):
        line.sendall(encode(message("END")) + encode(message("BYE")))
    line.close()
    program.end()


class VampiresClient:
    """A foreign client. After a failure it is started again when it is next asked."""

    def __init__(self, game: Game, options: Options) -> None:
        if not options.command:
            raise BadOption("agent vampires-client needs a command, as vampires-client:COMMAND {ip} {port}")
        split_command(options.command)
        self.command = options.command
        self.last_position: Position | None = None  # what it knows
        self.connection: Connection | None = None
        self.connect()

    def connect(self) -> Connection:
        """The running client; it has said its name."""
        if self.connection is None:
            connection = Connection(self.command)
            try:
                connection.hear("NME", STARTING)
            except BaseException:
                connection.end()
                raise
            self.connection, self.last_position = connection, None
        return self.connection

    def choose(self, position: Position, limit: Limit) -> Report:
        began = time.perf_counter()
        if position.state.orders.size > 0:
            raise GuestFailed(f"{self.command} can only be asked for whole turns")
        try:
            answer = self._ask(position, limit)
        except BaseException:
            self.close()
            raise
        return Report(self._moves(position, answer), seconds=time.perf_counter() - began)

    def close(self) -> None:
        """Let the client go."""
        if self.connection is not None:
            self.connection.end()
        self.connection, self.last_position = None, None

    def _ask(self, position: Position, limit: Limit) -> Message:
        if self.last_position is not None and self.last_position not in list(position.trail())[1:]:
            self.close()
        connection = self.connect()
        connection.discard_input()
        if self.last_position is None:
            *_, self.last_position = position.trail()
            connection.say(*introduction(self.last_position, position.turn))
        news = sorted(changed_cells(self._known(position), position))[:MOST]
        connection.say(message("UPD", contents(position, news)))
        self.last_position = position
        seconds = min((bound for bound in (limit.seconds, limit.clock) if bound is not None), default=LONGEST)
        return connection.hear("MOV", seconds + PATIENCE)

    def _known(self, position: Position) -> Position:
        """The position in this history that it was last sent."""
        return next(here for here in position.trail() if here == self.last_position)

    def _moves(self, position: Position, answer: Message) -> tuple[int, ...]:
        moves: list[int] = []
        here = position
        try:
            for word in turn_of(answer).split("+"):
                here = here.play(word)
                assert here.last_move is not None
                moves.append(here.last_move)
        except IllegalMove:
            raise illegal_answer(self.command, f"MOV {list(answer.entries)!r}"[:100], position) from None
        return tuple(moves)


KINDS = [
    AgentKind(
        name="vampires-client",
        summary="a client program of the course, as vampires-client:COMMAND {ip} {port}",
        make=VampiresClient,
        options=Options,
        games=("vampires",),
        main="command",
    ),
]
