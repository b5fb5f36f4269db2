"""A server to visit, and visitors."""

import asyncio
import json
import os
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from kibitz.web.api.games import GameList
from kibitz.web.api.limits import Limits
from kibitz.web.server import listener
from kibitz.web.server.state import ServerState
from kibitz.web.server.table_store import TableStore

PATIENCE = 120.0  # seconds; compiling on a busy machine included
Facts = dict[str, Any]
T = TypeVar("T")


class Place:
    """Where a server is, and its insides."""

    def __init__(self, state: ServerState, host: str, port: int) -> None:
        self.state, self.host, self.port = state, host, port

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def visit(self, **headers: str) -> "Visitor":
        return Visitor(connect_to(f"ws://{self.host}:{self.port}/api/play", **headers))


def connect_to(url: str, **headers: str) -> Any:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    origin = Origin(given.pop("Origin")) if "Origin" in given else None
    return connect(
        url, max_size=None, origin=origin, additional_headers=given, proxy=None, compression=None,
        open_timeout=30, close_timeout=5,
    )  # fmt: skip


@contextmanager
def served(
    limits: Limits | None = None,
    files: tuple[str, ...] = (),
    stores: tuple[Path, ...] = (),
    kept: TableStore | None = None,
) -> Iterator[Place]:
    """A server in a thread of this process, its workers in processes of their own."""
    state = ServerState(GameList(files=files), limits or Limits(workers=2), stores, kept or TableStore())
    listening = listener.bind("127.0.0.1", 0)
    port = listening.getsockname()[1]
    ready = threading.Event()
    server = listener.make_server(state, "127.0.0.1", ready.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        assert ready.wait(60)
        yield Place(state, "127.0.0.1", port)
    finally:
        server.should_exit = True
        thread.join(60)
        listening.close()


class Visitor:
    """A client that waits for what it wants."""

    def __init__(self, connecting: Any) -> None:
        self.connecting = connecting
        self.numbers = 0
        self.aside: list[Facts] = []  # what came unasked while waiting for something else

    def __enter__(self) -> "Visitor":
        self.wire: ClientConnection = self.connecting.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.connecting.__exit__(kind, error, at)

    def say(self, **message: Any) -> int:
        """Send a message with a number of its own."""
        self.numbers += 1
        self.wire.send(json.dumps({"id": self.numbers, **message}))
        return self.numbers

    def ask(self, **message: Any) -> Facts:
        """The answer to a message."""
        number = self.say(**message)
        return self.until(lambda heard: heard.get("id") == number)

    def raw(self, text: str | bytes) -> Facts:
        """The next thing that the server says after this."""
        self.wire.send(text)
        return self.hear()

    def hear(self) -> Facts:
        heard: Facts = json.loads(self.wire.recv(timeout=PATIENCE))
        return heard

    def until(self, wanted: Any) -> Facts:
        """The first message of this kind; the others are put aside."""
        while True:
            heard = self.hear()
            if wanted(heard):
                return heard
            self.aside.append(heard)

    def state(self, wanted: Any = lambda state: True) -> Facts:
        """The next state of this kind."""
        return self.until(lambda heard: heard["type"] == "state" and wanted(heard))


def interpreted() -> bool:
    return os.environ.get("KIBITZ_INTERPRET") == "1"


def awaited(work: Coroutine[Any, Any, T]) -> T:
    """What the work comes to, in a thread of its own: a browser's tests may have left a loop running in this one."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, work).result()
