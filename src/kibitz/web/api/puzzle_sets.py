"""The puzzles on offer: files of the user's and those that come with Kibitz, of the games that the server offers."""

import hashlib
from collections import Counter
from pathlib import Path

from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.puzzles.tactics import folder
from kibitz.puzzles.tactics.file import load
from kibitz.puzzles.tactics.puzzle import Puzzle, PuzzleSet
from kibitz.web.api.facts import Facts, pieces_of
from kibitz.web.api.games import GameList
from kibitz.web.api.limits import whole
from kibitz.web.api.refusals import Refused

Stamp = tuple[int, int]


class PuzzleSets:
    """Files of puzzles, each read once as long as it stays the same. One that cannot be used is passed over."""

    def __init__(self, games: GameList) -> None:
        self.games = games
        self._read: dict[Path, tuple[Stamp, PuzzleSet | None]] = {}

    def sets(self) -> dict[str, PuzzleSet]:
        """The sets by the text of their game."""
        found: dict[str, PuzzleSet] = {}
        for path in folder.list_paths():
            puzzles = self._set(path)
            if puzzles is not None and puzzles.puzzles:
                found.setdefault(puzzles.game, puzzles)
        return found

    def _set(self, path: Path) -> PuzzleSet | None:
        try:
            facts = path.stat()
            stamp = (facts.st_mtime_ns, facts.st_size)
            if path not in self._read or self._read[path][0] != stamp:
                self._read[path] = (stamp, self._load(path))
            return self._read[path][1]
        except OSError:
            return None

    def _load(self, path: Path) -> PuzzleSet | None:
        try:
            puzzles = load(path)
            game = self.games.game(puzzles.game)
            puzzles.check_game(game, path)
            for puzzle in puzzles.puzzles[:1]:
                game.position(puzzle.position)
        except KibitzError:
            return None
        return puzzles

    def list(self) -> Facts:
        """Every set, for a page to offer."""
        return {"sets": [self._facts(puzzles) for puzzles in self.sets().values()]}

    def _facts(self, puzzles: PuzzleSet) -> Facts:
        game = self.games.game(puzzles.game)
        return {
            "game": puzzles.game,
            "title": game.rulebook.title,
            "count": len(puzzles.puzzles),
            "proven": sum(puzzle.proven for puzzle in puzzles.puzzles),
            "pieces": pieces_of(game.position(puzzles.puzzles[0].position)),
            "levels": dict(sorted(Counter(puzzle.level for puzzle in puzzles.puzzles).items())),
        }

    def describe(self, text: object) -> Facts:
        """What a page needs to choose among the puzzles of a game."""
        puzzles = self._require(text)
        rows = [
            {"number": number, "level": puzzle.level, "goal": puzzle.goal, "id": puzzle_id(puzzle)}
            for number, puzzle in enumerate(puzzles.puzzles, 1)
        ]
        return self._facts(puzzles) | {"puzzles": rows}

    def find(self, text: object, number: object) -> tuple[Game, Puzzle]:
        """A puzzle by the text of its game and its number in the set."""
        puzzles = self._require(text)
        place = whole(number, "number", 1, len(puzzles.puzzles))
        return self.games.game(puzzles.game), puzzles.puzzles[place - 1]

    def _require(self, text: object) -> PuzzleSet:
        found = self.sets().get(text) if isinstance(text, str) else None
        if found is None:
            raise Refused("not-found", "there are no puzzles of this game; make some: kibitz puzzles GAME")
        return found


def puzzle_id(puzzle: Puzzle) -> str:
    """The same as long as the position is: by it a page knows what was solved."""
    return hashlib.sha256(puzzle.position.encode()).hexdigest()[:12]
