"""Games that are ended early, and players that are withdrawn."""

from dataclasses import replace

import pytest

from kibitz import games
from kibitz.arena.contest.runner import run_contest
from kibitz.arena.contest.store import Store
from kibitz.arena.play.adjudication import Adjudication, Threshold, read_threshold
from kibitz.arena.play.referee import play
from kibitz.arena.play.task import GameTask, TimeControl
from kibitz.arena.players.resources import Resources
from kibitz.arena.records.record import Ply
from kibitz.arena.records.replay import check_replay
from kibitz.arena.report.live import Silent
from kibitz.arena.report.sentences import remarks
from kibitz.arena.stats.scores import Scores, is_failure
from kibitz.core.errors import BadOption
from kibitz.core.result import Result
from tests.arena.samples import Scripted, contest, played

START = games.breakthrough().new()


def said(*scores: float | None) -> list[Ply]:
    """Plies of both sides in turn, with what each side said of its own chances."""
    return [Ply(text="x", side=number % 2, score=score) for number, score in enumerate(scores)]


@pytest.mark.parametrize(
    ("scores", "result"),
    [
        ((-9, 9, -8, 8), Result.SECOND_WINS),
        ((9, -9, 8, -8), Result.FIRST_WINS),
        ((-9, 9, -8, 7), None),  # the winner doubts it
        ((-9, 9, -7, 9), None),  # the loser does
        ((-9, 9), None),  # not for long enough
        ((-9, None, -9, 9), None),
    ],
)
def test_a_game_is_resigned_where_both_players_have_seen_it_for_long_enough(
    scores: tuple[float | None, ...], result: Result | None
) -> None:
    found = Adjudication(resign=Threshold(8, 2)).judge(START, said(*scores))
    assert (found[0] if found else None) == result
    assert found is None or found[1] == "adjudicated: resign, both players said 8 or more for 2 turns"


def test_a_game_is_drawn_where_both_players_see_nothing_else() -> None:
    rule = Adjudication(draw=Threshold(0.5, 2))
    assert rule.judge(START, said(0.1, -0.1, 0.5, 0)) == (
        Result.DRAW,
        "adjudicated: draw, both players said 0.5 or less for 2 turns",
    )
    assert rule.judge(START, said(0.1, -0.1, 0.6, 0)) is None
    assert Adjudication().judge(START, said(0, 0, 0, 0)) is None


def test_a_record_names_the_rule_that_ended_its_game_and_replays() -> None:
    task = GameTask(
        game="breakthrough,columns=4,rows=5",
        first="engine",
        second="engine",
        control=TimeControl(depth=3),
        resources=Resources(apart=False),
        adjudication=Adjudication(draw=Threshold(1e9, 2)),
    )
    record = play(task)
    assert record.reason.startswith("adjudicated: draw, ")
    assert record.result == Result.DRAW
    assert len(record.plies) == 4
    assert not check_replay(record).over
    assert not is_failure(replace(played("a", "b", 0, record.result), record=record))


@pytest.mark.parametrize("text", ["8", "x/4", "8/0", "-1/3", "8/4/2"])
def test_a_threshold_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(BadOption, match="expected SCORE/TURNS such as 8/4"):
        read_threshold(text, "resign")


def test_who_fails_too_often_plays_no_more() -> None:
    asked = replace(contest("a", "b", "c", games=40), failures=3)

    class Crashing(Scripted):
        """Whoever plays c wins, for c crashes."""

        def play(self, fixtures):  # type: ignore[no-untyped-def]
            for game in super().play(fixtures):
                broken = replace(game.record, reason="died: exit status 1" if "c" in game.key[:2] else "rules")
                yield replace(game, record=broken)

    with Store(None) as store:
        progress = run_contest(asked, store, Crashing(), Silent())
    scores = progress.scores
    assert scores.faults()["c"] == 3
    assert scores.tally("a", "b").games == 40
    (told,) = [line for line in remarks(asked, Scores(scores.failures)) if "was withdrawn" in line]
    assert told.startswith("c was withdrawn: it lost 3 games by its own fault; what it had played counts")
