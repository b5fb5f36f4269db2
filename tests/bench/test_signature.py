"""The bench searches positions that exist, and the search decides as it did."""

import pytest

from kibitz import games
from kibitz.bench.signature import CASES, position_after, rows
from kibitz.core.seam import interpreting

# The last line of `kibitz bench`. A commit that changes how the engine decides puts the new number here, and says so.
SIGNATURE = 228526


@pytest.mark.parametrize(("text", "lines"), [(text, lines) for text, _, lines in CASES])
def test_every_line_of_the_bench_is_legal_and_leads_to_an_unfinished_game(text: str, lines: tuple[str, ...]) -> None:
    for line in lines:
        assert not position_after(games.load(text), line).over


@pytest.mark.skipif(interpreting(), reason="slow without the compiler")
def test_the_search_has_the_signature_that_is_written_down() -> None:
    searched = list(rows())
    assert [row.game for row in searched] == [text for text, _, lines in CASES for _ in lines]
    assert sum(row.nodes for row in searched) == SIGNATURE
