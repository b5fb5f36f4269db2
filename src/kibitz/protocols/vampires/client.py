"""Playing on a server of others: what it says becomes positions, what our agent chooses becomes orders."""

import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from kibitz.agents.agent import AgentText
from kibitz.agents.guests.dialect import turn_token
from kibitz.agents.guests.vampires_messages import orders_of
from kibitz.agents.guests.vampires_wire import OF_SERVERS, Entry, Message, Reader, encode, name_message
from kibitz.arena.interrupts import keep_ctrl_c
from kibitz.core.errors import KibitzError, quoted
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import FIRST, SECOND
from kibitz.games.vampires import maps, vampires
from kibitz.games.vampires.rules import HUMANS, VAMPIRES, WEREWOLVES, group

CONNECTING = 10.0  # seconds
BEFORE = ("SET", "HUM", "HME", "MAP")  # in this order


class BadServer(KibitzError):
    """A server that cannot be reached, or says what makes no sense."""


class View:
    """The game as a client knows it: the cells as the server sent them, and how often it was asked."""

    def __init__(self, said: dict[str, Message], plies: int) -> None:
        ((self.rows, self.columns),) = said["SET"].entries
        self.game = game_of(self.rows, self.columns, said["MAP"].entries, plies)
        self.cells = [0] * (self.rows * self.columns)
        self.change(said["MAP"].entries)
        ((x, y),) = said["HME"].entries
        self.side = self._side_at(x, y)
        self.turns = 0

    def change(self, entries: tuple[Entry, ...]) -> None:
        """Take in what stands on some cells now."""
        for x, y, *counts in entries:
            if x >= self.columns or y >= self.rows or sum(count > 0 for count in counts) > 1:
                raise BadServer(f"the server says {tuple(counts)} at {x},{y}, which cannot be")
            kinds = [group(kind, count) for kind, count in zip((HUMANS, VAMPIRES, WEREWOLVES), counts, strict=True)]
            self.cells[y * self.columns + x] = sum(kinds)

    def position(self) -> Position:
        """Our turn as a position. Turns at the limit stay just below it: only the server ends the game."""
        most = int(self.game.rules.plies) - 2
        state = self.game.new().state
        cells = state.cells.copy()
        cells[:] = self.cells
        state = state._replace(cells=cells, side=self.side, ply=min(2 * self.turns, most) + self.side)
        return self.game.position(self.game.write(state))

    def headcount(self, side: int) -> int:
        """How many creatures a side has, as far as we know."""
        return sum(cell & 255 for cell in self.cells if cell >> 8 == VAMPIRES + side)

    def _side_at(self, x: int, y: int) -> int:
        kind = self.cells[y * self.columns + x] >> 8 if x < self.columns and y < self.rows else 0
        if kind not in (VAMPIRES, WEREWOLVES):
            raise BadServer(f"the server says that our home is {x},{y}, where none of us stands")
        return FIRST if kind == VAMPIRES else SECOND


def game_of(rows: int, columns: int, entries: tuple[Entry, ...], plies: int) -> Game:
    """The game on a map as a server sends it: a known one by its name, any other from a file that is needed once."""
    found = _map_of(rows, columns, entries)
    for name, known in maps.KNOWN.items():
        if known._replace(humans=()) == found._replace(humans=()) and set(known.humans) == set(found.humans):
            return vampires(name, plies=plies)
    with tempfile.TemporaryDirectory(prefix="kibitz-") as folder:
        file = Path(folder) / "map.xml"
        file.write_text(maps.write_xml(found))
        return vampires(map=str(file), plies=plies)


def _map_of(rows: int, columns: int, entries: tuple[Entry, ...]) -> maps.Map:
    """A side that has several groups keeps the first: a map's start is not played, only its numbers count."""
    camps: dict[int, list[maps.Group]] = {HUMANS: [], VAMPIRES: [], WEREWOLVES: []}
    for x, y, *counts in entries:
        for kind, count in zip(camps, counts, strict=True):
            if count:
                camps[kind].append(maps.Group(x, y, count))
    if not camps[VAMPIRES] or not camps[WEREWOLVES]:
        raise BadServer("the server's map lacks vampires or werewolves")
    others = camps[HUMANS] + camps[VAMPIRES][1:] + camps[WEREWOLVES][1:]
    return maps.Map(rows, columns, tuple(others), camps[VAMPIRES][0], camps[WEREWOLVES][0])


class Client:
    """An agent on somebody's server."""

    def __init__(self, connection: socket.socket, agent: AgentText, limit: Limit, log: Callable[[str], None]) -> None:
        self.connection = connection
        self.agent = agent
        self.limit = limit
        self.log = log
        self.reader = Reader(OF_SERVERS)

    def play(self, name: str, plies: int) -> str:
        """Play until the server ends the game; returns what is known of the end, in words."""
        self._say(name_message(name))
        view = View(self._read_introduction(), plies)
        agent = self.agent.ready_for(view.game)
        self.log(f"we lead the {view.game.rulebook.sides[view.side]}")
        for said in self._messages():
            if said.word == "UPD":
                view.change(said.entries)
                here = view.position()
                with keep_ctrl_c():
                    report = agent.choose(here, self.limit)
                self._say(orders_of(here, report.moves))
                view.turns += 1
                self.log(f"{view.turns:4}  {turn_token(here, report.moves)}")
            elif said.word in ("END", "BYE"):
                break
            else:
                raise BadServer(f"the server says {said.word} in the middle of the game")
        ours, theirs = (view.headcount(side) for side in (view.side, 1 - view.side))
        return f"the game is over; when we last heard of it, we were {ours} against {theirs}"

    def _read_introduction(self) -> dict[str, Message]:
        said: dict[str, Message] = {}
        for word, found in zip(BEFORE, self._messages(), strict=False):
            if found.word != word:
                raise BadServer(f"the server says {found.word}, expected {word}")
            said[word] = found
        if len(said) < len(BEFORE):
            raise BadServer("the server hung up before the game")
        return said

    def _messages(self) -> Iterator[Message]:
        """What the server says, until it hangs up."""
        while True:
            while (said := self.reader.take()) is None:
                data = b""
                with suppress(OSError):
                    data = self.connection.recv(1 << 16)
                if not data:
                    return
                self.reader.feed(data)
            yield said

    def _say(self, said: Message) -> None:
        with suppress(OSError):  # a server that has gone is seen when it is listened to
            self.connection.sendall(encode(said))


def connect(host: str, port: int) -> socket.socket:
    """A connection to a server."""
    try:
        found = socket.create_connection((host, port), CONNECTING)
    except OSError as problem:
        raise BadServer(f"nobody answers at {quoted(host)}, port {port}: {problem.strerror or problem}") from None
    found.settimeout(None)
    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return found


def join(
    host: str, port: int, agent: AgentText, name: str, limit: Limit, plies: int, log: Callable[[str], None]
) -> str:
    """Play one game on a server. The agent is compiled before anybody waits for it."""
    with keep_ctrl_c():
        agent.ready_for(vampires())
    with connect(host, port) as connection:
        return Client(connection, agent, limit, log).play(name, plies)
