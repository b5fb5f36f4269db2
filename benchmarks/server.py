"""The web server under a crowd: 200 visitors for a minute, 500 at 100 tables with a link, then 100,000 bad requests."""

import asyncio
import json
import random
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import psutil
from tests.web.abuse import abused
from websockets.asyncio.client import connect

VISITORS, SECONDS = 200, 60.0
WATCH, PAUSE = 19.9, 3.0  # seconds between two looks at the memory, and until those who left are forgotten
REQUESTS, HANDSHAKES = 100_000, 1_000
TABLES, AT_A_TABLE = 100, 5  # two who play, three who watch
GAMES = ("breakthrough", "alquerque", "wolves", "vampires", "checkers")


@dataclass
class Tally:
    """What the crowd saw."""

    moves: int = 0
    games: int = 0
    errors: int = 0
    states: int = 0  # that reached somebody at a table with a link
    answers: list[float] = field(default_factory=list)  # seconds from a move to the state after it
    replies: list[float] = field(default_factory=list)  # seconds from there to the agent's move


@contextmanager
def server() -> Iterator[tuple[psutil.Process, str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "kibitz.cli", "serve", "--port", "0"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://(\S+)", process.stdout.readline())
        assert found is not None
        yield psutil.Process(process.pid), found[1]
    finally:
        process.terminate()
        process.wait()


async def visit(place: str, number: int, pause: float, until: float, tally: Tally) -> None:
    """Play at random until the time is over, resting about `pause` seconds before each move."""
    dice = random.Random(number)
    async with connect(f"ws://{place}/api/play", proxy=None, compression=None, open_timeout=60) as wire:
        new = json.dumps({"type": "new", "game": GAMES[number % len(GAMES)], "second": "random"})
        await wire.send(new)
        asked = answered = 0.0
        while time.perf_counter() < until:
            message = json.loads(await wire.recv())
            now = time.perf_counter()
            tally.errors += message["type"] == "error"
            if message["type"] != "state":
                continue
            if message["why"] == "play":
                answered = now
                tally.answers.append(now - asked)
            elif message["why"] == "agent":
                tally.replies.append(now - answered)
            if message["over"]:
                tally.games += 1
                await wire.send(new)
            elif message["yours"]:
                await asyncio.sleep(pause * dice.uniform(0.5, 1.5))
                asked = time.perf_counter()
                tally.moves += 1
                await wire.send(json.dumps({"type": "play", "move": dice.choice(message["moves"])["text"]}))


async def crowd(place: str, pause: float, seconds: float) -> Tally:
    tally, until = Tally(), time.perf_counter() + seconds
    await asyncio.gather(*(visit(place, number, pause, until, tally) for number in range(VISITORS)))
    return tally


async def sit_and_play(place: str, number: int, until: float, tally: Tally) -> None:
    """A table with a link: two play at random, a move a second, and the others watch, until the time is over."""
    code: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def come(role: int) -> None:
        dice, moved = random.Random(number * AT_A_TABLE + role), -1
        async with connect(f"ws://{place}/api/play", proxy=None, compression=None, open_timeout=60) as wire:
            opening = {"type": "open", "game": "breakthrough", "side": 0, "clock": 3600}
            await wire.send(json.dumps({"type": "join", "code": await code} if role else opening))
            if role == 1:
                await wire.send(json.dumps({"type": "sit"}))
            while (left := until - time.perf_counter()) > 0:
                try:
                    message = json.loads(await asyncio.wait_for(wire.recv(), left))
                except TimeoutError:
                    return
                tally.errors += message["type"] == "error"
                if message["type"] == "seated" and not code.done():
                    code.set_result(message["code"])
                if message["type"] == "state":
                    tally.states += 1
                    if message["yours"] and all(message["table"]["taken"]) and message["ply"] > moved:
                        moved = message["ply"]
                        await asyncio.sleep(dice.uniform(0.5, 1.5))
                        tally.moves += 1
                        move = dice.choice(message["moves"])["text"]
                        await wire.send(json.dumps({"type": "play", "move": move, "ply": moved}))

    await asyncio.gather(*(come(role) for role in range(AT_A_TABLE)))


async def tables(place: str, seconds: float) -> Tally:
    tally, until = Tally(), time.perf_counter() + seconds
    await asyncio.gather(*(sit_and_play(place, number, until, tally) for number in range(TABLES)))
    return tally


def memory(process: psutil.Process) -> int:
    """Resident megabytes of the server and its workers."""
    family = [process, *process.children(recursive=True)]
    return sum(member.memory_info().rss for member in family) >> 20


@contextmanager
def watch_memory(process: psutil.Process) -> Iterator[list[tuple[float, int]]]:
    """Looks at the memory now and then: the seconds since the beginning, and megabytes."""
    seen: list[tuple[float, int]] = []
    over = threading.Event()

    def look() -> None:
        began = time.perf_counter()
        while not over.wait(WATCH):
            seen.append((time.perf_counter() - began, memory(process)))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield seen
    finally:
        over.set()
        looking.join()


def work(process: psutil.Process) -> tuple[float, float]:
    """Seconds of processor time that the server and its workers have used."""
    spent = [sum(member.cpu_times()[:2]) for member in [process, *process.children(recursive=True)]]
    return spent[0], sum(spent[1:])


def print_crowd(name: str, process: psutil.Process, place: str, pause: float, seconds: float) -> None:
    before = work(process)
    tally = asyncio.run(crowd(place, pause, seconds))
    ours, workers = (1000 * (now - then) / tally.moves for now, then in zip(work(process), before, strict=True))
    answer, reply = (1000 * statistics.median(times) for times in (tally.answers, tally.replies))
    late = 1000 * statistics.quantiles(tally.answers, n=20)[-1]
    rate = tally.moves / seconds
    print(f"{name}: {VISITORS} visitors, {rate:.0f} moves/s, {tally.games} games, {tally.errors} errors")
    print(f"  answer to a move: median {answer:.1f} ms, 95% within {late:.0f} ms; agent's reply: median {reply:.1f} ms")
    print(f"  processor time of a move: server {ours:.1f} ms, workers {workers:.1f} ms", flush=True)


def main() -> None:
    with server() as (process, place):
        notes = [f"{memory(process)} MB at the start"]
        asyncio.run(crowd(place, 1.0, 10))
        notes.append(f"{memory(process)} MB warm")
        with watch_memory(process) as seen:
            print_crowd("a move a second each", process, place, 1.0, SECONDS)
        notes += [f"{megabytes} MB after {seconds:.0f} s" for seconds, megabytes in seen]
        time.sleep(PAUSE)
        notes.append(f"{memory(process)} MB when all had left")
        print(f"  memory of the server and its workers: {', '.join(notes)}", flush=True)
        print_crowd("as fast as they can", process, place, 0.0, 15)
        met = asyncio.run(tables(place, SECONDS))
        print(f"{TABLES * AT_A_TABLE} sockets at {TABLES} tables with a link for {SECONDS:.0f} s: {met.moves} moves,")
        print(f"  {met.states} states heard, {met.errors} errors, {memory(process)} MB", flush=True)
        asyncio.run(abused(place, 2_000, 2_000, 0))
        before, began = memory(process), time.perf_counter()
        counts = asyncio.run(abused(place, REQUESTS // 2, REQUESTS // 2 - HANDSHAKES, HANDSHAKES))
        rate = REQUESTS / (time.perf_counter() - began)
        refused = sum(count for kind, count in counts.items() if not kind.startswith("!"))
        print(f"{REQUESTS:,} bad requests, half over sockets: {refused:,} refused by a typed error, {rate:.0f}/s")
        print(f"  {len(counts)} kinds of errors; memory {before} MB before, {memory(process)} MB after")
        after = asyncio.run(crowd(place, 0.5, 5))
        print(f"  then {after.moves} moves of {VISITORS} visitors in 5 s, {after.errors} errors")


if __name__ == "__main__":
    main()
