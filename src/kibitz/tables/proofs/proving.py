"""From a question to checked evidence on disk: search, gather, write, check. A search that was stopped goes on."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kibitz.core.errors import BadOption, KibitzError
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import FIRST, SECOND
from kibitz.games import catalog
from kibitz.search.bounds import refuse_finished
from kibitz.tables import shelf
from kibitz.tables.memory import GB, allowed
from kibitz.tables.proofs import alquerque
from kibitz.tables.proofs import certificate as certificates
from kibitz.tables.proofs import endings as tables
from kibitz.tables.proofs.certificate import BadCertificate, Certificate
from kibitz.tables.proofs.checker import Checker
from kibitz.tables.proofs.question import Question, can_win, who_wins, wins_within
from kibitz.tables.proofs.solving import Search, Standing

Say = Callable[[str], None]
DEFAULT_GIGABYTES = 2.0
PIECES = 6  # endgame tables by default: a megabyte or two, half a minute


@dataclass(frozen=True, slots=True)
class Means:
    """What a run may use, and where it keeps its files."""

    folder: Path
    gigabytes: float | None = None
    jobs: int = 0
    seconds: float | None = None
    every: float = 120.0  # seconds between two savings of the progress


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known in the end; without evidence where it is unknown or the plies were counted."""

    standing: Standing
    evidence: Path | None = None
    positions: int = 0


def questions(
    position: Position, within: int, attacker: str | None, pieces: int, folder: Path, say: Say
) -> list[Question]:
    """What there is to prove about a position."""
    refuse_finished(position)
    game = position.game
    name = game.rulebook.name
    if name == "breakthrough" and attacker is None:
        return [wins_within(position, within) if within else who_wins(position)]
    if name == "alquerque" and not within:
        sides = [FIRST, SECOND] if attacker is None else [_side(game, attacker)]
        alquerque.refuse_other_rules(game)
        endings = kept_endings(folder, pieces, say)
        return [can_win(position, side, endings) for side in sides]
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
    """The endgame tables of Alquerque: those on disk, or else solved now and kept."""
    path = folder / f"alquerque-{pieces}.endings"
    if path.is_file():
        return tables.read(path)
    allowed(max(tables.size_in_bytes(pieces) / GB, 1e-3))

    def watch(mine: int, theirs: int, counts: tuple[int, int, int]) -> None:
        say(f"endgames, {mine} pieces to move against {theirs}: {_counted(counts)}")

    solved = tables.solve_endings(pieces, watch)
    tables.write(path, solved)
    return solved


def _counted(counts: tuple[int, int, int]) -> str:
    won, drawn, lost = counts
    return f"{won:,} won, {drawn:,} drawn, {lost:,} lost"


def prove(question: Question, means: Means, say: Say) -> Verdict:
    """Answer a question, or come nearer to the answer. What is found is written down and checked."""
    path = means.folder / f"{question.name}.proof"
    if path.is_file():
        return _proven_before(question, path, say)
    progress = path.with_suffix(".progress")
    search = Search(question, _megabytes(means.gigabytes), means.jobs or os.cpu_count() or 1)
    if progress.is_file():
        search.resume(progress)
    standing = search.run(progress, means.every, means.seconds, lambda now: say(_shown(now)))
    if standing.holds is None or question.within:
        return Verdict(standing)
    found = search.certificate(lambda count, done: say(f"gathering evidence: {done:,} of {count:,} positions"))
    _believe(found, say)
    certificates.write(path, found)
    with suppress(OSError):
        progress.unlink()
    return Verdict(standing, path, found.claims.size)


def _proven_before(question: Question, path: Path, say: Say) -> Verdict:
    found = check(path, question.position, say)
    holds = found.winner == question.position.turn
    return Verdict(Standing(question, holds, found.nodes, found.seconds), path, found.claims.size)


def check(path: Path, position: Position | None, say: Say) -> Certificate:
    """Read a certificate and go through it with the rules alone."""
    found = certificates.read(path)
    named = catalog.load(found.game)
    if position is not None and (named, found.position) != (position.game, position.text):
        what = f"{named.text} position '{found.position}'"
        raise BadCertificate(f"'{path}' is about {what}, expected {position.game.text} position '{position.text}'")
    try:
        _believe(found, say)
    except BadCertificate as problem:
        raise BadCertificate(f"'{path}' proves nothing: {problem}") from None
    return found


def _believe(found: Certificate, say: Say) -> None:
    size = found.claims.size
    checker = Checker(catalog.load(found.game), found)
    checker.check(lambda done: say(f"checking evidence: {done:,} of {size:,} positions"))


def _shown(standing: Standing) -> str:
    rate = standing.nodes / standing.seconds if standing.seconds > 0 else 0.0
    return f"{standing.question.text}? {standing.nodes:,} nodes in {standing.seconds:,.0f} s, {rate:,.0f} a second"


def _megabytes(gigabytes: float | None) -> int:
    free = allowed(gigabytes)
    wanted = free.bytes if gigabytes is not None else min(free.bytes, int(DEFAULT_GIGABYTES * GB))
    return max(wanted >> 20, 1)


def default_folder() -> Path:
    """Where proofs are kept: beside the tables."""
    path = shelf.folder()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise KibitzError(f"cannot make the folder '{path}': {problem.strerror}") from None
    return path
