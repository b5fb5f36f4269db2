"""Holding a contest: what is missing in the store is played and written down, game by game."""

from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from kibitz.arena.contest import schedule
from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.openings import Opening, generate_openings, seed_for
from kibitz.arena.contest.store import Store
from kibitz.arena.play.fixture import Fixture, PlayedGame
from kibitz.arena.stats.scores import Scores, culprit, is_failure
from kibitz.arena.stats.sprt import Hypothesis, Sprt
from kibitz.arena.teams.local import Team
from kibitz.games import catalog


class Watcher(Protocol):
    """Who is told how a contest goes on."""

    def playing(self, progress: "Progress") -> None:
        """Another game has finished, or the first is about to begin."""
        ...


@dataclass
class Progress:
    """How far a contest is. With a test each pairing is over when its own test is decided; the rates of error hold for
    all of them together.
    """

    contest: Contest
    wanted: int  # games in all
    scores: Scores
    sprt: Sprt | None = None
    already: int = 0  # games that were in the store before
    round: int = 0
    last: PlayedGame | None = field(default=None)
    decided: dict[schedule.Pairing, Hypothesis] = field(default_factory=dict)

    @property
    def done(self) -> int:
        return self.scores.count

    @cached_property
    def tested(self) -> list[schedule.Pairing]:
        """The pairings that are tested."""
        return [] if self.sprt is None else schedule.all_pairings(self.contest)

    @cached_property
    def pairing_test(self) -> Sprt | None:
        """The test of one pairing."""
        return None if self.sprt is None else self.sprt.shared_by(len(self.tested))

    @property
    def over(self) -> bool:
        """Are all tests decided?"""
        return self.sprt is not None and all(self.accepted(*pairing) is not None for pairing in self.tested)

    def accepted(self, left: str, right: str) -> Hypothesis | None:
        """What the test of two players has decided, as the left one sees it."""
        return self.decided.get((left, right))

    def take(self, game: PlayedGame) -> None:
        """A game has finished. What a test has once decided stays: later games were not part of it."""
        self.scores.add(game)
        self.last = game
        test, (first, second, _) = self.pairing_test, game.key
        for pairing in ((first, second), (second, first)):
            if test is not None and pairing in self.tested and pairing not in self.decided:
                accepted = test.decide(self.scores.tally(*pairing).pairs)
                if accepted is not None:
                    self.decided[pairing] = accepted

    def wants(self, fixture: Fixture) -> bool:
        """Is the game's pairing still open, and is neither of its players withdrawn?"""
        first, second = fixture.key[:2]
        open_still = (first, second) not in self.decided and (second, first) not in self.decided
        return open_still and not {first, second} & self.withdrawn

    @property
    def withdrawn(self) -> set[str]:
        """Who has lost so many games by its own fault that it plays no more."""
        return withdrawn_players(self.contest, self.scores.failures)


def withdrawn_players(contest: Contest, failures: Iterable[PlayedGame]) -> set[str]:
    """Who has reached the limit of failures."""
    counts = Counter(culprit(game) for game in failures)
    return {name for name, count in counts.items() if name is not None and 0 < contest.failures <= count}


def measure_progress(contest: Contest, games: Iterable[PlayedGame], sprt: Sprt | None = None) -> Progress:
    """How far a contest is after these games, in the order in which they were finished."""
    progress = Progress(contest, schedule.games_in_all(contest), Scores(), sprt)
    for game in games:
        progress.take(game)
    progress.already = progress.done
    return progress


def run_contest(contest: Contest, store: Store, team: Team, watcher: Watcher, sprt: Sprt | None = None) -> Progress:
    """Play what is missing. Stopped at any instant, it goes on from there the next time."""
    schedule.check(contest, sprt is not None)
    number = store.enter(contest)
    progress = measure_progress(contest, store.games(number), sprt)
    for turn in range(schedule.waves(contest)):
        progress.round = turn
        _play_round(store, number, team, watcher, progress)
    return progress


def _play_round(store: Store, number: int, team: Team, watcher: Watcher, progress: Progress) -> None:
    contest = progress.contest
    games = store.games(number)
    before = [game for game in games if game.round < progress.round and is_failure(game)]
    wave = schedule.wave(contest, progress.round, games, withdrawn_players(contest, before))
    known = store.known(number)
    fixtures = schedule.fixtures(contest, wave, OpeningSupply(contest, store))
    missing = (
        fixture for fixture in fixtures if (fixture.key, fixture.fingerprint) not in known and progress.wants(fixture)
    )
    watcher.playing(progress)
    finished = _play_or_find(missing, store, team)
    while not progress.over and (game := next(finished, None)) is not None:
        store.add(number, game)
        progress.take(game)
        watcher.playing(progress)
    finished.close()


def _play_or_find(fixtures: Iterator[Fixture], store: Store, team: Team) -> Generator[PlayedGame, None, None]:
    """The games as they finish. Those that another contest of the store has had are taken from there."""
    found: deque[PlayedGame] = deque()

    def unknown() -> Iterator[Fixture]:
        for fixture in fixtures:
            game = store.find(fixture)
            if game is None:
                yield fixture
            else:
                found.append(game)

    played = team.play(unknown())
    try:
        for game in played:
            while found:
                yield found.popleft()
            yield game
        yield from found
    finally:
        played.close()


class OpeningSupply:
    """Openings by number: those in the store, and new ones when they are asked for. Boards take turns."""

    def __init__(self, contest: Contest, store: Store) -> None:
        self.store, self.book = store, contest.book
        self.known = store.openings(self.book)
        boards = contest.boards or (contest.game,)
        self.sources = [self._source(contest, board, place, boards) for place, board in enumerate(boards)]

    def _source(self, contest: Contest, board: str, place: int, boards: tuple[str, ...]) -> Iterator[Opening]:
        """New openings of one board. With several, each has numbers of its own, counted over all boards at the end."""
        number = len(boards)
        settings = contest.opening_settings
        if number == 1:
            return generate_openings(catalog.load(board), settings, list(self.known))
        own = replace(settings, seed=seed_for(settings.seed, place))
        known = [replace(opening, number=at) for at, opening in enumerate(self.known[place::number])]
        fresh = generate_openings(catalog.load(board), own, known)
        return (replace(opening, number=number * opening.number + place, game=board) for opening in fresh)

    def __call__(self, wanted: int) -> Opening:
        while len(self.known) <= wanted:
            opening = next(self.sources[len(self.known) % len(self.sources)])
            self.store.add_opening(self.book, opening)
            self.known.append(opening)
        return self.known[wanted]
