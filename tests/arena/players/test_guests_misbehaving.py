"""Whatever a player does, the game ends, the reason is written down, nothing of it is left, and the next one begins."""

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from kibitz import agents, games
from kibitz.arena.play.referee import NotReady, Referee
from kibitz.arena.play.task import GameTask, TimeControl
from kibitz.arena.players.player import Offence
from kibitz.arena.players.player_pool import Seat
from kibitz.arena.players.resources import Resources
from kibitz.arena.players.subprocess_player import SubprocessPlayer, read_answer
from kibitz.arena.records.record import Record
from kibitz.core.errors import BadOption
from kibitz.core.result import Result
from tests.arena.players import liars, rogues

SECOND_LONG = TimeControl(seconds=1.0, margin=1.0)  # wide, for machines that have other things to do
LIMITED = Resources(isolation="limited")  # sees this machine, and can leave notes on it
UNTIMED = TimeControl(nodes=1)
GRANTED = Resources()
Match = Callable[..., Record]


@pytest.fixture(scope="module")
def referee() -> Iterator[Referee]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agents, "kinds", rogues.kinds_with_rogues)
        with Referee(child=rogues.PROGRAM) as made:
            yield made


@pytest.fixture
def match(referee: Referee) -> Match:
    def played(deed: str, control: TimeControl = UNTIMED, resources: Resources = GRANTED, turns: int = 2000) -> Record:
        task = GameTask(
            game="breakthrough",
            first=f"rogue:{deed}",
            second="random",
            control=control,
            resources=resources,
            turns=turns,
        )
        return referee.play(task)

    return played


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("illegal", "illegal: move '123456789' in breakthrough position"),
        ("nothing", "illegal: no move from "),
        ("too-much", "illegal: 2 moves, more than the turn has,"),
        ("no-report", "failed: AttributeError:"),
        ("no-move", "failed: ValueError: invalid literal"),
        ("raises", "failed: ValueError: two lines"),
        ("exits", "failed: SystemExit: 3"),
        ("dies", "died: exit status 3"),
        ("crashes", "died: signal 11 (SIGSEGV)"),
        ("hangs-up", "garbage: it closed its channel"),
        ("fail-in-ready", "not ready: ValueError: cannot begin"),
    ],
)
def test_a_player_that_misbehaves_loses_with_the_reason(match: Match, deed: str, reason: str) -> None:
    record = match(deed)
    assert record.reason.startswith(reason)
    assert record.result == Result.SECOND_WINS
    assert len(record.plies) == (0 if deed == "fail-in-ready" else 2)


def test_an_answer_beyond_the_seconds_of_a_move_is_late(match: Match) -> None:
    record = match("late", SECOND_LONG)
    assert re.fullmatch(r"late: \d\.\d\d s of 1 s", record.reason)
    assert record.result == Result.SECOND_WINS


def test_an_answer_beyond_the_clock_is_late(match: Match) -> None:
    assert match("late", TimeControl(clock=1.0, increment=0.1, margin=1.0)).reason.startswith("late: ")


def test_the_margin_forgives_an_answer_that_is_hardly_late(match: Match) -> None:
    record = match("late", TimeControl(seconds=0.2, margin=5.0), turns=4)
    assert record.reason == "adjudicated: no end after 4 turns"


def test_a_player_that_never_answers_is_killed(match: Match) -> None:
    assert match("hang", SECOND_LONG).reason == "no answer: none within 4 s"


def test_a_player_that_never_answers_is_killed_where_no_clock_is_kept(match: Match) -> None:
    assert match("hang", resources=Resources(patience=3.0)).reason == "no answer: none within 3 s"


def test_a_player_that_never_gets_ready_is_killed(match: Match, referee: Referee) -> None:
    hasty = Resources(ready=3.0)
    seat = Seat("breakthrough", "random", hasty)
    opponent = SubprocessPlayer(seat.game, seat.agent, Resources(), rogues.PROGRAM)  # started with time enough
    opponent.begin(games.breakthrough().new(), 1)
    opponent.ready()
    opponent.resources = hasty
    referee.pool.give_back(seat, opponent)
    record = match("hang-in-ready", resources=hasty)
    assert (record.result, record.reason) == (Result.SECOND_WINS, "no answer: none within 3 s")


def test_memory_is_counted(match: Match) -> None:
    record = match("hoards", resources=Resources(memory=250))
    assert record.reason.startswith("memory: ")
    assert record.reason.endswith(" MB used, 250 allowed")


def test_the_memory_of_children_is_counted(match: Match) -> None:
    reason = match("lets-hoard", resources=Resources(memory=250)).reason
    assert reason.startswith("memory: ")


def test_processes_are_counted_and_ended(match: Match) -> None:
    reason = match("swarms").reason
    assert reason.startswith("processes: ")
    assert reason.endswith(" started, 32 allowed")
    assert not [one for one in psutil.process_iter() if rogues.SWARMING in cmdline(one)]


def test_what_a_player_prints_does_not_reach_the_referee(match: Match) -> None:
    assert match("prints", turns=4).reason == "adjudicated: no end after 4 turns"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process adopt what its descendants leave")
def test_a_daemon_that_hides_its_origin_is_ended_too(match: Match, tmp_path: Path) -> None:
    match(f"flees,note={tmp_path / 'pid'}", resources=LIMITED, turns=4)
    assert gone(int((tmp_path / "pid").read_text()))


def test_what_a_dying_player_leaves_behind_is_ended_too(match: Match, tmp_path: Path) -> None:
    reason = match(f"leaves-a-child,note={tmp_path / 'pid'}", resources=LIMITED).reason
    assert reason == "died: exit status 7"
    assert gone(int((tmp_path / "pid").read_text()))


def test_a_player_has_a_folder_of_its_own_and_sees_no_secrets(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "swordfish")
    for resources in (GRANTED, LIMITED):
        for _ in range(2):
            reason = match("tells", resources=resources).reason
            secret, folder, home, found = reason.removeprefix("failed: ValueError: ").split(";")
            assert (secret, found) == ("no secret", "nothing")
            assert folder == home != str(Path.cwd())
            assert not Path(folder).exists()


def test_the_match_goes_on_after_an_offence(match: Match) -> None:
    assert match("dies").reason.startswith("died")
    assert match("", turns=6).reason.startswith("adjudicated")


def test_an_offence_in_the_referees_own_process_loses_too(match: Match) -> None:
    assert match("raises", resources=Resources(apart=False)).reason == "failed: ValueError: two lines"


def test_two_players_that_cannot_begin_draw(referee: Referee) -> None:
    rogue = "rogue:fail-in-ready"
    record = referee.play(GameTask(game="breakthrough", first=rogue, second=rogue, control=UNTIMED))
    assert record.result == Result.DRAW
    assert record.reason.startswith("neither is ready: not ready: ValueError: cannot begin; not ready:")


def test_an_agent_can_be_tried_out_before_a_match(referee: Referee) -> None:
    referee.try_out("breakthrough", "random")
    with pytest.raises(NotReady, match=r"^agent rogue:fail-in-ready: not ready: ValueError: cannot begin$"):
        referee.try_out("breakthrough", "rogue:fail-in-ready")


def test_a_wrong_option_is_the_users_mistake_and_no_offence(referee: Referee) -> None:
    task = GameTask(game="breakthrough", first="minimax:depth=0", second="random", control=UNTIMED)
    with pytest.raises(BadOption, match="option depth is 0, expected 1 to 100"):
        referee.play(task)


@pytest.mark.parametrize(
    ("lie", "reason"),
    [
        ("stale", "adjudicated: no end after 4 turns"),
        ("ahead", "garbage: an answer to question 3, which was not asked"),
        ("garbage", r"garbage: b'\xff\x00 what?' instead of an answer"),
        ("list", "garbage: b'[1, 2, 3]' instead of an answer"),
        ("deep", "garbage: b'[[["),
        ("endless", "garbage: an answer of more than 1,048,576 bytes"),
    ],
)
def test_only_the_answer_to_the_present_question_counts(lie: str, reason: str) -> None:
    with Referee(child=(*liars.PROGRAM, lie)) as referee:
        task = GameTask(game="breakthrough", first="random", second="random", control=UNTIMED, turns=4)
        assert referee.play(task).reason.startswith(reason)


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"moves": None},
        {"moves": ["a2-a3"]},
        {"moves": [True]},
        {"moves": [1.0]},
        {"moves": [1], "score": "high"},
        {"moves": [1], "depth": None},
        {"moves": [1], "nodes": "many"},
    ],
)
def test_an_answer_of_the_wrong_shape_is_garbage(answer: dict[str, object]) -> None:
    with pytest.raises(Offence, match=r"^garbage: "):
        read_answer(answer, 0.0)


def cmdline(process: psutil.Process) -> list[str]:
    with suppress(psutil.Error):
        return list(process.cmdline())
    return []


def gone(pid: int, patience: float = 10.0) -> bool:
    """Has the process ended? It may be a zombie for as long as its parent likes."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False
