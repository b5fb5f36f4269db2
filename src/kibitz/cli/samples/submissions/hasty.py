"""Takes the first move there is."""

from kibitz import Limit, Position


def choose(position: Position, limit: Limit) -> str:
    return position.moves()[0]
