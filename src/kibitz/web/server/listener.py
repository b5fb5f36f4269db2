"""Running the application on an address until somebody stops it."""

import logging
import socket as sockets
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from kibitz.core.errors import KibitzError
from kibitz.web.server.app import application
from kibitz.web.server.guard import is_loopback
from kibitz.web.server.http_protocol import TimedProtocol
from kibitz.web.server.state import ServerState

PORT = 8300
TRIED = 20  # ports after the usual one
# What strangers do must not fill the log: they have their answer.
NOISE = ("Invalid HTTP request received.", "ASGI callable returned without completing handshake.")
PATIENCE = 3  # seconds for visitors to be told when the server closes


def bind(host: str, port: int | None) -> sockets.socket:
    """A socket on this port; without one the usual port, or the next that is free."""
    wanted = [port] if port is not None else range(PORT, PORT + TRIED)
    problem: OSError | None = None
    for number in wanted:
        try:
            return _listen(host, number)
        except OSError as error:
            problem = error
    which = f"port {port}" if port is not None else f"ports {PORT} to {PORT + TRIED - 1}"
    reason = problem.strerror if problem is not None and problem.strerror else str(problem)
    raise KibitzError(f"cannot listen on {host}, {which}: {reason}")


def _listen(host: str, port: int) -> sockets.socket:
    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    found = sockets.socket(family, sockets.SOCK_STREAM)
    try:
        found.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(1024)
    except OSError:
        found.close()
        raise
    return found


def address(host: str, listening: sockets.socket) -> str:
    """Where a browser finds it."""
    port = listening.getsockname()[1]
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}"


def network_address(host: str, listening: sockets.socket) -> str:
    """Where others on the network find it; nothing for a server of this machine alone."""
    if is_loopback(host):
        return ""
    if host not in ("0.0.0.0", "::"):
        return address(host, listening)
    with sockets.socket(sockets.AF_INET, sockets.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which of our addresses would be used
        except OSError:
            return ""
        return address(probe.getsockname()[0], listening)


def serve(state: ServerState, host: str, listening: sockets.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Answer until Ctrl-C; then the workers end and the function returns."""
    with suppress(KeyboardInterrupt):
        make_server(state, host, ready).run(sockets=[listening])


def make_server(state: ServerState, host: str, ready: Callable[[], None]) -> "Server":
    """The server, to be run on a socket."""
    config = uvicorn.Config(
        application(state, host),
        log_level="warning",
        access_log=False,
        http=TimedProtocol,
        ws="websockets-sansio",
        ws_max_size=2 * state.limits.message,
        ws_max_queue=8,
        ws_per_message_deflate=False,
        ws_ping_interval=30,
        ws_ping_timeout=60,
        timeout_graceful_shutdown=PATIENCE,
        server_header=False,
        lifespan="on",
    )
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    return Server(config, ready)


def _is_news(record: logging.LogRecord) -> bool:
    return record.getMessage() not in NOISE


class Server(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[sockets.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.ready()
