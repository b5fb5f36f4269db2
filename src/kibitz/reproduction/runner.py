"""Measuring claims one after the other or several at a time, and keeping what was found: stopped, it goes on."""

import hashlib
import json
import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from typing import Any

import kibitz
from kibitz.arena.interrupts import put_off_ctrl_c
from kibitz.arena.teams.local import end_with_the_parent
from kibitz.core.errors import KibitzError
from kibitz.core.input_file import MB, read_bytes
from kibitz.core.json_text import parse_json
from kibitz.core.output_file import write_file
from kibitz.reproduction import claims
from kibitz.reproduction.claim import Claim, Findings, Watch

LARGEST = 16 * MB  # of a file of findings
FORMAT = 1
GLANCE = 0.5  # seconds between looks at what the workers have done
_steps: "SimpleQueue[str]"  # through which a worker reports what it has done


@dataclass(frozen=True, slots=True)
class StoredFindings:
    """What is known of a claim."""

    fingerprint: str  # of the claim as it was when it was measured
    quick: bool
    version: str
    findings: Findings


class FindingsFile:
    """A file of findings beside the page."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.stored: dict[str, StoredFindings] = _read(path) if path.exists() else {}

    def get(self, claim: Claim, quick: bool) -> StoredFindings | None:
        """What was found for a claim, if it is still the same claim; a quick look does not do for a long one."""
        known = self.stored.get(claim.key)
        if known is None or known.fingerprint != fingerprint(claim) or (known.quick and not quick):
            return None
        return known

    def store(self, claim: Claim, quick: bool, findings: Findings) -> None:
        self.stored[claim.key] = StoredFindings(fingerprint(claim), quick, kibitz.__version__, findings)
        write_file(self.path, json.dumps({"format": FORMAT, "claims": self._values()}, indent=1) + "\n")

    def _values(self) -> dict[str, Any]:
        return {
            key: {"print": each.fingerprint, "quick": each.quick, "version": each.version, **each.findings.as_values()}
            for key, each in sorted(self.stored.items())
        }


def fingerprint(claim: Claim) -> str:
    """Tells whether a claim, or how it is measured, has changed."""
    return hashlib.sha256(repr(claim).encode()).hexdigest()[:16]


def pending(file: FindingsFile, wanted: Sequence[Claim], quick: bool) -> list[Claim]:
    """The claims that are still to be measured."""
    return [claim for claim in wanted if file.get(claim, quick) is None]


def run(file: FindingsFile, wanted: Sequence[Claim], quick: bool, jobs: int, watch: Watch) -> None:
    """Measure what is not yet known, and keep each claim as soon as it is done."""
    for claim, findings in _measure(pending(file, wanted, quick), quick, jobs, watch):
        file.store(claim, quick, findings)


def _measure(todo: Sequence[Claim], quick: bool, jobs: int, watch: Watch) -> Iterator[tuple[Claim, Findings]]:
    if jobs == 1:
        for claim in todo:
            yield claim, claim.measure(quick, watch)
        return
    spawning = multiprocessing.get_context("spawn")
    steps = spawning.SimpleQueue()
    pool = ProcessPoolExecutor(jobs, spawning, _begin_worker, (steps,))
    with put_off_ctrl_c():
        waiting = {pool.submit(_measure_in_worker, claim.key, quick): claim for claim in todo}
    try:
        while waiting:
            done, _ = wait(waiting, GLANCE, FIRST_COMPLETED)
            while not steps.empty():
                watch(steps.get())
            yield from ((waiting.pop(one), one.result()) for one in done)
    except BrokenProcessPool:
        raise KibitzError("a worker has died; what was finished is kept, the same command goes on from there") from None
    finally:
        if waiting:  # stopped in the middle: nobody waits for the workers
            for process in multiprocessing.active_children():
                process.kill()
        pool.shutdown(cancel_futures=True)


def _begin_worker(steps: "SimpleQueue[str]") -> None:
    """A worker begins; it reports its steps through the queue."""
    global _steps
    _steps = steps
    end_with_the_parent()


def _measure_in_worker(key: str, quick: bool) -> Findings:
    """The findings for the claim of this key, in a worker."""
    (claim,) = (claim for claim in claims() if claim.key == key)
    return claim.measure(quick, _steps.put)


def _read(path: Path) -> dict[str, StoredFindings]:
    try:
        values = parse_json(read_bytes(path, LARGEST))
        if values["format"] > FORMAT:
            raise KibitzError(f"'{path}' is of a newer Kibitz, expected format {FORMAT}")
        return {key: _stored(dict(entry)) for key, entry in values["claims"].items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        raise KibitzError(f"'{path}' holds no findings of kibitz reproduce; move it away to begin anew") from None


def _stored(entry: dict[str, Any]) -> StoredFindings:
    return StoredFindings(entry.pop("print"), entry.pop("quick"), entry.pop("version"), Findings.of_values(entry))
