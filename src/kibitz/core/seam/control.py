"""Run compiled code so that it can be stopped: the main thread sees no Ctrl-C inside it."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

GRACE = 3.0  # seconds that a stopped kernel has to answer: rules that never return do not
GLANCE = 0.2  # seconds between two looks for Ctrl-C
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


def run_abandonable(call: Callable[..., Any], *arguments: Any) -> Any:
    """The call's value. It runs in a thread of its own, so that Ctrl-C ends the wait at once, and the call is left
    behind: for work that looks at no flag and whose loss costs nothing, such as compiling.
    """
    if threading.current_thread() is not threading.main_thread():
        return call(*arguments)
    worker = _Worker(call, arguments)
    worker.start()
    worker.wait()
    return worker.value()


class _Worker(threading.Thread):
    """Makes one call and keeps what comes of it."""

    def __init__(self, call: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        super().__init__(daemon=True)
        self._call, self._arguments = call, arguments
        self._outcome: list[Any] = []
        self._problem: BaseException | None = None

    def run(self) -> None:
        try:
            self._outcome.append(self._call(*self._arguments))
        except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
            self._problem = error

    def wait(self) -> None:
        """Until the call is over. A signal that another thread takes, or that comes just before the wait begins, does
        not end a wait; so it is a row of short ones.
        """
        while self.is_alive():
            self.join(GLANCE)

    def value(self) -> Any:
        """What the call returned, or raised."""
        if self._problem is not None:
            raise self._problem
        return self._outcome[0]


def run_stoppable(control: NDArray[np.int64], call: Callable[..., Any], *arguments: Any) -> Any:
    """The call's value. It runs in a thread of its own; Ctrl-C sets the stop flag, waits and is raised again. Only the
    main thread hears of Ctrl-C, so in another one it is a plain call.
    """
    if threading.current_thread() is not threading.main_thread():
        return call(*arguments)
    worker = _Worker(call, arguments)
    try:
        worker.start()
        worker.wait()
    except KeyboardInterrupt:
        control[STOP] = 1
        with suppress(RuntimeError):  # interrupted before it had begun
            worker.join(GRACE)
        raise
    return worker.value()
