"""The `kibitz` command: its verbs, and what happens when one of them cannot go on."""

import os
import sys
import warnings
from typing import Any

import typer

from kibitz.cli.analyse import analyse
from kibitz.cli.bench import bench
from kibitz.cli.best import best
from kibitz.cli.cache import cache
from kibitz.cli.check import check
from kibitz.cli.doctor import doctor
from kibitz.cli.engine import engine
from kibitz.cli.explain import explain
from kibitz.cli.flow import flow
from kibitz.cli.games import games
from kibitz.cli.match import match
from kibitz.cli.new import new
from kibitz.cli.perft import perft
from kibitz.cli.play import play
from kibitz.cli.probe import probe
from kibitz.cli.prove import prove
from kibitz.cli.replay import replay
from kibitz.cli.report import report
from kibitz.cli.reproduce import reproduce
from kibitz.cli.serve import serve
from kibitz.cli.show import show
from kibitz.cli.solve import solve
from kibitz.cli.stopping import INTERRUPTED, Stopped, stopped
from kibitz.cli.tables import tables
from kibitz.cli.tournament import tournament
from kibitz.cli.tree import tree
from kibitz.cli.vampires import vampires
from kibitz.cli.warm import warm
from kibitz.core.errors import KibitzError, KibitzWarning

app = typer.Typer(
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
VERBS = (
    play,
    serve,
    games,
    show,
    match,
    tournament,
    report,
    replay,
    reproduce,
    analyse,
    best,
    explain,
    tree,
    bench,
    perft,
    solve,
    prove,
    probe,
    tables,
    new,
    check,
    engine,
    warm,
    cache,
    doctor,
)
for verb in VERBS:
    app.command()(verb)
app.add_typer(flow, name="flow")
app.add_typer(vampires, name="vampires")


@app.callback()
def overview(context: typer.Context) -> None:
    """Write a game's rules in plain Python; get a native-speed engine, an opponent and a board."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def run() -> int:
    """Run a command; returns its exit status. A mistake of the user is one line on standard error and status 2."""
    warnings.showwarning = _show_warning
    try:
        status = app(standalone_mode=False)
        if status == INTERRUPTED:  # what becomes of a KeyboardInterrupt on its way through
            status = stopped()
    except typer.TyperException as error:
        status = _refused(error.format_message())
    except KibitzError as error:
        status = _refused(str(error))
    except Stopped as stop:
        status = stopped(str(stop))
    except typer.Abort:
        status = stopped()
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    return status if isinstance(status, int) else 0


def _refused(message: str) -> int:
    line = " ".join(message.split())
    print(f"kibitz: {line}", file=sys.stderr)
    return 2


def _show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    name = "warning" if issubclass(category, KibitzWarning) else category.__name__
    print(f"kibitz: {name}: {message}", file=sys.stderr)
