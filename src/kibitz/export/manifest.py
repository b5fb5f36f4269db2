"""The manifest of an exported game: the data beside its module, as JSON."""

import base64
import hashlib
from typing import Any

import numpy as np

from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import UNBOUNDED
from kibitz.core.network import POINTS
from kibitz.core.random_numbers import FACTOR, PRIME
from kibitz.core.seam.compiler import as_plain_tuple
from kibitz.core.seam.words import words_of
from kibitz.export.kernels import FACTS, KEY, RESULT, TURN
from kibitz.search import clock, report
from kibitz.search.engine import deepening, engine, kernel, memory, transpositions
from kibitz.search.engine.scale import Scale

FORMAT = 1  # of the manifest; engine.js refuses another one


def describe_game(game: Game, heuristic: Heuristic, module: bytes) -> dict[str, Any]:
    """All that `engine.js` has to know of a game beside its module."""
    book = game.rulebook
    return {
        "format": FORMAT,
        "game": game.text,
        "title": book.title,
        "summary": book.summary,
        "sides": list(book.sides),
        "heuristic": heuristic.name,
        "sha256": hashlib.sha256(module).hexdigest(),
        "start": [str(word) for word in words_of(game.new().state).tolist()],
        "rules": [_describe_value(value) for value in as_plain_tuple(game.rules)],
        "weights": _describe_value(heuristic.weight_array),
        "maxMoves": int(game.max_moves),
        "repetition": int(book.repetition),
        "chance": book.outcomes is not None,
        "scale": _describe_scale(game, heuristic),
        "search": describe_search(),
    }


def _describe_scale(game: Game, heuristic: Heuristic) -> dict[str, Any]:
    scale = Scale.of(game.rulebook, heuristic)
    learned = heuristic.network is not None
    return {
        "chancy": scale.chancy,
        "unit": scale.unit,
        "unitName": heuristic.unit_name,
        "judges": heuristic.judges,
        "perOdds": scale.per_odds,
        "knownOdds": float(POINTS) if learned else 0,
        "reach": scale.reach,
        "win": scale.win,
        "turnCost": scale.turn_cost,
    }


def describe_search() -> dict[str, Any]:
    """How the kernel's memory is laid out, and the numbers of the deepening loop."""
    fields = memory.RECORD.fields
    assert fields is not None
    return {
        "facts": {"turn": TURN, "result": RESULT, "key": KEY, "count": FACTS},
        "record": {
            "size": memory.RECORD.itemsize,
            "offsets": {name: int(place[1]) for name, place in fields.items()},
            "sizes": {name: int(place[0].itemsize) for name, place in fields.items()},
        },
        "maxLevel": memory.MAX_LEVEL,
        "mostSeen": memory.MOST_SEEN,
        "mostLines": memory.MOST_LINES,
        "bucket": transpositions.BUCKET,
        "busySlots": transpositions.BUSY_SLOTS,
        "ages": transpositions.AGES,
        "unbounded": str(UNBOUNDED),
        "seenFactor": str(engine.SEEN_FACTOR),
        "quietTurns": kernel.QUIET_TURNS,
        "tiny": kernel.TINY,
        "mostDepth": deepening.MOST_DEPTH,
        "firstWindow": deepening.FIRST_WINDOW,
        "wider": deepening.WIDER,
        "widestWindow": deepening.WIDEST_WINDOW,
        "win": report.WIN,
        "proven": report.PROVEN,
        "smallestChance": report.SMALLEST_CHANCE,
        "random": {"prime": PRIME, "factor": FACTOR},
        "clock": {
            "reserve": clock.RESERVE,
            "reserveShare": clock.RESERVE_SHARE,
            "mostReserved": clock.MOST_RESERVED,
            "share": clock.SHARE,
            "mostOfClock": clock.MOST_OF_CLOCK,
            "mostOfLast": clock.MOST_OF_LAST,
        },
    }


def _describe_value(value: Any) -> dict[str, Any]:
    """A number or an array: its type, its shape and its bytes."""
    array = np.ascontiguousarray(value)
    shape = list(array.shape) if isinstance(value, np.ndarray) else []
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    return {"type": array.dtype.name, "shape": shape, "data": base64.b64encode(little.tobytes()).decode()}
