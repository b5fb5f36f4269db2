"""`kibitz learn`: a strong evaluation from self-play alone."""

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from kibitz.cli.interrupts import Stopped
from kibitz.cli.progress import show_status
from kibitz.cli.texts import GameText
from kibitz.core.errors import BadOption
from kibitz.core.options import in_range
from kibitz.core.output_file import check_writable
from kibitz.games import catalog

if TYPE_CHECKING:
    from kibitz.core.game import Game
    from kibitz.learn.run import Learning, Progress
    from kibitz.nets.file import Net

QUICK_MATCHES = (0.4, 0.8)  # how far a run is when it plays a quick match


def learn(
    game: GameText,
    minutes: Annotated[float | None, typer.Option(help="Learn so long, the match apart; 20 if left out.")] = None,
    positions: Annotated[int | None, typer.Option(help="Learn from so many positions instead.")] = None,
    jobs: Annotated[int, typer.Option(help="Processes that play; 0 for one on each core.")] = 0,
    units: Annotated[int, typer.Option(help="Size of the network: a multiple of 8.")] = 64,
    inputs: Annotated[
        Literal["bits", "features", "both"], typer.Option(help="What it looks at: the state, a heuristic's features.")
    ] = "bits",
    heuristic: Annotated[str, typer.Option(help="Whose features; the default's if left out.")] = "",
    depth: Annotated[int, typer.Option(help="Turns that self-play looks ahead.")] = 2,
    seed: Annotated[int, typer.Option(help="With --positions and one job the same seed gives the same net.")] = 1,
    device: Annotated[Literal["cpu", "cuda"], typer.Option(help="Where to train; cuda needs kibitz[learn].")] = "cpu",
    cluster: Annotated[str | None, typer.Option(help="Play on Dask: tcp://HOST:PORT, or local:4.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the net here too.")] = None,
    games: Annotated[int, typer.Option(help="Games of each match at the end; 0: no match, nothing installed.")] = 40,
    seconds: Annotated[float, typer.Option(help="Seconds a move in these matches.")] = 0.1,
) -> None:
    """Learn to judge the positions of a game by playing it, then show in a match what that is worth.

    Stopped at any moment, by Ctrl-C or otherwise, the same command goes on where it was.
    """
    from kibitz.learn import run
    from kibitz.nets import folder

    here = catalog.load(game)
    if minutes is not None and positions is not None:
        raise BadOption("both minutes and positions are given, expected one of them")
    if games % 2 or games < 0:
        raise BadOption(f"games is {games}, expected an even number, so that sides can be swapped")
    settings = run.Settings(
        game=game,
        minutes=20.0 if minutes is None and positions is None else minutes,
        positions=positions,
        jobs=in_range("jobs", jobs, 0, 1024) or os.cpu_count() or 1,
        units=units,
        inputs=inputs,
        heuristic=heuristic,
        depth=depth,
        seed=seed,
        device=device,
        cluster=cluster,
    )
    if device == "cuda":
        from kibitz.learn.torch_training import find_device

        find_device(device)
    if out is not None:
        check_writable(out)
    place = folder.root() / "runs" / f"{folder.stem_of(here)}-{settings.key(here)}"
    if (place / "state").exists():
        print(f"going on with the run in {place}", file=sys.stderr)
    try:
        net = _learn(settings, place)
        if out is not None:
            net.save(out)
            print(f"net {net.hash} in {out} ({out.stat().st_size / 1000:.0f} kB)")
        if games:
            _match(net, here, games, seconds, settings.jobs)
    except KeyboardInterrupt:
        raise Stopped(f"by Ctrl-C; the same command goes on with what is kept in {place}") from None
    shutil.rmtree(place, ignore_errors=True)


def _learn(settings: Any, place: Path) -> "Net":
    from kibitz.learn import run

    with show_status() as status:
        said = dict.fromkeys(QUICK_MATCHES, "")

        def watch(progress: "Progress", learning: "Learning") -> None:
            for share in QUICK_MATCHES:
                if not said[share] and progress.share >= share and settings.minutes is not None:
                    said[share] = _quick_match(learning)
            last = next((text for text in reversed(said.values()) if text), "")
            status.report("learning", _line(progress) + last)

        net, learning = run.learn(settings, place, watch)
    state = learning.state
    print(
        f"{learning.game.text}: {state.positions:,} positions of {state.games:,} games in {learning.seconds / 60:.1f} "
        f"minutes; {learning.inputs.size} inputs, {settings.units} units; loss on games held out {state.held_out:.4f}"
    )
    return net


def _line(progress: "Progress") -> str:
    state = progress.state
    left = "" if progress.seconds_left is None else f", {progress.seconds_left / 60:.1f} minutes left"
    stage = "training" if state.fitting else f"depth {progress.depth}"
    return (
        f"{100 * progress.share:.0f} %, {state.positions:,} positions, {stage}, loss {state.loss:.4f}, "
        f"on games held out {state.held_out:.4f}{left}"
    )


def _quick_match(learning: "Learning") -> str:
    from kibitz import nets
    from kibitz.learn.trial import QUICK_GAMES, play_quickly
    from kibitz.nets.choice import with_network

    before = nets.find_heuristic(learning.game)
    ours = with_network(learning.inputs.base, learning.network)
    share = play_quickly(learning.game, ours, before, learning.settings.seed)
    return f"; quick match against {before.name}: {100 * share:.0f} % of {QUICK_GAMES} games"


def _match(net: "Net", game: "Game", games: int, seconds: float, jobs: int) -> None:
    from kibitz.arena.report import live
    from kibitz.learn import trial

    matches = []
    for opponent in trial.opponents_of(game):
        with live.make_watcher(quiet=False) as watcher:
            found = trial.try_net(net, game, opponent, games, seconds, jobs, watcher)
        tally = found.tally
        print(
            f"match against {opponent}, {seconds:g} s a move: {tally.wins} won, {tally.draws} drawn, {tally.losses} "
            f"lost; score {100 * found.score:.1f} %"
        )
        matches.append(found)
    installed = trial.install(net, game, matches)
    if installed is None:
        print("no improvement: the net did not win, so nothing is installed")
        return
    path, kept = installed
    role = "the default of this game" if kept.default else "not clearly better, so not the default"
    print(f"installed as engine:heuristic=learned, {role}; net {kept.hash} in {path}")
