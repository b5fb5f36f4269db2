"""The WebSocket: messages in, one after another and not too many; messages out, in order."""

import asyncio
import json
import logging
import math
import time
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from kibitz.core.errors import KibitzError
from kibitz.core.json_text import BadJson, parse_json
from kibitz.web.api.facts import Facts
from kibitz.web.api.refusals import Refused, error_facts
from kibitz.web.server.state import ServerState
from kibitz.web.session import requests
from kibitz.web.session.session import Session

OVERFLOW = 8 << 20  # bytes that a visitor has not taken: then he is too slow
SPARE = 64 << 10  # beyond so many, news of an analysis are left out
CHEAP = 1000  # bytes of a message that is parse_message only to be refused
MOST_OFFENCES = 1000  # messages beyond the rate until the socket is closed
CLOSING = {"too-many": 1013, "idle": 1001, "too-fast": 1008}

log = logging.getLogger("kibitz.web")


class RateLimit:
    """So many messages a second, with some saved up."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate, self.burst = rate, burst
        self.left, self.then = float(burst), time.monotonic()

    def take(self) -> bool:
        """May another one come?"""
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.then) * self.rate)
        self.then = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Connection:
    """One socket and its session."""

    def __init__(self, socket: WebSocket, server: ServerState) -> None:
        self.socket, self.server = socket, server
        self.out: asyncio.Queue[str] = asyncio.Queue()
        self.queued = 0  # bytes in it
        self.bucket = RateLimit(server.limits.rate, server.limits.burst)
        self.offences = 0
        self.overflown = asyncio.Event()
        self.session = Session(server, self.send)

    def send(self, message: Facts) -> None:
        """Queue a message; a visitor who takes none loses news of analyses first."""
        if message["type"] == "analysis" and not message["done"] and self.queued > SPARE:
            return
        text = json.dumps(message)  # ASCII: as many bytes as characters
        if self.queued + len(text) > OVERFLOW:
            self.overflown.set()
            return
        self.queued += len(text)
        self.out.put_nowait(text)

    async def serve(self) -> None:
        """Until the visitor goes, or must."""
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read())
        flood = asyncio.create_task(self.overflown.wait())
        try:
            await asyncio.wait({writer, reader, flood}, return_when=asyncio.FIRST_COMPLETED)
            if reader.done() and reader.exception() is None and not writer.done():
                await self._flush(writer, reader.result())
        finally:
            for task in (writer, reader, flood):
                task.cancel()
            await asyncio.gather(writer, reader, flood, return_exceptions=True)
            await self.session.close()

    async def _flush(self, writer: "asyncio.Task[None]", why: str) -> None:
        """Say what is still to be said, then close."""
        if why:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.out.join(), 2)
            with suppress(RuntimeError):
                await self.socket.close(CLOSING.get(why, 1000))

    async def _write(self) -> None:
        while True:
            text = await self.out.get()
            with suppress(WebSocketDisconnect, RuntimeError):
                await self.socket.send_text(text)
            self.queued -= len(text)
            self.out.task_done()

    async def _read(self) -> str:
        """Answer messages until the end; why it had to end, if the visitor did not go by himself."""
        while True:
            try:
                text = await asyncio.wait_for(self._received(), self.server.limits.idle)
            except TimeoutError:
                self.send(error_facts(Refused("idle", "nothing was heard for too long")))
                return "idle"
            except (WebSocketDisconnect, RuntimeError):
                return ""
            if not self.bucket.take():
                self.offences += 1
                refusal = Refused("too-fast", f"more than {self.server.limits.rate:g} messages a second")
                self.send(error_facts(refusal, id_of(text)))
                await asyncio.sleep(1 / self.server.limits.rate)
                if self.offences > MOST_OFFENCES:
                    return "too-fast"
                continue
            await self._answer(text)

    async def _received(self) -> str | bytes:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code") or 1000)
        text: str | bytes | None = message.get("text")
        return message.get("bytes") or b"" if text is None else text

    async def _answer(self, text: str | bytes) -> None:
        request: Any = None
        try:
            message = parse_message(text, self.server.limits.message)
            request = request_id(message)
            await requests.answer(self.session, message)
        except KibitzError as error:
            self.send(error_facts(error, request))
        except Exception:
            log.exception("a request failed")
            self.send(error_facts(Refused("internal", "a fault of the server; it goes on"), request))


def parse_message(text: str | bytes, most: int) -> Facts:
    """The object in a message."""
    if len(text) > most:
        raise Refused("too-large", f"the message has {len(text)} bytes, expected at most {most}")
    try:
        message = parse_json(text)
    except BadJson:
        raise Refused("bad-json", "the message is not JSON") from None
    if not isinstance(message, dict):
        raise Refused("bad-json", 'the message is no object, expected {"type": ...}')
    if not _has_safe_numbers(message):
        raise Refused("bad-message", "a number in the message is too large")
    return message


def id_of(text: str | bytes) -> Any:
    """The id of a message that nobody will look at further, where it can be had cheaply."""
    try:
        return request_id(parse_message(text, CHEAP))
    except Refused:
        return None


def request_id(message: Facts) -> Any:
    """What a request is to be answered by."""
    found = message.get("id")
    return found if isinstance(found, (int, float, str)) else None


def _has_safe_numbers(message: Facts) -> bool:
    """No number on the first level that arithmetic would stumble over."""
    numbers = [value for value in message.values() if isinstance(value, (int, float))]
    return all(math.isfinite(value) if isinstance(value, float) else abs(value) < 1 << 62 for value in numbers)


async def serve_socket(socket: WebSocket) -> None:
    """`/api/play`."""
    server: ServerState = socket.app.state.server
    await socket.accept()
    if server.tables >= server.limits.tables:
        refusal = Refused("too-many", f"all {server.limits.tables} tables are taken, try again later")
        await socket.send_text(json.dumps(error_facts(refusal)))
        await socket.close(CLOSING["too-many"])
        return
    server.tables += 1
    try:
        await Connection(socket, server).serve()
    finally:
        server.tables -= 1
