"""A player's own process: makes an agent ready and lets it choose, as the referee asks through a private channel.

    python -P -m kibitz.arena.players.agent_process CHANNEL FOLDER

Each question is a line of JSON with a number, and the answer carries the same number. What the agent prints goes
nowhere near the channel. Its supervisor sees to it that nothing of it is left when the referee is gone.
"""

import gc
import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

from kibitz import agents
from kibitz.arena.players.player import describe_error, fault_of, score_for, with_seed
from kibitz.arena.players.resolve_paths import PathResolver
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.games import catalog

Message = dict[str, Any]


class AgentHost:
    """What this process knows: the game, its agent, and the position as far as it was told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.game: Game | None = None
        self.agent: agents.Agent | None = None
        self.position: Position | None = None

    def answer(self, question: Message) -> Message:
        """The answer, or what went wrong."""
        try:
            found = self.ready(question) if question["do"] == "ready" else self.choose(question)
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - an agent may fail in any way
            return {"id": question["id"], "error": describe_error(problem), "fault": fault_of(problem)}
        return {"id": question["id"], **found}

    def ready(self, question: Message) -> Message:
        """Make the agent ready for a new game. Files that a game or an agent names are looked for where the match was
        started; everything else happens in the agent's own folder.
        """
        if self.game is None:
            os.chdir(question["started"])
            self.game = catalog.load(question["game"])
            os.chdir(self.folder)
        self.agent = None
        gc.collect()  # the tables of the last game, before those of the next
        text = PathResolver(Path(question["started"]), Path(question["home"])).resolve(agents.read(question["agent"]))
        self.position = self.game.position(question["start"])
        self.agent = with_seed(text, question["seed"]).ready_for(self.game)
        return {}

    def choose(self, question: Message) -> Message:
        """Follow the moves played since the last question, then ask the agent."""
        assert self.agent is not None
        assert self.position is not None
        here = self.position
        for move in question["moves"]:
            here = Position(here.game, here.game.play(here.state, move), here, move)
        self.position = here
        report = self.agent.choose(here, Limit(**question["limit"]))
        return {
            "moves": [int(move) for move in report.moves],
            "score": score_for(here, report),
            "depth": int(report.depth),
            "nodes": int(report.nodes),
        }


def serve(channel: socket.socket, folder: Path) -> None:
    """Answer questions until the referee hangs up."""
    desk = AgentHost(folder)
    with channel.makefile("rb") as lines:
        for line in lines:
            channel.sendall(json.dumps(desk.answer(json.loads(line))).encode() + b"\n")


def main() -> None:
    """Take the channel over so that nothing started from here can see it."""
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)
    os.environ.pop("PYTHONPATH", None)
    serve(channel, Path(sys.argv[2]))


if __name__ == "__main__":
    main()
