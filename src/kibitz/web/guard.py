"""Who may speak to the server: the names it goes by, pages of its own, messages of a bearable size."""

import ipaddress
import json
import socket as sockets
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kibitz.web.refusals import STATUS, Refused, error_facts

POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
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

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self.largest:
                raise Refused("too-large", f"the body has more than {self.largest} bytes")
            return message

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        await self.app(scope, counted, headed)

    def _refusal(self, scope: Scope) -> Refused | None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if not self._known(host):
            return Refused("forbidden", "this server does not go by that name")
        origin = headers.get(b"origin")
        changing = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
        if changing and origin is not None and not _same(origin.decode("latin-1").lower(), host):
            return Refused("forbidden", "a page of another site may not do this")
        return None

    def _known(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            if name in self.names:
                return True
            return self.numbers and bool(ipaddress.ip_address(name))
        except ValueError:
            return False


def _same(origin: str, host: str) -> bool:
    """Is it a page that this server gave out?"""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc == host


async def _refuse(refusal: Refused, scope: Scope, send: Send) -> None:
    """The typed error as an answer; a socket gets it instead of its handshake."""
    body = json.dumps(error_facts(refusal)).encode()
    headers: list[Any] = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    answer = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    await send({"type": f"{answer}.start", "status": STATUS[refusal.kind], "headers": [*headers, *HEADERS]})
    await send({"type": f"{answer}.body", "body": body})
