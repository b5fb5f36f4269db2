"""Every law for every game of the catalog, for each of its presets, and for the examples."""

from collections.abc import Callable, Iterator

import pytest

from kibitz.games import catalog


def every_game() -> Iterator[str]:
    for entry in catalog.entries():
        if entry.rulebook is not None:
            texts = [entry.name, *(f"{entry.name}:{preset}" for preset in entry.rulebook.presets)]
            yield from {catalog.load(text).text: text for text in texts}.values()


@pytest.mark.kibitz(*every_game(), games=2, positions=12)
def test_every_game_obeys_every_law(kibitz_law: Callable[[], None]) -> None:
    kibitz_law()


@pytest.mark.kibitz("../../examples/tictactoe.py", games=20, positions=100)
@pytest.mark.kibitz("../../examples/connectfour.py", games=5, positions=60)
@pytest.mark.kibitz("../../examples/connectfour.py,rows=4,columns=5,connect=3", games=5, positions=60)
def test_the_examples_obey_every_law(kibitz_law: Callable[[], None]) -> None:
    kibitz_law()
