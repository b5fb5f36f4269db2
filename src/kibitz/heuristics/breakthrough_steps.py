"""Steps of whole boards of Breakthrough: where all workers of a set could go at once."""

from kibitz.core.bits import Bits
from kibitz.core.result import FIRST
from kibitz.games.breakthrough import Rules


def ahead(cells: Bits, side: int, rules: Rules) -> Bits:
    """The squares straight ahead of these."""
    return (cells << rules.columns) & rules.board if side == FIRST else cells >> rules.columns


def westward(cells: Bits, side: int, rules: Rules) -> Bits:
    """The squares diagonally ahead, to the left as White sees it."""
    inner = cells & ~rules.west
    return (inner << (rules.columns - 1)) & rules.board if side == FIRST else inner >> (rules.columns + 1)


def eastward(cells: Bits, side: int, rules: Rules) -> Bits:
    inner = cells & ~rules.east
    return (inner << (rules.columns + 1)) & rules.board if side == FIRST else inner >> (rules.columns - 1)


def strikes(cells: Bits, side: int, rules: Rules) -> Bits:
    """The squares where workers on these could capture."""
    return westward(cells, side, rules) | eastward(cells, side, rules)
