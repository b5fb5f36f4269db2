"""What an engine says while it thinks: `info` lines."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from kibitz.agents.guests.dialect import Dialect, line_tokens
from kibitz.core.position import Position
from kibitz.search.engine.transpositions import FACTS, WORDS
from kibitz.search.report import Report, Score

SAMPLE = 1000  # entries of the table that are looked at


def info_lines(report: Report, position: Position, dialect: Dialect, agent: Any) -> Iterator[str]:
    """A report as `info` lines, one for each line of play."""
    effort = f"nodes {report.nodes} nps {round(report.nodes_per_second)}{_hashfull(agent)}"
    effort += f" time {round(report.seconds * 1000)}"
    if not report.lines:
        yield f"info depth {report.depth} {effort}"
    for number, line in enumerate(report.lines, 1):
        tokens = line_tokens(position, line.moves)
        reach = f"depth {report.depth} seldepth {max(report.depth, len(tokens))} multipv {number}"
        yield f"info {reach} score {score_text(line.score, dialect, unit_of(agent))} {effort} pv {' '.join(tokens)}"


def score_text(score: Score, dialect: Dialect, unit: float) -> str:
    """A score for the side to move: hundredths of the heuristic's unit, or the distance of a proven end."""
    turns = score.win_in
    return f"cp {round(100.0 * score.value / unit)}" if turns is None else f"mate {dialect.mate(turns)}"


def unit_of(agent: Any) -> float:
    """What an agent's scores call one piece. Sampling gives expected results, from -1 to 1."""
    if hasattr(agent, "engine"):
        return float(agent.engine.heuristic.unit)
    return 1.0 if hasattr(agent, "tree") else 100.0


def _hashfull(agent: Any) -> str:
    """How full the engine's table is, in thousandths."""
    if not hasattr(agent, "engine"):
        return ""
    facts = agent.engine.table[FACTS : SAMPLE * WORDS : WORDS]
    return f" hashfull {1000 * np.count_nonzero(facts) // max(1, facts.size)}"
