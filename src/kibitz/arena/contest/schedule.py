"""Who meets whom: everyone against everyone, one against all, or by score from round to round."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from kibitz.arena.contest.contest import BadContest, Contest
from kibitz.arena.contest.openings import Opening
from kibitz.arena.play.fixture import Fixture, PlayedGame

Pairing = tuple[str, str]
STEPS = 20_000  # of the search for pairings without a rematch; after them some rematch will do


class Wave(NamedTuple):
    """Pairings that can be played at the same time, each from the same openings."""

    round: int
    pairings: tuple[Pairing, ...]
    openings: range


def waves(contest: Contest) -> int:
    """How many there will be."""
    return contest.rounds if contest.format == "swiss" else 1


def wave(contest: Contest, number: int, games: Iterable[PlayedGame], withdrawn: Collection[str] = ()) -> Wave:
    """The pairings of a round, 0 being the first, given the games of the rounds before it."""
    names = [entrant.name for entrant in contest.able if entrant.name not in withdrawn]
    pairs = contest.games // 2
    if contest.format == "swiss":
        return Wave(number, tuple(swiss(names, games, number)), range(number * pairs, (number + 1) * pairs))
    pairings = gauntlet(names) if contest.format == "gauntlet" else round_robin(names)
    return Wave(0, tuple(pairings), range(pairs))


def fixtures(contest: Contest, wave: Wave, openings: Callable[[int], Opening]) -> Iterator[Fixture]:
    """All games of a wave, one opening after the other, so that a tournament stopped early is an even one. Openings are
    asked for by number when they are needed.
    """
    for number in wave.openings:
        opening = openings(number)
        for pairing in wave.pairings:
            yield from contest.fixtures(pairing, opening, wave.round)


def round_robin(names: Sequence[str]) -> list[Pairing]:
    """Everyone against everyone else."""
    return list(combinations(names, 2))


def gauntlet(names: Sequence[str]) -> list[Pairing]:
    """The first against each other one."""
    return [(names[0], other) for other in names[1:]]


def swiss(names: Sequence[str], games: Iterable[PlayedGame], number: int) -> list[Pairing]:
    """Players of like score meet, none twice while that can be avoided. With an odd number the last one who has not sat
    out yet sits out, and is given the points of a won match.
    """
    earlier = [game for game in games if game.round < number]
    met = {frozenset((game.key.first, game.key.second)) for game in earlier}
    resting = byes(names, earlier, number)
    points = standings(names, earlier, resting)
    order = sorted(names, key=lambda name: (-points[name], names.index(name)))
    if len(order) % 2:
        out = min(order, key=lambda name: (resting.count(name), -order.index(name)))
        order.remove(out)
    if number == 0:
        half = len(order) // 2
        return list(zip(order[:half], order[half:], strict=True))
    return _paired(order, met, [STEPS]) or _greedy(order, met)


def byes(names: Sequence[str], games: Sequence[PlayedGame], rounds: int) -> list[str]:
    """Who sat out in each round that was played."""
    found = []
    for number in range(rounds):
        playing = {name for game in games if game.round == number for name in game.key[:2]}
        found += [name for name in names if name not in playing] if playing else []
    return found


def standings(names: Sequence[str], games: Iterable[PlayedGame], resting: Sequence[str] = ()) -> dict[str, float]:
    """Points of each player, those for loop out included."""
    points = dict.fromkeys(names, 0.0)
    played: Counter[tuple[str, int]] = Counter()
    for game in games:
        for name in game.key[:2]:
            points[name] = points.get(name, 0.0) + game.points(name)
            played[name, game.round] += 1
    for name in resting:
        points[name] += max(played.values(), default=0)
    return points


def _paired(order: Sequence[str], met: set[frozenset[str]], steps: list[int]) -> list[Pairing] | None:
    """The best player with the next best he has not met, and so on, going back where that leads nowhere."""
    if not order:
        return []
    head, *rest = order
    for other in rest:
        steps[0] -= 1
        if steps[0] < 0:
            return None
        if frozenset((head, other)) in met:
            continue
        left = _paired([name for name in rest if name != other], met, steps)
        if left is not None:
            return [(head, other), *left]
    return None


def _greedy(order: Sequence[str], met: set[frozenset[str]]) -> list[Pairing]:
    """Rematches cannot be avoided: as few as can be had at once."""
    waiting, found = list(order), []
    while waiting:
        head = waiting.pop(0)
        fresh = [other for other in waiting if frozenset((head, other)) not in met]
        other = fresh[0] if fresh else waiting[0]
        waiting.remove(other)
        found.append((head, other))
    return found


def games_in_all(contest: Contest) -> int:
    """How many games the contest asks for."""
    count = len(contest.able)
    if contest.format == "swiss":
        return contest.rounds * (count // 2) * contest.games
    return contest.games * (max(0, count - 1) if contest.format == "gauntlet" else count * (count - 1) // 2)


def all_pairings(contest: Contest) -> list[Pairing]:
    """Who meets whom, where that is known before the first game."""
    names = [entrant.name for entrant in contest.able]
    return gauntlet(names) if contest.format == "gauntlet" else round_robin(names)


def check(contest: Contest, tested: bool = False) -> None:
    """Refuse what no schedule can serve."""
    if tested and contest.format == "swiss":
        raise BadContest("a Swiss tournament has no sequential test, expected round-robin or gauntlet")
    if contest.rounds < 1:
        raise BadContest(f"{contest.rounds} rounds, expected at least 1")
