"""What `kibitz match` and `kibitz tournament` share: holding a contest and printing what came of it."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from kibitz.arena import live, table, verdict
from kibitz.arena.contest import Contest, Played
from kibitz.arena.holding import Progress, hold
from kibitz.arena.openings import Opening
from kibitz.arena.schedule import games_in_all
from kibitz.arena.scores import Scores
from kibitz.arena.sprt import Sprt
from kibitz.arena.statistics import strength
from kibitz.arena.store import Store
from kibitz.arena.store import check as check_store
from kibitz.arena.workers import Team, team_of
from kibitz.cli.stopping import Stopped
from kibitz.core.files import writable
from kibitz.core.options import in_range


@dataclass(frozen=True, slots=True)
class Held:
    """A contest as far as it was played."""

    progress: Progress
    games: list[Played]
    openings: list[Opening]
    stopped: bool  # by the user

    @property
    def contest(self) -> Contest:
        return self.progress.contest

    @property
    def scores(self) -> Scores:
        return self.progress.scores


def team(jobs: int, cluster: str | None) -> Team:
    """Who plays the games."""
    in_range("jobs", jobs, 1, 4096)
    if cluster is not None:
        from kibitz.arena.cluster import Cluster

        return Cluster(cluster)
    cores = os.cpu_count() or 1
    if jobs > cores:
        print(f"{jobs} games at a time on {cores} processors: players will wait for each other", file=sys.stderr)
    return team_of(jobs)


def check(store: Path | None, record: Path | None) -> None:
    """Refuse places that cannot be written, before any work is done for them."""
    if store is not None:
        check_store(store)
    if record is not None:
        writable(record)


def held(contest: Contest, path: Path | None, players: Team, sprt: Sprt | None = None, *, quiet: bool) -> Held:
    """Hold a contest, watched. Ctrl-C ends it with what there is."""
    with Store(path) as store:
        number = store.enter(contest)
        stopped = False
        try:
            with live.watching(quiet) as watcher:
                hold(contest, store, players, watcher, sprt)
        except KeyboardInterrupt:
            stopped = True
        games, openings = store.games(number), store.openings(number)
    return Held(Progress(contest, games_in_all(contest), Scores(games), sprt), games, openings, stopped)


def print_match(found: Held) -> None:
    """A match in numbers and in words."""
    left, right = (entrant.name for entrant in found.contest.entrants)
    print(f"{found.contest.game}: {left} against {right}")
    for line in verdict.numbers(found.scores.tally(left, right), found.progress.sprt):
        print(line)
    for line in verdict.of_match(found.progress):
        print(line)


def print_tournament(contest: Contest, scores: Scores) -> None:
    """A tournament as tables, and what they do not say."""
    console = Console(width=None if sys.stdout.isatty() else 120)
    standings = table.standings(contest, scores)
    console.print(table.leaderboard(standings), "", highlight=False, markup=False)
    console.print(table.cross_table(standings, scores), "", highlight=False, markup=False)
    for line in [*table.notes(standings), *verdict.remarks(contest, scores)]:
        print(line)


def say_how_to_go_on(found: Held, path: Path | None) -> None:
    """After Ctrl-C: what is kept, and how the rest comes about."""
    if not found.stopped:
        return
    kept = f"kept in {path}; the same command goes on from there" if path else "counted above; --store FILE keeps games"
    raise Stopped(f"after {found.scores.count} of {found.progress.wanted} games, {kept}")


def match_facts(found: Held) -> dict[str, object]:
    """A match for programs to read."""
    contest, sprt = found.contest, found.progress.sprt
    left, right = (entrant.name for entrant in contest.entrants)
    tally = found.scores.tally(left, right)
    facts: dict[str, object] = {
        "game": contest.game,
        "first": left,
        "second": right,
        "seed": contest.drawing.seed,
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": tally.score,
        "pairs": list(tally.pairs),
        "failures": [{"game": list(game.key), "reason": game.record.reason} for game in found.scores.failures],
        "repeated": found.scores.repeated,
        "verdict": list(verdict.of_match(found.progress)),
    }
    known = strength(tally.pairs)
    if known is not None:
        facts["elo"] = [finite(known.elo.value), finite(known.elo.low), finite(known.elo.high)]
        facts["normalised_elo"] = finite(known.normalised)
        facts["superiority"] = known.superiority
    if sprt is not None:
        ratio, decision = sprt.ratio(tally.pairs), sprt.decision(tally.pairs)
        facts["sprt"] = {"bounds": [sprt.elo0, sprt.elo1], "model": sprt.model, "llr": ratio, "decision": decision}
    return facts


def tournament_facts(contest: Contest, scores: Scores) -> dict[str, object]:
    """A tournament for programs to read."""
    found = table.standings(contest, scores)
    return {
        "game": contest.game,
        "format": contest.format,
        "seed": contest.drawing.seed,
        "games": scores.count,
        "first_side": [found.ratings.advantage.value, found.ratings.advantage.low, found.ratings.advantage.high],
        "players": [
            {
                "name": row.name,
                "elo": [row.rating.value, row.rating.low, row.rating.high],
                "points": row.tally.points,
                "games": row.tally.games,
                "wins": row.tally.wins,
                "draws": row.tally.draws,
                "losses": row.tally.losses,
                "failures": row.failures,
                "failure": row.failure,
            }
            for row in found.rows
        ],
        "remarks": [*table.notes(found), *verdict.remarks(contest, scores)],
    }


def finite(value: float) -> float | None:
    """A number that JSON can hold."""
    return value if abs(value) < float("inf") else None
