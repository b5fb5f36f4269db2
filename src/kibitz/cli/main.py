"""Where the `kibitz` command begins: Ctrl-C is told in one line from the first moment on, while it is still loading."""

import os
import sys

from kibitz.cli.interrupts import INTERRUPTED, stopped
from kibitz.cli.streams import open_closed_streams


def main() -> None:
    """Run a command and end with its status."""
    open_closed_streams()
    try:
        from kibitz.cli.app import run

        status = run()
    except KeyboardInterrupt:
        status = stopped()
    if status == INTERRUPTED:
        os._exit(status)  # a thread that is still compiling must not hold up whoever pressed Ctrl-C
    sys.exit(status)
