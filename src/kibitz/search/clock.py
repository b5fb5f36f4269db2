"""How much of its time a search may use."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from kibitz.core.limit import Limit

# Seconds kept back for stopping and answering: a busy machine takes longer for it, and what is late is lost.
RESERVE, RESERVE_SHARE, MOST_RESERVED = 0.003, 0.02, 0.05
SHARE = 25  # of the clock: about so many moves are still to come
MOST_OF_CLOCK = 0.4  # no single move takes more
MOST_OF_LAST = 0.9  # except the last before more time comes


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
            to_come = min(SHARE, limit.moves_to_go or SHARE)
            share = limit.clock / to_come + 0.75 * (limit.increment or 0.0)
            most = min(share * 3, limit.clock * max(MOST_OF_CLOCK, MOST_OF_LAST / to_come))
            hard = most if hard is None else min(hard, most)
            soft = min(share, most) * 0.6
        if hard is not None:
            hard = max(hard - min(RESERVE + RESERVE_SHARE * hard, MOST_RESERVED), hard * 0.5)
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
