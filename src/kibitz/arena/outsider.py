"""A player in a process of its own: started with nothing but a folder, watched while it thinks, ended with its kin."""

import json
import math
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kibitz.arena import guard
from kibitz.arena.family import MARK, Family
from kibitz.arena.player import Answer, Offence
from kibitz.arena.task import House
from kibitz.core.errors import BadOption
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.seam import cache

GUARD = (sys.executable, "-P", guard.__file__)
CHILD = (sys.executable, "-P", "-m", "kibitz.arena.child")
PASSED = ("PATH", "LANG", "LC_ALL", "PYTHONPATH", "VIRTUAL_ENV", "KIBITZ_INTERPRET", "KIBITZ_BOUNDS")
PERIOD = 0.1  # seconds between two looks at a player's processes
LONGEST = 1 << 20  # bytes of an answer
DYING = 5.0  # seconds for a guardian to end what is left and say how its player died


class Outsider:
    """An agent behind a channel. After an offence it is closed for good."""

    def __init__(self, game: str, agent: str, house: House, child: Sequence[str] = CHILD) -> None:
        self.game = game
        self.agent = agent
        self.house = house
        self.started = Path.cwd()
        self.folder = Path(tempfile.mkdtemp(prefix="kibitz-player-"))
        self.channel, theirs = socket.socketpair()
        mark = uuid.uuid4().hex
        with theirs:
            process = subprocess.Popen(
                [*GUARD, str(theirs.fileno()), str(self.folder), *child],
                stdin=subprocess.PIPE,  # closed when this process is gone, which tells the guardian
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=environment(self.folder, mark),
                start_new_session=True,
            )
        self.family = Family(process, mark)
        self.heard = b""
        self.number = 0
        self.looked = time.monotonic()
        self.told: Position | None = None
        self.closed = False

    def begin(self, start: Position, seed: int) -> None:
        self.told = start
        self._say(
            {"do": "ready", "game": self.game, "agent": self.agent, "start": start.text, "seed": seed},
            started=str(self.started),
            home=str(Path.home()),
        )

    def ready(self) -> None:
        answer = self._answer(self.house.ready)
        if "error" in answer:
            if answer.get("fault") == "option":
                raise BadOption(str(answer["error"]))
            raise Offence("not ready", str(answer["error"]))

    def choose(self, position: Position, limit: Limit, patience: float) -> Answer:
        self._look_if_due()
        began = time.perf_counter()
        bounds = {name: value for name, value in asdict(limit).items() if value is not None}
        self._say({"do": "choose", "moves": self._news(position), "limit": bounds})
        answer = self._answer(patience)
        took = time.perf_counter() - began
        if "error" in answer:
            raise Offence("illegal" if answer.get("fault") == "illegal" else "failed", str(answer["error"]))
        return understood(answer, took)

    def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        self.channel.close()
        self.family.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _news(self, position: Position) -> list[int]:
        """The moves since the last question."""
        moves: list[int] = []
        here: Position | None = position
        while here is not None and here is not self.told:
            assert here.last_move is not None
            moves.append(here.last_move)
            here = here.before
        self.told = position
        return moves[::-1]

    def _say(self, message: dict[str, Any], **more: Any) -> None:
        self.number += 1
        self.channel.settimeout(self.house.ready)
        try:
            self.channel.sendall(json.dumps({"id": self.number, **message, **more}).encode() + b"\n")
        except TimeoutError:
            raise Offence("no answer", "it does not listen") from None
        except OSError:
            raise self._death() from None

    def _answer(self, patience: float) -> dict[str, Any]:
        """The answer to the present question; answers to earlier ones are passed over."""
        deadline = time.monotonic() + patience
        while True:
            answer = self._message(deadline, patience)
            if answer.get("id") == self.number:
                return answer
            if type(answer.get("id")) is not int or not 0 < answer["id"] < self.number:
                raise Offence("garbage", f"an answer to question {answer.get('id')!r}, which was not asked")

    def _message(self, deadline: float, patience: float) -> dict[str, Any]:
        while b"\n" not in self.heard:
            if len(self.heard) > LONGEST:
                raise Offence("garbage", f"an answer of more than {LONGEST:,} bytes")
            self._hear(deadline, patience)
        line, _, self.heard = self.heard.partition(b"\n")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise Offence("garbage", f"{line[:40]!r} instead of an answer")
        return message

    def _hear(self, deadline: float, patience: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise Offence("no answer", f"none within {patience:g} s")
        if select.select([self.channel], [], [], min(left, PERIOD))[0]:
            try:
                data = self.channel.recv(1 << 16)
            except OSError:
                data = b""
            if not data:
                raise self._death()
            self.heard += data
        self._look_if_due()

    def _look_if_due(self) -> None:
        """See what the player has started and what it holds, ten times a second."""
        if time.monotonic() - self.looked < PERIOD:
            return
        self.looked = time.monotonic()
        if self.family.process.poll() is not None:
            raise self._death()
        started, megabytes = self.family.census()
        if started > self.house.processes:
            raise Offence("processes", f"{started} started, {self.house.processes} allowed")
        if megabytes > self.house.memory:
            raise Offence("memory", f"{megabytes:.0f} MB used, {self.house.memory} allowed")

    def _death(self) -> Offence:
        try:
            status = self.family.process.wait(DYING)
        except subprocess.TimeoutExpired:
            return Offence("garbage", "it closed its channel")
        if status >= 0:
            return Offence("died", f"exit status {status}")
        return Offence("died", f"signal {-status} ({signal.Signals(-status).name})")


def environment(folder: Path, mark: str) -> dict[str, str]:
    """All that a player's process is told of the world."""
    passed = {name: os.environ[name] for name in PASSED if name in os.environ}
    own = {"HOME": str(folder), "TMPDIR": str(folder), "KIBITZ_CACHE": str(cache.folder().absolute()), MARK: mark}
    return passed | own


def understood(answer: dict[str, Any], took: float) -> Answer:
    """An answer of the right shape, or an offence."""
    moves, score = answer.get("moves"), answer.get("score")
    depth, nodes = answer.get("depth", 0), answer.get("nodes", 0)
    if not isinstance(moves, list) or not all(type(move) is int for move in moves):
        raise Offence("garbage", f"moves {str(moves)[:40]!r}")
    if type(depth) is not int or type(nodes) is not int or type(score) not in (int, float, type(None)):
        raise Offence("garbage", f"score {score!r:.40}, depth {depth!r:.40}, nodes {nodes!r:.40}")
    return Answer(tuple(moves), took, score if score is not None and math.isfinite(score) else None, depth, nodes)
