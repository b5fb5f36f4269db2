"""Which game a table belongs to: its options, and a hash of its rules that comments and docstrings do not change."""

import ast
import hashlib
import re
import types
from typing import Any

import numpy as np

from kibitz.core.game import Game
from kibitz.core.options import written
from kibitz.core.seam.call_graph import KNOWN_MODULES, CallGraph, Item

# The rules on which a table depends.
RULES = ("turn", "moves", "play", "result", "key", "index", "unindex", "unmoves", "unplay")


def name_of(game: Game) -> str:
    """The game's text without the place where its file lies."""
    return written(game.rulebook.name, game.options, game.rulebook.presets)


def file_name(game: Game) -> str:
    """The name under which a table is kept; two games that share one are told apart by their hash."""
    return re.sub(r"[^\w.=-]+", "_", name_of(game))[:120] + ".table"


def rules_hash(game: Game) -> str:
    """A hash of every rule that a table depends on, and of the options as rules see them. It is the same wherever the
    rules lie, and for every version of Python and NumPy.
    """
    digest = hashlib.sha256()
    for text in sorted(_describe(item) for item in _gather(game).items):
        digest.update(text.encode())
    for value in game.rules:
        digest.update(_describe_constant(value).encode())
    digest.update(_field_types(game).encode())
    return digest.hexdigest()


def rules_hash_of_0_1(game: Game) -> str:
    """The hash that tables of Kibitz 0.1 carry; it also depends on where the rules lie."""
    digest = hashlib.sha256(_gather(game).digest().encode())
    for value in game.rules:
        digest.update(value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode())
    digest.update(_field_types(game).encode())
    return digest.hexdigest()


def _gather(game: Game) -> CallGraph:
    graph = CallGraph()
    for name in RULES:
        rule = getattr(game.rulebook, name)
        if rule is not None:
            graph.add(rule)
    return graph


def _field_types(game: Game) -> str:
    return str([field.dtype for field in game.rulebook.state_fields])


def _describe(item: Item) -> str:
    """A function as text: its code, the constants it reads and the functions it calls."""
    lines = [ast.unparse(item.tree)]
    lines += [f"{name}={_describe_constant(item.names[name])}" for name in sorted(item.names)]
    lines += [f"{name}>{item.links[name].name}" for name in sorted(item.links)]
    return "\n".join(lines)


def _describe_constant(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, types.ModuleType) and value not in KNOWN_MODULES:
        used = sorted(name for name in vars(value) if not name.startswith("__"))
        return ",".join(f"{name}:{_describe_constant(getattr(value, name))}" for name in used)
    if isinstance(value, type):
        return f"{value.__name__}{getattr(value, '_fields', '')}"
    if isinstance(value, tuple):
        return f"({','.join(map(_describe_constant, value))})"
    if isinstance(value, (bool, int, float, np.generic)):
        return f"{np.asarray(value).dtype.kind}{value.item() if isinstance(value, np.generic) else value}"
    return str(getattr(value, "__name__", type(value).__name__))
