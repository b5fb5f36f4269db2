"""Runs a command as another user, with none of root's rights.

    python -I -S user_switch.py NUMBER COMMAND...

It imports only the standard library: it must be there quickly. The command ends with whoever started this.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Become the other user, then the command."""
    number, command, parent = int(sys.argv[1]), sys.argv[2:], os.getppid()
    os.setgroups([])
    os.setresgid(number, number, number)
    os.setresuid(number, number, number)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)  # the kernel forgot it with the old user
    if os.getppid() != parent:
        os._exit(1)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
