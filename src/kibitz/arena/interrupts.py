"""Ctrl-C while one of our searches thinks, which takes it as the word to answer at once: a match must end, too. And
processes that never hear it.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def put_off_ctrl_c() -> Iterator[None]:
    """A process that is started here never hears Ctrl-C; this one hears it afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
