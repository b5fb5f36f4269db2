"""What chance may make of some moves, before anyone commits to them."""

from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.web.facts import Facts, pieces_of

MOST = 150  # ways that are listed
STOPS, ENDS = 300, 5000  # chance nodes that are visited, ways that are kept in mind


def odds_facts(here: Position, words: str) -> Facts:
    """Play the moves on a copy, press the button that ends the turn, and list the ways chance may go on."""
    side, after, played = here.turn, here, []
    for word in filter(None, words.split("+")):
        after = after.play(word)
        played.append(word)
    button = _button(after) if after.turn == side and not after.over else None
    if button is not None:
        after = after.play(button)
        played.append(button)
    ways, complete = _ways(after)
    return {"moves": "+".join(played), "outcomes": ways, "complete": complete}


def _button(position: Position) -> str | None:
    """The only move without cells, such as the end of a turn."""
    game, state = position.game, position.state
    found = [code for code in position.move_ids if not game.gesture(state, code).cells]
    return game.move_text(state, found[0]) if len(found) == 1 else None


def _ways(start: Position) -> tuple[list[Facts], bool]:
    """The ends of all ways through chance, the likeliest first."""
    open_ways = [(1.0, "", start)]
    ends: list[tuple[float, str, Position]] = []
    visited = 0
    while open_ways and visited < STOPS and len(open_ways) + len(ends) < ENDS:
        odds, text, here = open_ways.pop()
        if here.turn != CHANCE or here.over:
            ends.append((odds, text, here))
            continue
        visited += 1
        open_ways += [(odds * chance, f"{text} {word}".strip(), here.play(word)) for chance, word in here.outcomes()]
    if not ends or not ends[0][1]:
        return [], True
    ends.sort(key=lambda way: -way[0])
    told = [
        {
            "text": text,
            "odds": odds,
            "pieces": pieces_of(end),
            "winner": None if end.result is None else end.result.winner,
        }
        for odds, text, end in ends[:MOST]
    ]
    return told, not open_ways and len(ends) <= MOST
