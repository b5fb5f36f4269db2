"""What `kibitz match` and `kibitz tournament` share: holding a contest and printing what came of it."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.openings import Opening
from kibitz.arena.contest.runner import Progress, measure_progress, run_contest
from kibitz.arena.contest.store import Store
from kibitz.arena.contest.store import check as check_store
from kibitz.arena.play.fixture import PlayedGame
from kibitz.arena.play.machine import LEAST, find_margin
from kibitz.arena.players.supervised_process import describe_isolation
from kibitz.arena.report import live, sentences, tables
from kibitz.arena.report.circumstances import describe_lateness
from kibitz.arena.stats.decision import superiority
from kibitz.arena.stats.estimate import estimate_elo, finite, normalised_elo
from kibitz.arena.stats.scores import Scores
from kibitz.arena.stats.sprt import Sprt
from kibitz.arena.stats.standings import Standings
from kibitz.arena.teams.local import Team, team_of
from kibitz.cli.interrupts import Stopped
from kibitz.cli.streams import Console
from kibitz.core.errors import BadOption
from kibitz.core.options import in_range
from kibitz.core.output_file import check_writable


@dataclass(frozen=True, slots=True)
class Outcome:
    """A contest as far as it was played."""

    progress: Progress
    games: list[PlayedGame]
    openings: list[Opening]
    stopped: bool  # by the user

    @property
    def contest(self) -> Contest:
        return self.progress.contest

    @property
    def scores(self) -> Scores:
        return self.progress.scores


def team(jobs: int, cluster: str | None, affinity: bool = False) -> Team:
    """Who plays the games."""
    in_range("jobs", jobs, 1, 4096)
    if affinity and (cluster is not None or jobs == 1):
        raise BadOption("--affinity is for several jobs on this machine, expected --jobs 2 or more and no --cluster")
    if cluster is not None:
        from kibitz.arena.teams.cluster import Cluster

        return Cluster(cluster)
    cores = os.cpu_count() or 1
    if jobs > cores:
        print(f"{jobs} games at a time on {cores} processors: players will wait for each other", file=sys.stderr)
    return team_of(jobs, affinity)


def check(store: Path | None, record: Path | None) -> None:
    """Refuse places that cannot be written, before any work is done for them."""
    if store is not None:
        check_store(store)
    if record is not None:
        check_writable(record)


def run(contest: Contest, path: Path | None, players: Team, sprt: Sprt | None = None, *, quiet: bool) -> Outcome:
    """Hold a contest, watched. Ctrl-C ends it with what there is."""
    if not quiet:
        for line in (describe_isolation(contest.resources), *warn_of_busy_machine(contest)):
            print(line, file=sys.stderr)
    with Store(path) as store:
        number = store.enter(contest)
        stopped = False
        try:
            with live.make_watcher(quiet) as watcher:
                run_contest(contest, store, players, watcher, sprt)
        except KeyboardInterrupt:
            stopped = True
        games, openings = store.games(number), store.openings(contest.book)
    return Outcome(measure_progress(contest, games, sprt), games, openings, stopped)


def warn_of_busy_machine(contest: Contest) -> Iterator[str]:
    """Say so if this machine is too busy for the clocks of a contest."""
    controls = [contest.control, *(control for _, control in contest.limits)]
    timed = [control for control in controls if control.is_timed]
    if not timed:
        return
    fit = find_margin()
    given = min(fit if control.margin is None else control.margin for control in timed)
    if given < fit:
        yield f"this machine is too busy for a margin of {given:g} s, expected {fit:g} s or less work for it"
    elif fit > LEAST:
        yield f"this machine is busy: an answer may be {given:g} s late before it loses"


def print_match(found: Outcome) -> None:
    """A match in numbers and in words."""
    left, right = (entrant.name for entrant in found.contest.entrants)
    print(f"{found.contest.game}: {left} against {right}")
    for line in sentences.numbers(found.scores.tally(left, right), found.progress.sprt):
        print(line)
    for line in sentences.describe_match(found.progress):
        print(line)
    print_lateness(found)


def print_tournament(contest: Contest, scores: Scores, progress: Progress | None = None) -> None:
    """A tournament as tables, and what they do not say."""
    console = Console(width=None if sys.stdout.isatty() else 120)
    found = tables.standings_of(contest, scores)
    console.print(tables.leaderboard(found), "", highlight=False, markup=False)
    console.print(tables.cross_table(found, scores), "", highlight=False, markup=False)
    for line in [*describe_tournament(contest, found, scores), *_tests(progress)]:
        print(line)


def describe_tournament(contest: Contest, found: Standings, scores: Scores) -> list[str]:
    """What the tables do not say."""
    return [*tables.marks(found), *sentences.strongest(contest, found), *sentences.remarks(contest, scores)]


def print_lateness(found: Outcome) -> None:
    """Say so if the machine was too busy for its clocks."""
    for line in describe_lateness(found.games):
        print(line)


def say_how_to_go_on(found: Outcome, path: Path | None) -> None:
    """After Ctrl-C: what is kept, and how the rest comes about."""
    if not found.stopped:
        return
    kept = f"kept in {path}; the same command goes on from there" if path else "counted above; --store FILE keeps games"
    raise Stopped(f"after {found.scores.count} of {found.progress.wanted} games, {kept}")


def match_facts(found: Outcome) -> dict[str, object]:
    """A match for programs to read."""
    contest, sprt = found.contest, found.progress.sprt
    left, right = (entrant.name for entrant in contest.entrants)
    tally = found.scores.tally(left, right)
    facts: dict[str, object] = {
        "game": contest.game,
        "first": left,
        "second": right,
        "seed": contest.opening_settings.seed,
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": tally.score,
        "pairs": list(tally.pairs),
        "failures": [{"game": list(game.key), "reason": game.record.reason} for game in found.scores.failures],
        "repeated": found.scores.repeated,
        "verdict": list(sentences.describe_match(found.progress)),
    }
    elo = estimate_elo(tally.pairs, biased=sprt is not None)
    if elo is not None:
        facts["elo"] = elo.values
        facts["normalised_elo"] = finite(normalised_elo(tally.pairs))
        facts["biased"] = elo.biased
        facts["superiority"] = superiority(tally.pairs)
    if sprt is not None:
        facts["sprt"] = {
            "bounds": [sprt.elo0, sprt.elo1],
            "alpha": sprt.alpha,
            "beta": sprt.beta,
            "model": sprt.model,
            "llr": sprt.ratio(tally.pairs),
            "decision": found.progress.accepted(left, right),
        }
    return facts


def _tests(progress: Progress | None) -> list[str]:
    return [] if progress is None else list(sentences.describe_tests(progress))


def tournament_facts(contest: Contest, scores: Scores, progress: Progress | None = None) -> dict[str, object]:
    """A tournament for programs to read."""
    found = tables.standings_of(contest, scores)
    return {
        "game": contest.game,
        "format": contest.format,
        "seed": contest.opening_settings.seed,
        "games": scores.count,
        "first_side": found.ratings.advantage.values,
        "players": [
            {
                "name": row.name,
                "elo": row.rating.values,
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
        "remarks": [*describe_tournament(contest, found, scores), *_tests(progress)],
    }
