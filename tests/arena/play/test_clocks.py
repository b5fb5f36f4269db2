"""Clocks: so many moves in a time, limits of each player's own, margins, and agents that are stopped at their limit."""

import os
from pathlib import Path

import pytest

from kibitz.arena.contest.settings import Settings, read_clock, read_limit
from kibitz.arena.play import machine
from kibitz.arena.play.clock import Clocks
from kibitz.arena.play.referee import Referee
from kibitz.arena.play.task import GameTask, TimeControl
from kibitz.arena.players.player import Offence
from kibitz.arena.players.resources import Resources
from kibitz.arena.report.circumstances import describe_isolation, describe_lateness
from kibitz.arena.teams.local import NoAffinity, share_processors
from kibitz.core.errors import BadOption, KibitzError
from kibitz.core.limit import Limit
from kibitz.core.result import FIRST, SECOND
from kibitz.protocols.engine_commands import parse_go
from kibitz.search.clock import Allowance
from tests.arena.samples import WON, played

SLEEPY = """
import time
from agent import Agent

class Sleepy(Agent):
    def getAction(self, state):
        self.action = self.game.actions(state)[0]
        time.sleep(1.0)  # in a call that cannot be interrupted
"""


def test_the_time_for_so_many_moves_is_added_after_them() -> None:
    clocks = Clocks(TimeControl(clock=10.0, increment=1.0, moves=2))
    assert clocks.limit(FIRST) == Limit(clock=10.0, increment=1.0, moves_to_go=2)
    clocks.charge(FIRST, 4.0)
    assert clocks.limit(FIRST) == Limit(clock=7.0, increment=1.0, moves_to_go=1)
    clocks.charge(FIRST, 5.0)
    assert clocks.limit(FIRST) == Limit(clock=13.0, increment=1.0, moves_to_go=2)
    assert clocks.limit(SECOND).moves_to_go == 2


def test_each_side_may_have_a_control_of_its_own() -> None:
    clocks = Clocks(TimeControl(seconds=1.0, margin=0.5), TimeControl(clock=30.0), margin=0.2)
    assert (clocks.limit(FIRST).seconds, clocks.limit(SECOND).clock) == (1.0, 30.0)
    clocks.judge(FIRST, 1.4)
    clocks.judge(SECOND, 30.1)
    for side, seconds in ((FIRST, 1.6), (SECOND, 30.3)):
        with pytest.raises(Offence, match=r"^late: "):
            clocks.judge(side, seconds)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("60", TimeControl(clock=60.0)),
        ("60+0.6", TimeControl(clock=60.0, increment=0.6)),
        ("40/60", TimeControl(clock=60.0, moves=40)),
        ("40/60+1", TimeControl(clock=60.0, increment=1.0, moves=40)),
    ],
)
def test_clocks_are_written_as_everywhere(text: str, control: TimeControl) -> None:
    assert read_clock(text) == control


@pytest.mark.parametrize("text", ["", "0", "0/60", "40/0", "a/60", "60+", "-1", "1/2/3"])
def test_a_clock_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(BadOption, match=r"^clock is .*, expected SECONDS, .* or MOVES/SECONDS such as 40/60$"):
        read_clock(text)


def test_a_limit_names_its_player() -> None:
    names = ["engine", "engine:depth=3"]
    name, control = read_limit("engine:depth=3=seconds=2,nodes=50", names, 0.5)
    assert (name, control) == ("engine:depth=3", TimeControl(seconds=2.0, nodes=50, margin=0.5))
    assert read_limit("engine=clock=40/60", names, None) == ("engine", TimeControl(clock=60.0, moves=40))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mcts=seconds=2", "is of nobody who plays, expected NAME=LIMIT with one of engine, random"),
        ("engine=speed=2", "has 'speed', expected seconds, clock, nodes or depth"),
        ("engine=seconds=two", "cannot be read, expected numbers such as seconds=2,nodes=500"),
        ("engine=seconds=-1", "expected more than zero"),
        ("engine=2", "is no option, expected key=value"),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused(text: str, said: str) -> None:
    with pytest.raises(KibitzError, match=said):
        read_limit(text, ["engine", "random"], None)


@pytest.mark.parametrize("margin", [-0.1, 61.0, float("nan")])
def test_a_margin_that_makes_no_sense_is_refused(margin: float) -> None:
    with pytest.raises(BadOption, match=r"^margin is .*, expected 0 to 60"):
        Settings(seconds=1.0, margin=margin).control()


def test_isolation_cannot_be_required_of_trusted_agents() -> None:
    with pytest.raises(BadOption, match="--trusted and --require-isolation contradict each other"):
        Settings(trusted=True, require_isolation=True).resources()


def test_a_margin_grows_with_the_lateness_of_the_machine() -> None:
    fits = [machine.fit_margin(lateness) for lateness in (0.0, 0.005, 0.03, 0.1, 5.0)]
    assert fits == [0.1, 0.1, 0.15, 0.5, 2.0]
    assert machine.measure_lateness() >= 0.0


def test_a_stopped_agent_is_never_lost_on_time_and_its_last_action_counts(tmp_path: Path) -> None:
    """Its limit is over long before it can be stopped."""
    file = tmp_path / "sleepy.py"
    file.write_text(SLEEPY)
    task = GameTask(
        game="checkers",
        first=f"course-checkers:{file}::Sleepy",
        second="random",
        control=TimeControl(seconds=0.2, margin=0.1),
        second_control=TimeControl(nodes=1),
        resources=Resources(apart=False),
        turns=3,
    )
    with Referee() as referee:
        record = referee.play(task)
    assert record.reason == "adjudicated: no end after 3 turns"
    assert record.plies[0].seconds > 0.3
    assert (record.tags["Margin"], record.tags["SecondControl"]) == ("0.1", "nodes=1")


def test_our_own_agents_keep_a_reserve() -> None:
    for seconds, most in ((0.01, 0.009), (0.1, 0.096), (1.0, 0.98), (10.0, 9.95)):
        hard = Allowance.of(Limit(seconds=seconds), 0.0).hard
        assert hard is not None
        assert seconds / 2 <= hard <= most


def test_the_last_move_before_more_time_may_take_most_of_it() -> None:
    def hard(moves_to_go: int | None) -> float:
        return Allowance.of(Limit(clock=10.0, moves_to_go=moves_to_go), 0.0).hard or 0.0

    assert 8.0 < hard(1) < 10.0
    assert hard(1) > hard(2) > hard(10) > hard(40) == hard(None)


def test_movestogo_is_understood() -> None:
    assert parse_go("wtime 9000 btime 8000 movestogo 7", FIRST).limit == Limit(clock=9.0, increment=0, moves_to_go=7)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system lets nobody choose processors")
def test_processors_are_shared_out_to_jobs() -> None:
    there = os.sched_getaffinity(0)
    shares = share_processors(len(there))
    assert sorted(number for share in shares for number in share) == sorted(there)
    with pytest.raises(NoAffinity, match="cannot have one each"):
        share_processors(len(there) + 1)


def test_what_the_circumstances_were_is_said() -> None:
    games = [played("a", "b", number, WON) for number in range(2)]
    for game in games:
        game.record.tags.update(FirstIsolation="isolated", SecondIsolation="isolated")
    assert next(describe_isolation(games)).startswith("every player was isolated (in a sandbox")
    games[1].record.tags.update(SecondIsolation="limited", Lateness="0.310")
    assert "b was isolated in 1 games, limited in 1 games" in list(describe_isolation(games))
    assert next(describe_isolation(games, "a")).startswith("it was isolated")
    (said,) = describe_lateness(games)
    assert "in 1 of 2 games (up to 0.31 s late)" in said
