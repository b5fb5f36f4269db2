"""`kibitz check`: prove that a game obeys the laws."""

from typing import Annotated

import typer

from kibitz.laws import isolated
from kibitz.laws.runner import Verdict


def check(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A rules file FILE[:NAME], or the text of any game.")],
    games: Annotated[int, typer.Option(min=1, help="How many random games to look at.")] = 20,
    seed: Annotated[int, typer.Option(help="Another seed plays other games.")] = 0,
    seconds: Annotated[float, typer.Option(min=1, help="The most time to take.")] = 120,
) -> None:
    """Prove the laws that every game must obey, or show where one is broken."""
    tried, broken = 0, 0
    for verdict in isolated.check(game, games, seed, seconds):
        print(_shown(verdict), flush=True)
        tried += verdict.outcome != "skip"
        broken += verdict.outcome == "FAIL"
    print(f"{broken} of {tried} laws broken" if broken else f"{tried} laws hold")
    if broken:
        raise typer.Exit(1)


def _shown(verdict: Verdict) -> str:
    if verdict.outcome != "FAIL":
        return f"{verdict.outcome}  {verdict.law:<58} {verdict.note}"
    lines = [f"FAIL  {verdict.law}", f"      {verdict.note}"]
    return "\n".join([*lines, f"      in {verdict.where}"] if verdict.where else lines)
