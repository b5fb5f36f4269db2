"""A player's own process: makes an agent ready and lets it choose, as the referee asks through a private channel.

    python -P -m kibitz.arena.child CHANNEL FOLDER

Each question is a line of JSON with a number, and the answer carries the same number. What the agent prints goes
nowhere near the channel. When the referee is gone, this process ends, and with it all that it started.
"""

import gc
import json
import os
import queue
import shlex
import shutil
import socket
import sys
import threading
from pathlib import Path
from typing import Any

from kibitz import agents
from kibitz.agents.agent import AgentText
from kibitz.arena.family import adopt_orphans, end_with_descendants
from kibitz.arena.player import fault_of, score_for, seeded, told
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.games import catalog

Message = dict[str, Any]


class Desk:
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
            return {"id": question["id"], "error": told(problem), "fault": fault_of(problem)}
        return {"id": question["id"], **found}

    def ready(self, question: Message) -> Message:
        """Make the agent ready for a new game. Files that a game or an agent names are looked for where the match was
        started; everything else happens in the agent's own folder.
        """
        if self.game is None:
            self.game = catalog.load(question["game"])
            os.chdir(self.folder)
        self.agent = None
        gc.collect()  # the tables of the last game, before those of the next
        text = anchored(agents.read(question["agent"]), Path(question["home"]))
        self.position = self.game.position(question["start"])
        self.agent = seeded(text, question["seed"]).ready_for(self.game)
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


def anchored(text: AgentText, home: Path) -> AgentText:
    """The agent with the file, folder or command that its text names in full, so that it is found from anywhere."""
    main = text.kind.main
    value = getattr(text.options, main) if main else ""
    if not isinstance(value, str) or not value:
        return text
    file, *rest = value.split("::")
    if (home / file).exists() and shutil.which(file) is None:
        value = "::".join([str(home / file), *rest])
    else:
        words = value.split(" ")
        value = " ".join(shlex.quote(str(home / word)) if word and (home / word).is_file() else word for word in words)
    return text._replace(options=text.options._replace(**{main: value}))


def serve(channel: socket.socket, folder: Path) -> None:
    """Answer questions until the referee hangs up."""
    questions: queue.SimpleQueue[Message] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(channel, folder, questions), daemon=True).start()
    desk = Desk(folder)
    while True:
        channel.sendall(json.dumps(desk.answer(questions.get())).encode() + b"\n")


def _listen(channel: socket.socket, folder: Path, questions: "queue.SimpleQueue[Message]") -> None:
    with channel.makefile("rb") as lines:
        for line in lines:
            questions.put(json.loads(line))
    shutil.rmtree(folder, ignore_errors=True)
    end_with_descendants()


def main() -> None:
    """Take the channel over so that nothing started from here can see it."""
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)
    os.environ.pop("PYTHONPATH", None)
    adopt_orphans()
    serve(channel, Path(sys.argv[2]))


if __name__ == "__main__":
    main()
