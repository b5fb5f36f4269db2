"""Holding a contest: what is missing in the store is played and written down, game by game."""

from dataclasses import dataclass, field
from typing import Protocol

from kibitz.arena import schedule
from kibitz.arena.contest import Contest, Played
from kibitz.arena.openings import Opening, draw
from kibitz.arena.scores import Scores
from kibitz.arena.sprt import Decision, Sprt
from kibitz.arena.store import Store
from kibitz.arena.workers import Team
from kibitz.games import catalog


class Watcher(Protocol):
    """Who is told how a contest goes on."""

    def playing(self, progress: "Progress") -> None:
        """Another game has finished, or the first is about to begin."""
        ...


@dataclass
class Progress:
    """How far a contest is."""

    contest: Contest
    wanted: int  # games in all
    scores: Scores
    sprt: Sprt | None = None
    already: int = 0  # games that were in the store before
    decision: Decision | None = None
    round: int = 0
    last: Played | None = field(default=None)

    @property
    def done(self) -> int:
        return self.scores.count

    @property
    def pairs(self) -> tuple[int, int, int, int, int]:
        """Pentanomial counts of the first entrant against the second."""
        left, right, *_ = self.contest.entrants
        return self.scores.tally(left.name, right.name).pairs

    def take(self, game: Played) -> None:
        """A game has finished."""
        self.scores.add(game)
        self.last = game
        self.judge()

    def judge(self) -> None:
        """See whether the test is decided."""
        if self.sprt is not None and self.decision is None:
            self.decision = self.sprt.decision(self.pairs)


def hold(contest: Contest, store: Store, team: Team, watcher: Watcher, sprt: Sprt | None = None) -> Progress:
    """Play what is missing. Stopped at any instant, it goes on from there the next time."""
    schedule.check(contest)
    number = store.enter(contest)
    scores = Scores(store.games(number))
    progress = Progress(contest, schedule.games_in_all(contest), scores, sprt, already=scores.count)
    progress.judge()
    for turn in range(schedule.waves(contest)):
        progress.round = turn
        _play_round(store, number, team, watcher, progress)
    return progress


def _play_round(store: Store, number: int, team: Team, watcher: Watcher, progress: Progress) -> None:
    contest = progress.contest
    wave = schedule.wave(contest, progress.round, store.games(number))
    known = store.known(number)
    fixtures = schedule.fixtures(contest, wave, _Supply(contest, store, number))
    watcher.playing(progress)
    finished = team.play(fixture for fixture in fixtures if (fixture.key, fixture.print) not in known)
    while progress.decision is None and (game := next(finished, None)) is not None:
        store.add(number, game)
        progress.take(game)
        watcher.playing(progress)
    finished.close()


class _Supply:
    """Openings by number: those in the store, and new ones drawn when they are asked for."""

    def __init__(self, contest: Contest, store: Store, number: int) -> None:
        self.store, self.number = store, number
        self.known = store.openings(number)
        self.drawn = draw(catalog.load(contest.game), contest.drawing, list(self.known))

    def __call__(self, wanted: int) -> Opening:
        while len(self.known) <= wanted:
            opening = next(self.drawn)
            self.store.add_opening(self.number, opening)
            self.known.append(opening)
        return self.known[wanted]
