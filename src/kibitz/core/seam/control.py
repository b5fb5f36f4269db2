"""Run compiled code so that it can be stopped: the main thread sees no Ctrl-C inside it."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

STOP = 0  # the index in a control array that kernels watch


def new_control() -> NDArray[np.int64]:
    """A control array: kernels give up when its STOP entry is not zero."""
    return np.zeros(8, np.int64)


class StopSignal:
    """A handle on one search: `stop` ends it, also before it has begun. Kernels watch the flag."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.int64)
        self.interrupted = False  # by Ctrl-C

    def stop(self) -> None:
        """Let the search answer with what it has."""
        self.flag[STOP] = 1

    @property
    def stopped(self) -> bool:
        """Is the search to end, or has it ended by its limit?"""
        return bool(self.flag[STOP])


def run_stoppable(control: NDArray[np.int64], call: Callable[..., Any], *arguments: Any) -> Any:
    """The call's value. It runs in a thread of its own; Ctrl-C sets the stop flag, waits and is raised again."""
    outcome: list[Any] = []
    problem: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(call(*arguments))
        except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
            problem.append(error)

    worker = threading.Thread(target=work, daemon=True)
    try:
        worker.start()
        worker.join()
    except KeyboardInterrupt:
        control[STOP] = 1
        with suppress(RuntimeError):  # interrupted before it had begun
            worker.join()
        raise
    if problem:
        raise problem[0]
    return outcome[0]
