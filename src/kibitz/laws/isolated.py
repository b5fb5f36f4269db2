"""Checking a game in a process of its own, so that rules that crash or never return do no harm."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

from kibitz.core.errors import KibitzError
from kibitz.laws.runner import LawResult

GRACE = 5.0  # seconds for the child to say itself that its time is up, which compiled code keeps it from


def check(text: str, games: int = 20, seed: int = 0, seconds: float = 120.0) -> Iterator[LawResult]:
    """What becomes of each law for the game of this text, as it is found out; a KibitzError if it cannot be checked.

    The rules are compiled with bounds checks.
    """
    command = [sys.executable, "-P", "-m", "kibitz.laws", f"--games={games}", f"--seed={seed}", f"--seconds={seconds}"]
    child = subprocess.Popen(
        [*command, "--", text], stdout=subprocess.PIPE, text=True, env={**os.environ, "KIBITZ_BOUNDS": "1"}
    )
    killer = threading.Timer(seconds + GRACE, child.kill)
    killer.start()
    trying = None
    try:
        assert child.stdout is not None
        for line in child.stdout:
            fact = json.loads(line)
            if "error" in fact:
                raise KibitzError(fact["error"])
            result = LawResult(**fact)
            trying = result if result.outcome == "trying" else None
            if trying is None:
                yield result
        status = child.wait()
        if status != 0:
            yield _crash(text, trying, _ending(status, late=not killer.is_alive(), seconds=seconds))
    finally:
        killer.cancel()
        child.kill()
        child.communicate()


def _crash(text: str, trying: LawResult | None, ending: str) -> LawResult:
    if trying is None:
        raise KibitzError(f"{text}: before the first law, {ending}")
    return LawResult(trying.law, "FAIL", ending)


def _ending(status: int, late: bool, seconds: float) -> str:
    """Why the child is gone, in words."""
    if late:
        return f"compiled rules were still running after {seconds:g} seconds"
    if status < 0:
        return f"the rules crashed the process ({signal.Signals(-status).name})"
    return f"the rules ended the process (exit status {status})"
