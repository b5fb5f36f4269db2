"""From a question to checked evidence on disk: search, gather, write, check. A search that was stopped goes on."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from kibitz.core.errors import BadOption, KibitzError
from kibitz.core.game import Game
from kibitz.core.options import in_range
from kibitz.core.position import Position
from kibitz.core.result import FIRST, SECOND
from kibitz.games import catalog
from kibitz.proofs import certificate as certificates
from kibitz.proofs import sealed_file
from kibitz.proofs.alquerque import endgames as tables
from kibitz.proofs.alquerque import strategy as strategies
from kibitz.proofs.alquerque.adapter import refuse_other_rules
from kibitz.proofs.alquerque.strategy import Strategy
from kibitz.proofs.alquerque.strategy_checker import Walker
from kibitz.proofs.certificate import BadCertificate, Certificate
from kibitz.proofs.checker import Checker
from kibitz.proofs.question import HOLDING, Question, can_hold, can_win, who_wins, wins_within
from kibitz.proofs.search import Search, Standing
from kibitz.search.budget import refuse_finished
from kibitz.tables import folder
from kibitz.tables.resources import GB, budget_memory

Say = Callable[[str], None]
Evidence = Certificate | Strategy
KNOWN = Path(str(files("kibitz.proofs") / "known"))  # evidence that comes with Kibitz
DEFAULT_GIGABYTES = 2.0


@dataclass(frozen=True, slots=True)
class Means:
    """What a run may use, and where it keeps its files."""

    folder: Path
    gigabytes: float | None = None
    jobs: int = 0
    seconds: float | None = None
    pieces: int = 6  # of Alquerque's endgame tables, where they are needed: 3 MB
    anew: bool = False  # look away from what comes with Kibitz
    every: float = 120.0  # seconds between two savings of the progress, at most

    def __post_init__(self) -> None:
        in_range("pieces", self.pieces, tables.FEWEST, tables.MOST)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known in the end; without evidence where it is unknown or the plies were counted."""

    standing: Standing
    evidence: Path | None = None
    positions: int = 0


def questions(position: Position, within: int, attacker: str | None) -> list[Question]:
    """What there is to prove about a position."""
    refuse_finished(position)
    game = position.game
    name = game.rulebook.name
    if name == "breakthrough" and attacker is None:
        return [wins_within(position, within) if within else who_wins(position)]
    if name == "alquerque" and not within:
        sides = [FIRST, SECOND] if attacker is None else [_side(game, attacker)]
        return [can_hold(position, 1 - side) for side in sides]
    if name in ("breakthrough", "alquerque"):
        raise BadOption(f"{game.text}: --within is for breakthrough and --attacker for alquerque")
    raise BadOption(
        f"there are proofs of breakthrough and alquerque, not of {game.text}; try: kibitz solve {game.text}"
    )


def _side(game: Game, name: str) -> int:
    if name not in game.rulebook.sides:
        raise BadOption(f"no side of {game.text} is called '{name}' (known: {', '.join(game.rulebook.sides)})")
    return game.rulebook.sides.index(name)


def kept_endings(folder: Path, pieces: int, say: Say) -> tables.Endings:
    """The endgame tables of Alquerque: those on disk, or else solved now and kept. On the way to many pieces those of
    fewer are kept, so that a run that is killed goes on from there.
    """

    def path(size: int) -> Path:
        return folder / f"alquerque-{size}.endings"

    def watch(mine: int, theirs: int, counts: tuple[int, int, int]) -> None:
        say(f"endgames, {mine} pieces to move against {theirs}: {_counted(counts)}")

    budget_memory(max(tables.size_in_bytes(pieces) / GB, 1e-3))
    kept = max((size for size in range(tables.FEWEST, pieces + 1) if path(size).is_file()), default=0)
    found = tables.read(path(kept)) if kept else tables.no_endings()
    for size in range(max(kept + 1, tables.FEWEST), pieces + 1):
        found = tables.solve_endings(size, watch, found)
        tables.write(path(size), found)
        if size - 1 > kept:
            path(size - 1).unlink(missing_ok=True)
    return found


def _counted(counts: tuple[int, int, int]) -> str:
    won, drawn, lost = counts
    return f"{won:,} won, {drawn:,} drawn, {lost:,} lost"


def prove(question: Question, means: Means, say: Say) -> Verdict:
    """Answer a question, or come nearer to the answer. What is found is written down and checked."""
    before = _evidence_for(question, means)
    if before is not None:
        return _proven_before(question, before, say)
    path = means.folder / f"{question.name}.proof"
    progress = means.folder / f"{question.search_name}.progress"
    search = Search(question, _megabytes(means.gigabytes), means.jobs or os.cpu_count() or 1)
    if progress.is_file():
        search.resume(progress)
    standing = search.run(progress, means.every, means.seconds, lambda now: say(_shown(now)))
    if standing.holds is None or question.within:
        return Verdict(standing)
    verdict = _with_evidence(search, standing, path, means, say)
    if verdict.evidence is not None:
        with suppress(OSError):
            progress.unlink()
    return verdict


def _with_evidence(search: Search, standing: Standing, path: Path, means: Means, say: Say) -> Verdict:
    """The answer that a search has found, with evidence that was checked."""

    def gathered(found: int, done: int) -> None:
        say(f"gathering evidence: {done:,} of {found:,} positions")

    found: Evidence
    if search.question.kernel != HOLDING:
        found = search.certificate(gathered)
        _believe(found, say)
        certificates.write(path, found)
    elif search.question.draw_will_do(bool(standing.holds)):
        found = search.strategy(gathered)
        _believe(found, say)
        strategies.write(path, found)
    else:  # how the other side wins is a matter of proof-number search
        shown = prove(_won(search.question, means, say), means, say)
        return shown if shown.evidence is not None else Verdict(standing)
    return Verdict(standing, path, found.positions)


def _won(question: Question, means: Means, say: Say) -> Question:
    """The same question the other way round, for the side that has to win."""
    return can_win(question.position, 1 - question.holder, kept_endings(means.folder, means.pieces, say))


def _evidence_for(question: Question, means: Means) -> Path | None:
    """The evidence that answers a question, where there is some in the folder or it comes with Kibitz."""
    places = [means.folder] if means.anew else [means.folder, KNOWN]
    return next((path for place in places if (path := place / f"{question.name}.proof").is_file()), None)


def _proven_before(question: Question, path: Path, say: Say) -> Verdict:
    found = check(path, question.position, say)
    holds = found.winner == question.position.turn
    if found.draw_will_do and not question.draw_will_do(holds):
        raise BadCertificate(f"'{path}' shows that a side {found.proves}, which is no answer to: {question.text}?")
    return Verdict(Standing(question, holds, found.nodes, found.seconds), path, found.positions)


def check(path: Path, position: Position | None, say: Say) -> Evidence:
    """Read evidence and go through it with the rules alone."""
    found = _read(path)
    named = catalog.load(found.game)
    _refuse_other_games(named, isinstance(found, Strategy))
    if position is not None and (named, found.position) != (position.game, position.text):
        what = f"{named.text} position '{found.position}'"
        raise BadCertificate(f"'{path}' is about {what}, expected {position.game.text} position '{position.text}'")
    try:
        _believe(found, say)
    except BadCertificate as problem:
        raise BadCertificate(f"'{path}' proves nothing: {problem}") from None
    return found


def _refuse_other_games(game: Game, drawn: bool) -> None:
    """A proof needs a game that always ends; a strategy knows the habits of one game only."""
    name = game.rulebook.name
    if name == "alquerque":
        refuse_other_rules(game)
    elif name != "breakthrough" or drawn:
        raise BadCertificate(f"there are no such proofs of {game.text}")


def _read(path: Path) -> Evidence:
    return strategies.read(path) if sealed_file.kind_of(path) == strategies.KIND else certificates.read(path)


def _believe(found: Evidence, say: Say) -> None:
    game = catalog.load(found.game)
    checker = Walker(game, found) if isinstance(found, Strategy) else Checker(game, found)
    checker.check(lambda done: say(f"checking evidence: {done:,} of {found.positions:,} positions"))


def _shown(standing: Standing) -> str:
    rate = standing.nodes / standing.seconds if standing.seconds > 0 else 0.0
    return f"{standing.question.text}? {standing.nodes:,} nodes in {standing.seconds:,.0f} s, {rate:,.0f} a second"


def _megabytes(gigabytes: float | None) -> int:
    free = budget_memory(gigabytes)
    wanted = free.bytes if gigabytes is not None else min(free.bytes, int(DEFAULT_GIGABYTES * GB))
    return max(wanted >> 20, 1)


def default_folder() -> Path:
    """Where proofs are kept: beside the tables."""
    path = folder.root()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise KibitzError(f"cannot make the folder '{path}': {problem.strerror}") from None
    return path
