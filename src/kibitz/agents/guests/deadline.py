"""Running a guest's function that may never return by itself, and stopping it when its time is up."""

import ctypes
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from kibitz.agents.guests.errors import GuestFailed

GRACE = 2.0  # seconds that a stopped guest may take to give up
AGAIN = 0.01  # seconds between two tries: a bare `except:` swallows what stops it


class TimeUp(BaseException):
    """Raised inside the guest when its time is up; it is no Exception, so that guests seldom catch it."""


class CannotStop(GuestFailed):
    """The guest runs on, in code that cannot be interrupted."""


def run_until(function: Callable[[], None], seconds: float | None) -> None:
    """Run the function for so many seconds at most. What it raises is raised here; being stopped is no error."""
    problems: list[BaseException] = []

    def work() -> None:
        with suppress(TimeUp):  # it may come late, when the function has just returned
            try:
                function()
            except TimeUp:
                pass
            except BaseException as problem:  # noqa: BLE001 - handed to the caller's thread
                problems.append(problem)
            done.set()

    done = threading.Event()
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    done.wait(seconds)
    _stop(thread, done)
    thread.join()
    if problems:
        raise problems[0]


def _stop(thread: threading.Thread, done: threading.Event) -> None:
    until = time.monotonic() + GRACE
    while not done.is_set() and thread.is_alive():
        if time.monotonic() > until:
            raise CannotStop
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(TimeUp))
        done.wait(AGAIN)
