"""Ctrl-C: a command that was stopped says so in one line, and how to go on where that is possible."""

import sys
from contextlib import suppress

INTERRUPTED = 130  # the exit status, as shells have it for an interrupt


class Stopped(Exception):
    """A command was stopped by the user. Its text follows the word `stopped`."""


def stopped(how_to_go_on: str = "") -> int:
    """Say so; returns the exit status."""
    with suppress(OSError):
        print(f"stopped {how_to_go_on}".rstrip(), file=sys.stderr)
    return INTERRUPTED
