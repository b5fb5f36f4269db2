"""Making puzzles: games are looked through one after the other, and what is found is handed out at once.

The games of a seed are always the same, so a run that was stopped goes on behind the last game that it finished, and
how many processes look through them changes nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from kibitz.core.game import Game
from kibitz.puzzles.tactics.candidates import GameTask, engine_tasks, recorded_tasks
from kibitz.puzzles.tactics.puzzle import Puzzle, PuzzleSet
from kibitz.puzzles.tactics.settings import Settings
from kibitz.puzzles.tactics.team import look_through_games
from kibitz.puzzles.tactics.turns import canonical_key

LARGEST_SHARE = 0.4  # of a set that may have one goal, one side and one length
FRUITLESS = 300  # games in a row without a puzzle after which it is said that there are no more

Watcher = Callable[[PuzzleSet], None]


def make(game: Game, settings: Settings, known: PuzzleSet, watch: Watcher, jobs: int = 1) -> PuzzleSet:
    """Go on from the puzzles that are known until there are enough, or no more are found. `watch` is called with the
    set after every game.
    """
    selection = Selection(game, settings, known)
    fruitless = 0
    for found in look_through_games(game, settings, _tasks(game, settings, known), jobs):
        fruitless = 0 if selection.add(found) else fruitless + 1
        watch(selection.found)
        if len(selection.found.puzzles) >= settings.count or fruitless >= FRUITLESS:
            break
    return selection.found


def _tasks(game: Game, settings: Settings, known: PuzzleSet) -> Iterator[GameTask]:
    """The games that were not looked at yet; none where there are puzzles enough."""
    if len(known.puzzles) >= settings.count:
        return iter(())
    if settings.sources:
        return islice(recorded_tasks(game, settings.sources), known.looked_at, None)
    return engine_tasks(settings.seed, known.looked_at)


class Selection:
    """The puzzles that are kept: no two the same by symmetry, and not too many alike."""

    def __init__(self, game: Game, settings: Settings, known: PuzzleSet) -> None:
        self.game = game
        self.settings = settings
        self.found = known
        self.known_keys: set[tuple[Any, ...]] = set()
        self.kinds: Counter[Any] = Counter()
        for puzzle in known.puzzles:
            self._note(puzzle)

    def add(self, puzzles: list[Puzzle]) -> int:
        """Take what a game has to offer; how many were kept."""
        before = len(self.found.puzzles)
        for puzzle in puzzles:
            if len(self.found.puzzles) < self.settings.count and self._is_new(puzzle):
                self._note(puzzle)
                self.found = self.found.with_puzzle(puzzle)
        self.found = replace(self.found, looked_at=self.found.looked_at + 1)
        return len(self.found.puzzles) - before

    def _is_new(self, puzzle: Puzzle) -> bool:
        most = max(3, LARGEST_SHARE * self.settings.count)
        position = self.game.position(puzzle.position)
        return self.kinds[_kind(puzzle, position.turn)] < most and canonical_key(position) not in self.known_keys

    def _note(self, puzzle: Puzzle) -> None:
        position = self.game.position(puzzle.position)
        self.known_keys.add(canonical_key(position))
        self.kinds[_kind(puzzle, position.turn)] += 1


def _kind(puzzle: Puzzle, side: int) -> tuple[Any, ...]:
    """Puzzles of one kind are much alike."""
    return puzzle.goal, side, puzzle.turns
