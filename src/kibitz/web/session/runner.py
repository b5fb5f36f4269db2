"""A game that goes on: agents think, chance rolls, clocks run out, and everybody who watches is told."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.web.api.facts import Facts
from kibitz.web.api.limits import LONGEST_GAME
from kibitz.web.api.refusals import Refused, error_facts
from kibitz.web.api.safe_agents import with_small_hash
from kibitz.web.server.state import ServerState
from kibitz.web.session.steps import Note, Step
from kibitz.web.session.table import Table
from kibitz.web.workers.compiler import ANALYSIS, TABLE
from kibitz.web.workers.pool import Job

FIRST_WORD, NEXT_WORD = 0.3, 1.0  # seconds until a visitor is told that something is being compiled

Send = Callable[[Facts], None]


class Watcher(Protocol):
    """Somebody who is told how the game stands."""

    def hear_state(self, why: str, fresh: list[Step]) -> None: ...

    def send(self, message: Facts) -> None: ...


class GameRunner:
    """A table with the agents and clocks that move it on."""

    def __init__(self, server: ServerState, table: Table) -> None:
        self.server, self.table = server, table
        server.served += 1
        self.name = str(server.served)
        self.watchers: list[Watcher] = []
        self.compiling: str | None = None
        self.failed = False
        self._thinking: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    async def close(self) -> None:
        """Nobody is left: everything that was done for the game ends."""
        thinking = self._thinking
        self.stop_work()
        if thinking is not None:
            await asyncio.gather(thinking, return_exceptions=True)

    def send(self, message: Facts) -> None:
        """Tell all who watch."""
        for watcher in list(self.watchers):
            watcher.send(message)

    def stop_work(self) -> None:
        """The position or the players are about to change: nobody thinks about the old ones."""
        self._rest()
        if self._thinking is not None:
            self._thinking.cancel()
        self._thinking = None
        self.failed = False
        self.compiling = None

    def go_on(self, why: str) -> None:
        """Roll what is to be rolled, tell the state, and set to work whoever is next."""
        table = self.table
        table.roll()
        self._run_clocks()
        self.tell(why)
        if table.agent is not None and not table.paused and not self.failed:
            self.think(table.agent)

    def tell(self, why: str) -> None:
        """Tell everybody how it stands."""
        fresh = self.table.take_fresh()
        for watcher in list(self.watchers):
            watcher.hear_state(why, fresh)

    def facts(self, why: str) -> Facts:
        """The state of the game for a page."""
        table = self.table
        agent = table.agent is not None and not table.paused and not self.failed
        thinking = self._thinking is not None and not self._thinking.done()
        return table.facts(why, self.now) | {
            "thinking": table.turn if agent or (thinking and not table.over) else None,
            "compiling": self.compiling,
        }

    def think(self, agent: str) -> None:
        """Ask an agent for the turn at hand."""
        self._thinking = asyncio.create_task(self._play_agent(self.table, agent))

    async def _play_agent(self, table: Table, agent: str) -> None:
        try:
            if table.ply >= LONGEST_GAME:
                raise Refused("too-large", f"the game has {table.ply} plies; agents stop here")
            await self._compile(agent)
            began, side = self.now, table.turn
            found = await self._ask_agent(agent)
            await asyncio.sleep(max(0.0, table.pace - (self.now - began)))
            if table.clocks is not None:
                table.clocks.spend(side, found["seconds"])
                if table.clocks.left[side] <= 0:
                    self._lose_on_time(side)
                    return
                table.clocks.reward(side)
            note = Note(found["seconds"], found["score"], found["depth"], found["nodes"])
            table.play_codes(found["codes"], note)
        except KibitzError as error:
            self._fail(error)
            return
        self._thinking = None
        self.go_on("agent")

    async def _ask_agent(self, agent: str) -> Facts:
        table = self.table
        limit: Facts = {"seconds": table.seconds}
        if table.clocks is not None:
            left = max(0.01, table.clocks.left[table.turn])
            limit = {"clock": left, "increment": table.clocks.increment, "seconds": min(60.0, left)}
        codes = [step.code for step in table.steps]
        given = self.server.position_facts(table.game, table.start, codes, self.name)
        given |= {"agent": with_small_hash(agent), "limit": limit}
        return await self.server.pool.run(Job("move", given, limit["seconds"]))

    def _fail(self, error: KibitzError) -> None:
        self._thinking, self.failed = None, True
        self.send(error_facts(error))
        self.tell("failed")

    async def _compile(self, agent: str) -> None:
        def note(what: str | None) -> None:
            self.compiling = what

        await wait_until_compiled(self.server, self.table.game, agent, self.send, note)

    # Clocks.

    def _run_clocks(self) -> None:
        self._rest()
        table = self.table
        if table.clocks is None or table.over or table.paused:
            return
        table.clocks.run(table.turn, self.now)
        if table.turn in table.humans:
            left = table.clocks.remaining(table.turn, self.now)
            self._flag = asyncio.get_running_loop().call_later(max(0.0, left), self._lose_on_time, table.turn)

    def _rest(self) -> None:
        """Stop the clocks."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self.table.clocks is not None:
            self.table.clocks.stop(self.now)

    def _lose_on_time(self, side: int) -> None:
        if not self.table.over:
            self.stop_work()
            self.table.end(side, "time")
            self.go_on("time")


async def wait_until_compiled(
    server: ServerState, game: Game, agent: str, send: Send, note: Callable[[str | None], None] = lambda what: None
) -> Facts:
    """Wait until nothing is left to compile for an agent, and say so meanwhile. What the compiler found out."""
    future = server.compile_agent(game, agent)
    names = {ANALYSIS: "the analysis of", TABLE: "exact values of"}
    what = f"{names.get(agent, f'{agent} for')} {game.label}"
    pause, told = FIRST_WORD, False
    try:
        while not (await asyncio.wait({future}, timeout=pause))[0]:
            note(what)
            pause, told = NEXT_WORD, True
            send({"type": "compiling", "what": what, "seconds": round(server.compiling_seconds(game, agent), 1)})
        found: Facts = future.result()
        return found
    finally:
        note(None)
        if told:
            send({"type": "compiled", "what": what})
