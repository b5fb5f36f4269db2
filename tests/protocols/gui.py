"""A scripted program on the other side of UCI and UGI, as a graphical one would be: it drives `kibitz engine`."""

import queue
import subprocess
import sys
import threading
from types import TracebackType
from typing import IO

PATIENCE = 120.0  # seconds: code may have to be compiled first


class Gui:
    """An engine process and what it says."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kibitz.cli", "engine", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        assert self.process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True)
        self._reader.start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self, *beginning: str) -> list[str]:
        """What it says up to a line that begins with one of these."""
        heard: list[str] = []
        while not heard or not heard[-1].startswith(beginning):
            line = self._lines.get(timeout=PATIENCE)
            assert line is not None, f"it ended after {heard}"
            heard.append(line)
        return heard

    def ask(self, line: str, *beginning: str) -> list[str]:
        self.say(line)
        return self.hear(*beginning)

    def ends(self) -> int:
        """Its exit status, once it has left by itself."""
        return self.process.wait(PATIENCE)

    def __enter__(self) -> "Gui":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None and not stream.closed:
                stream.close()
