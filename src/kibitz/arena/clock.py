"""The clocks of the two sides."""

from dataclasses import replace

from kibitz.arena.player import Offence
from kibitz.arena.task import TimeControl
from kibitz.core.limit import Limit

LEAST = 1e-3  # seconds that a player is told it has, when it has none left


class Clocks:
    """What is left to each side. A player is late when it has used more than it had and the margin besides."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.left = [control.clock, control.clock]

    def limit(self, side: int, used: float = 0.0) -> Limit:
        """What a player is told that has used so much of its turn already."""
        left = self.left[side]
        limit = self.control.limit(None if left is None else left - used)
        if limit.seconds is None or used == 0.0:
            return limit
        return replace(limit, seconds=max(LEAST, limit.seconds - used))

    def allowed(self, side: int) -> float | None:
        """Seconds that the side may use for the turn; None where no clock is kept."""
        bounds = [bound for bound in (self.control.seconds, self.left[side]) if bound is not None]
        return min(bounds) if bounds else None

    def judge(self, side: int, seconds: float) -> None:
        """Is it late to have used so much?"""
        allowed = self.allowed(side)
        if allowed is not None and seconds > allowed + self.control.margin:
            raise Offence("late", f"{seconds:.2f} s of {allowed:.3g} s")

    def charge(self, side: int, seconds: float) -> None:
        """Take what a turn took off the clock, and add the increment."""
        left = self.left[side]
        if left is not None:
            self.left[side] = max(0.0, left - seconds) + self.control.increment
