"""What puzzles are wanted."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.puzzles.tactics.puzzle import Goal


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What to make."""

    count: int = 20
    seed: int = 1
    longest: int = 11  # turns until the win
    goal: Goal | None = None  # None: any
    checked: bool = False  # keep puzzles that were searched deeply, too
    nodes: int = 5000  # of the first look at a position
    margin: float = 0.15  # in games of chance
    sources: tuple[Path, ...] = ()  # stores and records; none: games of the engine

    @property
    def facts(self) -> dict[str, Any]:
        """What decides which puzzles are found, as it is written into the file."""
        return {
            "seed": self.seed,
            "longest": self.longest,
            "goal": self.goal or "any",
            "checked": self.checked,
            "nodes": self.nodes,
            "margin": self.margin,
            "sources": [path.name for path in self.sources],
        }
