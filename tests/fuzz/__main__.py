"""`python -m tests.fuzz --minutes 60`: read bad inputs until the time is over. Faults become regression files.

The inputs are tried in a process of its own: one that dies, or is stuck, is a fault of the input it was given, and
another one goes on.
"""

import argparse
import faulthandler
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from contextlib import suppress
from pathlib import Path
from types import FrameType

from kibitz.arena.interrupts import put_off_ctrl_c
from kibitz.cli.interrupts import INTERRUPTED
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

SLOW = 10  # seconds for one input
STUCK = 60.0  # seconds without a sign of life
GRACE = 1.0  # seconds to say what was found after Ctrl-C
MEMORY = 8 << 30  # bytes
MOST_OF_A_KIND = 3  # regression files of one fault


class TooSlow(BaseException):
    """An input took longer than any may."""


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--minutes", type=float, default=1.0)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--target", choices=[target.name for target in TARGETS])
    words.add_argument("--current", type=Path, help="of the process that tries inputs: where it notes the present one")
    given = words.parse_args()
    targets = [target for target in TARGETS if given.target in (None, target.name)]
    deadline = time.monotonic() + 60 * given.minutes
    if given.current is not None:
        return try_inputs(targets, random.Random(given.seed), deadline, given.current)
    try:
        return supervise(given, deadline)
    except KeyboardInterrupt:
        return INTERRUPTED


def supervise(given: argparse.Namespace, deadline: float) -> int:
    """Start the process that tries inputs, and start it again when it dies."""
    deaths, seed = 0, given.seed
    with tempfile.TemporaryDirectory(prefix="kibitz-fuzz-") as folder:
        current = Path(folder) / "current"
        while (left := deadline - time.monotonic()) > 1:
            command = [sys.executable, "-m", "tests.fuzz", "--minutes", str(left / 60), "--seed", str(seed)]
            command += ["--current", str(current), *(["--target", given.target] if given.target else [])]
            current.unlink(missing_ok=True)
            with put_off_ctrl_c():
                process = subprocess.Popen(command)
            status = _wait(process, current)
            if status in (0, 1):
                return 1 if status or deaths else 0
            deaths += 1
            seed += 1
            name, _, data = current.read_bytes().partition(b"\n")
            target = next(target for target in TARGETS if target.name == name.decode())
            print(f"DIED with status {status}: {target.name}, kept as {target.keep(data)}", flush=True)
    return 1


def _wait(process: "subprocess.Popen[bytes]", current: Path) -> int:
    """The process's status; it is ended where it shows no sign of life."""
    try:
        while process.poll() is None:
            time.sleep(0.5)
            if current.exists() and time.time() - current.stat().st_mtime > STUCK:
                process.kill()
                return process.wait()
    except KeyboardInterrupt:
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)  # it says what it has found
        process.kill()
        raise
    return process.returncode


def try_inputs(targets: list[Target], dice: random.Random, deadline: float, current: Path) -> int:
    """One input of every target in turn; how many there were is printed, and every fault."""
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _too_slow)
    tried: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    told = time.monotonic()
    with suppress(KeyboardInterrupt):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        while time.monotonic() < deadline:
            for target in targets:
                data = target.draw(dice)
                current.write_bytes(target.name.encode() + b"\n" + data)
                fault = _fault(target, data)
                tried[target.name] += 1
                if fault is not None:
                    faults[fault] += 1
                    if faults[fault] <= MOST_OF_A_KIND:
                        print(f"FAULT {target.name}: {fault}, kept as {target.keep(data)}", flush=True)
            if time.monotonic() - told > 60:
                told = time.monotonic()
                print(
                    f"{sum(tried.values()):,} inputs, {sum(faults.values())} faults of {len(faults)} kinds", flush=True
                )
    for name, count in sorted(tried.items()):
        print(f"{name:20} {count:>10,} inputs")
    for fault, count in faults.most_common():
        print(f"{count:>8,} x {fault}")
    print(f"{sum(tried.values()):,} inputs, {len(faults)} kinds of faults")
    return 1 if faults else 0


def _fault(target: Target, data: bytes) -> str | None:
    """What goes wrong that must not, and where; None where nothing does."""
    signal.alarm(SLOW)
    try:
        target.try_input(data)
    except TooSlow as problem:
        return f"more than {SLOW} s {_place(problem)}"
    except Exception as problem:  # noqa: BLE001 - that is what is looked for
        return f"{type(problem).__name__} {_place(problem)}"
    finally:
        signal.alarm(0)
    return None


def _place(problem: BaseException) -> str:
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if "kibitz" in frame.filename]
    return f"in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "outside kibitz"


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlow


if __name__ == "__main__":
    sys.exit(main())
