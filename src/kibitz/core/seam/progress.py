"""One line on standard error while something is compiled for the first time."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def progress_line(what: str, kept: bool) -> Iterator[None]:
    """Say that `what` is being compiled, and on a terminal for how long already; `kept`: the next time it is loaded."""
    stream = sys.stderr
    began = time.monotonic()
    text = f"compiling {what}{' (kept for the next time)' if kept else ''} ..."
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.2):
            stream.write(f"\r{text} {time.monotonic() - began:.1f} s")
            stream.flush()

    ticker = threading.Thread(target=tick, daemon=True)
    if stream.isatty():
        ticker.start()
    try:
        yield
    finally:
        done.set()
        if ticker.is_alive():
            ticker.join()
        start = "\r" if stream.isatty() else ""
        with suppress(OSError):  # nobody can read it: no reason to lose the work
            stream.write(f"{start}{text} {time.monotonic() - began:.1f} s\n")
            stream.flush()
