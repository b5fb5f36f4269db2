"""What follows from the numbers, in plain words and no more. Each sentence is an Estimate's or a Decision's."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from kibitz import agents
from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.runner import Progress, withdrawn_players
from kibitz.arena.play.fixture import PlayedGame
from kibitz.arena.stats.decision import Decision, decide_order, decide_strongest, decide_test, rough, superiority
from kibitz.arena.stats.estimate import estimate_elo, normalised_elo
from kibitz.arena.stats.scores import CRASH_TAGS, Scores, culprit
from kibitz.arena.stats.sprt import Sprt
from kibitz.arena.stats.standings import Standings
from kibitz.arena.stats.tally import Tally
from kibitz.core.errors import KibitzError


def numbers(tally: Tally, sprt: Sprt | None = None) -> Iterator[str]:
    """The lines that engine people know."""
    score = tally.score
    yield (
        f"games {tally.games}: {tally.wins} won, {tally.draws} drawn, {tally.losses} lost"
        + ("" if score is None else f"; score {100 * score:.1f}%")
    )
    if tally.pair_count:
        elo = estimate_elo(tally.pairs, biased=sprt is not None)
        normalised = _signed(normalised_elo(tally.pairs) or 0.0)
        yield f"Elo {elo} (95%)   nElo {normalised}   LOS {100 * superiority(tally.pairs):.1f}%"
        yield f"pairs {tally.pair_count}, by score 0 1/2 1 3/2 2: {' '.join(map(str, tally.pairs))}"
    if sprt is not None:
        low, high = sprt.bounds
        ratio = sprt.ratio(tally.pairs)
        yield f"SPRT [{sprt.elo0:g}, {sprt.elo1:g}] {sprt.model}: LLR {ratio:.2f} ({low:.2f}, {high:.2f})"


def _signed(value: float) -> str:
    return f"{value:+.1f}" if math.isfinite(value) else "beyond measure"


def describe_match(progress: Progress) -> Iterator[str]:
    """What a match of two says."""
    left, right = (entrant.name for entrant in progress.contest.entrants[:2])
    tally = progress.scores.tally(left, right)
    if progress.sprt is not None:
        yield str(test_decision(progress, left, right))
    else:
        yield str(decide_order(left, right, tally, dependent_players(progress.contest)))
    yield from remarks(progress.contest, progress.scores)


def test_decision(progress: Progress, left: str, right: str) -> Decision:
    """What the sequential test of two players has decided."""
    sprt = progress.pairing_test
    assert sprt is not None
    tally = progress.scores.tally(left, right)
    return decide_test(sprt, progress.accepted(left, right), left, right, _forecast(sprt, tally))


def describe_tests(progress: Progress) -> Iterator[str]:
    """What the tests of a tournament have decided, pairing by pairing."""
    for left, right in progress.tested:
        yield f"{left} v {right}: {test_decision(progress, left, right)}"


def strongest(contest: Contest, found: Standings) -> list[str]:
    """Who is the strongest of all, as far as games tell."""
    played = [row.name for row in found.rows if row.tally.games]
    if len(played) < 2:
        return []
    return [str(decide_strongest(found.order, found.ratings, dependent_players(contest)))]


def dependent_players(contest: Contest) -> list[str]:
    """Those whose text fixes their seed: they roll the same dice in every game."""
    return [entrant.name for entrant in contest.able if _has_fixed_seed(entrant.text)]


def _has_fixed_seed(text: str) -> bool:
    try:
        options = agents.read(text).options
    except KibitzError:
        return False
    return getattr(options, "seed", 0) != 0


def _forecast(sprt: Sprt, tally: Tally) -> str:
    ratio, number = sprt.ratio(tally.pairs), tally.pair_count
    if number == 0 or abs(ratio) < 0.05:
        return ""
    bound = sprt.bounds[ratio > 0]
    more = 2 * max(1, math.ceil(number * (bound / ratio - 1.0)))
    return f"if it goes on so, about {rough(more)} more games are needed"


def remarks(contest: Contest, scores: Scores) -> Iterator[str]:
    """What else must be known to read the numbers: failures, replays, entrants that never played."""
    for entrant in contest.entrants:
        if entrant.failure:
            yield f"{entrant.name} did not take part: {entrant.failure}"
    yield from describe_failures(scores.failures)
    yield from describe_replays(scores.replayed)
    for name in sorted(withdrawn_players(contest, scores.failures)):
        lost = f"{contest.failures} games" if contest.failures > 1 else "a game"
        yield f"{name} was withdrawn: it lost {lost} by its own fault; what it had played counts"
    if scores.repeated:
        yield (
            f"{scores.repeated} of {scores.count} games repeat another one move by move and are not counted twice: "
            "the players are deterministic, more openings would help"
        )


def describe_replays(games: Sequence[PlayedGame]) -> Iterator[str]:
    """Who crashed in games that were played again, and how the first time."""
    crashes: dict[str, list[str]] = {}
    for game in games:
        for name, tag in zip(game.key[:2], CRASH_TAGS, strict=True):
            if tag in game.record.tags:
                crashes.setdefault(str(name), []).append(game.record.tags[tag])
    for name, reasons in sorted(crashes.items()):
        times = "1 game that was" if len(reasons) == 1 else f"{len(reasons)} games that were"
        yield f"{name} crashed in {times} played again: {reasons[0]}" + (" (in the first of them)" * (len(reasons) > 1))


def describe_failures(games: Sequence[PlayedGame]) -> Iterator[str]:
    """Who lost games by an offence, how many, and the reason of the first of them."""
    groups: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], str] = {}
    for game in games:
        who, kind = culprit(game) or "both players", game.record.reason.partition(":")[0]
        groups[who, kind] += 1
        examples.setdefault((who, kind), game.record.reason)
    for (who, kind), count in sorted(groups.items()):
        times = "1 game" if count == 1 else f"{count} games"
        what = f"failed in {times}" if who == "both players" else f"lost {times} by its own fault"
        yield f"{who} {what}: {examples[who, kind]}" + (" (the first of them)" if count > 1 else "")
