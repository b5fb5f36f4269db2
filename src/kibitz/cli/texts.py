"""Arguments that several commands share."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.games import catalog

GameText = Annotated[str, typer.Argument(metavar="GAME", help="name[:preset][,key=value...], or a rules file's path.")]
PositionText = Annotated[str | None, typer.Argument(metavar="[POSITION]", help="Position text; the start if left out.")]
StoreFile = Annotated[Path, typer.Argument(metavar="STORE", help="A file that a match or a tournament has kept.")]
ContestText = Annotated[
    str | None, typer.Option(help="Which contest, by number or name; the latest if left out.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
RulesText = Annotated[
    str | None,
    typer.Option("--rules", metavar="FILE.py", help="The rules file of a game outside the catalogue."),
]
TrustGame = Annotated[
    bool, typer.Option("--trust-game", help="Run whatever rules and agents the file names; only if you trust it.")
]


def allow_rules(rules: str | None, trust: bool) -> None:
    """Let a file that is read name the rules that the user names here, or any."""
    if rules is not None:
        catalog.load(rules)
    if trust:
        catalog.trust_files()


def print_json(value: Any) -> None:
    """Print a value for programs to read."""
    print(json.dumps(value, indent=2))
