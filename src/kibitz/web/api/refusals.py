"""What the server refuses, and by which name a program can tell why."""

from typing import Any

from kibitz.agents.agent import UnknownAgent
from kibitz.core.errors import BadLimit, BadMap, BadOption, BadPosition, IllegalMove, KibitzError, UnknownGame
from kibitz.puzzles.flow import BadPuzzle

NAMES: tuple[tuple[type[KibitzError], str], ...] = (
    (UnknownGame, "unknown-game"),
    (UnknownAgent, "unknown-agent"),
    (BadOption, "bad-option"),
    (BadMap, "bad-option"),
    (BadPosition, "bad-position"),
    (IllegalMove, "illegal-move"),
    (BadLimit, "bad-limit"),
    (BadPuzzle, "bad-puzzle"),
)
STATUS = {
    "forbidden": 403,
    "not-found": 404,
    "unknown-type": 404,
    "too-large": 413,
    "too-fast": 429,
    "internal": 500,
    "agent-failed": 500,
    "busy": 503,
    "too-many": 503,
    "too-slow": 504,
}


class Refused(KibitzError):
    """A request that cannot be granted; `kind` is its name in the API."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def kind_of(error: KibitzError) -> str:
    """The API's name of a mistake."""
    if isinstance(error, Refused):
        return error.kind
    return next((name for known, name in NAMES if isinstance(error, known)), "bad-message")


def error_facts(error: KibitzError, request: Any = None) -> dict[str, Any]:
    """The message that refuses a request."""
    return {"type": "error", "id": request, "error": kind_of(error), "message": " ".join(str(error).split())}
