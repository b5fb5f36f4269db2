"""One visitor at one table: agents that think, the analysis that follows the game, clocks that run out."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.web.facts import Facts
from kibitz.web.house import House
from kibitz.web.kitchen import ANALYSIS
from kibitz.web.limits import LONGEST_GAME
from kibitz.web.pool import Job
from kibitz.web.refusals import Refused, error_facts
from kibitz.web.safe_agents import default_for, thrifty
from kibitz.web.table import Note, Table

AT_ONCE = 2  # hints, trees and the like that one table may wait for
FIRST_WORD, NEXT_WORD = 0.3, 1.0  # seconds until a visitor is told that something is being compiled


class Session:
    """What goes on at a table. `send` hands a message to the visitor and never waits."""

    def __init__(self, house: House, send: Callable[[Facts], None]) -> None:
        self.house, self.send = house, send
        house.served += 1
        self.name = str(house.served)
        self.table: Table | None = None
        self.compiling: str | None = None
        self.lines = 0  # of the analysis; 0: off
        self.patience = 60.0  # seconds for the analysis of one position
        self.failed = False
        self._thinking: asyncio.Task[None] | None = None
        self._analysing: asyncio.Task[None] | None = None
        self._asked: set[asyncio.Task[None]] = set()
        self._flag: asyncio.TimerHandle | None = None

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def seated(self) -> Table:
        """The table, once a game is on it."""
        if self.table is None:
            raise Refused("no-game", "there is no game on this table yet, expected 'new' first")
        return self.table

    async def close(self) -> None:
        """The visitor has gone: everything that was done for him ends."""
        self._rest()
        tasks = [task for task in (self._thinking, self._analysing, *self._asked) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Going on with the game.

    def sit(self, table: Table) -> None:
        """Put another game on the table."""
        self._rest()
        self.table = table

    def pause_work(self) -> None:
        """The position or the players are about to change: nobody thinks about the old ones."""
        self._rest()
        for task in (self._thinking, self._analysing):
            if task is not None:
                task.cancel()
        self._thinking = self._analysing = None
        self.failed = False
        self.compiling = None

    def go_on(self, why: str, request: Any = None) -> None:
        """Roll what is to be rolled, tell the state, and set to work whoever is next."""
        table = self.seated()
        table.roll()
        self._run_clocks(table)
        self.tell_state(why, request)
        if table.agent is not None and not table.paused and not self.failed:
            self.think(table.agent)
        if self.lines:
            self.analyse()

    def tell_state(self, why: str, request: Any = None) -> None:
        """Send the state."""
        table = self.seated()
        told = table.facts(why, self.now)
        agent = table.agent is not None and not table.paused and not self.failed
        thinking = self._thinking is not None and not self._thinking.done()
        told["thinking"] = table.turn if agent or (thinking and not table.over) else None
        told["compiling"] = self.compiling
        self.send({**told, "id": request} if request is not None else told)

    def think(self, agent: str) -> None:
        """Ask an agent for the turn at hand."""
        self._thinking = asyncio.create_task(self._agent_turn(self.seated(), agent))

    async def _agent_turn(self, table: Table, agent: str) -> None:
        try:
            if table.ply >= LONGEST_GAME:
                raise Refused("too-large", f"the game has {table.ply} plies; agents stop here")
            await self._ready(table, agent)
            began, side = self.now, table.turn
            found = await self._moved(table, agent)
            await asyncio.sleep(max(0.0, table.pace - (self.now - began)))
            if table.clocks is not None:
                table.clocks.spend(side, found["seconds"])
                if table.clocks.left[side] <= 0:
                    self._time_over(table, side)
                    return
                table.clocks.reward(side)
            note = Note(found["seconds"], found["score"], found["depth"], found["nodes"])
            table.play_codes(found["codes"], note)
        except KibitzError as error:
            self._agent_failed(error)
            return
        self._thinking = None
        self._stop_analysis()
        self.go_on("agent")

    async def _moved(self, table: Table, agent: str) -> Facts:
        limit: Facts = {"seconds": table.seconds}
        if table.clocks is not None:
            left = max(0.01, table.clocks.left[table.turn])
            limit = {"clock": left, "increment": table.clocks.increment, "seconds": min(60.0, left)}
        given = table.job(self.house.shelf.worker_text(table.game), self.name)
        return await self.house.pool.run(
            Job("move", given | {"agent": thrifty(agent), "limit": limit}, limit["seconds"])
        )

    def _agent_failed(self, error: KibitzError) -> None:
        self._thinking, self.failed = None, True
        self.send(error_facts(error))
        self.tell_state("failed")

    async def _ready(self, table: Table, agent: str) -> None:
        """Wait until nothing is left to compile, and say so meanwhile."""
        future = self.house.cooking(table.game, agent)
        if future is None:
            return
        what = f"the analysis of {table.game.label}" if agent == ANALYSIS else f"{agent} for {table.game.label}"
        pause = FIRST_WORD
        try:
            while not (await asyncio.wait({future}, timeout=pause))[0]:
                self.compiling, pause = what, NEXT_WORD
                seconds = round(self.house.cooking_since(table.game, agent), 1)
                self.send({"type": "compiling", "what": what, "seconds": seconds})
            future.result()
        finally:
            if self.compiling == what:
                self.compiling = None
                self.send({"type": "compiled", "what": what})

    # Clocks.

    def _run_clocks(self, table: Table) -> None:
        self._rest()
        if table.clocks is None or table.over or table.paused:
            return
        table.clocks.run(table.turn, self.now)
        if table.turn in table.humans:
            left = table.clocks.remaining(table.turn, self.now)
            self._flag = asyncio.get_running_loop().call_later(max(0.0, left), self._time_over, table, table.turn)

    def _rest(self) -> None:
        """Stop the clocks."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self.table is not None and self.table.clocks is not None:
            self.table.clocks.stop(self.now)

    def _time_over(self, table: Table, side: int) -> None:
        if table is self.table and not table.over:
            self.pause_work()
            table.end(side, "time")
            self.go_on("time")

    # Analysis and other questions.

    def analyse(self) -> None:
        """Begin to analyse the position on the table."""
        self._stop_analysis()
        table = self.seated()
        if not table.over:
            self._analysing = asyncio.create_task(self._analysis(table))

    def _stop_analysis(self) -> None:
        if self._analysing is not None:
            self._analysing.cancel()
            self._analysing = None

    def stop_analysing(self) -> None:
        """Switch the analysis off."""
        self.lines = 0
        self._stop_analysis()

    async def _analysis(self, table: Table) -> None:
        ply = table.ply

        def tell(found: Facts, done: bool = False) -> None:
            self.send({"type": "analysis", "ply": ply, **found, "done": done})

        try:
            await self._ready(table, ANALYSIS)
            given = table.job(self.house.shelf.worker_text(table.game), self.name)
            given |= {"lines": self.lines, "limit": {"seconds": self.patience}}
            job = Job("analyse", given, self.patience, study=True, patient=True, update=tell)
            tell(await self.house.pool.run(job), True)
        except KibitzError as error:
            self.send(error_facts(error))

    def ask(self, kind: str, request: Any, answer: Coroutine[Any, Any, Facts]) -> None:
        """Work on an answer while the table goes on."""
        if len(self._asked) >= AT_ONCE:
            answer.close()
            raise Refused("busy", f"{AT_ONCE} questions of this table are still waiting")
        task = asyncio.create_task(self._answered(kind, request, answer))
        self._asked.add(task)
        task.add_done_callback(self._asked.discard)

    async def _answered(self, kind: str, request: Any, answer: Coroutine[Any, Any, Facts]) -> None:
        try:
            self.send({"type": kind, "id": request, **await answer})
        except KibitzError as error:
            self.send(error_facts(error, request))

    async def hint(self, seconds: float) -> Facts:
        """What the best agent would play."""
        table = self.seated()
        agent = default_for(table.game)
        given = table.job(self.house.shelf.worker_text(table.game), self.name)
        await self._ready(table, agent)
        return await self.house.pool.run(
            Job("hint", given | {"agent": thrifty(agent), "limit": {"seconds": seconds}}, seconds)
        )

    async def study(self, do: str, more: Facts, seconds: float, urgent: bool = False) -> Facts:
        """A question about the position for a worker."""
        table = self.seated()
        given = table.job(self.house.shelf.worker_text(table.game), self.name)
        return await self.house.pool.run(Job(do, given | more, seconds, study=not urgent))
