"""What can go wrong with tables."""

from kibitz.core.errors import KibitzError


class CannotSolve(KibitzError):
    """A game that cannot be solved, or not here."""


class NoRoom(CannotSolve):
    """A game whose positions do not fit into memory or on the disk; what was found until then is worth keeping."""


class BadTable(KibitzError):
    """A file that is no table, a damaged one, or one of another game."""


class NoTable(KibitzError):
    """There is no table for a game."""
