"""Ctrl-C for long commands: what each is at when it comes, and what is there afterwards.

The signal goes to the whole group of processes, as from a terminal. `python -m tests.robustness.interrupts` prints how
long each command takes to end.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

PATIENCE = 300  # seconds: a guard against hanging, not a measure
ROOT = Path(__file__).parents[2]
HEARS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
KIBITZ = HEARS + "from kibitz.cli.main import main; main()"
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
    LongCommand("best breakthrough --seconds 1000", "", "a2-", status=0),
    LongCommand("analyse breakthrough --seconds 1000", "", "best ", status=0),
    LongCommand("play breakthrough --first engine --second engine --seconds 1000", "white is", "to go on: ", status=0),
    LongCommand("bench breakthrough --seconds 1000", "perft"),
    LongCommand("check connectfour --games 1000000 --seconds 100000", "rules of the file"),
    LongCommand("engine breakthrough", "info depth", talk=UCI),
    LongCommand("solve wolves --out w.table", "w.table*"),
    LongCommand("prove breakthrough,rows=6,columns=5 --folder . --memory 0.2", "nodes", kept="*.progress"),
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


def interrupt(command: LongCommand, folder: Path) -> Ending:
    """Start it, wait until it is at work, press Ctrl-C."""
    cache = {"KIBITZ_CACHE": str(folder / "cache")} if command.cold else {}
    own = {"KIBITZ_NETS": str(folder / "nets"), "KIBITZ_TABLES": str(folder), "TMPDIR": str(folder)}
    around = {**os.environ, **cache, **own, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    words = command.words.split()[command.program is FUZZ :]
    with (
        (folder / "output").open("wb") as output,
        subprocess.Popen(
            [sys.executable, "-c", command.program, *words], cwd=folder, env=around, stdin=subprocess.PIPE,
            stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
        ) as process,
    ):  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(command.talk.encode())
        process.stdin.flush()
        try:
            _await_work(command, folder, process)
            os.killpg(process.pid, signal.SIGINT)
            began = time.monotonic()
            process.wait(PATIENCE)
            seconds = time.monotonic() - began
        finally:
            process.kill()
    return Ending(process.returncode, (folder / "output").read_text(), seconds)


def _await_work(command: LongCommand, folder: Path, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + PATIENCE
    while not _is_at_work(command, folder, process.pid):
        assert process.poll() is None, (folder / "output").read_text()
        assert time.monotonic() < deadline, f"{command.words} does not begin"
        time.sleep(0.05)


def _is_at_work(command: LongCommand, folder: Path, pid: int) -> bool:
    if not command.begun:  # it says nothing: searches have a thread of their own
        return len(list(Path(f"/proc/{pid}/task").iterdir())) > 1
    if "*" in command.begun:
        return any(folder.glob(command.begun))
    return command.begun in (folder / "output").read_text(errors="replace")


def main() -> None:
    for command in COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            found = interrupt(command, Path(folder))
        last = (found.output.splitlines() or [""])[-1]
        print(f"{command.words}: {found.seconds:.2f} s, status {found.status}, load {os.getloadavg()[0]:.0f}: {last}")


if __name__ == "__main__":
    main()
