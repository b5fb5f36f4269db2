"""`python -m tests.robustness`: how long each long command takes to end after Ctrl-C."""

import os
import tempfile
from pathlib import Path

from tests.robustness.interrupts import COMMANDS, interrupt, own_places


def main() -> None:
    for command in COMMANDS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            found = interrupt(command, folder, folder / "output", own_places(folder))
        last = (found.output.splitlines() or [""])[-1]
        load = os.getloadavg()[0]
        print(f"{command.words}: {found.seconds:.2f} s, status {found.status}, load {load:.0f}: {last}", flush=True)


if __name__ == "__main__":
    main()
