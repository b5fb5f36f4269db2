"""What a search found, in words that say whose point of view it is."""

import math
from dataclasses import dataclass, field
from html import escape

from kibitz.core.position import Position

WIN = 1_000_000.0  # a proven win is worth WIN less the turns it takes
CELL = "text-align:left;padding:.25em .7em;border-bottom:1px solid #8885"  # of a table in a notebook
PROVEN = 900_000.0  # and more than this; everything else is worth less


@dataclass(frozen=True, slots=True)
class Score:
    """A value for one side: an estimate, or a proven win or loss with its distance in turns.

    Proven means that play ends so by the rules, whatever the other side does and however chance falls.
    """

    value: float
    side: str  # whose point of view
    proven: bool = False
    per_odds: float = 0.0  # how much of it makes the odds of winning e times as high; 0: that is not known

    @classmethod
    def estimate(cls, value: float, side: str, per_odds: float = 0.0) -> "Score":
        """A heuristic's value, or a mean over chances: never as much as a proven win."""
        return cls(max(-PROVEN + 1.0, min(PROVEN - 1.0, value)), side, per_odds=per_odds)

    @classmethod
    def read(cls, value: float, side: str) -> "Score":
        """The score whose value was written down."""
        return cls(value, side, abs(value) >= PROVEN)

    @property
    def win_in(self) -> int | None:
        """Turns until this side has won, below zero until it has lost; None where nothing is proven."""
        if not self.proven:
            return None
        turns = round(WIN - abs(self.value))
        return turns if self.value > 0 else -turns

    @property
    def chances(self) -> float | None:
        """The share of such games that this side wins, a draw being half of one; None where that is not known."""
        if self.proven:
            return float(self.value > 0)
        return 1.0 / (1.0 + math.exp(-self.value / self.per_odds)) if self.per_odds else None

    def describe(self, unit: float) -> str:
        """The chances first, then what is proven or thought, where `unit` is about a piece."""
        if self.proven:
            return f"exact: {self}"
        return f"{100 * win_chance(self, unit):.0f} % for {self.side}, score {round(self.value, 2) + 0.0:+.2f}"

    def __str__(self) -> str:
        turns = self.win_in
        if turns is None and self.per_odds:
            return f"{100 * (self.chances or 0.0):.1f} % for {self.side}"
        if turns is None:
            return f"{round(self.value, 2) + 0.0:+.2f} for {self.side}"
        return f"{self.side} {'wins' if self.value > 0 else 'loses'} in {abs(turns)}"


CHANCE_SCALE = 4.0 / math.log(10.0)  # pieces by which the odds of a win grow e times
SMALLEST_CHANCE = 1e-9
MOST_SURE = 3.0 * math.log(10.0)  # no estimate gives odds beyond 1000 to 1


def win_chance(score: Score, unit: float) -> float:
    """What the score's side may expect of the game, 0 to 1, where `unit` is about a piece: two pieces more are about
    three wins in four. Only a proven score is worth 0 or 1.
    """
    known = score.chances
    if known is not None:
        return known
    return 1.0 / (1.0 + math.exp(-max(-MOST_SURE, min(MOST_SURE, score.value / (CHANCE_SCALE * unit)))))


def score_of_chance(chance: float, per_odds: float) -> float:
    """The score that stands for a chance to win, where so much of it makes the odds e times as high."""
    chance = max(SMALLEST_CHANCE, min(1.0 - SMALLEST_CHANCE, chance))
    return per_odds * math.log(chance / (1.0 - chance))


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play and what it is worth to the side to move at its beginning."""

    score: Score
    moves: tuple[int, ...]
    text: str  # as Position.line writes it


@dataclass(frozen=True, slots=True)
class Report:
    """The answer of a search: the moves of the best turn, and how it was found."""

    moves: tuple[int, ...]  # of the side to move, until its turn ends
    lines: tuple[Line, ...] = ()  # the best first
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    table_hits: int = 0
    cutoffs: int = 0
    remarks: tuple[str, ...] = field(default=())  # such as: there is no heuristic

    @property
    def score(self) -> Score | None:
        """What the best line is worth."""
        return self.lines[0].score if self.lines else None

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    def _repr_html_(self) -> str:
        """In a notebook: the lines as a table, and how they were found."""
        rows = "".join(
            f'<tr><td style="{CELL};font-weight:600">{escape(str(line.score))}</td>'
            f'<td style="{CELL}"><code>{escape(line.text)}</code></td></tr>'
            for line in self.lines
        )
        speed = (
            f"depth {self.depth}, {self.nodes:,} nodes in {self.seconds:.2f} s ({self.nodes_per_second:,.0f} a second)"
        )
        summary = "; ".join([speed, *self.remarks])
        head = f'<tr><th style="{CELL}">score</th><th style="{CELL}">line</th></tr>'
        return f'<table style="border-collapse:collapse">{head}{rows}</table><p><small>{escape(summary)}</small></p>'


def first_turn(position: Position, line: tuple[int, ...]) -> tuple[int, ...]:
    """The moves of the side to move at the beginning of a line, until its turn ends."""
    here = position
    for number, move in enumerate(line):
        here = here.play(move)
        if here.turn != position.turn or here.over:
            return line[: number + 1]
    return line
