"""Who may speak to the server: the names it goes by, pages of its own, messages of a bearable size."""

import asyncio
import ipaddress
import json
import re
import socket as sockets
import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kibitz.web.api.refusals import STATUS, Refused, error_facts

POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; "
    "style-src 'self' 'unsafe-inline'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
HOST = re.compile(r"(\[(?P<six>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9._-]{1,253}))(:[0-9]{1,5})?")
BODY_SECONDS = 20.0
LOCAL = {"localhost", "127.0.0.1", "::1"}


def names_of(host: str) -> set[str]:
    """The names under which a server bound to this address may be asked."""
    if is_loopback(host):
        return LOCAL | {host.lower()}
    return LOCAL | {host.lower(), sockets.gethostname().lower(), sockets.getfqdn().lower()}


def is_loopback(host: str) -> bool:
    """Is this address reached from this machine only?"""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """Looks at every request before anything else does."""

    def __init__(self, app: ASGIApp, host: str, largest: int) -> None:
        self.app, self.largest = app, largest
        self.names = names_of(host)
        self.numbers = not is_loopback(host)  # may it be asked by any IP address? A name cannot be one.

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(refusal, scope, send)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        await self._bounded(scope, receive, send)

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The request, its body counted and its answer's headers completed."""
        taken = 0
        awaited = True  # is there more of the body?
        deadline = time.monotonic() + BODY_SECONDS

        async def counted() -> Message:
            nonlocal taken, awaited
            message = await (self._in_time(receive, deadline) if awaited else receive())
            awaited = bool(message.get("more_body"))
            taken += len(message.get("body", b""))
            if taken > self.largest:
                raise Refused("too-large", f"the body has more than {self.largest} bytes")
            return message

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        await self.app(scope, counted, headed)

    async def _in_time(self, receive: Receive, deadline: float) -> Message:
        try:
            async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                return await receive()
        except TimeoutError:
            raise Refused("too-slow", f"the body took more than {BODY_SECONDS:g} seconds") from None

    def _refusal(self, scope: Scope) -> Refused | None:
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or not self._known(hosts[0]):
            return Refused("forbidden", "this server does not go by that name")
        changing = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
        own = (f"http://{hosts[0]}", f"https://{hosts[0]}")
        if changing and any(origin not in own for origin in _values(scope, b"origin")):
            return Refused("forbidden", "a page of another site may not do this")
        return None

    def _known(self, host: str) -> bool:
        """Is this a name of ours, and nothing else but a port behind it?"""
        found = HOST.fullmatch(host)
        if found is None:
            return False
        name = found["six"] or found["name"]
        if name in self.names:
            return True
        try:
            return self.numbers and bool(ipaddress.ip_address(name))
        except ValueError:
            return False


def _values(scope: Scope, name: bytes) -> list[str]:
    """What a request says under this name, each time it says it."""
    return [value.decode("latin-1").lower() for key, value in scope["headers"] if key == name]


async def _refuse(refusal: Refused, scope: Scope, send: Send) -> None:
    """The typed error as an answer; a socket gets it instead of its handshake."""
    body = json.dumps(error_facts(refusal)).encode()
    headers: list[Any] = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    answer = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    await send({"type": f"{answer}.start", "status": STATUS[refusal.kind], "headers": [*headers, *HEADERS]})
    await send({"type": f"{answer}.body", "body": body})
