"""Ctrl-C for long commands: what each is at when it comes, and what is there afterwards.

The signal goes to the whole group of processes, as from a terminal. `python -m tests.robustness` prints how long each
command takes to end.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

PATIENCE = 300  # seconds: a guard against hanging, not a measure
ROOT = Path(__file__).parents[2]
HEARS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
KIBITZ = HEARS + "from kibitz.cli.main import main; main()"
SEARCH = """
from kibitz.search.engine import engine

def announce(*given):
    print("searching", flush=True)
    return run(*given)

run, engine.run_stoppable = engine.run_stoppable, announce
"""
ANNOUNCED = SEARCH + KIBITZ  # for those that say nothing while they search
FUZZ = HEARS + "import sys; from tests.fuzz.__main__ import main; sys.exit(main())"
UCI = "uci\nposition startpos\ngo infinite\n"


class LongCommand(NamedTuple):
    """A command that would take very long."""

    words: str
    begun: str  # what it prints when it is at work, or a file that is there then, with a star in its name
    said: str = "stopped"  # how its last line begins
    kept: str = "*"  # a file that is there afterwards
    talk: str = ""  # on standard input
    cold: bool = False  # with nothing compiled
    status: int = 130
    program: str = KIBITZ


class Ending(NamedTuple):
    """How a command ended, and how soon."""

    status: int
    output: str
    seconds: float


COMMANDS = (
    LongCommand("warm breakthrough othello", "cache/*.py", "stopped after 0 of 2; what is compiled", cold=True),
    LongCommand("perft breakthrough 3", "cache/*.py", cold=True),
    LongCommand("best breakthrough --seconds 1000", "searching", "", status=0, program=ANNOUNCED),
    LongCommand("analyse breakthrough --seconds 1000", "searching", "best ", status=0, program=ANNOUNCED),
    LongCommand(
        "play breakthrough --first engine --seconds 1000", "searching", "to go on: ", status=0, program=ANNOUNCED
    ),
    LongCommand("bench breakthrough --seconds 1000", "searching", program=ANNOUNCED),
    LongCommand("check connectfour --games 1000000 --seconds 100000", "rules of the file"),
    LongCommand("engine breakthrough", "info depth", talk=UCI),
    LongCommand("solve wolves --out w.table", "w.table*"),
    LongCommand("prove breakthrough,rows=6,columns=5 --folder . --memory 0.2", "nodes", "stopped", "*.progress"),
    LongCommand("match tictactoe random random --games 9998 --store g.db", "g.db-*", "stopped after", "g.db"),
    LongCommand("tournament tictactoe random engine --games 9998 --store g.db", "g.db-*", "stopped after", "g.db"),
    LongCommand("learn tictactoe --minutes 100 --jobs 2", "learning: ", "stopped by Ctrl-C", "nets/runs/*/state"),
    LongCommand("reproduce wolves --quick", "games", "stopped after 0 of 1 claims", "reproduction.json"),
    LongCommand("serve --port 0", "Kibitz is at", status=0),
    LongCommand("vampires serve --port 0", "port", "stopped before the end of the game; the same command serves"),
    LongCommand("flow generate --size 14x14 --count 1000000", "\n\n"),
    LongCommand("flow pack --count 2000 --out pack.html", "generating: ", "stopped after", "pack.html"),
    LongCommand("fuzz --minutes 60", "*/current", "", program=FUZZ),
)


def interrupt(command: LongCommand, folder: Path, output: Path, around: Mapping[str, str] | None = None) -> Ending:
    """Start it, wait until it is at work or has ended, and press Ctrl-C."""
    cache = {"KIBITZ_CACHE": str(folder / "cache")} if command.cold else {}
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    env = {**os.environ, "PYTHONPATH": paths, "PYTHONUNBUFFERED": "1", **cache, **(around or {})}
    words = command.words.split()[command.program is FUZZ :]
    with (
        output.open("wb") as out,
        subprocess.Popen(
            [sys.executable, "-c", command.program, *words], cwd=folder, env=env, stdin=subprocess.PIPE, stdout=out,
            stderr=subprocess.STDOUT, start_new_session=True,
        ) as process,
    ):  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(command.talk.encode())
        process.stdin.flush()
        began = time.monotonic()
        try:
            if _await_work(command, folder, output, process):
                began = time.monotonic()
                os.killpg(process.pid, signal.SIGINT)
            process.wait(PATIENCE)
        finally:
            process.kill()
    return Ending(process.returncode, output.read_text(errors="replace"), time.monotonic() - began)


def own_places(folder: Path) -> dict[str, str]:
    """Whatever is kept is kept there."""
    return {"KIBITZ_NETS": str(folder / "nets"), "KIBITZ_TABLES": str(folder), "TMPDIR": str(folder)}


def _await_work(command: LongCommand, folder: Path, output: Path, process: "subprocess.Popen[bytes]") -> bool:
    """Is it at work now? False if it has ended."""
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None:
        text = output.read_text(errors="replace")
        if any(folder.glob(command.begun)) if "*" in command.begun else command.begun in text:
            return True
        assert time.monotonic() < deadline, f"{command.words} does not begin"
        time.sleep(0.05)
    return False
