"""The `kibitz` command: its verbs, and what happens when one of them cannot go on."""

import os
import sys
import traceback
import warnings
from bdb import BdbQuit
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz import __version__
from kibitz.cli import streams
from kibitz.cli.agents import agents
from kibitz.cli.analyse import analyse
from kibitz.cli.bench import bench
from kibitz.cli.best import best
from kibitz.cli.cache import cache
from kibitz.cli.check import check
from kibitz.cli.doctor import doctor
from kibitz.cli.engine import engine
from kibitz.cli.examples import examples
from kibitz.cli.explain import explain
from kibitz.cli.export import export
from kibitz.cli.flow import flow
from kibitz.cli.games import games
from kibitz.cli.interrupts import INTERRUPTED, Stopped, stopped
from kibitz.cli.learn import learn
from kibitz.cli.match import match
from kibitz.cli.nets import nets
from kibitz.cli.new import new
from kibitz.cli.option_groups import GroupedCommand
from kibitz.cli.perft import perft
from kibitz.cli.play import play
from kibitz.cli.probe import probe
from kibitz.cli.prove import prove
from kibitz.cli.puzzles import puzzles
from kibitz.cli.replay import replay
from kibitz.cli.report import report
from kibitz.cli.reproduce import reproduce
from kibitz.cli.serve import serve
from kibitz.cli.show import show
from kibitz.cli.solve import solve
from kibitz.cli.store import store
from kibitz.cli.tables import tables
from kibitz.cli.tournament import tournament
from kibitz.cli.tree import tree
from kibitz.cli.vampires import vampires
from kibitz.cli.warm import warm
from kibitz.cli.watchdog import start_watchdog
from kibitz.core.errors import KibitzError, KibitzWarning
from kibitz.core.rulebook import RULES_FILES
from kibitz.core.seam import interpreting

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
    agents,
    examples,
    show,
    match,
    tournament,
    report,
    store,
    replay,
    reproduce,
    analyse,
    best,
    explain,
    tree,
    bench,
    perft,
    learn,
    solve,
    prove,
    probe,
    tables,
    puzzles,
    new,
    check,
    engine,
    export,
    warm,
    cache,
    doctor,
)
for verb in VERBS:
    app.command(cls=GroupedCommand)(verb)
app.add_typer(flow, name="flow")
app.add_typer(nets, name="nets")
app.add_typer(vampires, name="vampires")


@app.callback()
def overview(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
    interpret: Annotated[
        bool, typer.Option("--interpret", help="Run rules as plain Python: for print, pdb and tracebacks.")
    ] = False,
) -> None:
    """Write a game's rules in plain Python; get a native-speed engine, an opponent and a board."""
    if version:
        print(f"kibitz {__version__}")
        raise typer.Exit
    if interpret:
        os.environ["KIBITZ_INTERPRET"] = "1"
    if context.invoked_subcommand is None:
        print(context.get_help())


def run() -> int:
    """Run a command; returns its exit status. A mistake of the user is one line on standard error and status 2."""
    warnings.showwarning = _show_warning
    if any(".py" in word for word in sys.argv[1:]):
        start_watchdog()
    try:
        status = app(standalone_mode=False)
        if status == INTERRUPTED:  # what becomes of a KeyboardInterrupt on its way through
            status = stopped()
        streams.flush()
    except typer.TyperException as error:
        status = _refused(error.format_message())
    except BdbQuit:
        status = stopped()
    except KibitzError as error:
        if isinstance(error.__cause__, BdbQuit):
            status = stopped()
        else:
            _print_own_traceback(error.__cause__)
            status = _refused(str(error))
    except Stopped as stop:
        status = stopped(str(stop))
    except typer.Abort:
        status = stopped()
    except (BrokenPipeError, SystemExit):  # the reader, such as `head`, has seen enough; typer then exits with 1
        status = 0
    except OSError as problem:
        status = _refused(describe_problem(problem))
    except Exception as problem:
        message = _blame_rules(problem)
        if message is None:
            raise
        _print_own_traceback(problem)
        status = _refused(message)
    streams.abandon_output()
    return status if isinstance(status, int) else 0


def describe_problem(problem: OSError) -> str:
    """What the system refused, and of which file; without one it is what a command prints to."""
    reason = problem.strerror or str(problem) or type(problem).__name__
    return f"{reason}: '{problem.filename}'" if problem.filename is not None else f"cannot go on: {reason}"


def _print_own_traceback(problem: BaseException | None) -> None:
    """With --interpret, how rules came to fail: the frames of their own files."""
    frames = traceback.extract_tb(problem.__traceback__) if problem else []
    own = [frame for frame in frames if frame.filename in RULES_FILES]
    if interpreting() and own:
        print("".join(traceback.format_list(own)), end="", file=sys.stderr)


def _blame_rules(problem: Exception) -> str | None:
    """What went wrong in a rules file; None where the mistake is ours."""
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename in RULES_FILES]
    if not frames:
        return None
    inner = frames[-1]
    return f"{Path(inner.filename).name}:{inner.lineno}: {inner.name}() fails with {type(problem).__name__}: {problem}"


def _refused(message: str) -> int:
    line = " ".join(message.split())
    with suppress(OSError):
        print(f"kibitz: {line}", file=sys.stderr)
    return 2


def _show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    name = "warning" if issubclass(category, KibitzWarning) else category.__name__
    with suppress(OSError):
        print(f"kibitz: {name}: {message}", file=sys.stderr)
