"""What chance may make of some moves, before anyone commits to them."""

import heapq
import itertools

from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.web.api.facts import Facts, pieces_of

MOST_LISTED = 150  # positions that are told one by one
MOST_STOPS = 3000  # chance nodes that are visited, the likeliest first


def odds_facts(here: Position, words: str) -> Facts:
    """Play the moves on a copy, press the button that ends the turn, and tell where chance may lead.

    `cells` speak of all that was looked at, whose probability is `covered`; `outcomes` are the likeliest alone.
    """
    side, after, played = here.turn, here, []
    for word in filter(None, words.split("+")):
        after = after.play(word)
        played.append(word)
    button = _button(after) if after.turn == side and not after.over else None
    if button is not None:
        after = after.play(button)
        played.append(button)
    ends = follow_chance(after) if after.turn == CHANCE and not after.over else []
    return {
        "moves": "+".join(played),
        "outcomes": [_way(*end) for end in ends[:MOST_LISTED]],
        "complete": len(ends) <= MOST_LISTED and _total(ends) > 1 - 1e-9,
        "covered": _total(ends) if ends else 1.0,
        "cells": _cells(after, ends),
    }


def follow_chance(start: Position) -> list[tuple[float, str, Position]]:
    """The positions at the ends of all ways through chance, the likeliest first; those that are equal are one."""
    count = itertools.count()  # so that the heap never compares positions
    waiting = [(-1.0, next(count), "", start)]
    ends: dict[Position, tuple[float, str]] = {}
    stops = 0
    while waiting and stops < MOST_STOPS:
        odds, _, text, here = heapq.heappop(waiting)
        if here.turn != CHANCE or here.over:
            known = ends.get(here, (0.0, text))
            ends[here] = known[0] - odds, known[1]
            continue
        stops += 1
        for chance, word in here.outcomes():
            heapq.heappush(waiting, (odds * chance, next(count), f"{text} {word}".strip(), here.play(word)))
        here.forget_moves()
    return sorted(((odds, text, end) for end, (odds, text) in ends.items()), key=lambda way: -way[0])


def _button(position: Position) -> str | None:
    """The only move without cells, such as the end of a turn."""
    game, state = position.game, position.state
    found = [code for code in position.move_ids if not game.gesture(state, code).cells]
    return game.move_text(state, found[0]) if len(found) == 1 else None


def _total(ends: list[tuple[float, str, Position]]) -> float:
    return min(1.0, sum(odds for odds, _, _ in ends))


def _way(odds: float, text: str, end: Position) -> Facts:
    winner = None if end.result is None else end.result.winner
    return {"text": text, "odds": odds, "pieces": pieces_of(end), "winner": winner}


def _cells(start: Position, ends: list[tuple[float, str, Position]]) -> list[Facts]:
    """Each cell that chance decides: what may stand there, the likeliest first."""
    shares: list[dict[str, float]] = [{} for _ in pieces_of(start)]
    for odds, _, end in ends:
        for cell, text in enumerate(pieces_of(end)):
            shares[cell][text] = shares[cell].get(text, 0.0) + odds
    return [
        {
            "cell": cell,
            "standing": [{"text": text, "odds": odds} for text, odds in sorted(found.items(), key=_likelier)],
        }
        for cell, found in enumerate(shares)
        if len(found) > 1
    ]


def _likelier(item: tuple[str, float]) -> float:
    return -item[1]
