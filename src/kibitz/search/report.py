"""What a search found, in words that say whose point of view it is."""

from dataclasses import dataclass, field
from html import escape

from kibitz.core.position import Position

WIN = 1_000_000.0  # a proven win is worth WIN less the turns it takes
PROVEN = 900_000.0  # and more than this; everything else is worth less


@dataclass(frozen=True, slots=True)
class Score:
    """A value for one side: an estimate, or a proven win or loss with its distance in turns.

    Proven means that play ends so by the rules, whatever the other side does and however chance falls.
    """

    value: float
    side: str  # whose point of view
    proven: bool = False

    @classmethod
    def estimate(cls, value: float, side: str) -> "Score":
        """A heuristic's value, or a mean over chances: never as much as a proven win."""
        return cls(max(-PROVEN + 1.0, min(PROVEN - 1.0, value)), side)

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

    def __str__(self) -> str:
        turns = self.win_in
        if turns is None:
            return f"{round(self.value, 2) + 0.0:+.2f} for {self.side}"
        return f"{self.side} {'wins' if self.value > 0 else 'loses'} in {abs(turns)}"


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
            f"<tr><td>{escape(str(line.score))}</td><td><code>{escape(line.text)}</code></td></tr>"
            for line in self.lines
        )
        speed = (
            f"depth {self.depth}, {self.nodes:,} nodes in {self.seconds:.2f} s ({self.nodes_per_second:,.0f} a second)"
        )
        summary = "; ".join([speed, *self.remarks])
        return f"<table><tr><th>score</th><th>line</th></tr>{rows}</table><p>{escape(summary)}</p>"


def first_turn(position: Position, codes: tuple[int, ...]) -> tuple[int, ...]:
    """The moves of the side to move at the beginning of a line, until its turn ends."""
    here = position
    for number, code in enumerate(codes):
        here = here.play(code)
        if here.turn != position.turn or here.over:
            return codes[: number + 1]
    return codes
