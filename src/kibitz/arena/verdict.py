"""What follows from the numbers, in plain words, and no more than follows."""

import math
from collections import Counter
from collections.abc import Iterator

from kibitz.arena.contest import Contest, Played
from kibitz.arena.holding import Progress
from kibitz.arena.scores import Scores, culprit
from kibitz.arena.sprt import Sprt
from kibitz.arena.statistics import Interval, Strength, Tally, games_needed, strength

SURE = 0.95


def numbers(tally: Tally, sprt: Sprt | None = None) -> Iterator[str]:
    """The lines that engine people know."""
    score = tally.score
    yield (
        f"games {tally.games}: {tally.wins} won, {tally.draws} drawn, {tally.losses} lost"
        + ("" if score is None else f"; score {100 * score:.1f}%")
    )
    found = strength(tally.pairs)
    if found is not None:
        pairs = " ".join(map(str, tally.pairs))
        yield f"Elo {interval(found.elo)} (95%)   nElo {signed(found.normalised)}   LOS {100 * found.superiority:.1f}%"
        yield f"pairs {tally.pair_count}, by score 0 1/2 1 3/2 2: {pairs}"
    if sprt is not None:
        low, high = sprt.bounds
        ratio = sprt.ratio(tally.pairs)
        yield f"SPRT [{sprt.elo0:g}, {sprt.elo1:g}] {sprt.model}: LLR {ratio:.2f} ({low:.2f}, {high:.2f})"


def signed(value: float) -> str:
    """A number of Elo."""
    return f"{value:+.1f}" if math.isfinite(value) else "beyond measure"


def interval(found: Interval) -> str:
    """An estimate with its bounds: one number behind +- where they lie alike on both sides."""
    if not math.isfinite(found.value):
        return f"at least {found.low:+.0f}" if found.value > 0 else f"at most {found.high:+.0f}"
    if not (math.isfinite(found.low) and math.isfinite(found.high)):
        return f"{found.value:+.1f}, from {_bound(found.low)} to {_bound(found.high)}"
    return f"{found.value:+.1f} +- {found.half:.1f}"


def _bound(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else "anything"


def of_match(progress: Progress) -> Iterator[str]:
    """What a match of two says."""
    left, right = (entrant.name for entrant in progress.contest.entrants[:2])
    tally = progress.scores.tally(left, right)
    if progress.sprt is not None:
        yield of_test(progress.sprt, tally, left, right)
    else:
        yield of_order(left, right, tally)
    yield from remarks(progress.contest, progress.scores)


def of_order(left: str, right: str, tally: Tally) -> str:
    """Who is stronger, or how many games would tell."""
    found = strength(tally.pairs)
    if found is None:
        return "nothing can be said: no opening was played from both sides yet"
    better, worse = (left, right) if found.superiority >= 0.5 else (right, left)
    sure = max(found.sureness, 1.0 - found.sureness)
    if sure >= SURE:
        return f"{better} is stronger than {worse}, we are {_percent(sure)} sure"
    return f"not decided: {_outlook(tally, found, better, sure)}"


def _outlook(tally: Tally, found: Strength, better: str, sure: float) -> str:
    more = games_needed(tally.pairs)
    if found.elo.value == 0.0:
        return f"after {tally.games} games nobody is ahead"
    if more is None:
        return f"{better} is ahead, {_percent(sure)} sure; a few more games would decide"
    return f"{better} is ahead, {_percent(sure)} sure; if that goes on, about {_rough(more)} more games would decide"


def _rough(number: int) -> str:
    """A number as exact as a forecast is."""
    step = 10 ** max(0, len(str(number)) - 2)
    return f"{math.ceil(number / step) * step:,}"


def _percent(share: float) -> str:
    if share >= 0.9995:
        return "more than 99.9%"
    return f"{math.floor(1000 * share) / 10:.1f}%" if share >= 0.99 else f"{math.floor(100 * share)}%"


def of_test(sprt: Sprt, tally: Tally, left: str, right: str) -> str:
    """What a sequential test decided, with its own names of the hypotheses."""
    kind = "normalised Elo" if sprt.model == "normalised" else "Elo"
    decision = sprt.decision(tally.pairs)
    if decision == "H1":
        meaning = f"{left} is at least {sprt.elo1:g} {kind} stronger than {right}"
        return (
            f"H1 accepted: {meaning} rather than at most {sprt.elo0:g} (wrong at most {100 * sprt.alpha:g}% of times)"
        )
    if decision == "H0":
        meaning = f"{left} is at most {sprt.elo0:g} {kind} stronger than {right}"
        return f"H0 accepted: {meaning} rather than {sprt.elo1:g} (wrong at most {100 * sprt.beta:g}% of times)"
    return f"not decided{_forecast(sprt, tally)}"


def _forecast(sprt: Sprt, tally: Tally) -> str:
    ratio, number = sprt.ratio(tally.pairs), tally.pair_count
    if number == 0 or abs(ratio) < 0.05:
        return ": more games are needed"
    bound = sprt.bounds[ratio > 0]
    more = 2 * max(1, math.ceil(number * (bound / ratio - 1.0)))
    return f": if it goes on so, about {_rough(more)} more games are needed"


def remarks(contest: Contest, scores: Scores) -> Iterator[str]:
    """What else must be known to read the numbers: failures, replays, entrants that never played."""
    for entrant in contest.entrants:
        if entrant.failure:
            yield f"{entrant.name} did not take part: {entrant.failure}"
    yield from failures(scores.failures)
    if scores.repeated:
        yield (
            f"{scores.repeated} of {scores.count} games repeat another one move by move and tell nothing new: "
            "the players are deterministic, more openings would help"
        )


def failures(games: list[Played]) -> Iterator[str]:
    """Who lost games by an offence, how many, and how the first of them was told."""
    groups: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], str] = {}
    for game in games:
        who, kind = culprit(game) or "both players", game.record.reason.partition(":")[0]
        groups[who, kind] += 1
        examples.setdefault((who, kind), game.record.reason)
    for (who, kind), count in sorted(groups.items()):
        times = "1 game" if count == 1 else f"{count} games"
        told = f"failed in {times}" if who == "both players" else f"lost {times} by its own fault"
        yield f"{who} {told}: {examples[who, kind]}" + (" (the first of them)" if count > 1 else "")
