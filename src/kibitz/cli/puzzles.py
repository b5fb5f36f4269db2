"""`kibitz puzzles`: positions with one solution, made from games and proven."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kibitz.cli.interrupts import Stopped
from kibitz.cli.progress import show_bar
from kibitz.cli.texts import RulesText, TrustGame, allow_rules
from kibitz.core.errors import BadOption, KibitzError
from kibitz.core.options import in_range
from kibitz.core.output_file import check_writable
from kibitz.games import catalog

if TYPE_CHECKING:
    from kibitz.core.game import Game
    from kibitz.puzzles.tactics import PuzzleSet, Settings

MOST = 20_000


def puzzles(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="name[:preset][,key=value...], or a rules file's path."),
    ] = None,
    count: Annotated[int, typer.Option(help="How many there are to be in the file.")] = 20,
    sources: Annotated[
        list[Path] | None,
        typer.Option("--from", metavar="FILE", help="Look through the games of a store or of records; repeatable."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write here; by default where the page looks.")
    ] = None,
    goal: Annotated[Literal["any", "win", "draw"], typer.Option(help="What the solver is to reach.")] = "any",
    longest: Annotated[int, typer.Option(help="Turns of both sides until the win, at most.")] = 11,
    checked: Annotated[
        bool, typer.Option("--checked", help="Keep also what is not proven, but was searched deeply.")
    ] = False,
    margin: Annotated[float, typer.Option(help="Games of chance: how much better than all others a move is.")] = 0.15,
    nodes: Annotated[int, typer.Option(help="Of the first look at a position.")] = 5000,
    seed: Annotated[int, typer.Option(help="Of the engine's games: the same seed gives the same puzzles.")] = 1,
    jobs: Annotated[int, typer.Option(help="Processes; 0 for one on each core. They change nothing but time.")] = 0,
    anew: Annotated[bool, typer.Option("--anew", help="Replace the file instead of going on with it.")] = False,
    check: Annotated[Path | None, typer.Option(metavar="FILE", help="Only prove the puzzles of a file again.")] = None,
    rules: RulesText = None,
    trust_game: TrustGame = False,
) -> None:
    """Make puzzles: positions in which one move alone wins, or alone holds the draw.

    They come from games that the engine plays against itself, or from your stores and records. Stopped at any moment,
    the same command goes on where it was, and what was found is kept.
    """
    from kibitz.puzzles.tactics import Settings

    allow_rules(rules, trust_game)
    if (game is None) == (check is None):
        raise BadOption("expected a game to make puzzles of, or --check with a file of them")
    if check is not None:
        _check(check, rules)
        return
    if not 0.01 <= margin <= 0.9:
        raise BadOption(f"margin is {margin:g}, expected 0.01 to 0.9")
    settings = Settings(
        count=in_range("count", count, 1, MOST),
        seed=seed,
        longest=in_range("longest", longest, 3, 99),
        goal=None if goal == "any" else goal,
        checked=checked,
        nodes=in_range("nodes", nodes, 100, 100_000_000),
        margin=margin,
        sources=tuple(sources or ()),
    )
    here = catalog.load(str(game))
    _make(here, settings, out, anew, in_range("jobs", jobs, 0, 1024) or os.cpu_count() or 1)


def _make(game: "Game", settings: "Settings", out: Path | None, anew: bool, jobs: int) -> None:
    from kibitz.puzzles.tactics import make, save

    path = out or _own_path(game)
    check_writable(path)
    known = _known(game, settings, path, anew)
    kept = known
    try:
        with show_bar() as progress:
            progress.start("puzzles", settings.count)
            progress.advance(len(known.puzzles))

            def watch(found: "PuzzleSet") -> None:
                nonlocal kept
                progress.advance(len(found.puzzles) - len(kept.puzzles))
                progress.describe(f"{found.looked_at:,} games")
                if found.puzzles != kept.puzzles:
                    save(path, found)
                kept = found

            kept = make(game, settings, known, watch, jobs)
    except KeyboardInterrupt:
        save(path, kept)
        raise Stopped(f"with {len(kept.puzzles)} puzzles in {path}; the same command goes on") from None
    save(path, kept)
    _print_summary(kept, path)
    if len(kept.puzzles) < settings.count:
        print(f"no more were found in {kept.looked_at:,} games")


def _own_path(game: "Game") -> Path:
    from kibitz.puzzles.tactics import folder

    path = folder.path_for(game)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise KibitzError(f"cannot make the folder '{path.parent}': {problem.strerror}") from None
    return path


def _known(game: "Game", settings: "Settings", path: Path, anew: bool) -> "PuzzleSet":
    """What the file has already, if it was begun by the same command."""
    from kibitz.puzzles.tactics import PuzzleSet, load

    if anew or not path.is_file():
        return PuzzleSet.empty(game, settings.facts)
    known = load(path)
    known.check_game(game, path)
    if known.made != settings.facts:
        raise BadOption(f"'{path}' was begun with other options; take them again, another --out, or --anew")
    if known.puzzles:
        print(f"going on with the {len(known.puzzles)} puzzles in {path}", file=sys.stderr)
    return known


def _print_summary(puzzles: "PuzzleSet", path: Path) -> None:
    found = puzzles.puzzles
    proven = sum(puzzle.proven for puzzle in found)
    print(f"{len(found)} puzzles of {puzzles.game} from {puzzles.looked_at:,} games, {proven} of them proven")
    for title, values in (
        ("level", [puzzle.level for puzzle in found]),
        ("turns", [puzzle.turns for puzzle in found if puzzle.turns is not None]),
    ):
        counts = {value: values.count(value) for value in sorted(set(values))}
        if counts:
            print(f"{title:6} " + "  ".join(f"{value}: {times}" for value, times in counts.items()))
    print(f"kept in {path}; kibitz serve shows them under Puzzles")


def _game_of(puzzles: "PuzzleSet", rules: str | None) -> "Game":
    """The game that a file names: one of the catalogue, or of the rules that the user names, with its options."""
    own = None if rules is None else catalog.load(rules).rulebook.name
    if own is not None and puzzles.game.startswith(own):
        return catalog.load(f"{rules}{puzzles.game.removeprefix(own)}")
    return catalog.load_known(puzzles.game)


def _check(path: Path, rules: str | None) -> None:
    from kibitz.puzzles.tactics import load, verify

    puzzles = load(path)
    game = _game_of(puzzles, rules)
    puzzles.check_game(game, path)
    means: dict[str, int] = {}
    faults = []
    with show_bar() as progress:
        progress.start("proving again", len(puzzles.puzzles))
        for verdict in verify(puzzles, game):
            progress.advance(1)
            if verdict.fault:
                faults.append(verdict)
            else:
                means[" and ".join(verdict.shown_by)] = means.get(" and ".join(verdict.shown_by), 0) + 1
    for name, times in means.items():
        print(f"{times} of {len(puzzles.puzzles)} shown again by {name}")
    for fault in faults:
        print(f"puzzle {fault.number}: {fault.fault}")
    if faults:
        raise BadPuzzleCount(f"{len(faults)} of {len(puzzles.puzzles)} puzzles in '{path}' were not shown again")


class BadPuzzleCount(KibitzError):
    """Some puzzles of a file did not withstand being proven again."""
