"""The child process of `kibitz check`: try the laws and write each result as a line of JSON."""

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, FunctionType
from typing import NoReturn

from kibitz import games
from kibitz.core.errors import KibitzError
from kibitz.core.rulebook import SIGNATURES, Rulebook
from kibitz.laws import HEURISTIC_LAWS, LAWS, LawResult, check_laws


class OutOfTime(BaseException):
    """Raised wherever the rules happen to be when the time is up; rules that catch every Exception do not catch it."""


def main(arguments: list[str]) -> NoReturn:
    """Write results to standard output. What the rules themselves print goes to standard error."""
    parser = argparse.ArgumentParser(prog="python -m kibitz.laws", description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("game")
    given = parser.parse_args(arguments)
    report = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    for fact in facts(given.game, given.games, given.seed, given.seconds):
        report.write(json.dumps(fact) + "\n")
    sys.stderr.flush()
    os._exit(0)  # a thread may still be in compiled code that never returns


def facts(text: str, count: int, seed: int, seconds: float) -> Iterator[dict[str, str | int]]:
    """The results as dictionaries; last an error where the rules cannot be checked at all."""
    trying = None
    try:
        _set_alarm(seconds)
        game = games.load(text)
        _set_alarm(signal.getitimer(signal.ITIMER_REAL)[0], game.rulebook.play.__code__.co_filename)
        if game.rulebook.derived:
            yield LawResult(describe_rules(game.rulebook), "note")._asdict()
        for result in check_laws((*LAWS, *HEURISTIC_LAWS), game, count, seed, seconds):
            trying = result.law
            yield result._asdict()
    except KibitzError as error:
        yield {"error": str(error)}
    except OutOfTime as place:
        signal.setitimer(signal.ITIMER_REAL, 0)
        note = f"not done after {seconds:g} seconds{place}"
        yield {"error": f"{text}: {note}"} if trying is None else LawResult(trying, "FAIL", note)._asdict()


def describe_rules(book: Rulebook) -> str:
    """Which functions of the file are rules, and which rules follow from its board: nothing is taken silently."""
    file = book.play.__code__.co_filename
    rules = ((slot, getattr(book, slot)) for slot in SIGNATURES)
    written = [slot for slot, rule in rules if isinstance(rule, FunctionType) and rule.__code__.co_filename == file]
    return f"rules of the file: {', '.join(written)}; from its board: {', '.join(book.derived)}"


def _set_alarm(seconds: float, rules_file: str | None = None) -> None:
    """When the time is up, stop and say where the rules are: that is where a loop without end is."""

    def stop(number: int, frame: FrameType | None) -> None:
        while frame is not None and rules_file not in (frame.f_code.co_filename, None):
            frame = frame.f_back
        if frame is None:
            raise OutOfTime
        raise OutOfTime(f", in {frame.f_code.co_name}() at {Path(frame.f_code.co_filename).name}:{frame.f_lineno}")

    signal.signal(signal.SIGALRM, stop)
    sys.unraisablehook = lambda fact: None  # the compiler's callbacks swallow what is raised in them, so it is repeated
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001), 0.5)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the parent says that it was stopped
    main(sys.argv[1:])
