"""The clocks of the two sides."""

from dataclasses import replace

from kibitz.arena.play.machine import LEAST as LEAST_MARGIN
from kibitz.arena.play.task import TimeControl
from kibitz.arena.players.player import Offence
from kibitz.core.limit import Limit

LEAST = 1e-3  # seconds that a player is told it has, when it has none left


class Clocks:
    """What is left to each side. A player is late when it has used more than it had and the margin besides."""

    def __init__(self, first: TimeControl, second: TimeControl | None = None, margin: float = LEAST_MARGIN) -> None:
        self.controls = (first, second or first)
        self.margins = [margin if control.margin is None else control.margin for control in self.controls]
        self.left = [control.clock for control in self.controls]
        self.turns = [0, 0]

    def limit(self, side: int, used: float = 0.0) -> Limit:
        """What a player is told that has used so much of its turn already."""
        left, control = self.left[side], self.controls[side]
        to_go = control.moves - self.turns[side] % control.moves if control.moves else None
        limit = control.limit(None if left is None else left - used, to_go)
        if limit.seconds is None or used == 0.0:
            return limit
        return replace(limit, seconds=max(LEAST, limit.seconds - used))

    def allowed(self, side: int) -> float | None:
        """Seconds that the side may use for the turn; None where no clock is kept."""
        bounds = [bound for bound in (self.controls[side].seconds, self.left[side]) if bound is not None]
        return min(bounds) if bounds else None

    def judge(self, side: int, seconds: float, stopping: float = 0.0) -> None:
        """Is it late to have used so much? One that others stop is given the time that this may take."""
        allowed = self.allowed(side)
        if allowed is not None and seconds > allowed + self.margins[side] + stopping:
            raise Offence("late", f"{seconds:.2f} s of {allowed:.3g} s")

    def charge(self, side: int, seconds: float) -> None:
        """Take what a turn took off the clock, and add the increment, and the next period's time where it begins."""
        self.turns[side] += 1
        left, control = self.left[side], self.controls[side]
        if left is None or control.clock is None:
            return
        again = control.clock if control.moves and self.turns[side] % control.moves == 0 else 0.0
        self.left[side] = max(0.0, left - seconds) + control.increment + again
