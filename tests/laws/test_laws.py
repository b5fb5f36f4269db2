"""Every law for every game of the catalog, for each of its presets, and for one in the long form."""

from collections.abc import Callable, Iterator

import pytest

from kibitz.core.seam import interpreting
from kibitz.games import catalog


def every_game() -> Iterator[str]:
    for entry in catalog.entries():
        if entry.rulebook is not None:
            texts = [entry.name, *(f"{entry.name}:{preset}" for preset in entry.rulebook.presets)]
            yield from {catalog.load(text).text: text for text in texts}.values()


@pytest.mark.kibitz(*every_game(), games=2, positions=12, heuristics=False)
def test_every_game_obeys_every_law(kibitz_law: Callable[[], None]) -> None:
    kibitz_law()


@pytest.mark.kibitz("../rules/connectfour.py,rows=4,columns=5,connect=3", games=5, positions=60)
def test_a_game_in_the_long_form_obeys_every_law(kibitz_law: Callable[[], None]) -> None:
    kibitz_law()


@pytest.mark.skipif(not interpreting(), reason="their rules are of shapes that are compiled elsewhere")
@pytest.mark.kibitz("../rules/royal_game_of_ur.py", "../rules/hexagonal_draughts.py", games=1, positions=12)
def test_the_games_written_from_the_documents_alone_obey_every_law(kibitz_law: Callable[[], None]) -> None:
    kibitz_law()
