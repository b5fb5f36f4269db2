"""Random choices that are the same for one seed on every machine and with every version of Python."""

import hashlib
import secrets
from collections.abc import Sequence
from typing import TypeVar

from kibitz.core.random_numbers import PRIME, next_number, number_below

Item = TypeVar("Item")


class Dice:
    """Random numbers from a seed; without one they are different each time."""

    def __init__(self, seed: int | None = None) -> None:
        chosen = secrets.randbits(64) if seed is None else seed
        digest = hashlib.sha256(str(chosen).encode()).digest()
        self._last = 1 + int.from_bytes(digest[:8]) % (PRIME - 1)

    def number(self) -> int:
        """From 1 to PRIME - 1."""
        self._last = next_number(self._last)
        return self._last

    def below(self, bound: int) -> int:
        """From 0 to bound - 1."""
        return number_below(self.number(), bound)

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * (self.number() / PRIME)

    def sample(self, items: Sequence[Item], count: int) -> list[Item]:
        """So many different items, in random order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(count)]
