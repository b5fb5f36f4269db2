"""Where the `kibitz` command begins: Ctrl-C is told in one line from the first moment on, while it is still loading."""

import sys

from kibitz.cli.stopping import stopped


def main() -> None:
    """Run a command and end with its status."""
    try:
        from kibitz.cli.app import run

        status = run()
    except KeyboardInterrupt:
        status = stopped()
    sys.exit(status)
