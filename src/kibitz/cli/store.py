"""`kibitz store`: what a file of games holds, taken out, or put together with others."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.texts import ContestText, Json, StoreFile, print_json

if TYPE_CHECKING:
    from kibitz.arena.contest.store import Store


def store(
    file: StoreFile,
    contest: ContestText = None,
    games: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write its games: .csv, .json, .jsonl, else as text.")
    ] = None,
    marks: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a mark for each entrant, as .csv.")] = None,
    merge: Annotated[
        list[Path] | None, typer.Option(metavar="STORE", help="Take in another store. Repeatable.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the contests of a store, export the games or marks of one, or merge other stores into it."""
    from kibitz.arena.contest.merge import merge as merge_stores
    from kibitz.arena.contest.store import Store
    from kibitz.arena.report import export
    from kibitz.core.output_file import check_writable

    for path in (games, marks):
        if path is not None:
            check_writable(path)
    sources = [Store(path, create=False) for path in merge or ()]
    with Store(file, create=bool(sources)) as kept:
        for path, source in zip(merge or (), sources, strict=True):
            found = merge_stores(kept, source)
            source.close()
            contests = "1 contest" if found.contests == 1 else f"{found.contests} contests"
            print(f"{path}: {contests}, {found.games} games that were not here before")
        if games is None and marks is None:
            _list(kept, as_json)
            return
        number, chosen = kept.choose(contest)
        played = kept.games(number)
    if games is not None:
        export.save_games(games, chosen, played)
        print(f"{games}: {len(played)} games of {chosen.name}")
    if marks is not None:
        export.save_marks(marks, chosen, played)
        print(f"{marks}: marks of {len(chosen.entrants)} entrants")


def _list(kept: "Store", as_json: bool) -> None:
    from kibitz.arena.contest.schedule import games_in_all
    from kibitz.arena.stats.scores import Scores

    rows = []
    for number, contest in kept.contests().items():
        scores = Scores(kept.games(number))
        facts = {
            "number": number,
            "name": contest.name,
            "game": contest.game,
            "format": contest.format,
            "entrants": len(contest.entrants),
            "games": scores.count,
            "planned": games_in_all(contest),
            "failures": len(scores.failures),
        }
        rows.append(facts)
    if as_json:
        print_json(rows)
        return
    for row in rows:
        print(f"{row['number']}  {row['name']}  ({row['games']} of {row['planned']} games, {row['failures']} failed)")
