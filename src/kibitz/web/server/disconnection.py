"""Work for a visitor who may leave before it is done."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from starlette.requests import Request

from kibitz.web.api.facts import Facts
from kibitz.web.api.refusals import Refused


async def run_while_connected(request: Request, work: Coroutine[Any, Any, Facts]) -> Facts:
    """The work's answer; it is broken off when the visitor goes."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_wait_for_disconnect(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Refused("bad-message", "the visitor has gone")
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
