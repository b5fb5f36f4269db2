"""Report 002 (CentraleSupélec, 2019): alpha-beta of depth 4 was kept for the tournament, rather than depth 2."""

from kibitz.games.vampires.maps import KNOWN
from kibitz.reproduction.claim import Claim, Findings, Judgement, Watch, mostly
from kibitz.reproduction.series import MatchSettings, Series, play_match

GAMES, QUICK = 80, 2  # on each map
OPENING = 2  # random turns: the agents themselves always play the same
NODES = 30_000  # a move: several times the mean, for armies that a random turn has split into many groups
CASTS = {"as printed": "-shipped", "as meant": ""}


def measure(quick: bool, watch: Watch) -> Findings:
    found = Findings()
    for cast, ending in CASTS.items():
        series = {
            board: play_match(
                MatchSettings(
                    game=f"vampires:{board}",
                    hero=f"assael4{ending}",
                    other=f"assael2{ending}",
                    games=QUICK if quick else GAMES,
                    swapped=True,
                    opening=OPENING,
                    nodes=NODES,
                ),
                watch,
            )
            for board in KNOWN
        }
        whole = Series([game for one in series.values() for game in one.games])
        found.columns[cast] = {
            "games": str(len(whole.games)),
            **{f"depth 4 on {board}": one.score for board, one in series.items()},
            "nodes per move, depth 4 and 2": f"{whole.nodes(True):.0f}, {whole.nodes(False):.0f}",
        }
        decided = whole.wins + whole.losses
        verdict = mostly(whole.wins, decided) if decided else "open"
        seen = f"{whole.wins} of {decided} decided games"
        found.judgements.append(Judgement(cast, "depth 4 is stronger than depth 2", verdict, seen))
    return found


CLAIMS = [
    Claim(
        key="vampires-depth",
        game="vampires",
        title="Vampires and werewolves: depth 4 against depth 2",
        said="Of depth 2 and depth 4, depth 4 was kept for the tournament. No results are printed.",
        reported={},
        measure=measure,
        steps=lambda quick: (QUICK if quick else GAMES) * len(KNOWN) * len(CASTS),
        method=f"On the course's three small maps, after {OPENING} random turns, each opening with sides swapped; "
        f"at most {NODES:,} nodes a move.",
    )
]
