"""A strategy on disk: how one side never loses from a position on.

It is preferences, and a book: the positions in which the preferred move is not the one to play, each with how many
moves are to be skipped. A position is coded as in a certificate.
"""

import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kibitz.proofs import sealed_file
from kibitz.proofs.alquerque.preferences import Preferences, make_preferences, weights_by_name
from kibitz.proofs.certificate import BadCertificate, count_of, pack_codes, seconds_of, unpack_codes, winner_of

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]
KIND = "strategy"


@dataclass(frozen=True, eq=False)
class Strategy:
    """From this position of this game on, this side at least draws by playing like this."""

    game: str
    position: str
    winner: int
    preferences: Preferences
    book: Integers  # sorted
    skips: Small  # for each position of the book, how many preferred moves are skipped
    positions: int  # with this side to move that can arise
    nodes: int = 0  # that it took to find the strategy, where that is known
    seconds: float = 0.0

    kind = KIND
    draw_will_do = True
    proves = "at least draws"


def write(path: Path, strategy: Strategy) -> None:
    """Write the file whole or not at all."""
    many, few = weights_by_name(strategy.preferences)
    header = {
        "game": strategy.game,
        "position": strategy.position,
        "winner": strategy.winner,
        # the key that files have carried since Kibitz 0.1
        "habits": {"many": many, "few": few, "few_pieces": strategy.preferences.few},
        "book": strategy.book.size,
        "positions": strategy.positions,
        "nodes": strategy.nodes,
        "seconds": round(strategy.seconds, 1),
    }
    block = zlib.compress(pack_codes(strategy.book) + strategy.skips.tobytes(), 9)
    sealed_file.write(path, KIND, header, block)


def read(path: Path) -> Strategy:
    """The strategy in a file, if it is whole; whether it holds is the checker's business."""
    header, block = sealed_file.read(path, KIND)
    try:
        size, given = count_of(header, "book"), header["habits"]
        planes = sealed_file.unpack(block, 9 * size)
        book, skips = unpack_codes(planes[: 8 * size], size), np.frombuffer(planes[8 * size :], np.uint8).copy()
        return Strategy(
            game=str(header["game"]),
            position=str(header["position"]),
            winner=winner_of(header),
            preferences=make_preferences(given["few_pieces"], given["many"], given["few"]),
            book=book,
            skips=skips,
            positions=count_of(header, "positions"),
            nodes=count_of(header, "nodes"),
            seconds=seconds_of(header),
        )
    except (KeyError, ValueError, TypeError, AttributeError, OverflowError):
        raise BadCertificate(f"'{path}' is damaged: it does not hold what it says") from None
