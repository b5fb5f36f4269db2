"""The puzzles that come with Kibitz: of the rules as they are now, playable, no two alike; and proven once more."""

from pathlib import Path

import pytest

from kibitz.games import catalog
from kibitz.puzzles.tactics import folder, load, verify
from kibitz.puzzles.tactics.puzzle import positions_of
from kibitz.puzzles.tactics.turns import canonical_key

SHIPPED = sorted(folder.SHIPPED.glob(f"*{folder.ENDING}"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_puzzles_are_of_the_rules_as_they_are(path: Path) -> None:
    puzzles = load(path)
    game = catalog.load_known(puzzles.game)
    puzzles.check_game(game, path)
    keys = {canonical_key(positions_of(puzzle, game)[0]) for puzzle in puzzles.puzzles}
    assert len(keys) == len(puzzles.puzzles) > 0
    proven = game.rulebook.outcomes is None
    assert all(puzzle.proven == proven for puzzle in puzzles.puzzles)


@pytest.mark.proof
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_puzzles_are_proven_by_other_means(path: Path) -> None:
    puzzles = load(path)
    verdicts = list(verify(puzzles, catalog.load_known(puzzles.game)))
    assert [verdict for verdict in verdicts if verdict.fault] == []
