"""`kibitz play`: a game in the terminal, or in the browser."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlencode

import typer

from kibitz.cli.texts import GameText, RulesText, TrustGame, allow_rules
from kibitz.core.errors import BadOption
from kibitz.core.extras import require
from kibitz.core.game import Game

if TYPE_CHECKING:
    from kibitz.core.position import Position

PlayerText = Annotated[str, typer.Option(help="human, a level from 1 to 10, or an agent such as mcts or random.")]


def play(
    game: GameText = "",
    first: PlayerText = "",
    second: PlayerText = "",
    level: Annotated[int | None, typer.Option(help="Strength of the machine, 1 to 10; 4 if left out.")] = None,
    seconds: Annotated[float, typer.Option(help="Seconds a machine may think.")] = 1.0,
    position: Annotated[str | None, typer.Option(help="Start from this position text.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a game that was saved.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of battles and other chances.")] = None,
    web: Annotated[bool, typer.Option("--web", help="Play in the browser instead.")] = False,
    rules: RulesText = None,
    trust_game: TrustGame = False,
) -> None:
    """Play: you against a machine, two people, or two machines. Without --first and --second you are asked."""
    from kibitz.arena.records import files, replay
    from kibitz.cli.terminal.game import TerminalGame
    from kibitz.cli.terminal.prompt import Prompt
    from kibitz.cli.terminal.seats import HUMAN, asked_seats, safe_seat, seat_text
    from kibitz.core.limit import Limit
    from kibitz.games import catalog

    if web:
        require("web")
    if resume is not None:
        if game or position:
            raise BadOption("--resume brings its own game and position, expected no other")
        allow_rules(rules, trust_game)
        record = files.load(resume)[-1]
        here = replay.check_replay(record)
        first, second = first or safe_seat(record.first, trust_game), second or safe_seat(record.second, trust_game)
    elif game:
        here = catalog.position(game, position)
    else:
        raise BadOption("which game? expected a name as `kibitz games` lists them, or --resume FILE")
    if level is not None and first and second:
        raise BadOption(f"level {level} has no effect: both sides are named; expected a side left to the machine")
    limit = Limit(seconds=seconds)
    prompt = Prompt(lambda: ())
    if not first and not second and prompt.live and not web:
        texts = asked_seats(here.game, level, prompt.asked)
    else:
        texts = (seat_text(first or HUMAN, here.game, level), seat_text(second, here.game, level))
    if web:
        play_in_browser(here, texts, seconds, seed)
    else:
        TerminalGame(here, texts, limit, seed).play()


def play_in_browser(here: "Position", texts: tuple[str, str], seconds: float, seed: int | None) -> None:
    """Serve all games, and open a browser at this one."""
    from kibitz.cli.serve import open_server
    from kibitz.games import catalog
    from kibitz.web.api.games import GameList
    from kibitz.web.api.safe_agents import check
    from kibitz.web.server.state import ServerState
    from kibitz.web.server.table_store import TableStore, default_path

    label, known = here.game.label, {entry.name for entry in catalog.entries()}
    games = GameList(files=[] if label in known else [label])
    game = games.game(Game(here.game.rulebook, here.game.options, here.game.rulebook.name).text)
    first, second = (check(text, game) for text in texts)
    *_, start = here.trail()
    said = {"game": game.text, "first": first, "second": second, "seconds": f"{seconds:g}", "line": here.line}
    if seed is not None:
        said["seed"] = str(seed)
    if start.text != game.new().text:
        said["position"] = start.text
    open_server(
        ServerState(games, kept=TableStore(default_path())),
        page=f"/#{urlencode({key: text for key, text in said.items() if text})}",
    )
