"""What proofs need to know of a game. A game joins with a folder here whose module `adapter` has an ADAPTER."""

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.rulebook import Rulebook
from kibitz.proofs.evidence import EvidenceFormat
from kibitz.proofs.question import Query, Question


@dataclass(frozen=True, eq=False)
class ProofAdapter:
    """One game as proofs see it."""

    rulebook: Rulebook
    options: frozenset[str]  # fields of a query that it takes
    pose: Callable[[Position, Query], list[Question]]  # what there is to ask about a position
    refuse_unfit: Callable[[Game], None]  # options under which there are no proofs
    unpack_state: Callable[[int, int], Any]  # as the slots of these names
    pack_state: Callable[[Any, int], int]
    mirror: int  # the symmetry that exchanges left and right
    swap: int  # the symmetry that exchanges the sides, and top and bottom
    formats: Mapping[str, EvidenceFormat] = field(default_factory=dict)  # kinds of evidence of its own


@cache
def list_adapters() -> tuple[ProofAdapter, ...]:
    """Those of all folders in this room."""
    import kibitz.proofs as room

    folders = [found.name for found in pkgutil.iter_modules(room.__path__) if found.ispkg]
    return tuple(import_module(f"{room.__name__}.{name}.adapter").ADAPTER for name in folders)


def find_adapter(game: Game) -> ProofAdapter:
    """The adapter of a game; one without proofs is refused."""
    for adapter in list_adapters():
        if adapter.rulebook == game.rulebook:
            return adapter
    known = " and ".join(sorted(adapter.rulebook.name for adapter in list_adapters()))
    raise BadOption(f"there are proofs of {known}, not of {game.text}; try: kibitz solve {game.text}")


def pose_questions(position: Position, query: Query) -> list[Question]:
    """What there is to prove about a position."""
    adapter = find_adapter(position.game)
    for option in query.given:
        if option not in adapter.options:
            others = [other.rulebook.name for other in list_adapters() if option in other.options]
            raise BadOption(f"{position.game.text} takes no --{option}; it is for {' and '.join(others)}")
    return adapter.pose(position, query)
