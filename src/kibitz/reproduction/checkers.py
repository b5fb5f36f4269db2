"""Report 001 (SJTU AU332, 2020): FlappyAgent beats the greedy agent of the course 10:0 at Chinese checkers."""

from kibitz.reproduction.claim import Claim, Findings, Judgement, Watch, always
from kibitz.reproduction.series import MatchSettings, play_match

GAMES, QUICK = 10, 2
NODES = 5_000  # a move: no clock decides, and it is still more than a second of the course's Python sees
CASTS = {"as printed": "flappy-shipped", "as meant": "flappy"}


def measure(quick: bool, watch: Watch) -> Findings:
    found = Findings()
    for cast, agent in CASTS.items():
        match = MatchSettings(
            game="checkers",
            hero=agent,
            other="greedy",
            games=QUICK if quick else GAMES,
            swapped=True,
            nodes=NODES,
        )
        series = play_match(match, watch)
        count = len(series.games)
        found.columns[cast] = {
            "games": str(count),
            "flappy against greedy": f"{series.wins}:{series.losses}"
            + (f", {series.draws} drawn" if series.draws else ""),
            "plies of a game": f"{series.plies():.0f}",
        }
        seen = f"{series.wins} of {count}"
        found.judgements.append(Judgement(cast, "flappy beats greedy every time", always(series.wins, count), seen))
    return found


CLAIMS = [
    Claim(
        key="checkers-greedy",
        game="checkers",
        title="Chinese checkers: flappy against greedy",
        said="FlappyAgent beats SimpleGreedyAgent 10:0.",
        reported={"games": "10", "flappy against greedy": "10:0", "plies of a game": ""},
        measure=measure,
        steps=lambda quick: (QUICK if quick else GAMES) * len(CASTS),
        method=f"Half of the games on either side, {NODES:,} nodes a move instead of a second.",
    )
]
