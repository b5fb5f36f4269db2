"""Engines that speak UCI, such as Fairy-Stockfish at Breakthrough."""

import re
import shutil
import subprocess
import threading
import time
import weakref
from typing import NamedTuple

from kibitz.agents.agent import AgentKind
from kibitz.core.errors import BadOption, KibitzError, quoted
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.search.report import WIN, Line, Report, Score

PATIENCE = 10.0  # seconds for a handshake, and beyond a limit


class GuestFailed(KibitzError):
    """A guest's program did not start, died, or answered nonsense."""


class UciOptions(NamedTuple):
    program: str = ""
    hash: int = 64
    threads: int = 1
    seconds: float = 0.0  # 0: as the match says
    depth: int = 0
    nodes: int = 0


class UciAgent:
    """A UCI engine in its own process, told each position whole."""

    def __init__(self, game: Game, options: UciOptions) -> None:
        if not re.fullmatch(r"breakthrough|breakthrough:8x8", game.text):
            raise BadOption(f"UCI engines play breakthrough on 8x8, not {game.text}")
        if not options.program:
            raise BadOption("agent uci needs a program, as uci:fairy-stockfish")
        self.options = options
        self.program = Program(options.program)
        self.program.say("uci")
        self.program.hear("uciok", PATIENCE)
        for name, value in (("Hash", options.hash), ("Threads", options.threads), ("UCI_Variant", "breakthrough")):
            self.program.say(f"setoption name {name} value {value}")
        self.program.say("isready")
        self.program.hear("readyok", PATIENCE)

    def choose(self, position: Position, limit: Limit) -> Report:
        began = time.perf_counter()
        self.program.say(f"position fen {position.text}")
        self.program.say(f"go {self._bounds(limit)}")
        answers = self.program.hear("bestmove", (self.options.seconds or limit.seconds or 3600.0) + PATIENCE)
        word = answers[-1].split()[1]
        known = {position.game.protocol_text(position.state, code): code for code in position.codes}
        if word not in known:
            raise GuestFailed(f"{self.options.program} answered {quoted(word)} in position '{position.text}'")
        facts = [answer for answer in answers if " nodes " in answer and " score " in answer]
        line = Line(_score(facts[-1] if facts else "", position), (known[word],), word)
        return Report(
            moves=(known[word],),
            lines=(line,),
            depth=_number(facts, "depth"),
            nodes=_number(facts, "nodes"),
            seconds=time.perf_counter() - began,
        )

    def _bounds(self, limit: Limit) -> str:
        seconds = self.options.seconds or limit.seconds
        depth, nodes = self.options.depth or limit.depth, self.options.nodes or limit.nodes
        words = [f"movetime {max(1, int(seconds * 1000))}"] if seconds else []
        words += [f"depth {depth}"] if depth else []
        words += [f"nodes {nodes}"] if nodes else []
        return " ".join(words) or "movetime 1000"


class Program:
    """A process that talks in lines. It is ended when nobody needs it any more."""

    def __init__(self, name: str) -> None:
        path = shutil.which(name) or shutil.which(name, path="/usr/games")
        if path is None:
            raise GuestFailed(f"no program is called {quoted(name)}; on Debian try: apt install {name}")
        self.name = name
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        weakref.finalize(self, _ended, self.process)

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError:
            raise GuestFailed(f"{self.name} has died") from None

    def hear(self, last: str, patience: float) -> list[str]:
        """The lines up to the one that begins with this word."""
        assert self.process.stdout is not None
        timer = threading.Timer(patience, self.process.kill)
        timer.start()
        lines: list[str] = []
        try:
            for line in self.process.stdout:
                lines.append(line.strip())
                if line.startswith(last):
                    return lines
        finally:
            timer.cancel()
        raise GuestFailed(f"{self.name} ended, or said no '{last}' within {patience:.0f} s")


def _ended(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()


def _number(facts: list[str], word: str) -> int:
    found = re.search(rf"\b{word} (\d+)", facts[-1]) if facts else None
    return int(found[1]) if found else 0


def _score(fact: str, position: Position) -> Score:
    found = re.search(r"score (cp|mate) (-?\d+)", fact)
    value = float(found[2]) if found else 0.0
    if found and found[1] == "mate":  # in full moves
        turns = 2 * abs(value) - (1 if value > 0 else 0)
        value = WIN - turns if value > 0 else turns - WIN
    return Score(value, position.to_move)


KINDS = [
    AgentKind(
        name="uci",
        summary="an engine of others, as uci:fairy-stockfish",
        make=UciAgent,
        options=UciOptions,
        games=("breakthrough",),
        main="program",
    ),
]
