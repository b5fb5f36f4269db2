"""News of tournaments for pages that wait for them.

A look at the files of the stores tells whether there can be any; only then a worker reads them. Pages that have seen
the same wait for the same answer, however many they are.
"""

import asyncio
import time

from starlette.datastructures import QueryParams

from kibitz.web.api.facts import Facts
from kibitz.web.api.refusals import Refused
from kibitz.web.server.state import ServerState
from kibitz.web.workers.pool import Job

PERIOD = 0.5  # seconds between two looks at the files
LONGEST_WAIT = 25  # seconds: less than what lies between a page and a server waits for an answer
MOST_WAITING = 2_000  # pages
READING = 60  # seconds for a worker to read a store
LARGEST = 1 << 53  # what a browser counts exactly

Stamp = tuple[tuple[int, int], ...]


class TournamentFeed:
    """Who waits for which news."""

    def __init__(self, server: ServerState) -> None:
        self.server = server
        self.waiting = 0
        self.reading: dict[tuple[str, int, Stamp], asyncio.Task[Facts]] = {}

    async def wait_for_news(self, name: str, since: int, seconds: int) -> Facts:
        """What is new in a tournament after `since`, as soon as there is something, or nothing after so long."""
        if self.waiting >= MOST_WAITING:
            raise Refused("busy", "too many pages wait for news, try again")
        self.waiting += 1
        try:
            return await self._wait(name, since, time.monotonic() + seconds)
        finally:
            self.waiting -= 1

    async def _wait(self, name: str, since: int, until: float) -> Facts:
        while True:
            stamp = self._stamp()
            news = await self._read(name, since, stamp)
            if news["last"] != since:
                return news
            while self._stamp() == stamp:
                left = until - time.monotonic()
                if left <= 0:
                    return news
                await asyncio.sleep(min(left, PERIOD))

    async def _read(self, name: str, since: int, stamp: Stamp) -> Facts:
        key = (name, since, stamp)
        if key not in self.reading:
            given = {"name": name, "since": since, "stores": [str(store) for store in self.server.stores]}
            job = Job("tournament-news", given, READING, study=True)
            self.reading[key] = asyncio.create_task(self.server.run_unseated(job))
            self.reading[key].add_done_callback(lambda _: self.reading.pop(key, None))
        return await asyncio.shield(self.reading[key])

    def _stamp(self) -> Stamp:
        """What changes when a store does."""
        found = []
        for store in self.server.stores:
            for path in (store, store.with_name(f"{store.name}-wal")):
                try:
                    facts = path.stat()
                except OSError:
                    continue
                found.append((facts.st_mtime_ns, facts.st_size))
        return tuple(found)


def read_count(query: QueryParams, name: str, most: int = LARGEST) -> int | None:
    """A whole number of a query; None where it is not given."""
    text = query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 16 and int(text) <= most):
        raise Refused("bad-message", f"{name} is {text[:40]!r}, expected a whole number up to {most}")
    return int(text)
