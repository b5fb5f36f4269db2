"""The compiler's errors, reported with the innermost file and line of the author of the rules, and with the cure."""

import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from kibitz.core.errors import RulesError
from kibitz.core.fields import where

MARK = "kibitz says: "
# The innermost place comes first.
_PLACE = re.compile(r'File "([^"<]+)", line (\d+):\n|(?:at|from) ([^"<\n]+?\.py) \((\d+)\)')

_WRITTEN = "an array that never changes is written to, expected a copy"
_FLOAT = (
    "a float where a whole number is needed: a 64-bit set and a plain number make one, expected bits.ONE or Bits(1)"
    " for 1, and // for /"
)

# What the compiler says, and what that means to an author; groups are filled in.
_CAUSES: tuple[tuple[str, str], ...] = (
    (r"Int value is too large: (-?\d+)", "{0} is beyond 64 bits, expected numbers that fit, or several of them"),
    (r"<built-in function (?:i?and_?|i?or_?|i?xor|i?lshift|i?rshift|invert)>.*?float64", _FLOAT),
    (r"[Uu]se of unsupported NumPy function 'numpy\.([\w.]+)'", "np.{0} is not known there, expected a loop"),
    (r"setitem>?\).{0,200}?readonly|[Cc]annot (?:assign to|modify) readonly", _WRITTEN),
    (
        r"runaway recursion|cannot type infer",
        "a function calls itself before any return that does not, expected the return that ends it first",
    ),
    (
        r"No implementation of function Function\(<function (\w+) at",
        "{0}() does not take these arguments there, expected a loop over numbers",
    ),
    (
        r"No implementation of function Function\(<class '(\w+)'>\)",
        "{0}() does not take these arguments there, expected numbers",
    ),
    (r"[Cc]annot unify (.+?) and (.+?) for '(\w+)", "'{2}' is once {0} and once {1}, expected one type"),
    (
        r"Unknown attribute '(\w+)' of type (\w+)",
        "a {1} has no '{0}' there, expected numbers, tuples of numbers, arrays and loops",
    ),
    (
        r"Use of unsupported opcode \((\w+)\)",
        "a statement ({0}) that is not known there, expected numbers, loops and functions",
    ),
)


def explain_error(error: Exception, source: Callable[..., Any], files: Collection[str] = ()) -> RulesError:
    """One line: the innermost line of the author's that the compiler names, what is wrong there, and the cure.

    `files` are the author's; without them it is the file of `source`, the rule to blame where no line is known.
    """
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    marked = re.search(re.escape(MARK) + r"(.*)", text)
    if marked:
        return RulesError(f"{where(source)}: {marked[1].strip()}")
    own = {Path(file).name for file in files or [source.__code__.co_filename]}
    places = ((Path(found[1] or found[3]).name, found[2] or found[4]) for found in _PLACE.finditer(text))
    place = next((f"{file}:{line}" for file, line in places if file in own), where(source))
    return RulesError(f"{place}: cannot be compiled: {_reason(text)}")


def _reason(text: str) -> str:
    """What is wrong in the terms of the author, else the line of the compiler's message that says most."""
    for pattern, cause in _CAUSES:
        found = re.search(pattern, text, re.DOTALL)
        if found:
            return cause.format(*(" ".join(str(group).split())[:60] for group in found.groups()))
    return _plainest_line(text)


def _plainest_line(text: str) -> str:
    lines = [line.strip(" >-") for line in text.splitlines()]
    openings = ("Untyped global", "Unknown attribute", "No implementation", "Cannot unify", "Use of unsupported",
               "Unsupported", "cannot", "Cannot", "not supported", "Invalid use", "Undecided", "Type of variable",
               "Name ", "No conversion", "Variable ")  # fmt: skip
    for line in reversed(lines):
        if line.startswith(openings) and len(line) < 300:
            return line.rstrip(":")
    others = [line for line in lines if line and not line.startswith(("File", "During", "Failed"))]
    return (others[0] if others else "the compiler gives no reason")[:300]
