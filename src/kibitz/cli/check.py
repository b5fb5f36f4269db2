"""`kibitz check`: look for a law that a game breaks."""

from collections import Counter
from typing import Annotated

import typer

from kibitz.laws import isolated
from kibitz.laws.runner import LawResult


def check(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A rules file FILE[:NAME], or the text of any game.")],
    games: Annotated[int, typer.Option(min=1, help="How many random games to look at.")] = 20,
    seed: Annotated[int, typer.Option(help="Another seed plays other games.")] = 0,
    seconds: Annotated[float, typer.Option(min=1, help="The most time to take.")] = 120,
) -> None:
    """Test the laws that every game must obey on random games, and show where one is broken."""
    results = []
    for result in isolated.check(game, games, seed, seconds):
        print(_shown(result), flush=True)
        if result.outcome != "note":
            results.append(result)
    print(summary(results))
    if any(result.outcome == "FAIL" for result in results):
        raise typer.Exit(1)


def summary(results: list[LawResult]) -> str:
    """What was seen, and on how much: laws that hold on random games are not proved."""
    outcomes = Counter(result.outcome for result in results)
    tried = len(results) - outcomes["skip"]
    if outcomes["FAIL"]:
        return f"{outcomes['FAIL']} of {tried} laws broken"
    most = {scope: max((each.cases for each in results if each.scope == scope), default=0) for scope in SCOPES}
    seen = " of ".join(f"{count:,} {SCOPES[scope]}" for scope, count in most.items() if count)
    skipped = f"; {outcomes['skip']} did not apply" if outcomes["skip"] else ""
    return f"{tried} laws held on up to {seen}{skipped}"


SCOPES = {"position": "positions", "playout": "random games"}  # how a summary counts them


def _shown(result: LawResult) -> str:
    if result.outcome == "note":
        return result.law
    if result.outcome != "FAIL":
        return f"{result.outcome}  {result.law:<58} {result.note}"
    lines = [f"FAIL  {result.law}", f"      {result.note}"]
    return "\n".join([*lines, f"      in {result.where}"] if result.where else lines)
