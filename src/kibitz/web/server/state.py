"""What all tables of a server share."""

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.core.game import Game
from kibitz.web.api.games import GameList
from kibitz.web.api.limits import Limits
from kibitz.web.api.puzzle_sets import PuzzleSets
from kibitz.web.api.refusals import Refused
from kibitz.web.server.table_store import TableStore
from kibitz.web.workers.compiler import Compiler
from kibitz.web.workers.pool import Job, Pool

if TYPE_CHECKING:
    from kibitz.web.session.shared_table import SharedTable

MOST_MODULES = 256  # games with their options for which browsers get modules
MOMENT = 2.0  # seconds between two looks at running clocks


@dataclass
class ServerState:
    """The games, the workers, the compiler, and how many tables there are."""

    games: GameList
    limits: Limits = field(default_factory=Limits)
    stores: tuple[Path, ...] = ()
    kept: TableStore = field(default_factory=TableStore)
    address: str = ""  # under which others on the network find the server, if it was started for them
    browser_engines: bool = True  # may visitors' browsers search, where they can?
    tables: int = 0
    served: int = 0  # tables so far, which names them

    def __post_init__(self) -> None:
        self.pool = Pool(self.limits.workers)
        self.compiler = Compiler()
        self.modules = Compiler()  # another one: who waits for an engine here does not wait for those of browsers
        self._makes_modules = False
        self._modules: dict[str, asyncio.Future[Any]] = {}  # by the game's text, also those that were refused
        self.puzzles = PuzzleSets(self.games)
        self.asked = 0  # jobs of visitors without a table
        self.asked_bytes = 0
        self.shared: dict[str, SharedTable] = {}
        self._keeping: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start the processes."""
        await asyncio.gather(self.pool.open(), self.compiler.open())
        self._keeping = asyncio.create_task(self._keep_clocks())

    async def close(self) -> None:
        """End them."""
        if self._keeping is not None:
            self._keeping.cancel()
        for shared in list(self.shared.values()):
            shared.save()
            await shared.close()
        self.kept.close()
        await asyncio.gather(self.pool.close(), self.compiler.close(), self.modules.close())

    async def _keep_clocks(self) -> None:
        """Save what running clocks show, so that a server that is killed has lost no more than a moment."""
        while True:
            await asyncio.sleep(MOMENT)
            for shared in list(self.shared.values()):
                if shared.table.clocks is not None and not shared.table.over:
                    shared.save()

    async def game(self, text: Any) -> Game:
        """The game of a stranger's text; a new one is made in a thread, so that nobody waits for a large board."""
        return self.games.find(text) or self.games.keep(text, await asyncio.to_thread(self.games.make, text))

    def compile_agent(self, game: Game, agent: str) -> "asyncio.Future[Any]":
        """What to wait for before an agent of this game can be used: done if it can be used at once."""
        offer = self.games.offered[game.label]
        return self.compiler.prepare(offer.label, self.games.worker_text(game), agent)

    async def module_facts(self, game: Game) -> dict[str, Any]:
        """What a browser needs to play a game by itself; `ready` is false as long as it is being compiled."""
        if not self.browser_engines:
            return {"ready": False, "reason": "server"}
        if not self._makes_modules:
            self._makes_modules = True
            await self.modules.open()
        text = self.games.worker_text(game)
        if text not in self._modules and len(self._modules) >= MOST_MODULES:
            return {"ready": False, "reason": "busy"}
        if text not in self._modules:
            self._modules[text] = self.modules.prepare_module(text)
        future = self._modules[text]
        if not future.done():
            return {"ready": False, "reason": "compiling"}
        if future.cancelled() or future.exception() is not None:
            return {"ready": False, "reason": "refused"}
        return {"ready": True, "reason": "", "stores": len(self.stores), **future.result()}

    def compiling_seconds(self, game: Game, agent: str) -> float:
        """The seconds since that began."""
        return self.compiler.since(self.games.offered[game.label].label, agent)

    def position_facts(self, game: Game, start: str, codes: list[int], name: str) -> dict[str, Any]:
        """A position as a worker takes it; `name` says whose, so that the next one is found quickly."""
        return {"table": name, "game": self.games.worker_text(game), "start": start, "codes": codes}

    async def run_unseated(self, job: Job) -> dict[str, Any]:
        """A job for somebody without a table, such as a puzzle; only so many wait at one time."""
        size = len(json.dumps(job.given))
        if self.asked >= self.limits.waiting or self.asked_bytes + size > self.limits.waiting_bytes:
            raise Refused("busy", "too many puzzles are waiting, try again")
        self.asked += 1
        self.asked_bytes += size
        try:
            return await self.pool.run(job)
        finally:
            self.asked -= 1
            self.asked_bytes -= size
