"""Tie-breaks by hand."""

from kibitz.arena.stats.scores import Scores
from kibitz.arena.stats.standings import rank
from kibitz.arena.stats.tie_breaks import Points, count_points
from tests.arena.samples import DRAWN, LOST, WON, contest, played


def test_points_and_tie_breaks_are_those_counted_by_hand() -> None:
    """Round 1: a beats b, c beats d, e sits out. Round 2: a beats c, b draws with e, d sits out."""
    games = [
        played("a", "b", 0, WON, number=0), played("b", "a", 0, LOST, number=0),
        played("c", "d", 0, WON, number=0), played("d", "c", 0, LOST, number=0),
        played("a", "c", 1, WON, number=1), played("c", "a", 1, LOST, number=1),
        played("b", "e", 1, DRAWN, number=1), played("e", "b", 1, DRAWN, number=1),
    ]  # fmt: skip
    scores = Scores(games)
    assert count_points("abcde", scores) == {
        "a": Points(4.0, 3.0, 3.0, 4),
        "b": Points(1.0, 7.0, 1.5, 0),
        "c": Points(2.0, 6.0, 2.0, 2),
        "d": Points(2.0, 2.0, 0.0, 0),
        "e": Points(3.0, 1.0, 0.5, 0),
    }
    entrants = contest(*"abcde").entrants
    assert [row.name for row in rank(entrants, scores, by_points=True).rows] == ["a", "e", "c", "d", "b"]
