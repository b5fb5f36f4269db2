"""`kibitz serve`: the board in a browser, and the API behind it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.core.errors import BadOption
from kibitz.core.extras import require
from kibitz.core.options import in_range

if TYPE_CHECKING:
    from kibitz.web.server.state import ServerState


def serve(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Only these games; all if left out.")
    ] = None,
    file: Annotated[
        list[str] | None, typer.Option("--game", metavar="FILE", help="A rules file of your own, besides the others.")
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on; others than yourself reach 0.0.0.0.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int | None, typer.Option(help="The port; by default 8300 or the next that is free.")] = None,
    show: Annotated[bool, typer.Option("--open", help="Open a browser.")] = False,
    store: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A tournament's store to show, live.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes that think; 0: one for each processor, at least 2.")] = 0,
    tables: Annotated[int, typer.Option(help="At most so many games at one time.")] = 1000,
    engine: Annotated[
        str, typer.Option(help="Where engines run: browser (where it can, else here), or server.")
    ] = "browser",
    games_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where games at tables with a link are kept; else in your data folder."),
    ] = None,
) -> None:
    """Serve all games and puzzles to a browser on this machine, until Ctrl-C."""
    in_range("workers", workers, 0, 64)
    in_range("tables", tables, 1, 100_000)
    if port is not None:
        in_range("port", port, 0, 65535)
    if engine not in ("browser", "server"):
        raise BadOption(f"--engine is '{engine}', expected browser or server")
    require("web")
    from kibitz.arena.contest.store import Store
    from kibitz.web.api.games import GameList
    from kibitz.web.api.limits import Limits
    from kibitz.web.server.state import ServerState
    from kibitz.web.server.table_store import TableStore, default_path

    for path in store or ():
        if path.exists():  # one that is not there yet may come
            Store(path, create=False).close()
    limits = Limits(tables=tables, workers=workers) if workers else Limits(tables=tables)
    for path in store or ():
        if path.is_file() and path.stat().st_size:  # one that is begun later is shown when it is there
            Store(path, create=False).close()
    kept = TableStore(games_file or default_path())
    state = ServerState(GameList(game or (), file or ()), limits, tuple(store or ()), kept)
    state.browser_engines = engine == "browser"
    open_server(state, host, port, "" if show else None)


def open_server(
    state: "ServerState", host: str = "127.0.0.1", port: int | None = None, page: str | None = None
) -> None:
    """Serve until Ctrl-C; `page` is what a browser is opened at, behind the address."""
    from kibitz.web.server.listener import address, bind, network_address, serve

    listening = bind(host, port)
    where = address(host, listening)
    state.address = network_address(host, listening)

    def ready() -> None:
        print(f"Kibitz is at {where}{page or ''} (Ctrl-C stops it)", flush=True)
        if state.address:
            print(f"others on the network find it at {state.address}", flush=True)
        if page is not None:
            typer.launch(f"{where}{page}")

    serve(state, host, listening, ready)
    print("stopped")
