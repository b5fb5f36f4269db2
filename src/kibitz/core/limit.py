"""How long a search may take."""

import math
from dataclasses import dataclass, fields

from kibitz.core.errors import BadLimit

UNBOUNDED = 1 << 60  # turns or nodes where there is no bound: more than any search reaches


@dataclass(frozen=True, slots=True)
class Limit:
    """The first bound reached stops the search; None means no such bound.

    >>> Limit(seconds=1, depth=8)
    Limit(seconds=1, depth=8)
    """

    seconds: float | None = None  # for this move
    depth: int | None = None  # turns ahead
    nodes: int | None = None
    clock: float | None = None  # seconds left for the rest of the game
    increment: float | None = None  # seconds added after each move
    moves_to_go: int | None = None  # for how many moves the clock must last; None: for the rest of the game

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None:
                continue
            if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
                raise BadLimit(f"limit {field.name} is {value!r}, expected a number")
            if field.name in ("depth", "nodes", "moves_to_go") and value != int(value):
                raise BadLimit(f"limit {field.name} is {value!r}, expected a whole number")
            if value > UNBOUNDED:
                raise BadLimit(f"limit {field.name} is {value!r}, expected at most {UNBOUNDED}")
            if value < 0 or (value == 0 and field.name != "increment"):
                raise BadLimit(f"limit {field.name} is {value!r}, expected more than zero")
        if self.increment is not None and self.clock is None:
            raise BadLimit("limit increment needs a clock")
        if self.moves_to_go is not None and self.clock is None:
            raise BadLimit("limit moves_to_go needs a clock")

    def __repr__(self) -> str:
        known = ((field.name, getattr(self, field.name)) for field in fields(self))
        return f"Limit({', '.join(f'{name}={value!r}' for name, value in known if value is not None)})"
