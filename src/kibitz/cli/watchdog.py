"""A rule that does not return: named with its line after ten seconds, so that nobody waits for it in the dark."""

import random
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from kibitz.core.result import CHANCE, ONGOING
from kibitz.core.rulebook import RULES_FILES, Rulebook, call_rule
from kibitz.core.seam.compiler import CompiledKernel

PATIENCE = 10.0  # seconds in one call of a rule, or in compiled code before its rules are tried in plain Python
PROBING = 5.0  # seconds for which they are tried


def start_watchdog(patience: float = PATIENCE) -> None:
    """Watch this process from a thread of its own."""
    threading.Thread(target=_watch, args=(patience,), daemon=True, name="watchdog").start()


def _watch(patience: float) -> None:
    """Look at every thread twice a second, until a rule was named."""
    entered: dict[int, float] = {}  # since when a frame is there, by its identity
    probe: threading.Thread | None = None
    while True:
        time.sleep(min(0.5, patience / 4))
        now, frames = time.monotonic(), dict(sys._current_frames())
        present = {id(frame): frame for thread in frames.values() for frame in _outer_first(thread)}
        entered = {key: entered.get(key, now) for key in present}
        long_ago = [frame for key, frame in present.items() if now - entered[key] > patience]
        if probe is not None and probe.ident in frames:  # by now it is clear that something takes long
            inner = _outer_first(frames[probe.ident])
            long_ago += [frame for frame in inner if now - entered[id(frame)] > patience / 4]
        stuck = next((frame for frame in long_ago if frame.f_code.co_filename in RULES_FILES), None)
        if stuck is not None:
            _report(stuck, frames, patience)
            return
        kernel = next((frame for frame in long_ago if frame.f_code is CompiledKernel.__call__.__code__), None)
        if kernel is not None and probe is None:
            probe = _probe(kernel)


def _outer_first(frame: FrameType | None) -> list[FrameType]:
    found: list[FrameType] = []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back
    return found[::-1]


def _report(stuck: FrameType, frames: dict[int, FrameType], patience: float) -> None:
    """One line about the rule that was called, and the line of the rules where it is now."""
    stacks = (_outer_first(frame) for frame in frames.values())
    stack = next((stack for stack in stacks if stuck in stack), [stuck])
    inner = [frame for frame in stack if frame.f_code.co_filename in RULES_FILES][-1]
    place = f"{Path(inner.f_code.co_filename).name}:{inner.f_lineno}"
    print(
        f"kibitz: {stuck.f_code.co_name}() does not return, after {patience:g} seconds it is in"
        f" {inner.f_code.co_name}() at {place}; Ctrl-C ends it, `kibitz --interpret ...` runs it in plain Python",
        file=sys.stderr,
        flush=True,
    )


def _probe(kernel: FrameType) -> threading.Thread:
    """Play random games in plain Python, in a thread that is watched too: compiled code cannot be looked into."""
    call, arguments = kernel.f_locals["self"], kernel.f_locals["arguments"]
    records = [value for is_record, value in zip(call._are_records, arguments, strict=False) if is_record]
    known = (call.book, *records) if call.book is not None and len(records) == 2 else None
    probe = threading.Thread(target=_play_at_random, args=(known,), daemon=True, name="probe")
    probe.start()
    return probe


def _play_at_random(known: tuple[Rulebook, Any, Any] | None) -> None:
    if known is None:
        return
    book, state, rules = known
    dice, until = random.Random(0), time.monotonic() + PROBING
    while time.monotonic() < until:
        for _ in _walk(book, state, rules, dice):
            if time.monotonic() > until:
                return


def _walk(book: Rulebook, state: Any, rules: Any, dice: random.Random) -> Iterator[None]:
    try:
        while call_rule(book.result, rules, state) == ONGOING:
            yield
            if call_rule(book.turn, rules, state) == CHANCE and book.outcomes is not None:
                codes = [code for _, code in call_rule(book.outcomes, rules, state)]
            else:
                codes = list(call_rule(book.moves, rules, state))
            state = call_rule(book.play, rules, state, dice.choice(codes))
    except Exception:  # noqa: BLE001 - what is wrong with the rules is for others to say
        return
