"""`kibitz play`: a game in the terminal, or in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.texts import GameText
from kibitz.core.errors import BadOption

PlayerText = Annotated[str, typer.Option(help="human, a level from 1 to 10, or an agent such as mcts or random.")]


def play(
    game: GameText = "",
    first: PlayerText = "",
    second: PlayerText = "",
    level: Annotated[int, typer.Option(help="Strength of the machine, 1 to 10.")] = 4,
    seconds: Annotated[float, typer.Option(help="Seconds a machine may think.")] = 1.0,
    position: Annotated[str | None, typer.Option(help="Start from this position text.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a game that was saved.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of battles and other chances.")] = None,
    web: Annotated[bool, typer.Option("--web", help="Play in the browser instead.")] = False,
) -> None:
    """Play: you against a machine, two people, or two machines. Without --first and --second you are asked."""
    if web:
        from kibitz.cli.serve import serve

        serve([game] if game else None, show=True)
        return
    from kibitz.arena import record_files, replay
    from kibitz.cli.terminal.game import TerminalGame
    from kibitz.cli.terminal.prompt import Prompt
    from kibitz.cli.terminal.seats import HUMAN, asked_seats, seat_text
    from kibitz.core.limit import Limit
    from kibitz.games import catalog

    if resume is not None:
        if game or position:
            raise BadOption("--resume brings its own game and position, expected no other")
        record = record_files.load(resume)[-1]
        here = replay.replayed(record)
        first, second = first or record.first, second or record.second
    elif game:
        here = catalog.position(game, position)
    else:
        raise BadOption("which game? expected a name as `kibitz games` lists them, or --resume FILE")
    limit = Limit(seconds=seconds)
    prompt = Prompt(lambda: ())
    if not first and not second and prompt.live:
        texts = asked_seats(here.game, level, prompt.asked)
    else:
        texts = (seat_text(first or HUMAN, here.game, level), seat_text(second, here.game, level))
    TerminalGame(here, texts, limit, seed).play()
