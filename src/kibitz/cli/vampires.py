"""`kibitz vampires`: the vampires game over a network, as its course plays it."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.interrupts import Stopped
from kibitz.core.errors import BadOption
from kibitz.core.options import in_range

if TYPE_CHECKING:
    from kibitz.arena.records.record import Record

vampires = typer.Typer(
    help="Vampires against werewolves over TCP: serve a game, or join one.",
    rich_markup_mode=None,
)
Quiet = Annotated[bool, typer.Option("--quiet", help="Print the result only.")]


@vampires.callback(invoke_without_command=True)
def _overview(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@vampires.command()
def serve(
    board: Annotated[str, typer.Option("--map", help="A known map, an XML file, or random.")] = "thetrap",
    port: Annotated[int, typer.Option(help="The port; 0: any that is free.")] = 5555,
    move_seconds: Annotated[float, typer.Option(help="Seconds a turn; who is later has it skipped.")] = 2.0,
    plies: Annotated[int, typer.Option(help="Turns, after which the more numerous side wins.")] = 200,
    game_seconds: Annotated[float, typer.Option(help="Seconds for the game; 0: no limit.")] = 0.0,
    host: Annotated[str, typer.Option(help="The address to listen on; others than yourself reach 0.0.0.0.")] = (
        "127.0.0.1"
    ),
    games: Annotated[int, typer.Option(help="Games, one after the other; players connect for each.")] = 1,
    record: Annotated[Path | None, typer.Option(help="Where games are written; .jsonl as JSON lines.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the battles.")] = None,
    quiet: Quiet = False,
) -> None:
    """Serve games to two clients: the first to connect leads the vampires."""
    import random

    from kibitz.core.output_file import check_writable
    from kibitz.games.vampires import vampires as rules
    from kibitz.protocols.vampires.network_game import NetworkSettings
    from kibitz.protocols.vampires.registration import listen
    from kibitz.protocols.vampires.server import serve_series

    in_range("port", port, 0, 65535)
    in_range("games", games, 1, 100_000)
    for name, seconds, least in (("move-seconds", move_seconds, 0.01), ("game-seconds", game_seconds, 0.0)):
        if not least <= seconds <= 86_400:
            raise BadOption(f"option {name} is {seconds:g}, expected {least:g} to 86400")
    game = rules(map=board, plies=plies)
    file = record or Path(f"vampires-{datetime.now():%Y%m%d-%H%M%S}.txt")
    check_writable(file)
    settings = NetworkSettings(
        move_seconds=move_seconds,
        game_seconds=game_seconds,
        seed=random.SystemRandom().randrange(1, 1 << 31) if seed is None else seed,
    )
    try:
        with listen(host, port) as door:
            print(f"{game.text}: waiting for two players at {host}, port {door.getsockname()[1]}", flush=True)
            told = _ignore if quiet else _log
            for result in serve_series(door, game, settings, games, told, lambda parts: _keep(file, parts)):
                print(result, flush=True)
    except KeyboardInterrupt:
        raise Stopped("before the end of the game; the same command serves a new one") from None


@vampires.command()
def join(
    host: Annotated[str, typer.Argument(help="The server's address.")],
    port: Annotated[int, typer.Argument(help="Its port.")],
    agent: Annotated[str, typer.Option(help="Who plays for us.")] = "engine",
    name: Annotated[str, typer.Option(help="What we call ourselves.")] = "",
    seconds: Annotated[float, typer.Option(help="Seconds that the agent may think in a turn.")] = 1.5,
    plies: Annotated[int, typer.Option(help="Turns that the server plays.")] = 200,
    quiet: Quiet = False,
) -> None:
    """Play one game on a server."""
    from kibitz import agents
    from kibitz.core.limit import Limit
    from kibitz.games.vampires import vampires as rules
    from kibitz.protocols.vampires.client import join as run

    in_range("port", port, 1, 65535)
    player = agents.read(agent)
    player.refuse_others(rules())
    try:
        print(run(host, port, player, name or str(player), Limit(seconds=seconds), plies, _ignore if quiet else _log))
    except KeyboardInterrupt:
        raise Stopped("and hung up: whoever leaves a game has lost it") from None


def _keep(file: Path, parts: list["Record"]) -> None:
    """Write the record, also of a game that was stopped."""
    from kibitz.arena.records import files

    files.save(file, parts)
    print(f"{file}: the record; kibitz replay {file} shows it", flush=True)


def _log(line: str) -> None:
    print(line, flush=True)


def _ignore(line: str) -> None: ...
