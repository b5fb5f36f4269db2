"""Plots as SVG inside a page: they take their colours from the page, and say each number when pointed at."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from kibitz.arena.stats.estimate import Estimate

WIDTH = 640
LABEL = 190  # pixels for names at the left
LINE = 26  # pixels a row
LETTERS = 26  # of a name


class Bar(NamedTuple):
    """A row of a bar plot: how long, how far its whisker reaches, and what it says."""

    name: str
    value: float
    most: float
    text: str


def ratings(rows: Sequence[tuple[str, Estimate]]) -> str:
    """A dot for each player's Elo, with its 95% interval."""
    if not rows:
        return ""
    low = min(found.low for _, found in rows)
    high = max(found.high for _, found in rows)
    scale = _Scale(low, high)
    parts = [_grid(scale, len(rows))]
    for number, (name, found) in enumerate(rows):
        y = LINE * number + LINE / 2
        told = f"{name}: {found} Elo (95%)"
        parts.append(
            f"<g><title>{escape(told)}</title>{_label(name, y)}"
            f'<line class="whisker" x1="{scale(found.low):.1f}" x2="{scale(found.high):.1f}" y1="{y}" y2="{y}"/>'
            f'<circle class="dot" cx="{scale(found.value):.1f}" cy="{y}" r="5"/></g>'
        )
    return _svg(parts, LINE * len(rows) + 24, "ratings with 95% intervals")


def bars(rows: Sequence[Bar], what: str) -> str:
    """A bar for each row, with a thin line to its most extreme value."""
    if not rows:
        return ""
    scale = _Scale(0.0, max(row.most for row in rows) or 1.0, room=70)
    parts = []
    for number, row in enumerate(rows):
        y = LINE * number + LINE / 2
        end, most, short = scale(row.value), scale(row.most), row.text.partition(",")[0]
        parts.append(
            f"<g><title>{escape(f'{row.name}: {row.text}')}</title>{_label(row.name, y)}"
            f'<line class="whisker" x1="{LABEL}" x2="{most:.1f}" y1="{y}" y2="{y}"/>'
            f'<rect class="bar" x="{LABEL}" y="{y - 7}" width="{max(1.0, end - LABEL):.1f}" height="14" rx="3"/>'
            f'<text class="number" x="{max(end, most) + 6:.1f}" y="{y + 4}">{escape(short)}</text></g>'
        )
    return _svg(parts, LINE * len(rows), what)


def columns(values: Sequence[tuple[float, str]], what: str) -> str:
    """A column for each share between 0 and 1 about the middle line."""
    if not values:
        return ""
    height, step = 120, WIDTH / max(12, len(values))
    parts = [f'<line class="axis" x1="0" x2="{WIDTH}" y1="{height / 2}" y2="{height / 2}"/>']
    for number, (share, told) in enumerate(values):
        top, bottom = sorted((height * (1.0 - share), height / 2))
        tall = max(2.0, bottom - top)
        kind = "bar" if share >= 0.5 else "bar down"
        parts.append(
            f'<rect class="{kind}" x="{number * step + step * 0.12:.1f}" y="{min(top, height / 2 - 1):.1f}" '
            f'width="{step * 0.76:.1f}" height="{tall:.1f}"><title>{escape(told)}</title></rect>'
        )
    return _svg(parts, height, what)


def histogram(values: Sequence[int], what: str) -> str:
    """How often each value came about, in some twenty steps."""
    if not values:
        return ""
    low, high = min(values), max(values)
    width = max(1, -(-(high - low + 1) // 20))
    counts = Counter((value - low) // width for value in values)
    number, most, height = (high - low) // width + 1, max(counts.values()), 120
    step = WIDTH / max(number, 8)
    parts = []
    for place in range(number):
        tall = (height - 22) * counts[place] / most
        start, end = low + place * width, min(high, low + place * width + width - 1)
        told = f"{start} to {end}: {counts[place]}" if end > start else f"{start}: {counts[place]}"
        parts.append(
            f'<rect class="bar" x="{place * step + 1:.1f}" y="{height - 18 - tall:.1f}" width="{step - 2:.1f}" '
            f'height="{tall:.1f}"><title>{told}</title></rect>'
        )
        if place % max(1, number // 8) == 0:
            parts.append(f'<text class="number" x="{place * step + 2:.1f}" y="{height - 4}">{start}</text>')
    return _svg(parts, height, what)


class _Scale:
    """From values to pixels, with round numbers to mark."""

    def __init__(self, low: float, high: float, room: int = 20) -> None:
        self.low, self.high = low, max(high, low + 1e-9)
        self.room = room

    def __call__(self, value: float) -> float:
        return LABEL + (value - self.low) / (self.high - self.low) * (WIDTH - LABEL - self.room)

    def marks(self) -> list[float]:
        step = next(
            size for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 1e9) if (self.high - self.low) / size <= 6
        )
        first = -(-self.low // step)
        return [step * (first + number) for number in range(7) if step * (first + number) <= self.high]


def _grid(scale: _Scale, rows: int) -> str:
    parts = []
    for mark in scale.marks():
        x = scale(mark)
        parts.append(f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{LINE * rows}"/>')
        parts.append(f'<text class="number" text-anchor="middle" x="{x:.1f}" y="{LINE * rows + 16}">{mark:+.0f}</text>')
    return "".join(parts)


def _label(name: str, y: float) -> str:
    short = name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}\u2026"
    return f'<text class="label" x="0" y="{y + 4}">{escape(short)}</text>'


def _svg(parts: Sequence[str], height: float, what: str) -> str:
    box = f"0 0 {WIDTH} {height:.0f}"
    return f'<svg class="plot" viewBox="{box}" role="img" aria-label="{escape(what)}">{"".join(parts)}</svg>'
