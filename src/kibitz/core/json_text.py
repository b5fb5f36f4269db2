"""The one door through which JSON of strangers is read: what it gives can be computed with, printed and written."""

import json
import math
import re
from typing import Any, NoReturn

LONGEST_NUMBER = 300  # digits
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class BadJson(ValueError):
    """A text that is no JSON, or holds what no program can use; `line` is where."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.line = line


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text. NaN, infinities, numbers of hundreds of digits, half characters and deep nesting are
    refused: BadJson, always.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        value = DECODER.decode(text)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as problem:
        raise BadJson(problem.msg, problem.lineno) from None
    except UnicodeError:
        raise BadJson("it holds half a character") from None
    except (RecursionError, MemoryError):
        raise BadJson("nested too deep") from None
    return value


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise BadJson(f"a number of {len(digits)} digits")
    return int(digits)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise BadJson("a number too large")
    return number


def _refuse(word: str) -> NoReturn:
    raise BadJson(f"{word} is no number")


DECODER = json.JSONDecoder(parse_int=_whole, parse_float=_finite, parse_constant=_refuse)  # for several values in a row
