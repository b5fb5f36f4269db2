"""Ctrl-C while one of our searches thinks. The search takes it as the word to answer at once; a match must end, too."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def keep_ctrl_c() -> Iterator[None]:
    """A Ctrl-C that is caught inside is raised again at the end."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is not signal.default_int_handler:
        yield
        return
    heard = False

    def hear(number: int, frame: FrameType | None) -> None:
        nonlocal heard
        heard = True
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if heard:  # whatever else went wrong on the way
            raise KeyboardInterrupt
