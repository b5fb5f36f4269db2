"""Many visitors at once. The measured run, 200 of them for a minute, is `python -m benchmarks server`."""

import asyncio
import json
import random

from websockets.asyncio.client import connect

from tests.web.visiting import Place, awaited

VISITORS, TURNS = 40, 15


async def visit(place: Place, number: int) -> int:
    """Play some turns at random; how many errors came."""
    dice, errors, turns = random.Random(number), 0, 0
    url = f"ws://{place.host}:{place.port}/api/play"
    new = json.dumps({"type": "new", "game": "breakthrough", "second": "random"})
    async with connect(url, proxy=None, compression=None, open_timeout=60) as wire:
        await wire.send(new)
        while turns < TURNS:
            told = json.loads(await asyncio.wait_for(wire.recv(), 120))
            errors += told["type"] == "error"
            if told["type"] == "state" and told["over"]:
                await wire.send(new)
            elif told["type"] == "state" and told["yours"]:
                turns += 1
                await wire.send(json.dumps({"type": "play", "move": dice.choice(told["moves"])["text"]}))
    return errors


def test_many_visitors_play_at_once_without_an_error(place: Place) -> None:
    async def crowd() -> list[int]:
        return await asyncio.gather(*(visit(place, number) for number in range(VISITORS)))

    assert awaited(crowd()) == [0] * VISITORS
