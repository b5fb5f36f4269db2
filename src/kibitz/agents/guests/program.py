"""A program of others that talks in lines. It is ended when nobody needs it any more."""

import queue
import shlex
import shutil
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import IO

import psutil

from kibitz.agents.guests.errors import GuestFailed
from kibitz.core.errors import BadOption, quoted

LONGEST_LINE = 1 << 20
MOST_WAITING = 10_000  # lines unread, before the program has to wait
PARTING = 0.5  # seconds to leave after `quit`
LAST_LINES = 5.0  # seconds for the readers to see that it has gone; longer only if a stranger holds its pipes
PLACES = (str(Path(sys.executable).parent), "/usr/games")  # looked through besides the path

Process = subprocess.Popen[str]
Lines = queue.Queue[str | None]  # None: nothing more will come


class Program:
    """A running program, started from a command as a shell would read it. One that is `deaf` has nothing to read: where
    it asks for input, it fails at once.
    """

    def __init__(self, command: str, *, deaf: bool = False) -> None:
        words = split_command(command)
        self.name = command
        self.process = start_process(words, deaf=deaf)
        self.last_words: deque[str] = deque(maxlen=1)  # on standard error, for when it dies
        self._lines: Lines = queue.Queue(MOST_WAITING)
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._hearing = threading.Thread(target=_remember, args=(self.process.stderr, self.last_words), daemon=True)
        readers = [
            threading.Thread(target=_read, args=(self.process.stdout, self._lines), daemon=True),
            self._hearing,
        ]
        for reader in readers:
            reader.start()
        self.end = weakref.finalize(self, _end, self.process, self._lines, readers)

    def say(self, line: str) -> None:
        """Send a line."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise self._failure() from None

    def hear(self, last: str, seconds: float) -> list[str]:
        """The lines up to the one whose first word is this; TimeoutError if it does not come in time."""
        until = time.monotonic() + seconds
        heard: list[str] = []
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise TimeoutError from None
            if line is None:
                self._lines.put(None)
                raise self._failure()
            heard.append(line.strip())
            if line.split()[:1] == [last]:
                return heard

    def _failure(self) -> GuestFailed:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(PARTING)
            self._hearing.join(LAST_LINES)  # its last words may still be on their way
        said = f": {quoted(self.last_words[-1], 200)}" if self.last_words else ""
        code = self.process.poll()
        return GuestFailed(f"{self.name} {'closed its output' if code is None else f'ended with status {code}'}{said}")


def split_command(command: str) -> list[str]:
    """The words of a command, quotes and ~ as in a shell."""
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise BadOption(f"command {quoted(command)} cannot be read: {str(problem).lower()}") from None
    if not words:
        raise BadOption("no command is given, expected a program and its arguments")
    return [str(Path(word).expanduser()) if word.startswith("~/") else word for word in words]


def find_program(program: str) -> str | None:
    """Where a program is: it is looked for on the path, beside this Python, and among the games."""
    path = shutil.which(program)
    for place in PLACES:
        path = path or shutil.which(program, path=place)
    return path


def start_process(words: list[str], *, deaf: bool = False) -> Process:
    """The process of a command."""
    path = find_program(words[0])
    if path is None:
        hint = f"; on Debian try: apt install {words[0]}" if words[0] == "fairy-stockfish" else ""
        raise GuestFailed(f"no program is called {quoted(words[0])}{hint}")
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            [path, *words[1:]],
            stdin=subprocess.DEVNULL if deaf else pipe,
            stdout=pipe,
            stderr=pipe,
            text=True,
            errors="replace",
            bufsize=1,
        )
    except OSError as problem:
        raise GuestFailed(f"{words[0]} cannot be started: {problem.strerror}") from None


def _read(stream: IO[str], lines: Lines) -> None:
    with suppress(OSError, ValueError):
        while line := stream.readline(LONGEST_LINE):
            lines.put(line)
    lines.put(None)


def _remember(stream: IO[str], last: deque[str]) -> None:
    with suppress(OSError, ValueError):
        while line := stream.readline(LONGEST_LINE):
            if line.strip():
                last.append(line.strip())


def _end(process: Process, lines: Lines, readers: list[threading.Thread]) -> None:
    """Ask it to leave, make it leave with its children, and close what is open."""
    family = _family(process.pid)
    if process.stdin is not None:
        with suppress(OSError, ValueError):
            process.stdin.write("quit\n")
            process.stdin.flush()
        with suppress(OSError, ValueError):
            process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(PARTING)
    for member in family:
        with suppress(psutil.NoSuchProcess):
            member.kill()
    process.wait()
    for reader, stream in zip(readers, (process.stdout, process.stderr), strict=True):
        _drain(lines)
        reader.join(LAST_LINES)
        if stream is not None and not reader.is_alive():
            stream.close()


def _family(pid: int) -> list[psutil.Process]:
    try:
        head = psutil.Process(pid)
        return [head, *head.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _drain(lines: Lines) -> None:
    """Make room, so that the reader can come to its end."""
    with suppress(queue.Empty):
        while True:
            lines.get_nowait()
