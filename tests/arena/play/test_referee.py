"""The referee on players that behave: the same task gives the same game, by the rules, with everything written down."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kibitz import agents
from kibitz.agents.agent import AgentKind, UnknownAgent
from kibitz.agents.simple import RandomAgent, RandomOptions
from kibitz.arena.play.clock import Clocks
from kibitz.arena.play.fixture import Key, PlayedGame
from kibitz.arena.play.referee import Referee, play
from kibitz.arena.play.task import GameTask, TimeControl
from kibitz.arena.players.player import Offence
from kibitz.arena.players.resources import Resources
from kibitz.arena.players.subprocess_player import SubprocessPlayer
from kibitz.arena.records.record import Ply
from kibitz.arena.records.replay import check_replay
from kibitz.arena.report import sentences
from kibitz.core.errors import IllegalMove
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, SECOND, Result
from kibitz.laws.scaffold import text_of_game
from kibitz.search.report import Report

INSIDE = Resources(apart=False)
FREE = TimeControl(nodes=500)


def task(game: str = "breakthrough", first: str = "random", second: str = "random", **more: object) -> GameTask:
    given: dict[str, object] = {"control": FREE, "resources": INSIDE, "seed": 1, **more}
    return GameTask(game=game, first=first, second=second, **given)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def referee() -> Iterator[Referee]:
    with Referee() as made:
        yield made


def test_a_game_is_played_to_its_end_by_the_rules(referee: Referee) -> None:
    record = referee.play(task(), {"Event": "a test"})
    assert record.reason == "rules"
    assert record.result in (Result.FIRST_WINS, Result.SECOND_WINS)
    assert check_replay(record).result == record.result
    assert [ply.side for ply in record.plies[:3]] == [FIRST, SECOND, FIRST]
    assert record.tags["Event"] == "a test"
    assert {"Date", "Control", "Kibitz", "Python"} <= record.tags.keys()
    assert record.tags["Control"] == "nodes=500"


def test_the_same_task_gives_the_same_game_and_another_seed_another() -> None:
    games = [play(task(seed=seed)).moves for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_players_apart_play_as_in_the_referees_process(referee: Referee) -> None:
    inside = referee.play(task(second="engine"))
    apart = referee.play(task(second="engine", resources=Resources()))
    again = referee.play(task(second="engine", resources=Resources()))
    assert inside.moves == apart.moves == again.moves
    assert apart.reason == "rules"
    last = apart.plies[-1 if apart.plies[-1].side == SECOND else -2]
    assert last.score is not None
    assert last.nodes > 0


def test_our_own_agents_keep_their_process_for_the_next_game(referee: Referee) -> None:
    def processes() -> list[int]:
        return sorted(
            player.process.supervisor.pid for _, player in referee.pool.waiting if isinstance(player, SubprocessPlayer)
        )

    referee.play(task(resources=Resources()))
    before = processes()
    assert len(before) >= 2
    referee.play(task(resources=Resources(), seed=2))
    assert processes() == before


def test_no_more_players_wait_than_asked_for() -> None:
    with Referee(idle=1) as referee:
        referee.play(task(resources=Resources(), turns=2))
        assert len(referee.pool.waiting) == 1
        (_, player), *_ = referee.pool.waiting
        assert isinstance(player, SubprocessPlayer)
        folder = player.process.folder
    assert player.process.supervisor.poll() is not None
    assert not folder.exists()


def test_chance_is_rolled_by_the_referee_from_the_seed(referee: Referee) -> None:
    record = referee.play(task("vampires:testmap", seed=4))
    rolls = [ply for ply in record.plies if ply.side == CHANCE]
    assert rolls
    assert all(ply.text.startswith("~") and ply.seconds == 0.0 for ply in rolls)
    assert check_replay(record).result == record.result
    assert referee.play(task("vampires:testmap", seed=4)).moves == record.moves


def test_a_turn_of_several_moves_is_one_ply(referee: Referee) -> None:
    record = referee.play(task("vampires:testmap", seed=4))
    assert all(ply.text.endswith("end") for ply in record.plies if ply.side != CHANCE)


class OneMoveAtATime(RandomAgent):
    """Gives its turn away move by move."""

    def choose(self, position: Position, limit: Limit) -> Report:
        report = super().choose(position, limit)
        return Report(report.moves[:1], nodes=1)


def test_a_player_that_plays_its_turn_in_parts_is_asked_again(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = AgentKind(name="slow", summary="", make=OneMoveAtATime, options=RandomOptions)
    known = {**agents.kinds(), "slow": kind}
    monkeypatch.setattr(agents, "kinds", lambda: known)
    record = referee.play(task("vampires:testmap", first="slow", turns=3))
    assert record.plies[0].text.endswith("+end")
    assert record.plies[0].nodes == record.plies[0].text.count("+") + 1


def test_openings_are_played_first_and_counted(referee: Referee) -> None:
    record = referee.play(task(opening="a2-a3 a7-a6"))
    assert record.opening == 2
    assert record.moves.startswith("a2-a3 a7-a6 ")
    assert check_replay(record).result == record.result


def test_openings_may_hold_long_turns_and_outcomes(referee: Referee) -> None:
    whole = referee.play(task("vampires:testmap", seed=4))
    rolled = 1 + next(number for number, ply in enumerate(whole.plies) if ply.side == CHANCE)
    opening = " ".join(ply.text for ply in whole.plies[:rolled])
    record = referee.play(task("vampires:testmap", seed=5, opening=opening))
    assert record.opening == rolled
    assert record.plies[:rolled] == tuple(Ply(text=ply.text, side=ply.side) for ply in whole.plies[:rolled])


def test_an_opening_that_is_illegal_is_the_users_mistake(referee: Referee) -> None:
    with pytest.raises(IllegalMove, match="illegal move 'a2-a9'"):
        referee.play(task(opening="a2-a9"))


def test_an_unknown_agent_is_the_users_mistake(referee: Referee) -> None:
    with pytest.raises(UnknownAgent, match="no agent is called 'randon'; did you mean 'random'"):
        referee.play(task(second="randon", resources=Resources()))


def test_a_game_that_does_not_end_is_a_draw(referee: Referee) -> None:
    record = referee.play(task(turns=5))
    assert (record.result, record.reason) == (Result.DRAW, "adjudicated: no end after 5 turns")
    assert len(record.plies) == 5
    assert not check_replay(record).over


def test_agents_are_seeded_where_their_text_leaves_the_seed_open(referee: Referee) -> None:
    fixed = [referee.play(task(first="random:seed=5", seed=seed)).plies[0].text for seed in range(6)]
    free = [referee.play(task(seed=seed)).plies[0].text for seed in range(6)]
    assert len(set(fixed)) == 1
    assert len(set(free)) > 1


def test_files_that_a_game_names_are_found_from_a_players_own_folder(
    referee: Referee, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(text_of_game("mine"))
    monkeypatch.chdir(tmp_path)
    record = referee.play(task("mine.py", resources=Resources()))
    assert record.reason == "rules"


def test_a_clock_gives_what_is_left_and_the_increment() -> None:
    clocks = Clocks(TimeControl(clock=10.0, increment=2.0))
    assert clocks.limit(FIRST) == Limit(clock=10.0, increment=2.0)
    clocks.charge(FIRST, 4.0)
    assert clocks.limit(FIRST) == Limit(clock=8.0, increment=2.0)
    assert clocks.limit(SECOND) == Limit(clock=10.0, increment=2.0)
    clocks.charge(FIRST, 8.05)
    assert clocks.allowed(FIRST) == 2.0


def test_a_turn_in_parts_uses_one_allowance() -> None:
    clocks = Clocks(TimeControl(seconds=1.0, clock=10.0))
    assert clocks.limit(FIRST, 0.75) == Limit(seconds=0.25, clock=9.25, increment=0.0)
    assert clocks.limit(FIRST, 1.05).seconds == 0.001


@pytest.mark.parametrize(
    ("control", "seconds", "reason"),
    [
        (TimeControl(seconds=1.0), 1.2, "late: 1.20 s of 1 s"),
        (TimeControl(clock=5.0), 5.2, "late: 5.20 s of 5 s"),
        (TimeControl(seconds=9.0, clock=5.0), 5.2, "late: 5.20 s of 5 s"),
    ],
)
def test_more_than_the_margin_beyond_what_is_allowed_is_late(control: TimeControl, seconds: float, reason: str) -> None:
    Clocks(control).judge(FIRST, seconds - 0.15)
    with pytest.raises(Offence) as caught:
        Clocks(control).judge(FIRST, seconds)
    assert str(caught.value) == reason


def test_nothing_is_late_where_no_clock_is_kept() -> None:
    Clocks(TimeControl(depth=3)).judge(FIRST, 1e6)


CRASHES = """
import os
print("here I am")

def choose(position, limit):
    os._exit(3)
"""


def test_a_game_is_played_again_after_a_crash_as_often_as_the_policy_says(tmp_path: Path) -> None:
    file = tmp_path / "guest.py"
    file.write_text(CRASHES)
    task = GameTask(
        game="breakthrough",
        first=f"python:{file}",
        second="random",
        control=TimeControl(nodes=1),
        resources=Resources(replays=2),
    )
    with Referee() as referee:
        record = referee.play(task)
        log = referee.printed[0].text
    reason = "died: exit status 3; it printed last: here I am"
    assert (record.result, record.reason) == (Result.SECOND_WINS, reason)
    assert record.tags["FirstCrashes"] == f"{reason}; {reason}"
    assert "SecondCrashes" not in record.tags
    assert log.count("here I am") == 3
    assert log.count("=== the game is played again") == 2
    told = list(sentences.describe_replays([PlayedGame(Key("guest", "random", 0), 0, "", record)]))
    assert told == [f"guest crashed in 1 game that was played again: {reason}; {reason}"]


def test_what_is_no_crash_is_not_played_again(tmp_path: Path) -> None:
    file = tmp_path / "guest.py"
    file.write_text("def choose(position, limit):\n    return 'a1-h8'\n")
    task = GameTask(
        game="breakthrough",
        first=f"python:{file}",
        second="random",
        control=TimeControl(nodes=1),
        resources=Resources(replays=2),
    )
    with Referee() as referee:
        record = referee.play(task)
    assert record.reason.startswith("illegal: ")
    assert "FirstCrashes" not in record.tags
