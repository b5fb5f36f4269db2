"""A player in a process of its own, asked through a channel: suspended while it waits, ended with all it started."""

import json
import math
import os
import select
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kibitz import agents
from kibitz.arena.players.log import NOTHING
from kibitz.arena.players.player import Answer, Offence
from kibitz.arena.players.resources import Resources
from kibitz.arena.players.sandbox import Isolation
from kibitz.arena.players.supervised_process import Confinement, SupervisedProcess, SupervisorLost, name_signal
from kibitz.arena.players.visible_files import VisibleFiles
from kibitz.core.errors import BadOption
from kibitz.core.home import home_folder
from kibitz.core.json_text import BadJson, parse_json
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.seam import cache
from kibitz.nets import folder as nets
from kibitz.tables import folder as tables

CHILD = (sys.executable, "-P", "-m", "kibitz.arena.players.agent_process")
PASSED = ("PATH", "LANG", "LC_ALL", "PYTHONPATH", "VIRTUAL_ENV", "KIBITZ_INTERPRET", "KIBITZ_BOUNDS")
PERIOD = 0.1  # seconds between two looks at whether the player still lives
LONGEST = 1 << 20  # bytes of an answer
DYING = 5.0  # seconds for a supervisor to end what is left and say how its player died
MOST_COUNTED = 1 << 63  # nodes and depth that a player may claim
SHOWN = 100  # characters of what it printed last, in the reason of its death


class SubprocessPlayer:
    """An agent behind a channel. After an offence it is closed for good. `folder` is all of a submission; `others` are
    the texts of agents whose files it must not see, `hidden` their folders.
    """

    def __init__(
        self,
        game: str,
        agent: str,
        resources: Resources,
        child: Sequence[str] = CHILD,
        *,
        folder: str = "",
        others: Sequence[str] = (),
        hidden: Sequence[str] = (),
    ) -> None:
        self.game = game
        self.agent = agent
        self.resources = resources
        self.started = Path.cwd()
        self.kind = agents.read(agent).kind
        files = VisibleFiles(self.started, home_folder())
        self.channel, theirs = socket.socketpair()
        cache.folder().mkdir(parents=True, exist_ok=True)
        with theirs:
            confinement = Confinement(
                resources=resources,
                view=files.view(game, agents.read(agent), [folder, *child[1:]], others, hidden),
                guest=not self.kind.is_ours,
            )
            self.process = SupervisedProcess(child, theirs.fileno(), confinement, environment(confinement.guest))
        self.printed = NOTHING  # known when it is closed
        self.received = b""
        self.number = 0
        self.last_position: Position | None = None
        self.closed = False

    @property
    def isolation(self) -> Isolation:
        return self.process.isolation

    def begin(self, start: Position, seed: int) -> None:
        self.last_position = start
        self.process.resume()
        question = {"do": "ready", "game": self.game, "agent": self.agent, "start": start.text, "seed": seed}
        self._send({**question, "started": str(self.started), "home": str(home_folder())})

    def ready(self) -> None:
        answer = self._receive_answer(self.resources.ready)
        self.process.suspend()
        if "error" in answer:
            if answer.get("fault") == "option" and self.kind.is_ours:
                raise BadOption(str(answer["error"]))
            raise Offence("not ready", str(answer["error"]))

    def choose(self, position: Position, limit: Limit, patience: float) -> Answer:
        bounds = {name: value for name, value in asdict(limit).items() if value is not None}
        question = {"do": "choose", "moves": self._moves_since(position), "limit": bounds}
        self.process.resume()
        began = time.perf_counter()
        self._send(question)
        answer = self._receive_answer(patience)
        took = time.perf_counter() - began
        self.process.suspend()
        if "error" in answer:
            raise Offence("illegal" if answer.get("fault") == "illegal" else "failed", str(answer["error"]))
        return read_answer(answer, took)

    def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        self.channel.close()
        with suppress(SupervisorLost):
            self.printed = self.process.end().printed

    def _moves_since(self, position: Position) -> list[int]:
        """The moves since the last question."""
        moves: list[int] = []
        here: Position | None = position
        while here is not None and here is not self.last_position:
            assert here.last_move is not None
            moves.append(here.last_move)
            here = here.before
        self.last_position = position
        return moves[::-1]

    def _send(self, message: dict[str, Any]) -> None:
        self.number += 1
        self.channel.settimeout(self.resources.ready)
        try:
            self.channel.sendall(json.dumps({"id": self.number, **message}).encode() + b"\n")
        except TimeoutError:
            raise Offence("no answer", "it does not listen") from None
        except OSError:
            raise self._explain_death() from None

    def _receive_answer(self, patience: float) -> dict[str, Any]:
        """The answer to the present question; answers to earlier ones are passed over."""
        deadline = time.monotonic() + patience
        while True:
            answer = self._receive_message(deadline, patience)
            if answer.get("id") == self.number:
                return answer
            if type(answer.get("id")) is not int or not 0 < answer["id"] < self.number:
                raise Offence("garbage", f"an answer to question {answer.get('id')!r:.40}, which was not asked")

    def _receive_message(self, deadline: float, patience: float) -> dict[str, Any]:
        while b"\n" not in self.received:
            if len(self.received) > LONGEST:
                raise Offence("garbage", f"an answer of more than {LONGEST:,} bytes")
            self._receive(deadline, patience)
        line, _, self.received = self.received.partition(b"\n")
        try:
            message = parse_json(line)
        except BadJson:
            message = None
        if not isinstance(message, dict):
            raise Offence("garbage", f"{line[:40]!r} instead of an answer")
        return message

    def _receive(self, deadline: float, patience: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise Offence("no answer", f"none within {patience:g} s")
        if not select.select([self.channel], [], [], min(left, PERIOD))[0]:
            if self.process.supervisor.poll() is not None:
                raise self._explain_death()
            return
        try:
            data = self.channel.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            raise self._explain_death()
        self.received += data

    def _explain_death(self) -> Offence:
        ending = self.process.wait(DYING)
        if ending is None:
            return Offence("garbage", "it closed its channel")
        if ending.offence is not None:
            return Offence(*ending.offence)
        status = ending.status or 0
        last = ending.printed.text.strip().rpartition("\n")[2][:SHOWN]
        how = f"exit status {status}" if status >= 0 else name_signal(-status)
        return Offence("died", f"{how}; it printed last: {last}" if last else how)


def environment(guest: bool) -> dict[str, str]:
    """All that a player's process is told of the world, besides its folder. A guest has a cache of its own."""
    passed = {name: os.environ[name] for name in PASSED if name in os.environ}
    stored = str(cache.folder().absolute())
    folders = {"KIBITZ_TABLES": tables.root(), "KIBITZ_NETS": nets.root()}
    told = {name: str(folder.absolute()) for name, folder in folders.items()}
    return {**passed, **told, cache.SHARED if guest else "KIBITZ_CACHE": stored}


def read_answer(answer: dict[str, Any], took: float) -> Answer:
    """An answer of the right shape, or an offence."""
    moves, score = answer.get("moves"), answer.get("score")
    depth, nodes = answer.get("depth", 0), answer.get("nodes", 0)
    if not isinstance(moves, list) or not all(type(move) is int for move in moves):
        raise Offence("garbage", f"moves {str(moves)[:40]!r}")
    if type(depth) is not int or type(nodes) is not int or type(score) not in (int, float, type(None)):
        raise Offence("garbage", f"score {score!r:.40}, depth {depth!r:.40}, nodes {nodes!r:.40}")
    if not 0 <= depth < MOST_COUNTED or not 0 <= nodes < MOST_COUNTED:
        raise Offence("garbage", f"depth {depth!r:.40}, nodes {nodes!r:.40}, expected 0 to 2**63 - 1")
    return Answer(tuple(moves), took, _finite(score), depth, nodes)


def _finite(score: float | None) -> float | None:
    """A score that a record can hold; an int may be too large to be one."""
    try:
        return None if score is None or not math.isfinite(score) else score
    except OverflowError:
        return None
