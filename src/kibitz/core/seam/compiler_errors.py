"""The compiler's errors, reported with the file and line of the author of the rules."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kibitz.core.errors import RulesError
from kibitz.core.fields import where

MARK = "kibitz says: "
_PLACE = re.compile(r'File "([^"<]+)", line (\d+):\n')


def explain_error(error: Exception, source: Callable[..., Any]) -> RulesError:
    """One line: the author's file and line, and what cannot be compiled there."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    marked = re.search(re.escape(MARK) + r"(.*)", text)
    if marked:
        return RulesError(f"{where(source)}: {marked[1].strip()}")
    file = Path(source.__code__.co_filename).name
    places = [found for found in _PLACE.finditer(text) if Path(found[1]).name == file]
    place = f"{file}:{places[-1][2]}" if places else where(source)
    return RulesError(f"{place}: cannot be compiled: {_reason(text)}")


def _reason(text: str) -> str:
    """The line of the compiler's message that says most."""
    lines = [line.strip(" >-") for line in text.splitlines()]
    openings = ("Untyped global", "Unknown attribute", "No implementation", "Cannot unify", "Use of unsupported",
               "Unsupported", "cannot", "Cannot", "not supported", "Invalid use", "Undecided", "Type of variable",
               "Name ", "No conversion", "Variable ")  # fmt: skip
    for line in reversed(lines):
        if line.startswith(openings) and len(line) < 300:
            return line.rstrip(":")
    others = [line for line in lines if line and not line.startswith(("File", "During", "Failed"))]
    return (others[0] if others else "the compiler gives no reason")[:300]
