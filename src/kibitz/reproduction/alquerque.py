"""Report 004 (SDU DM574, 2023): Alquerque at seven levels, which are the depths of a whole tree."""

from itertools import pairwise
from statistics import mean

from kibitz.reproduction.claim import Claim, Findings, Judgement, Watch, mostly, true
from kibitz.reproduction.series import MatchSettings, Series, play_match

LEVELS, QUICK_LEVELS = 7, 4
GAMES, QUICK = 10, 2  # of a level against itself
DUELS, QUICK_DUELS = 60, 2  # of a level against the one below
OPENING = 4  # random turns: the program always plays the same
CASTS = {"as printed": "dm574-shipped", "as meant": "dm574"}


def measure(quick: bool, watch: Watch) -> Findings:
    found = Findings()
    for cast, agent in CASTS.items():
        levels = range(1, 1 + (QUICK_LEVELS if quick else LEVELS))
        games, duels = (QUICK, QUICK_DUELS) if quick else (GAMES, DUELS)
        alone = {level: _play_levels(agent, level, level, games, watch) for level in levels}
        below = {level: _play_levels(agent, level, level - 1, duels, watch) for level in levels if level > 1}
        found.columns[cast] = {"games": str(sum(len(one.games) for one in (*alone.values(), *below.values())))}
        for level in levels:
            found.columns[cast][f"level {level}"] = _describe(alone[level], below.get(level))
        found.judgements.extend(_judge(cast, alone, below))
    return found


def _play_levels(agent: str, level: int, other: int, games: int, watch: Watch) -> Series:
    texts = [f"{agent}:depth={depth}" for depth in (level, other)]
    swapped = level != other  # a level that meets itself would play each game twice
    return play_match(
        MatchSettings(game="alquerque", hero=texts[0], other=texts[1], games=games, swapped=swapped, opening=OPENING),
        watch,
    )


def _nodes(series: Series) -> float:
    return mean((series.nodes(True), series.nodes(False)))


def _describe(alone: Series, below: Series | None) -> str:
    effort = f"{_nodes(alone):.0f} nodes, {1000 * alone.seconds(True):.2f} ms a move"
    return effort if below is None else f"{effort}; against the level below {below.score}"


def _judge(cast: str, alone: dict[int, Series], below: dict[int, Series]) -> list[Judgement]:
    nodes = [_nodes(series) for series in alone.values()]
    seconds = [series.seconds(True) for series in alone.values()]
    ended = sum(game.record.reason == "rules" for series in alone.values() for game in series.games)
    count = sum(len(series.games) for series in alone.values())
    wins, losses = (sum(getattr(series, name) for series in below.values()) for name in ("wins", "losses"))
    verdict = mostly(wins, wins + losses) if wins + losses else "open"
    top = max(alone)
    game = mean(sum(ply.seconds for ply in one.record.plies) for one in alone[top].games)
    return [
        Judgement(cast, "two machines play to the end at each level", true(ended == count), f"{ended} of {count}"),
        Judgement(
            cast,
            "the higher the level, the longer it thinks",
            true(all(low < high for low, high in pairwise(nodes))),
            f"{nodes[0]:.0f} to {nodes[-1]:.0f} nodes, {1000 * seconds[0]:.2f} to {1000 * seconds[-1]:.2f} ms a move",
        ),
        Judgement(
            cast, f"a game of two machines at level {top} takes a minute or more", true(game >= 60), f"{game:.1f} s"
        ),
        Judgement(cast, "a higher level plays better", verdict, f"{wins} of {wins + losses} decided games"),
    ]


def steps(quick: bool) -> int:
    """The games of all levels, and those of each level against the one below."""
    alone, duels, levels = (QUICK, QUICK_DUELS, QUICK_LEVELS) if quick else (GAMES, DUELS, LEVELS)
    return (alone * levels + duels * (levels - 1)) * len(CASTS)


CLAIMS = [
    Claim(
        key="alquerque-levels",
        game="alquerque",
        title="Alquerque: the seven levels",
        said="The level governs how well it plays; the higher, the longer it takes, noticeably from level 7 on, and "
        "some minutes for a game of two machines.",
        reported={},
        measure=measure,
        steps=steps,
        method=f"Each level against itself and against the one below, after {OPENING} random turns; between levels "
        "each opening with sides swapped. A quick look stops at level 4.",
    )
]
