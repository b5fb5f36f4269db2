"""Counting without listing: how many solutions a flat board has when paths may touch themselves.

Cells are decided row by row. What the rest of the board needs to know of the rows above is the profile: for each open
end that sticks out of them the colour of its source, or which other end it belongs to. Boards that agree in their
profile have the same number of continuations, so they are counted together.
"""

import time
from collections import defaultdict

from kibitz.core.limit import Limit
from kibitz.puzzles.flow.answers import NO_LIMIT, GaveUp
from kibitz.puzzles.flow.board import Board

Profile = tuple[int, ...]  # the ends below each column, then the one to the right: 0 none, < 0 a colour, > 0 a pair

MOST_PROFILES = 100_000


def count_free(board: Board, limit: Limit = NO_LIMIT) -> int | None:
    """The number of different sets of paths of a flat board whose touch is free; None if it has too many profiles."""
    plan = board.graph.plan
    assert plan is not None
    assert plan.flat
    assert board.touch == "free"
    colours = {node: -number for number, pair in enumerate(board.sources.values(), 1) for node in pair}
    places, edges = board.graph.places, set(board.graph.edges)
    counts: dict[Profile, int] = {(0,) * (plan.columns + 1): 1}
    began = time.perf_counter()
    for row in range(plan.rows):
        for column in range(plan.columns):
            node, *beside = (
                places.get(place, (-1,))[0] for place in ((row, column), (row, column + 1), (row + 1, column))
            )
            onward = [(node, other) in edges for other in beside]
            after: dict[Profile, int] = defaultdict(int)
            for profile, number in counts.items():
                for child in _children(profile, column, colours.get(node, 0), onward, node >= 0, board.fill):
                    after[child] += number
            counts = after
            if len(counts) > MOST_PROFILES:
                return None
            if limit.seconds is not None and time.perf_counter() - began > limit.seconds:
                raise GaveUp(f"{limit.seconds:g} seconds are over")
    return sum(counts.values())


def _children(
    profile: Profile, column: int, colour: int, onward: list[bool], exists: bool, fill: bool
) -> list[Profile]:
    """The profiles after a cell, whichever way its paths go."""
    above, left = profile[column], profile[-1]
    entering = [end for end in (left, above) if end]
    if not exists:
        return [] if entering else [_set(profile, column, 0, 0)]
    outs = [(right, down) for right in range(1 + onward[0]) for down in range(1 + onward[1])]
    needs = 1 if colour else 2
    found = []
    for right, down in outs:
        degree = len(entering) + right + down
        if degree == needs:
            child = _joined(profile, column, entering, colour, right, down)
            if child is not None:
                found.append(child)
        elif degree == 0 and not colour and not fill:
            found.append(_set(profile, column, 0, 0))
    return found


def _joined(profile: Profile, column: int, entering: list[int], colour: int, right: int, down: int) -> Profile | None:
    """The profile when the ends that enter a cell and those that leave it are one path; None if they cannot be."""
    if not entering:
        end = colour or max(profile) + 1
        return _set(profile, column, end * down, end * right)
    ends = [*entering, colour] if colour else entering
    if len(ends) == 1:
        return _set(profile, column, ends[0] * down, ends[0] * right)
    one, other = ends
    if one == other > 0 or (one < 0 and other < 0 and one != other):
        return None
    old, new = max(one, other), min(one, other)
    return _normal(
        tuple(new if end == old > 0 else end for end in (*profile[:column], 0, *profile[column + 1 : -1], 0))
    )


def _set(profile: Profile, column: int, below: int, right: int) -> Profile:
    return _normal((*profile[:column], below, *profile[column + 1 : -1], right))


def _normal(profile: Profile) -> Profile:
    """The same profile with its pairs numbered from left to right."""
    names: dict[int, int] = {}
    return tuple(end if end <= 0 else names.setdefault(end, len(names) + 1) for end in profile)
