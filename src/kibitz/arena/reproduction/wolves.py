"""Report 000 (CityU CS4386, 2023): wolves and sheep by alpha-beta, wolves looking 4 plies ahead and sheep 3.

It prints no results. What it claims is that looking ahead shows a bigger picture; so its agent meets itself looking one
ply ahead, and a player that moves at random.
"""

from kibitz.arena.reproduction.bouts import Bout, Series, played
from kibitz.arena.reproduction.claim import Claim, Findings, Judged, Watch, mostly
from kibitz.core.result import FIRST, SECOND

GAMES, QUICK = 40, 4
CASTS = {"as printed": "luo-shipped", "as meant": "luo"}
AGAINST = "against random: wolves"
ALONE = "against itself"


def measure(quick: bool, watch: Watch) -> Findings:
    found = Findings()
    games = QUICK if quick else GAMES
    for cast, agent in CASTS.items():
        other = played(Bout(game="wolves", hero=agent, other="random", games=games, swapped=True), watch)
        itself = played(Bout(game="wolves", hero=agent, other=agent, games=games // 2), watch)
        found.columns[cast] = {
            "games": str(len(other.games) + len(itself.games)),
            AGAINST: _score(other, FIRST),
            "against random: sheep": _score(other, SECOND),
            ALONE: f"wolves {itself.wins}, drawn {itself.draws}, sheep {itself.losses}",
            "plies against itself": f"{itself.plies():.0f}",
        }
        for side, name in enumerate(("wolves", "sheep")):
            mine = Series([game for game in other.games if game.side == side])
            seen = f"{mine.wins} of {len(mine.games)}"
            sentence = f"its {name} beat those that look nowhere ahead"
            found.judged.append(Judged(cast, sentence, mostly(mine.wins, len(mine.games)), seen))
    return found


def _score(series: Series, side: int) -> str:
    return Series([game for game in series.games if game.side == side]).score


CLAIMS = [
    Claim(
        key="wolves-ahead",
        game="wolves",
        title="Wolves and sheep: looking ahead",
        said="Alpha-beta of depth 4 for the wolves and 3 for the sheep sees a bigger picture. No results are printed.",
        reported={},
        measure=measure,
        steps=lambda quick: (QUICK if quick else GAMES) * 3 // 2 * len(CASTS),
        method="Against a random player on either side, and against itself. Perfect play is a win of the sheep.",
    )
]
