"""Report 000 (CityU CS4386, 2023): wolves and sheep by alpha-beta, wolves looking 4 plies ahead and sheep 3.

It prints no results. What it claims is that looking ahead shows a bigger picture; so its agent meets a
player that looks one ply ahead with its values, and one that moves at random.
"""

from kibitz.reproduction.claim import Claim, Findings, Judgement, Watch, mostly
from kibitz.reproduction.series import MatchSettings, Series, play_match

GAMES, QUICK = 40, 4
CASTS = {"as printed": "luo-shipped", "as meant": "luo"}
OTHERS = {"random": "random", "one ply": "alphabeta:depth=1,heuristic=luo,shuffle=yes"}
SIDES = ("wolves", "sheep")
FOES = {"random": "a random player", "one ply": "a player that looks one ply ahead"}
ALONE = "against itself"


def measure(quick: bool, watch: Watch) -> Findings:
    found = Findings()
    games = QUICK if quick else GAMES
    for cast, agent in CASTS.items():
        others = {
            name: play_match(MatchSettings(game="wolves", hero=agent, other=other, games=games, swapped=True), watch)
            for name, other in OTHERS.items()
        }
        itself = play_match(MatchSettings(game="wolves", hero=agent, other=agent, games=games // 2), watch)
        found.columns[cast] = {
            "games": str(len(OTHERS) * games + len(itself.games)),
            **{
                f"against {name}: {side}": _of_side(series, number).score
                for name, series in others.items()
                for number, side in enumerate(SIDES)
            },
            ALONE: f"wolves {itself.wins}, drawn {itself.draws}, sheep {itself.losses}",
            "plies against itself": f"{itself.plies():.0f}",
        }
        for name, series in others.items():
            found.judgements.extend(_judge(cast, name, side, _of_side(series, n)) for n, side in enumerate(SIDES))
    return found


def _judge(cast: str, name: str, side: str, series: Series) -> Judgement:
    count = len(series.games)
    return Judgement(cast, f"its {side} beat {FOES[name]}", mostly(series.wins, count), f"{series.wins} of {count}")


def _of_side(series: Series, side: int) -> Series:
    """The games in which the agent had this side."""
    return Series([game for game in series.games if game.side == side])


CLAIMS = [
    Claim(
        key="wolves-ahead",
        game="wolves",
        title="Wolves and sheep: looking ahead",
        said="Alpha-beta of depth 4 for the wolves and 3 for the sheep sees a bigger picture. No results are printed.",
        reported={},
        measure=measure,
        steps=lambda quick: (QUICK if quick else GAMES) * (2 * len(OTHERS) + 1) // 2 * len(CASTS),
        method="Against a random player and one that looks a single ply ahead with the same values, on either side; "
        "and against itself. Perfect play is a win of the sheep.",
    )
]
