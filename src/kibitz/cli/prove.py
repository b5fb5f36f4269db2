"""`kibitz prove`: who wins, by a search that leaves evidence behind."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.progress import show_status
from kibitz.cli.texts import Json, PositionText, RulesText, TrustGame, allow_rules, print_json
from kibitz.core.errors import BadOption, KibitzError
from kibitz.games import catalog

if TYPE_CHECKING:
    from kibitz.proofs.evidence import Evidence
    from kibitz.proofs.prover import ProofResult


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
    pieces: Annotated[
        int | None, typer.Option(help="Alquerque: to show a win, endgame tables up to so many pieces; 6 by default.")
    ] = None,
    memory: Annotated[float | None, typer.Option(help="Gigabytes for what the search remembers; 2 by default.")] = None,
    jobs: Annotated[int, typer.Option(help="Threads; 0 for one on each core.")] = 0,
    seconds: Annotated[float | None, typer.Option(help="Stop after so long and keep the progress.")] = None,
    anew: Annotated[bool, typer.Option("--anew", help="Search even if the evidence comes with Kibitz.")] = False,
    as_json: Json = False,
    rules: RulesText = None,
    trust_game: TrustGame = False,
) -> None:
    """Prove who wins a position. The evidence is kept in a file and checked with the rules alone.

    A run that was stopped, or killed, goes on where it was when the same command is given again.
    """
    from kibitz.proofs import prover
    from kibitz.proofs.question import Query

    if (game is None) == (check is None):
        raise BadOption("expected a game to prove, or --check with a file of evidence")
    allow_rules(rules, trust_game)
    with show_status() as status:
        if check is not None:
            rows = [_describe_evidence(prover.check(check, None, status.report), check)]
        else:
            place = _existing(folder or prover.default_folder())
            settings = prover.ProofSettings(place, memory, jobs, seconds, fresh=anew)
            here = catalog.position(str(game), position)
            questions = prover.list_questions(here, Query(within, attacker, pieces))
            rows = [_describe(prover.prove(question, settings, status.report)) for question in questions]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        for name, value in row.items():
            print(f"{name:9} {f'{value:,}' if isinstance(value, int) else value}")


def _existing(folder: Path) -> Path:
    if not folder.is_dir():
        raise KibitzError(f"no folder is called '{folder}'")
    return folder


def _describe(result: "ProofResult") -> dict[str, Any]:
    standing = result.standing
    row: dict[str, Any] = {"question": f"{standing.question.text}?", "answer": standing.answer}
    if standing.nodes:
        row |= {"nodes": standing.nodes, "seconds": round(standing.seconds, 1)}
    if result.evidence is not None:
        row |= {"positions": result.positions, "evidence": f"{result.evidence} (checked)"}
    return row


def _describe_evidence(found: "Evidence", path: Path) -> dict[str, Any]:
    side = catalog.load_known(found.game).rulebook.sides[found.winner]
    row: dict[str, Any] = {"game": found.game, "position": found.position, "proven": f"{side} {found.proves}"}
    return row | {"positions": found.positions, "evidence": f"{path} (checked)"}
