"""Stores put together: contests of other machines become contests of this one, and no game counts twice."""

from dataclasses import dataclass, replace

from kibitz.arena.contest.store import Store


@dataclass(frozen=True, slots=True)
class Merged:
    """What came in."""

    contests: int
    games: int  # that were not here before


def merge(target: Store, source: Store) -> Merged:
    """Take every contest of a store into another: entrants, openings, games and logs. Games that are known stay."""
    contests, added = source.contests(), 0
    for number, contest in contests.items():
        here = target.enter(contest)
        for opening in source.openings(contest.book):
            target.add_opening(contest.book, opening)
        known = target.known(here)
        for game in source.games(number):
            target.add(here, replace(game, printed=source.printed(game)))
            added += (game.key, game.fingerprint) not in known
    return Merged(len(contests), added)
