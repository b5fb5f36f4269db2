"""What the header of a table must say. A file that lies about itself is refused before anything is unpacked.

How large a table is follows from the game where its positions are numbered, and elsewhere from the number of positions;
so much must be in the file, and nothing else.
"""

from pathlib import Path
from typing import Any

from kibitz.core.game import Game
from kibitz.core.seam.words import words_of
from kibitz.tables.errors import BadTable
from kibitz.tables.file.container import PART, Header
from kibitz.tables.indexed.layers import layers_of, spans_of
from kibitz.tables.probe import HEADER, INDEXED, KIND, SIZE, SORTED, SPLIT, WIDTH

EACH_SORTED = 12  # bytes of a position in a table without an index: its code and its value
MOST_SPLIT = 254
MOST_INFLATED = 1032  # bytes that one deflated byte can stand for


def refuse_misshapen(path: Path, about: Header, game: Game) -> None:
    """Refuse a table whose header does not fit the game, its file or itself."""
    try:
        unpacked, packed = _sizes(about["header"], game)
        parts = about["parts"]
        fits = (about["unpacked"], about["bytes"]) == (unpacked, packed) and _are_counts(parts)
        fits = fits and len(parts) == -(-packed // PART) and sum(parts) < path.stat().st_size
        fits = fits and packed <= MOST_INFLATED * sum(parts)
    except (OSError, KeyError, ValueError, TypeError, IndexError):
        fits = False
    if not fits:
        raise BadTable(f"table '{path}' is damaged: its header does not fit {game.text}; build it again: kibitz solve")


def _sizes(header: Any, game: Game) -> tuple[int, int]:
    """The bytes of a table of this game, unpacked and packed."""
    if not _are_counts(header) or len(header) != HEADER:
        raise ValueError("header")
    spans = spans_of(game)
    if spans and header[KIND] == INDEXED:
        layers = layers_of(spans)
        kept = sum(high - low for low, high in (layer.sides[1] for layer in layers))
        if header[SIZE] != layers[-1].stop or header[SPLIT] > MOST_SPLIT:
            raise ValueError("size")
        return -(-layers[-1].stop // 8) * 8, kept
    if header[KIND] != SORTED or header[WIDTH] != len(words_of(game.new().state)):
        raise ValueError("kind")
    return EACH_SORTED * header[SIZE], EACH_SORTED * header[SIZE]


def _are_counts(values: Any) -> bool:
    return isinstance(values, list) and all(type(value) is int and 0 <= value < 1 << 63 for value in values)
