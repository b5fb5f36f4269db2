"""Under which circumstances games were played: how players were isolated, and whether the machine kept up."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from kibitz.arena.play.fixture import PlayedGame

MEANINGS = {
    "isolated": "in a sandbox: no network, no other process, nothing to write but a folder of its own",
    "limited": "in a process of its own with limits, but no sandbox",
    "trusted": "inside the referee, unguarded",
}


def count_isolation(games: Iterable[PlayedGame]) -> dict[str, Counter[str]]:
    """How each player was isolated, and in how many games."""
    found: dict[str, Counter[str]] = {}
    for game in games:
        for name, tag in ((game.key.first, "FirstIsolation"), (game.key.second, "SecondIsolation")):
            if tag in game.record.tags:
                found.setdefault(name, Counter())[game.record.tags[tag]] += 1
    return found


def describe_isolation(games: Iterable[PlayedGame], only: str | None = None) -> Iterator[str]:
    """How players were isolated: one sentence if all were alike, else one for each of them."""
    found = count_isolation(games)
    kinds = {kind for name, counts in found.items() if only in (None, name) for kind in counts}
    who = "every player" if only is None else "it"
    if len(kinds) == 1:
        (kind,) = kinds
        yield f"{who} was {kind} ({MEANINGS.get(kind, kind)})"
        return
    for name, counts in found.items():
        if only in (None, name):
            yield f"{name} was " + ", ".join(f"{kind} in {count} games" for kind, count in sorted(counts.items()))


def describe_lateness(games: Sequence[PlayedGame]) -> Iterator[str]:
    """Whether the machine was too busy for its clocks."""
    late = [float(game.record.tags["Lateness"]) for game in games if "Lateness" in game.record.tags]
    if late:
        share = f"{len(late)} of {len(games)} games (up to {max(late):.2f} s late)"
        yield f"the machine was too busy for its clocks in {share}: play fewer at a time, or with a larger --margin"
