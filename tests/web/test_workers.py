"""Workers: who gets one, what happens when one dies, and that the server itself never compiles."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from kibitz.cli.serve import serve
from kibitz.core.errors import KibitzError
from kibitz.web.api.limits import Limits
from kibitz.web.workers.child import Child
from kibitz.web.workers.pool import Job
from tests.web.visiting import PATIENCE, Place, Visitor, awaited, connect_to, interpreted, served

EXAMPLES = Path(__file__).parent.parent.parent / "tests" / "rules"


@pytest.fixture(scope="module")
def small() -> Iterator[Place]:
    """A server with two workers, one of which a study can never take."""
    with served(Limits(workers=2)) as found:
        yield found


def eventually(true: Callable[[], Any]) -> None:
    """Wait for something that must come."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def analysing(visitor: Visitor, game: str = "breakthrough") -> None:
    visitor.ask(type="new", game=game, second="human")
    visitor.ask(type="analyse", on=True, seconds=60)


def thinking(place: Place) -> list[Child]:
    """The workers that are at an agent's move."""
    return [child for child in place.state.pool.children if child.job is not None and child.job.do == "move"]


def test_a_visitor_who_vanishes_frees_his_search(small: Place) -> None:
    pool = small.state.pool
    with small.visit() as visitor:
        analysing(visitor)
        visitor.until(lambda heard: heard["type"] == "analysis")
        assert not all(child.idle for child in pool.children)
        visitor.wire.socket.shutdown(2)  # gone without a word
    eventually(lambda: all(child.idle for child in pool.children) and not pool.studies)
    eventually(lambda: small.state.tables == 0)


def test_a_visitor_who_vanishes_ends_an_agents_thinking(small: Place) -> None:
    pool = small.state.pool
    with small.visit() as visitor:
        visitor.ask(type="new", game="breakthrough", first="engine", seconds=60)
        eventually(lambda: thinking(small))
    eventually(lambda: all(child.idle for child in pool.children))


def test_heavy_analyses_of_some_do_not_hold_up_the_moves_of_others(small: Place) -> None:
    pool = small.state.pool
    with small.visit() as one, small.visit() as two, small.visit() as three, small.visit() as player:
        for visitor in (one, two, three):
            analysing(visitor)
        one.until(lambda heard: heard["type"] == "analysis")
        player.ask(type="new", game="breakthrough", second="random")
        for _ in range(10):
            state = player.ask(type="state")
            player.say(type="play", move=state["moves"][0]["text"])
            if player.state(lambda state: state["yours"] or state["over"])["over"]:
                break
        running = [child.job for child in pool.children if child.job is not None]
        assert sum(job.study for job in running) + len(pool.studies) == 3, "no analysis was given up for it"


@pytest.mark.skipif(interpreted(), reason="waits for several rounds of searches")
def test_analyses_take_turns_where_there_are_more_than_workers(small: Place) -> None:
    with small.visit() as one, small.visit() as two:
        analysing(one)
        analysing(two)
        for visitor in (one, two, one):
            visitor.until(lambda heard: heard["type"] == "analysis")


def test_a_worker_that_dies_is_replaced_and_its_request_answered(small: Place) -> None:
    pool = small.state.pool
    with small.visit() as visitor:
        visitor.ask(type="new", game="breakthrough", first="engine", second="human", seconds=60)
        eventually(lambda: thinking(small))
        child = thinking(small)[0]
        assert child.process is not None
        os.kill(child.process.pid, signal.SIGKILL)
        told = visitor.until(lambda heard: heard["type"] == "error")
        assert told["error"] == "agent-failed"
        assert visitor.state()["why"] == "failed"
        visitor.ask(type="players", first="random")
        assert visitor.state(lambda state: state["why"] == "agent")["ply"] == 1
    eventually(lambda: all(child.idle for child in pool.children))


def test_undo_ends_an_agents_thinking(small: Place) -> None:
    with small.visit() as visitor:
        state = visitor.ask(type="new", game="wolves", second="engine", seconds=60)
        visitor.ask(type="play", move=state["moves"][0]["text"])
        assert visitor.ask(type="undo")["ply"] == 0
        eventually(lambda: all(child.idle for child in small.state.pool.children))
        assert visitor.ask(type="state")["ply"] == 0


@pytest.fixture
def command(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`kibitz serve` with a game of the user's own and nothing compiled yet."""
    environment = dict(os.environ, KIBITZ_CACHE=str(tmp_path))
    process = subprocess.Popen(
        [sys.executable, "-m", "kibitz.cli", "serve", "--port", "0", "--game", str(EXAMPLES / "tictactoe.py")],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        found = re.search(r"http://(\S+)", process.stdout.readline())
        assert found is not None
        yield process, f"ws://{found[1]}/api/play"
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(interpreted(), reason="nothing is compiled")
def test_a_game_is_compiled_by_a_child_while_the_server_goes_on_answering(
    command: tuple[subprocess.Popen[str], str],
) -> None:
    process, url = command
    with Visitor(connect_to(url)) as visitor:
        visitor.ask(type="new", game="tictactoe", first="greedy", second="human")
        told = visitor.until(lambda heard: heard["type"] == "compiling")
        assert "tictactoe" in told["what"]
        assert visitor.ask(type="ping")["type"] == "pong"
        assert [heard["type"] for heard in visitor.aside].count("compiled") == 0, "the answer came while it compiled"
        assert visitor.state(lambda state: state["why"] == "agent")["ply"] == 1
    if sys.platform == "linux":
        assert "llvmlite" not in Path(f"/proc/{process.pid}/maps").read_text(), "the compiler was never even loaded"


@pytest.mark.parametrize("word", [signal.SIGINT, signal.SIGTERM])
def test_stopping_the_server_ends_its_workers(command: tuple[subprocess.Popen[str], str], word: signal.Signals) -> None:
    process, url = command
    with Visitor(connect_to(url)) as visitor:
        visitor.ask(type="ping")
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) >= 3
        process.send_signal(word)
        process.wait(30)
    _, alive = psutil.wait_procs(children, timeout=30)
    assert not alive


def test_killing_the_server_ends_its_workers(command: tuple[subprocess.Popen[str], str]) -> None:
    process, _ = command
    children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait(30)
    _, alive = psutil.wait_procs(children, timeout=30)
    assert not alive


def test_a_port_that_is_taken_is_told_in_one_line(small: Place) -> None:
    with pytest.raises(KibitzError, match=f"port {small.port}: .*in use"):
        serve(port=small.port)


@pytest.mark.parametrize(
    "given", [{"game": ["chess"]}, {"file": ["nowhere.py"]}, {"workers": -1}, {"port": 99999}, {"host": "nowhere.x"}]
)
def test_bad_arguments_are_told_in_one_line(given: dict[str, Any]) -> None:
    with pytest.raises(KibitzError) as refusal:
        serve(**given)
    assert "\n" not in str(refusal.value)


class Told:
    """What a job's child would be told, and by whom."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def free(self, child: Child, job: Job, reply: dict[str, Any]) -> None:
        self.heard.append(f"overdue {child.overdue}: {reply.get('error', 'done')}")

    def lost(self, child: Child, job: Job | None, why: str) -> None:
        self.heard.append(f"overdue {child.overdue}: lost")


def test_work_beyond_its_time_is_told_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.web.workers.child.GRACE", 0.0)
    board = "\n".join(["A" + "_" * 8, *["_" * 9] * 7, "_" * 8 + "A"])

    async def overrun() -> list[str]:
        told = Told()
        child = Child(told.free, told.lost)
        await child.start()
        given = {"board": board, "solver": "dumb", "seconds": 1000.0, "most": 10}
        child.begin(1, Job("flow-watch", given, 0.1))
        while not told.heard:
            await asyncio.sleep(0.01)
        await child.stop()
        return told.heard

    assert awaited(overrun()) == ["overdue True: cancelled"]
