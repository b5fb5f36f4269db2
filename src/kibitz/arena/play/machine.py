"""How promptly this machine wakes a process up: what clocks can be trusted with."""

import math
import threading
import time
from functools import cache

SAMPLES, WAIT = 40, 0.002  # seconds; a tenth of a second in all
LEAST, MOST = 0.1, 2.0  # seconds of margin
SHARE = 5  # times the worst lateness: an answer needs several processes to be woken up, and luck changes
STEP = 0.05
PERIOD = 0.02  # seconds between two looks while games are played


@cache
def find_margin() -> float:
    """The seconds that an answer may be late here before it loses, as measured once by this process."""
    return fit_margin(measure_lateness())


def fit_margin(lateness: float) -> float:
    """A margin that suits a machine on which a short wait was so many seconds late at worst."""
    return min(MOST, max(LEAST, round(math.ceil(SHARE * lateness / STEP) * STEP, 2)))


def measure_lateness() -> float:
    """The most seconds by which one of several short waits was late."""
    worst = 0.0
    for _ in range(SAMPLES):
        began = time.perf_counter()
        time.sleep(WAIT)
        worst = max(worst, time.perf_counter() - began - WAIT)
    return worst


class LatenessMeter:
    """Measures all the time, in a thread of its own, how late this process is woken up."""

    def __init__(self) -> None:
        self._worst = 0.0
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._measure, daemon=True)
        self._thread.start()

    def take(self) -> float:
        """The worst lateness since the last time this was asked."""
        worst, self._worst = self._worst, 0.0
        return worst

    def close(self) -> None:
        self._closed.set()
        self._thread.join()

    def _measure(self) -> None:
        began = time.perf_counter()
        while not self._closed.wait(PERIOD):
            now = time.perf_counter()
            self._worst = max(self._worst, now - began - PERIOD)
            began = now
