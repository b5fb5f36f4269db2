"""A server among strangers: slow heads and bodies, names that only look like ours, visitors who leave, odd stores."""

import asyncio
import logging
import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.contest import read_only
from kibitz.arena.contest.store import Store
from kibitz.cli.serve import serve
from kibitz.core.errors import KibitzError
from kibitz.web.api.games import GameList
from kibitz.web.api.limits import Limits
from kibitz.web.api.refusals import Refused
from kibitz.web.server import guard
from kibitz.web.server.guard import Guard
from kibitz.web.server.http_protocol import TimedProtocol
from kibitz.web.server.state import ServerState
from kibitz.web.session import requests
from kibitz.web.session.session import Session
from kibitz.web.workers.pool import Job
from tests.arena.samples import contest
from tests.web.visiting import Place, served

SHORT = 0.3  # seconds
PATIENCE = 60.0


@pytest.fixture(scope="module")
def hasty() -> Iterator[Place]:
    """A server that waits for nobody."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TimedProtocol, "head_seconds", SHORT)
        patch.setattr(guard, "BODY_SECONDS", SHORT)
        with served() as place:
            yield place


def connect(place: Place, sent: bytes) -> socket.socket:
    wire = socket.create_connection((place.host, place.port), PATIENCE)
    wire.sendall(sent)
    return wire


def answer(wire: socket.socket) -> bytes:
    """Everything until the server hangs up; a server that never does fails the test by its timeout."""
    pieces = []
    with wire:
        while piece := wire.recv(1 << 16):
            pieces.append(piece)
    return b"".join(pieces)


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: b"])
def test_who_does_not_send_a_whole_head_is_cut_off(hasty: Place, sent: bytes) -> None:
    assert answer(connect(hasty, sent)) == b""


def test_the_head_of_a_second_request_is_awaited_no_longer(hasty: Place) -> None:
    wire = connect(hasty, f"HEAD / HTTP/1.1\r\nHost: localhost:{hasty.port}\r\n\r\nGET /".encode())
    assert answer(wire).startswith(b"HTTP/1.1 200")


def test_a_body_that_does_not_come_is_refused(hasty: Place) -> None:
    head = f"POST /api/flow/parse HTTP/1.1\r\nHost: localhost:{hasty.port}\r\nContent-Type: application/json\r\n"
    wire = connect(hasty, f"{head}Connection: close\r\nContent-Length: 100\r\n\r\n{{".encode())
    assert b"the body took more than" in answer(wire)


def test_a_visitor_who_leaves_in_the_middle_is_no_error(hasty: Place, caplog: pytest.LogCaptureFixture) -> None:
    head = f"POST /api/flow/parse HTTP/1.1\r\nHost: localhost:{hasty.port}\r\nContent-Type: application/json\r\n"
    with caplog.at_level(logging.WARNING):
        connect(hasty, f"{head}Content-Length: 100\r\n\r\n{{".encode()).close()
        wire = connect(hasty, f"GET / HTTP/1.1\r\nHost: localhost:{hasty.port}\r\nConnection: close\r\n\r\n".encode())
        assert answer(wire).startswith(b"HTTP/1.1 200")
        asyncio.run(asyncio.sleep(2 * SHORT))
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize(
    ("host", "origin", "allowed"),
    [
        (b"localhost:80", b"http://localhost:80", True),
        (b"[::1]", b"https://[::1]", True),
        (b"evil.com@localhost", b"http://evil.com@localhost", False),
        (b"localhost", b"http://evil.com@localhost", False),
        (b"localhost#x", b"http://localhost#x", False),
        (b"localhost/x", b"http://localhost/x", False),
        (b"localhost:80:81", b"http://localhost:80:81", False),
        (b"localhost", b"http://localhost:81", False),
        (b"localhost", b"ftp://localhost", False),
        (b"localhost", b"null", False),
        (b"[::1", b"http://[::1", False),
        (b"", b"http://", False),
    ],
)
def test_names_are_compared_exactly(host: bytes, origin: bytes, allowed: bool) -> None:
    async def nobody(*given: Any) -> None: ...

    door = Guard(nobody, "127.0.0.1", 1000)
    headers = [(b"host", host), (b"origin", origin)]
    assert (door._refusal({"type": "http", "method": "POST", "headers": headers}) is None) is allowed
    doubled = {"type": "http", "method": "GET", "headers": [(b"host", b"localhost"), (b"host", host)]}
    assert door._refusal(doubled) is not None


def test_a_record_is_read_by_a_worker_within_a_limit_of_time() -> None:
    asked: list[Job] = []

    class Busy:
        async def run(self, job: Job) -> Any:
            asked.append(job)
            raise Refused("too-slow", "not today")

    async def visit() -> None:
        state = ServerState(GameList())
        state.pool = Busy()  # type: ignore[assignment]
        session = Session(state, lambda facts: None)
        await requests.answer(session, {"type": "replay", "record": "a\n" * 500_000, "number": 1})
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await session.close()

    asyncio.run(visit())
    assert [job.do for job in asked] == ["read-record"]
    assert asked[0].seconds <= 5


def test_what_waits_is_bounded_by_bytes() -> None:
    async def ask() -> None:
        state = ServerState(GameList(), Limits(waiting_bytes=1000))
        with pytest.raises(Refused, match="too many"):
            await state.run_unseated(Job("flow-parse", {"board": "x" * 2000}, 1))

    asyncio.run(ask())


def test_what_is_no_store_is_not_served(tmp_path: Path) -> None:
    (tmp_path / "junk.db").write_text("hello")
    with pytest.raises(KibitzError, match="cannot be used as a store"):
        serve(store=[tmp_path / "junk.db"])


def _cannot(mode: str) -> Any:
    """SQLite as it is where its own files cannot be put beside a store."""
    original = read_only._connect

    def connect_there(path: Path, how: str) -> Any:
        if how == mode:
            raise sqlite3.OperationalError("unable to open database file")
        return original(path, how)

    return connect_there


@pytest.mark.parametrize("unmerged", [False, True])
def test_a_store_is_read_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unmerged: bool
) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    with Store(path) as store:
        number = store.enter(contest("random", "first", games=2))
        if unmerged:  # what was written last lies in a file of its own while the store is open
            for ending in ("", "-wal"):
                copy.with_name(copy.name + ending).write_bytes(path.with_name(path.name + ending).read_bytes())
    monkeypatch.setattr(read_only, "_connect", _cannot("mode=ro"))
    with Store(copy if unmerged else path, create=False) as store:
        assert list(store.contests()) == [number]
