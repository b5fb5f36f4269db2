"""Bad requests of every kind, over HTTP and over sockets. Each must be refused by a typed error."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

LINES = 20  # connections at one time
BREATH = 150  # messages over one socket: below the burst that the server allows, so that each is looked at
PUZZLE = "A__B/__C_/A_B_/C___"

Facts = dict[str, Any]


def _http(line: str, body: str = "", host: str = "", **headers: str) -> tuple[str, str, str, dict[str, str]]:
    return line, body, host, {name.replace("_", "-"): value for name, value in headers.items()}


def _post(verb: str, body: Any, **headers: str) -> tuple[str, str, str, dict[str, str]]:
    text = body if isinstance(body, str) else json.dumps(body)
    return _http(f"POST /api/flow/{verb}", text, **{"Content_Type": "application/json", **headers})


REQUESTS = (
    _http("GET /nowhere"),
    _http("GET /api/nowhere"),
    _http("GET /api/play"),
    _http("GET /static/../app.py"),
    _http("GET /static/%2e%2e/app.py"),
    _http("GET /static/..%2f..%2f..%2fetc%2fpasswd"),
    _http("GET /picture/../svg.py"),
    _http("GET /%00"),
    _http("GET /static/" + "a" * 3000),
    _http("GET /api/game"),
    _http("GET /api/game?game=chess"),
    _http("GET /api/game?game=/etc/passwd"),
    _http("GET /api/game?game=breakthrough,rows=99"),
    _http("GET /api/game?game=vampires,map=../x"),
    _http("GET /api/games", host="evil.example"),
    _http("GET /api/tournaments/none"),
    _http("GET /api/flow/solve"),
    _http("DELETE /api/games"),
    _http("PUT /"),
    _http("POST /api/games"),
    _post("burn", {"board": PUZZLE}),
    _post("solve", "{"),
    _post("solve", "[]"),
    _post("solve", '{"board": NaN}'),
    _post("solve", {}),
    _post("solve", {"board": "A__"}),
    _post("solve", {"board": PUZZLE, "solver": "magic"}),
    _post("solve", {"board": PUZZLE, "seconds": 1e9}),
    _post("hint", {"board": PUZZLE, "drawn": {"A": ["x"]}}),
    _post("hint", {"board": PUZZLE, "drawn": 7}),
    _post("generate", {"size": "900x900"}),
    _post("judge", {"board": PUZZLE, "filling": 7}),
    _post("watch", {"board": PUZZLE, "most": -1}),
    _post("parse", {"board": PUZZLE}, Origin="http://evil.example"),
    _post("parse", {"board": PUZZLE}, Content_Type="text/plain"),
)

BEFORE_A_GAME: tuple[Any, ...] = (
    "",
    "{",
    "null",
    "[]",
    '"new"',
    "[" * 5000,
    b"\xff\xfe\x00",
    '{"type": NaN}',
    {},
    {"type": 5},
    {"type": "__init__"},
    {"type": "new"},
    {"type": "new", "game": {"a": 1}},
    {"type": "new", "game": "chess"},
    {"type": "new", "game": "x" * 10_000},
    {"type": "new", "game": "tests/rules/tictactoe.py"},
    {"type": "new", "game": "breakthrough:none"},
    {"type": "new", "game": "breakthrough,rows=" + "9" * 200},
    {"type": "new", "game": "wolves", "first": 3},
    {"type": "new", "game": "wolves", "first": "uci:/bin/sh"},
    {"type": "new", "game": "wolves", "first": "engine:level=99"},
    {"type": "new", "game": "wolves", "first": "engine:heuristic=hand"},
    {"type": "new", "game": "wolves", "seconds": 1e12},
    {"type": "new", "game": "wolves", "clock": -1},
    {"type": "new", "game": "wolves", "position": "www"},
    {"type": "new", "game": "wolves", "line": "b1-b5"},
    {"type": "play", "move": "b1-b2"},
    {"type": "undo"},
    {"type": "analyse", "on": True},
    {"type": "record"},
    {"type": "replay", "record": "nonsense"},
    {"type": "ping", "id": {"deep": []}},
)

IN_A_GAME = (
    {"type": "play"},
    {"type": "play", "move": "b1-b5"},
    {"type": "play", "move": "b1-b2 x"},
    {"type": "play", "move": "b1-b2", "ply": 7},
    {"type": "play", "move": "b1-b2+a5-a4"},
    {"type": "back", "ply": 3},
    {"type": "back", "ply": -1},
    {"type": "undo"},
    {"type": "players", "first": "nobody"},
    {"type": "compose", "pieces": [], "turn": 0},
    {"type": "compose", "pieces": [1], "turn": 0},
    {"type": "setup", "position": "www"},
    {"type": "pause"},
    {"type": "analyse", "on": True, "lines": 1000},
    {"type": "tree", "depth": 50},
    {"type": "tree", "path": "b1"},
    {"type": "record", "format": "exe"},
    {"type": "odds", "moves": "zz"},
    {"type": "explain", "heuristic": 5},
)


async def abused(place: str, http: int, socket: int, handshakes: int) -> Counter[str]:
    """So many bad requests of each sort, over some connections at a time; how often each error was the answer.

    What was not refused by a typed error is counted as a word that begins with `!`.
    """
    counts: Counter[str] = Counter()
    await asyncio.gather(*(_over_http(place, _share(http, line), line, counts) for line in range(LINES)))
    await asyncio.gather(*(_over_sockets(place, _share(socket, line), line, counts) for line in range(LINES)))
    for number in range(handshakes):
        counts[await _handshake(place, number)] += 1
    return counts


def _share(total: int, line: int) -> int:
    return total // LINES + (line < total % LINES)


async def _over_http(place: str, count: int, line: int, counts: Counter[str]) -> None:
    host, port = place.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    for request in islice(cycle(REQUESTS), line, line + count):
        writer.write(_written(request, place))
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = re.search(rb"content-length: (\d+)", head)
        body = await reader.readexactly(int(length[1]) if length else 0)
        refused = 400 <= int(head.split()[1]) < 500
        counts[_kind(body) if refused else f"!{request[0]}"] += 1
        if b"connection: close" in head:
            reader, writer = await asyncio.open_connection(host, int(port))
    writer.close()


def _written(request: tuple[str, str, str, dict[str, str]], place: str) -> bytes:
    line, body, host, headers = request
    sent = {"Host": host or place, "Content-Length": str(len(body)), **headers}
    lines = [f"{line} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", body]
    return "\r\n".join(lines).encode()


async def _over_sockets(place: str, count: int, line: int, counts: Counter[str]) -> None:
    for begin in range(0, count, BREATH):
        async with connect(f"ws://{place}/api/play", proxy=None, compression=None, open_timeout=60) as wire:
            for message in islice(_messages(begin // BREATH + line), min(BREATH, count - begin)):
                counts[await _answer(wire, message)] += 1


def _messages(number: int) -> Iterator[Any]:
    """What comes over one socket: before a game, or within one."""
    return cycle((*BEFORE_A_GAME[number % 7 :], *BEFORE_A_GAME)) if number % 2 else cycle(("sit", *IN_A_GAME))


async def _answer(wire: ClientConnection, message: Any) -> str:
    """The kind of error that a message gets. A game is begun where the list says so, and a bad message is sent then."""
    if message == "sit":
        await wire.send(json.dumps({"type": "new", "game": "wolves", "second": "human"}))
        await wire.recv()
        message = {"type": "nonsense"}
    await wire.send(message if isinstance(message, (str, bytes)) else json.dumps(message))
    answer = await wire.recv()
    return _kind(answer if isinstance(answer, bytes) else answer.encode())


async def _handshake(place: str, number: int) -> str:
    """A socket that must not open: a page of another site, another name, another place."""
    host, port = place.split(":")
    ways: tuple[Facts, ...] = (
        {"uri": f"ws://{place}/api/play", "origin": "http://evil.example"},
        {"uri": f"ws://evil.example:{port}/api/play", "host": host, "port": int(port)},
        {"uri": f"ws://{place}/api/nowhere"},
    )
    try:
        async with connect(**ways[number % len(ways)], proxy=None, compression=None, open_timeout=60):
            return "!opened"
    except InvalidStatus as refusal:
        return _kind(bytes(refusal.response.body or b""))


def _kind(body: bytes) -> str:
    try:
        told = json.loads(body)
        return str(told["error"]) if told["type"] == "error" and told["message"] else f"!{body[:80]!r}"
    except (ValueError, KeyError, TypeError):
        return f"!{body[:80]!r}"
