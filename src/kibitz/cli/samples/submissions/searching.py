"""Lets the engine search, within the limit of the match."""

from kibitz import Engine, Game, Limit, Position, heuristics

engine: Engine


def prepare(game: Game) -> None:
    """Called once, before any clock runs."""
    global engine
    engine = Engine(game, heuristics.find(game))


def choose(position: Position, limit: Limit) -> tuple[int, ...]:
    return engine.search(position, limit).moves
