"""A rule that does not return: named with its line after ten seconds, so that nobody waits for it in the dark."""

import random
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import kibitz
from kibitz.core.result import CHANCE, ONGOING
from kibitz.core.rulebook import RULES_FILES, Rulebook, call_rule
from kibitz.core.seam.compiler import CompiledKernel
from kibitz.core.seam.words import words_of

PATIENCE = 10.0  # seconds in one call of a rule, or in compiled code before its rules are tried in plain Python
PLAYING = 5.0  # seconds of random games there
SEARCHING = 20.0  # and of looking at every position, the nearest first


def start_watchdog(patience: float = PATIENCE) -> None:
    """Watch this process from a thread of its own."""
    threading.Thread(target=_Watchdog(patience).watch, daemon=True, name="watchdog").start()


class _Watchdog:
    """Looks at every thread twice a second, until a rule was named."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self.entered: dict[int, float] = {}  # since when a frame is there, by its identity
        self.probe: _Probe | None = None

    def watch(self) -> None:
        """Name the first rule that does not return; where none is found, say how to find it."""
        while True:
            time.sleep(min(0.5, self.patience / 4))
            now, frames = time.monotonic(), dict(sys._current_frames())
            present = {id(frame): frame for thread in frames.values() for frame in _outer_first(thread)}
            self.entered = {key: self.entered.get(key, now) for key in present}
            long_ago = [frame for key, frame in present.items() if now - self.entered[key] > self.patience]
            if self.probe is not None and self.probe.ident in frames:  # by now it is clear that something takes long
                inner = _outer_first(frames[self.probe.ident])
                long_ago += [frame for frame in inner if now - self.entered[id(frame)] > self.patience / 4]
            stuck = next((frame for frame in long_ago if frame.f_code.co_filename in RULES_FILES), None)
            if stuck is not None:
                _report(stuck, frames, self.patience)
                return
            kernels = [frame for frame in long_ago if _is_running(frame)]
            if self.probe is None and kernels:
                self.probe = _Probe(kernels[0])
                self.probe.start()
            elif self.probe is not None and not self.probe.is_alive():
                if self.probe.kernel in [id(frame) for frame in kernels] and self.probe.is_own:
                    _report_unnamed(now - self.entered[self.probe.kernel], self.probe.looked_at)
                    return
                self.probe = None


def _is_running(frame: FrameType) -> bool:
    """Is it the call of a kernel that is compiled already?"""
    return frame.f_code is CompiledKernel.__call__.__code__ and frame.f_locals["self"].is_ready


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


def _report_unnamed(seconds: float, positions: int) -> None:
    print(
        f"kibitz: compiled rules have run for {seconds:.0f} seconds, and no rule hangs in {positions:,} positions tried"
        " in plain Python: it may only take long; Ctrl-C ends it, `kibitz --interpret ...` names a rule that hangs",
        file=sys.stderr,
        flush=True,
    )


class _Probe(threading.Thread):
    """Plays on in plain Python, where it is watched too: compiled code cannot be looked into."""

    def __init__(self, kernel: FrameType) -> None:
        super().__init__(daemon=True, name="probe")
        self.kernel = id(kernel)
        call, arguments = kernel.f_locals["self"], kernel.f_locals["arguments"]
        self.book: Rulebook | None = call.book
        self.records = [value for is_record, value in zip(call._are_records, arguments, strict=False) if is_record]
        self.looked_at = 0

    @property
    def is_own(self) -> bool:
        """Are the rules the user's, rather than ours?"""
        ours = Path(kibitz.__file__).parent
        return self.book is not None and ours not in Path(self.book.play.__code__.co_filename).parents

    def run(self) -> None:
        """Random games first, then every position."""
        if self.book is None or len(self.records) != 2:
            return
        start, rules = self.records
        for positions, seconds in ((_play_at_random, PLAYING), (look_around, SEARCHING)):
            until = time.monotonic() + seconds
            with suppress(Exception):  # what else is wrong with the rules is for others to say
                for _ in positions(self.book, start, rules):
                    self.looked_at += 1
                    if time.monotonic() > until:
                        break


def _play_at_random(book: Rulebook, start: Any, rules: Any) -> Iterator[Any]:
    dice = random.Random(0)
    for _ in range(100_000):
        state, codes = start, _codes(book, start, rules)
        while codes:
            yield state
            state = call_rule(book.play, rules, state, dice.choice(codes))
            codes = _codes(book, state, rules)


def look_around(book: Rulebook, start: Any, rules: Any) -> Iterator[Any]:
    """Every position, those of the fewest moves first."""
    waiting, seen = deque([start]), set()
    while waiting:
        state = waiting.popleft()
        for code in _codes(book, state, rules):
            after = call_rule(book.play, rules, state, code)
            if (known := words_of(after).tobytes()) not in seen:
                seen.add(known)
                waiting.append(after)
                yield after


def _codes(book: Rulebook, state: Any, rules: Any) -> list[int]:
    """What can be played here; nothing where the game is over."""
    if call_rule(book.result, rules, state) != ONGOING:
        return []
    if call_rule(book.turn, rules, state) == CHANCE and book.outcomes is not None:
        return [code for _, code in call_rule(book.outcomes, rules, state)]
    return list(call_rule(book.moves, rules, state))
