"""Run something compiled and look at it now and then, until it is done or somebody presses Ctrl-C."""

import threading
from collections.abc import Callable
from typing import Any

from kibitz.core.seam.control import run_stoppable

SECONDS = 0.2  # seconds between two looks


def run_monitored(control: Any, look: Callable[[], None], call: Callable[..., Any], *arguments: Any) -> Any:
    """The call's value; `look` is called while it runs and once at the end."""
    done = threading.Event()

    def keep_looking() -> None:
        while not done.wait(SECONDS):
            look()

    watcher = threading.Thread(target=keep_looking, daemon=True)
    watcher.start()
    try:
        return run_stoppable(control, call, *arguments)
    finally:
        done.set()
        watcher.join()
        look()
