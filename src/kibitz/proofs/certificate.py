"""The evidence of a proof on disk: what is proven, and a set of positions, packed.

A position is one integer: the winner's men, the enemy's men above them, the winner to move and going up. The set is
kept sorted, as differences, byte by byte of the same weight, deflated.
"""

import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.result import FIRST, SECOND
from kibitz.games import catalog
from kibitz.proofs import sealed_file
from kibitz.proofs.sealed_file import BadFile

Integers = NDArray[np.int64]
KIND = "proof"


class BadCertificate(BadFile):
    """Evidence that does not prove what it says."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """What is proven: from this position of this game on, this side wins, or at least draws."""

    game: str
    position: str
    winner: int
    draw_will_do: bool
    claims: Integers
    nodes: int = 0  # that it took to find the proof
    seconds: float = 0.0

    kind = KIND

    @property
    def positions(self) -> int:
        """How many there are in the set."""
        return self.claims.size

    @property
    def proves(self) -> str:
        """The goal in words."""
        return "at least draws" if self.draw_will_do else "wins"


def write(path: Path, certificate: Certificate) -> None:
    """Write the file whole or not at all."""
    header = {
        "game": certificate.game,
        "position": certificate.position,
        "winner": certificate.winner,
        "draw_will_do": certificate.draw_will_do,
        "positions": certificate.claims.size,
        "nodes": certificate.nodes,
        "seconds": round(certificate.seconds, 1),
    }
    sealed_file.write(path, KIND, header, zlib.compress(pack_codes(certificate.claims), 6))


def read(path: Path) -> Certificate:
    """The certificate in a file, if it is whole; whether it proves anything is the checker's business."""
    header, block = sealed_file.read(path, KIND)
    try:
        size = count_of(header, "positions")
        if size > 3 ** len(catalog.load_known(str(header["game"])).layout.cells):
            raise ValueError("more positions than the board has")
        claims = unpack_codes(sealed_file.unpack(block, 8 * size), size)
        game, position = str(header["game"]), str(header["position"])
        winner, draw = winner_of(header), bool(header["draw_will_do"])
        return Certificate(game, position, winner, draw, claims, count_of(header, "nodes"), seconds_of(header))
    except (KeyError, ValueError, TypeError, OverflowError):
        raise BadCertificate(f"'{path}' is damaged: it does not hold what it says") from None


def count_of(header: dict[str, Any], name: str) -> int:
    """A number of things that a header claims; ValueError where it is none."""
    count = header[name]
    if type(count) is not int or not 0 <= count < 1 << 48:
        raise ValueError(name)
    return count


def winner_of(header: dict[str, Any]) -> int:
    """The side that a header names; ValueError where it is none."""
    winner = header["winner"]
    if type(winner) is not int or winner not in (FIRST, SECOND):
        raise ValueError("winner")
    return winner


def seconds_of(header: dict[str, Any]) -> float:
    """How long a search took, as a header says; ValueError where that is no number."""
    if type(header["seconds"]) not in (int, float) or not 0 <= header["seconds"] < 1e12:
        raise ValueError("seconds")
    return float(header["seconds"])


def pack_codes(codes: Integers) -> bytes:
    """Sorted codes as differences, byte by byte of the same weight: small once deflated."""
    steps = np.diff(codes, prepend=np.int64(0))
    return steps.astype("<i8").view(np.uint8).reshape(-1, 8).T.tobytes()


def unpack_codes(planes: bytes, size: int) -> Integers:
    """So many codes as they were before they were packed."""
    weights = np.frombuffer(planes, np.uint8).reshape(8, size)
    steps = np.ascontiguousarray(weights.T).view("<i8").reshape(size).astype(np.int64)
    return np.cumsum(steps)
