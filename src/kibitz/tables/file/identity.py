"""Which game a table belongs to: its options, and a hash of its rules that comments and docstrings do not change."""

import hashlib
import re
from typing import Any

import numpy as np

from kibitz.core.game import Game
from kibitz.core.options import written
from kibitz.core.seam.call_graph import Gatherer

# The rules on which a table depends.
RULES = ("turn", "moves", "play", "result", "key", "index", "unindex", "unmoves", "unplay")


def name_of(game: Game) -> str:
    """The game's text without the place where its file lies."""
    return written(game.rulebook.name, game.options, game.rulebook.presets)


def file_name(game: Game) -> str:
    """The name under which a table is kept; two games that share one are told apart by their hash."""
    return re.sub(r"[^\w.=-]+", "_", name_of(game))[:120] + ".table"


def rules_hash(game: Game) -> str:
    """A hash of every rule that a table depends on, and of the options as rules see them."""
    gatherer = Gatherer()
    for name in RULES:
        rule = getattr(game.rulebook, name)
        if rule is not None:
            gatherer.add(rule)
    digest = hashlib.sha256(gatherer.digest().encode())
    for value in game.rules:
        digest.update(_bytes(value))
    digest.update(str([field.dtype for field in game.rulebook.state_fields]).encode())
    return digest.hexdigest()


def _bytes(value: Any) -> bytes:
    return value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()
