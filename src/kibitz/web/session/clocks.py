"""Two clocks, of which one runs."""

from kibitz.web.api.facts import Facts


class Clocks:
    """The seconds left to each side. Time is handed in, so that it can be any time."""

    def __init__(self, seconds: float, increment: float) -> None:
        self.clock = seconds  # of each side at the start
        self.left = [seconds, seconds]
        self.increment = increment
        self.running: int | None = None
        self.since = 0.0

    def run(self, side: int | None, now: float) -> None:
        """Stop the one that runs and start that of a side, or none."""
        self.stop(now)
        self.running, self.since = side, now

    def stop(self, now: float) -> None:
        """Stop both."""
        if self.running is not None:
            self.left[self.running] = self.remaining(self.running, now)
            self.running = None

    def spend(self, side: int, seconds: float) -> None:
        """Take from a side what it used, where that was measured elsewhere."""
        if self.running == side:
            self.running = None
        self.left[side] -= seconds

    def reward(self, side: int) -> None:
        """A turn is done."""
        self.left[side] += self.increment

    def remaining(self, side: int, now: float) -> float:
        """What a side has left; below zero it has lost."""
        return self.left[side] - (now - self.since if self.running == side else 0.0)

    def facts(self, now: float) -> Facts:
        """For a page."""
        left = [round(max(0.0, self.remaining(side, now)), 2) for side in (0, 1)]
        return {"left": left, "running": self.running, "clock": self.clock, "increment": self.increment}
