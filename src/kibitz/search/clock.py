"""How much of its time a search may use."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from kibitz.core.limit import Limit

MARGIN = 0.003  # seconds kept back for stopping and answering
SHARE = 25  # of the clock: about so many moves are still to come
MOST_OF_CLOCK = 0.4  # no single move takes more


@dataclass(frozen=True)
class Allowance:
    """When to stop at the latest, and when not to begin another depth."""

    began: float
    hard: float | None  # seconds after `began`
    soft: float | None
    timed: bool  # by a clock, so that time saved is time won

    @classmethod
    def of(cls, limit: Limit, began: float) -> "Allowance":
        """For a fixed time all of it; for a clock a share of what is left and most of the increment."""
        hard, soft = limit.seconds, None
        if limit.clock is not None:
            share = limit.clock / SHARE + 0.75 * (limit.increment or 0.0)
            most = min(share * 3, limit.clock * MOST_OF_CLOCK)
            hard = most if hard is None else min(hard, most)
            soft = min(share, most) * 0.6
        if hard is not None:
            hard = max(hard - MARGIN, hard * 0.5)
        return cls(began, hard, soft, limit.clock is not None)

    def timer(self, stop: Callable[[], None]) -> threading.Timer | None:
        """Calls `stop` when the time is up."""
        if self.hard is None:
            return None
        timer = threading.Timer(max(0.0, self.hard - (time.perf_counter() - self.began)), stop)
        timer.daemon = True
        timer.start()
        return timer

    def another_depth(self, now: float) -> bool:
        """Is it worth beginning another depth?"""
        elapsed = now - self.began
        return (self.soft is None or elapsed < self.soft) and (self.hard is None or elapsed < self.hard)
