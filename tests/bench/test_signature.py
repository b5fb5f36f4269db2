"""The bench searches positions that exist."""

import pytest

from kibitz import games
from kibitz.bench.signature import CASES, playable


@pytest.mark.parametrize(("text", "lines"), [(text, lines) for text, _, lines in CASES])
def test_every_line_of_the_bench_is_legal_and_leads_to_an_unfinished_game(text: str, lines: tuple[str, ...]) -> None:
    for line in lines:
        assert not playable(games.load(text), line).over
