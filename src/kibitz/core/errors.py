"""What can go wrong, drawn as a tree. Every human mistake is one class under KibitzError and one line of text."""

from collections.abc import Iterable
from difflib import get_close_matches


class KibitzError(Exception):
    """A mistake that can be told in one line; commands print it and exit with status 2."""


class UnknownGame(KibitzError):
    """No game goes by that name."""


class UntrustedGame(KibitzError):
    """A file names a game whose rules would have to be run."""


class BadOption(KibitzError):
    """A game has no such option or preset, or the value does not fit it."""


class BadPosition(KibitzError):
    """A text that is no position of the game, or one that cannot come about."""


class IllegalMove(KibitzError):
    """A move that the position does not allow."""


class BadMap(KibitzError):
    """A map file that cannot be read."""


class BadLimit(KibitzError):
    """A search limit that makes no sense."""


class RulesError(KibitzError):
    """A mistake in the rules of a game, told in the terms of their author."""


class TooManyMoves(RulesError):
    """`moves` or `outcomes` yielded more than the game declares."""


class KibitzWarning(UserWarning):
    """Something works worse than it could, such as a cache that cannot be written."""


def quoted(text: str, most: int = 60) -> str:
    """The text as a person can read it in a message: printable, on one line, not too long."""
    shown = repr(text if len(text) <= most else text[: most - 3] + "...")
    return shown if shown.isascii() else ascii(text[:most])


LONGEST_WORD = 100  # letters that are compared, for comparing takes their square


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The tail of a message about an unknown word: the nearest known one, or all of them."""
    names = sorted(known)
    close = get_close_matches(word[:LONGEST_WORD], names, n=1, cutoff=0.6)
    if close:
        return f"; did you mean '{close[0]}'?"
    if not names:
        return ""
    return f" (known: {', '.join(names[:12])}{', ...' if len(names) > 12 else ''})"
