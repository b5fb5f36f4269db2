"""Report 003, part 2 (UIUC CS440, 2017): six match-ups at Breakthrough on 8x8, and three of them on 5x10 with three
workers to base. The first named moves first. Agents as printed, and as the text means them.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from kibitz.core.position import Position
from kibitz.games import catalog
from kibitz.reproduction.claim import Claim, Findings, Judgement, Outcome, Watch, about, always, half, mostly, true
from kibitz.reproduction.series import MatchSettings, Series, play_match

GAMES, QUICK = 200, 2
NOISY = ("offensive-1", "defensive-1")


class ReportedMatch(NamedTuple):
    """A match-up and what the report prints of it; pairs are first player, second player."""

    number: int
    first: str
    second: str
    hero: int  # who is said to win: 0 the first, 1 the second
    how: str  # always, mostly or half of the time
    around: int  # moves, as its conclusion says
    total: tuple[int, int]
    nodes: tuple[float, float]
    seconds: tuple[float, float]
    captured: tuple[int, int]
    moves: int


O1, O2, D1, D2 = "offensive-1", "offensive-2", "defensive-1", "defensive-2"
SQUARE = (
    ReportedMatch(
        1, f"minimax {O1}", O1, 1, "always", 36, (452042, 776120), (12556.72, 21558.88), (2.08, 3.73), (9, 13), 36
    ),
    ReportedMatch(2, O2, D1, 0, "mostly", 30, (1039247, 639261), (28087.76, 17757.25), (3.60, 5.61), (7, 3), 37),
    ReportedMatch(3, D2, O1, 0, "mostly", 30, (407793, 786585), (9946.17, 19664.63), (1.61, 3.32), (13, 11), 41),
    ReportedMatch(4, O2, O1, 0, "mostly", 30, (535368, 300471), (21414.72, 12519.63), (2.34, 3.89), (12, 3), 25),
    ReportedMatch(5, D2, D1, 0, "half", 30, (471857, 1088818), (11796, 27918), (1.95, 4.32), (10, 9), 40),
    ReportedMatch(6, O2, D2, 1, "mostly", 40, (641596, 520917), (13367, 11021), (2.02, 1.65), (9, 16), 48),
)
LONG = (
    ReportedMatch(2, O2, D1, 0, "mostly", 25, (450502, 779997), (18020, 32500), (3.21, 5.20), (9, 7), 25),
    ReportedMatch(3, D2, O1, 0, "mostly", 26, (485727, 379345), (18682, 15174), (3.03, 2.35), (18, 11), 26),
    ReportedMatch(4, O2, O1, 0, "mostly", 31, (334407, 317756), (10787, 10592), (1.75, 1.53), (16, 16), 31),
)
ENDS = {  # the final boards, from the report's lists of workers
    "8x8-1": "4p3/pp2p1p1/6p1/8/8/7P/P4P2/1p6",
    "8x8-2": "4P3/p6p/p1pP3p/1pP3pP/1P2p2p/1P2P2P/PP4PP/1P6",
    "8x8-3": "1p5P/8/1p6/8/1p6/4PP2/P7/2P5",
    "8x8-4": "pp3P2/6Pp/8/2p5/8/3P1P2/5P1P/PPPPP1PP",
    "8x8-5": "7P/1p6/ppp1p1p1/3pPp1p/1P1P3P/Pp1PPPPP/8/8",
    "8x8-6": "8/1pP3p1/p3p2p/pp5P/4p1pP/6P1/6p1/3p4",
    "5x10-2": "1PPPp1pp1p/7p2/1p2Pp1p1P/2pP3P1P/ppP2P1PPP",
    "5x10-3": "2p7/p1P6P/P2P1P4/10/P4P2PP",
    "5x10-4": "1PPP6/6pp2/10/P5p3/4p5",
}
JUDGES: dict[str, Callable[[int, int], Outcome]] = {"always": always, "mostly": mostly, "half": half}
WORDS = {"always": "always wins", "mostly": "wins most of the time", "half": "wins half of the time"}
FIGURES = ("games", "winner", "nodes in total", "nodes per move", "seconds per move", "workers captured")
TO_WIN = "moves to the win"


def agent_text(name: str, shipped: bool) -> str:
    """The agent of a name in the table above."""
    search, _, heuristic = name.rpartition(" ")
    printed = "-shipped" if shipped and heuristic.endswith("-2") else ""
    return f"mp2:search={search or 'alphabeta'},heuristic={heuristic}{printed}"


def casts(said: ReportedMatch) -> dict[str, bool]:
    """Who plays: where no heuristic differs in print and meaning, one cast does."""
    differs = any(name.endswith("-2") for name in (said.first, said.second))
    return {"as printed": True, "as meant": False} if differs else {"here": True}


def measure(game: str, said: ReportedMatch, quick: bool, watch: Watch) -> Findings:
    found = Findings()
    for cast, shipped in casts(said).items():
        first, second = (agent_text(name, shipped) for name in (said.first, said.second))
        match = MatchSettings(game=game, hero=first, other=second, games=QUICK if quick else GAMES, seed=said.number)
        series = play_match(match, watch)
        found.columns[cast] = figures(series)
        found.boards[cast] = series.games[0].end.text
        found.judgements.extend(judge(cast, said, series))
    return found


def figures(series: Series) -> dict[str, str]:
    """What the report prints, as means over our games."""
    ends = [count_captures(game.end) for game in series.games]
    return {
        "games": str(len(series.games)),
        "winner": f"first {series.wins}, second {series.losses}",
        "nodes in total": f"{series.total_nodes(True):.0f}, {series.total_nodes(False):.0f}",
        "nodes per move": f"{series.nodes(True):.0f}, {series.nodes(False):.0f}",
        "seconds per move": f"{series.seconds(True):.4f}, {series.seconds(False):.4f}",
        "workers captured": ", ".join(f"{sum(pair) / len(ends):.1f}" for pair in zip(*ends, strict=True)),
        TO_WIN: f"{series.winners_moves():.1f}",
    }


def count_captures(end: Position) -> tuple[int, int]:
    """How many workers the first and the second side have captured."""
    return captures_between(end.game.new().text.split()[0], end.text.split()[0])


def captures_between(start: str, board: str) -> tuple[int, int]:
    """The same, seen from two boards."""
    return start.count("p") - board.count("p"), start.count("P") - board.count("P")


def judge(cast: str, said: ReportedMatch, series: Series) -> list[Judgement]:
    wins = series.losses if said.hero else series.wins
    count = len(series.games)
    sides = ("first", "second")
    moves = series.winners_moves()
    judgements = [
        Judgement(
            cast, f"the {sides[said.hero]} {WORDS[said.how]}", JUDGES[said.how](wins, count), f"{wins} of {count}"
        ),
        Judgement(cast, f"a win takes around {said.around} moves", about(moves, said.around), f"{moves:.1f}"),
    ]
    first, second = (name.rpartition(" ")[2] in NOISY for name in (said.first, said.second))
    if first != second:
        noisy, plain = series.nodes(first), series.nodes(second)
        sentence = "a heuristic with noise expands more nodes than one without"
        judgements.append(Judgement(cast, sentence, true(noisy > plain), f"{noisy:.0f} to {plain:.0f}"))
    if said.first.startswith("minimax"):
        sentence = "alpha-beta of depth 4 thinks longer than minimax of depth 3"
        longer = series.seconds(False) > series.seconds(True)
        judgements.append(
            Judgement(cast, sentence, true(longer), f"{series.seconds(False):.4f} to {series.seconds(True):.4f} s")
        )
    return judgements


def format_captures(game: str, said: ReportedMatch, end: str) -> str:
    """The captures that the report prints, and those on its final board where it contradicts itself."""
    printed = f"{said.captured[0]}, {said.captured[1]}"
    left = captures_between(catalog.load(game).new().text.split()[0], end)
    return printed if left == said.captured else f"{printed} (its final board: {left[0]}, {left[1]})"


def _claim(game: str, label: str, said: ReportedMatch) -> Claim:
    names = [f"{'' if ' ' in name else 'alphabeta '}{name}" for name in (said.first, said.second)]
    sides = ("first", "second")
    end = ENDS[f"{label}-{said.number}"]
    values = (
        "1",
        sides[said.hero],
        *(f"{pair[0]}, {pair[1]}" for pair in (said.total, said.nodes, said.seconds)),
        format_captures(game, said, end),
    )
    return Claim(
        key=f"breakthrough-{label}-{said.number}",
        game="breakthrough",
        title=f"Breakthrough {label}, match-up {said.number}: {names[0]} against {names[1]}",
        said=f"The {sides[said.hero]} {WORDS[said.how]}; a win takes around {said.around} moves.",
        reported={**dict(zip(FIGURES, values, strict=True)), TO_WIN: str(said.moves)},
        measure=partial(measure, game, said),
        steps=lambda quick: (QUICK if quick else GAMES) * len(casts(said)),
        method="The first named always begins; moves are shuffled by a seed for each game. Figures are means.",
        board=end,
    )


CLAIMS = [_claim("breakthrough", "8x8", said) for said in SQUARE] + [
    _claim("breakthrough:5x10-three", "5x10", said) for said in LONG
]
