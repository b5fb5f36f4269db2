"""Standard input, output and error, whatever they are: closed, full, broken, or of another encoding than ours."""

import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from rich.console import Console as RichConsole

if TYPE_CHECKING:
    from kibitz.core.position import Position


class Console(RichConsole):
    """A console that leaves a broken pipe to the command, which ends quietly."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


def open_closed_streams() -> None:
    """Give a closed stream the null device, so that nobody is handed its number by accident, and let no character
    that the terminal does not know end a command.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            _open_null(number)
            stream = open(number, mode, closefd=False)  # noqa: SIM115 - it lives as long as we do
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        _set_errors(stream, errors)


def _set_errors(stream: Any, errors: str) -> None:
    if hasattr(stream, "reconfigure"):  # not where a test has put something else there
        stream.reconfigure(errors=errors)


def _open_null(number: int) -> None:
    handle = os.open(os.devnull, os.O_RDWR)
    if handle != number:
        os.dup2(handle, number)
        os.close(handle)


def draw_board(position: "Position") -> str:
    """The board for whoever reads standard output: in colours only on a terminal that shows them."""
    from kibitz.core import picture

    known = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    colour = sys.stdout.isatty() and known and not os.environ.get("NO_COLOR")
    return picture.terminal(position, colour=colour, deep=os.environ.get("COLORTERM") in ("truecolor", "24bit"))


def flush() -> None:
    """Write out what still waits; OSError where it cannot be written."""
    sys.stdout.flush()


def abandon_output() -> None:
    """What still waits to be written is not tried again when Python ends."""
    wrapped = (getattr(stream, "wrapped", stream) for stream in (sys.stdout, sys.stderr))  # by typer: broken pipes
    for stream in wrapped:
        try:
            stream.flush()
        except (OSError, ValueError):
            _open_null(stream.fileno())
