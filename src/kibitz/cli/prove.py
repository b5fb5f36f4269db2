"""`kibitz prove`: who wins, by a search that leaves evidence behind."""

import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from kibitz.cli.texts import Json, PositionText, print_json
from kibitz.core.errors import BadOption, KibitzError
from kibitz.games import catalog

if TYPE_CHECKING:
    from kibitz.proofs.prover import Evidence, Verdict

LOG_SECONDS = 60.0


def prove(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="breakthrough,rows=R,columns=C of at most 30 cells; alquerque."),
    ] = None,
    position: PositionText = None,
    folder: Annotated[
        Path | None, typer.Option(help="Keep progress and evidence here; by default beside the tables.")
    ] = None,
    check: Annotated[Path | None, typer.Option(help="Only check the evidence in this file.")] = None,
    within: Annotated[int, typer.Option(help="Breakthrough: is the game won within so many plies?")] = 0,
    attacker: Annotated[str | None, typer.Option(help="Alquerque: ask only whether this side can win.")] = None,
    pieces: Annotated[int, typer.Option(help="Alquerque: to show a win, endgame tables up to so many pieces.")] = 6,
    memory: Annotated[float | None, typer.Option(help="Gigabytes for what the search remembers; 2 by default.")] = None,
    jobs: Annotated[int, typer.Option(help="Threads; 0 for one on each core.")] = 0,
    seconds: Annotated[float | None, typer.Option(help="Stop after so long and keep the progress.")] = None,
    anew: Annotated[bool, typer.Option("--anew", help="Search even if the evidence comes with Kibitz.")] = False,
    as_json: Json = False,
) -> None:
    """Prove who wins a position. The evidence is kept in a file and checked with the rules alone.

    A run that was stopped, or killed, goes on where it was when the same command is given again.
    """
    from kibitz.proofs import prover

    if (game is None) == (check is None):
        raise BadOption("expected a game to prove, or --check with a file of evidence")
    with _Screen() as screen:
        if check is not None:
            found = prover.check(check, None, screen.say)
            rows = [_checked(found, check)]
        else:
            means = prover.Means(_existing(folder or prover.default_folder()), memory, jobs, seconds, pieces, anew)
            here = catalog.position(str(game), position)
            asked = prover.questions(here, within, attacker)
            rows = [_row(prover.prove(question, means, screen.say)) for question in asked]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        for name, value in row.items():
            print(f"{name:9} {f'{value:,}' if isinstance(value, int) else value}")


class _Screen:
    """Says on standard error how a long run gets on: in one line that changes, or in a log a line each minute."""

    def __init__(self) -> None:
        self.console = Console(stderr=True)
        self.status = self.console.status("")
        self.said = time.monotonic()

    def __enter__(self) -> "_Screen":
        if self.console.is_terminal:
            self.status.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.status.stop()

    def say(self, text: str) -> None:
        if self.console.is_terminal:
            self.status.update(text)
        elif time.monotonic() - self.said > LOG_SECONDS:
            self.said = time.monotonic()
            self.console.print(text, highlight=False, soft_wrap=True)


def _existing(folder: Path) -> Path:
    if not folder.is_dir():
        raise KibitzError(f"no folder is called '{folder}'")
    return folder


def _row(verdict: "Verdict") -> dict[str, Any]:
    standing = verdict.standing
    row: dict[str, Any] = {"question": f"{standing.question.text}?", "answer": standing.answer}
    if standing.nodes:
        row |= {"nodes": standing.nodes, "seconds": round(standing.seconds, 1)}
    if verdict.evidence is not None:
        row |= {"positions": verdict.positions, "evidence": f"{verdict.evidence} (checked)"}
    return row


def _checked(found: "Evidence", path: Path) -> dict[str, Any]:
    side = catalog.load(found.game).rulebook.sides[found.winner]
    row: dict[str, Any] = {"game": found.game, "position": found.position, "proven": f"{side} {found.proves}"}
    return row | {"positions": found.positions, "evidence": f"{path} (checked)"}
