"""What all tables of a server share."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.core.game import Game
from kibitz.web.kitchen import Kitchen
from kibitz.web.limits import Limits
from kibitz.web.pool import Job, Pool
from kibitz.web.refusals import Refused
from kibitz.web.shelf import Shelf


@dataclass
class House:
    """The games, the workers, the kitchen, and how many tables there are."""

    shelf: Shelf
    limits: Limits = field(default_factory=Limits)
    stores: tuple[Path, ...] = ()
    tables: int = 0
    served: int = 0  # tables so far, which names them

    def __post_init__(self) -> None:
        self.pool = Pool(self.limits.workers)
        self.kitchen = Kitchen()
        self.asked = 0

    async def open(self) -> None:
        """Start the processes."""
        await asyncio.gather(self.pool.open(), self.kitchen.open())

    async def close(self) -> None:
        """End them."""
        await asyncio.gather(self.pool.close(), self.kitchen.close())

    async def game(self, text: Any) -> Game:
        """The game of a stranger's text; a new one is made in a thread, so that nobody waits for a large board."""
        return self.shelf.known(text) or self.shelf.keep(text, await asyncio.to_thread(self.shelf.made, text))

    def cooking(self, game: Game, agent: str) -> "asyncio.Future[Any] | None":
        """None if an agent of this game can be used at once; else what to wait for."""
        book = self.shelf.books[game.label]
        return self.kitchen.prepared(book.label, self.shelf.worker_text(game), agent)

    def cooking_since(self, game: Game, agent: str) -> float:
        """The seconds since that began."""
        return self.kitchen.since(self.shelf.books[game.label].label, agent)

    async def errand(self, job: Job) -> dict[str, Any]:
        """A job for somebody without a table, such as a puzzle; only so many wait at one time."""
        if self.asked >= self.limits.waiting:
            raise Refused("busy", "too many puzzles are waiting, try again")
        self.asked += 1
        try:
            return await self.pool.run(job)
        finally:
            self.asked -= 1


async def ended(task: "asyncio.Task[Any] | None") -> None:
    """Cancel a task and see it off."""
    if task is not None:
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task
