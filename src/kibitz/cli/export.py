"""`kibitz export`: a game with its engine as a page of its own, as a site, or for other people's pages."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz.core.errors import BadOption, KibitzError, RulesError
from kibitz.core.game import Game
from kibitz.core.options import in_range
from kibitz.core.seam.wasm import CannotExport
from kibitz.export.library import file_name, write_library
from kibitz.games import catalog
from kibitz.nets.choice import find_heuristic
from kibitz.web.export.game import AGENTS, ExportedGame
from kibitz.web.export.page import make_folder, write_folder, write_page

USUAL_LEVEL = 3  # whom a newcomer meets
HUMAN = "human"


def export(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="name[:preset][,key=value...], or a rules file's path.", show_default=False
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The file, or with --folder and --wasm the folder.", show_default=False)
    ] = None,
    heuristic: Annotated[str | None, typer.Option(help="How positions are judged; the default if left out.")] = None,
    level: Annotated[
        int, typer.Option(help="How strong the engine is at first, 1 to 10; 0: as strong as it can.")
    ] = USUAL_LEVEL,
    first: Annotated[str, typer.Option(help="Who begins: human, engine or random.")] = HUMAN,
    second: Annotated[str, typer.Option(help="Who plays second.")] = "engine",
    folder: Annotated[bool, typer.Option("--folder", help="Write a page and files beside it, for a site.")] = False,
    all_games: Annotated[
        Path | None, typer.Option("--all", metavar="SITE", help="Write a site with every game and a lobby.")
    ] = None,
    wasm: Annotated[
        bool, typer.Option("--wasm", help="Write module, manifest and engine.js: a library for pages and Node.")
    ] = False,
) -> None:
    """Write a game with its engine to be played without Python: one page, a folder for a site, or a library."""
    _refuse_mixture(game, all_games, folder, wasm, out)
    if all_games is not None:
        _write_site(all_games)
        return
    assert game is not None
    chosen = catalog.load(game)
    judged = find_heuristic(chosen, heuristic)
    if wasm:
        assert out is not None
        for path, size in write_library(chosen, judged, out):
            print(f"{size / 1000:8.1f} kB  {path}")
        return
    made = ExportedGame(chosen, judged)
    opening = {"first": _player(first, "first", level), "second": _player(second, "second", level)}
    if folder:
        target = out or Path(file_name(chosen))
        for path, size in write_folder([made], {"game": made.text, **opening}, target, chosen.rulebook.title):
            print(f"{size / 1000:8.1f} kB  {path}")
        return
    target = out or Path(f"{file_name(chosen)}.html")
    print(f"{write_page(made, opening, target) / 1000:8.1f} kB  {target}")


def _refuse_mixture(game: str | None, site: Path | None, folder: bool, wasm: bool, out: Path | None) -> None:
    if site is not None and (game is not None or folder or wasm or out is not None):
        raise BadOption("--all writes every game to its folder, expected no game and no other form beside it")
    if site is None and game is None:
        raise BadOption("say which game to export, or --all SITE")
    if folder and wasm:
        raise BadOption("--folder and --wasm are two forms, expected one of them")
    if wasm and out is None:
        raise BadOption("--wasm writes several files, expected --out FOLDER")


def _player(name: str, option: str, level: int) -> str:
    """A player as the page names it."""
    if name not in (HUMAN, *AGENTS):
        raise BadOption(f"--{option} is '{name}', expected {HUMAN}, {' or '.join(AGENTS)}")
    in_range("level", level, 0, 10)
    return f"engine:level={level}" if name == "engine" and level else name


def _write_site(folder: Path) -> None:
    make_folder(folder)
    games = [found for entry in catalog.entries() if (found := _try_game(entry)) is not None]
    if not games:
        raise KibitzError("no game can be exported, so there is nothing to write")
    for path, size in write_folder(games, None, folder, "Games"):
        print(f"{size / 1000:8.1f} kB  {path}")


def _try_game(entry: catalog.Entry) -> ExportedGame | None:
    """A game of the site; one that cannot be exported is left out, with a line that says why."""
    try:
        game: Game = catalog.load(entry.name)
        made = ExportedGame(game, find_heuristic(game, None), entry.origin)
        made.module, made.about  # noqa: B018 - made now, so that a game is left out before anything is written
    except (RulesError, CannotExport) as error:
        print(f"left out: {error}", file=sys.stderr)
        return None
    return made
