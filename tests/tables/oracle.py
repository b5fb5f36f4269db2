"""The plainest thing that is obviously right: a game solved by passing over all its positions until nothing changes."""

from typing import Any

from kibitz.core.game import Game
from kibitz.core.result import DRAW, ONGOING

Value = tuple[int, int] | None  # who wins and in how many turns; None for a draw


def solved(game: Game) -> dict[tuple[Any, ...], Value]:
    """The value of every position that can come about, without symmetries, indexes or queues."""
    states = reachable(game)
    after = {key: [game.key(game.play(state, code)) for code in game.moves(state)] for key, state in states.items()}
    ended = {key for key, state in states.items() if game.result(state) != ONGOING}
    values: dict[tuple[Any, ...], Value] = {}
    for key in ended:
        result = game.result(states[key])
        values[key] = None if result == DRAW else (result - 1, 0)

    def cost(key: tuple[Any, ...], child: tuple[Any, ...]) -> int:
        return int(child in ended or game.turn(states[key]) != game.turn(states[child]))

    return _passes(game, states, after, values, cost)


def reachable(game: Game) -> dict[tuple[Any, ...], Any]:
    waiting = [game.new().state]
    met = {game.key(waiting[0]): waiting[0]}
    while waiting:
        state = waiting.pop()
        for code in game.moves(state):
            child = game.play(state, code)
            if game.key(child) not in met:
                met[game.key(child)] = child
                waiting.append(child)
    return met


def _passes(game: Game, states: Any, after: Any, values: dict[Any, Value], cost: Any) -> dict[Any, Value]:
    """Wins with n turns are found in round n, so that each gets its shortest distance."""
    turns = 0
    while True:
        again = True
        while again:
            again = False
            for key, state in states.items():
                if key in values:
                    continue
                side = game.turn(state)
                near = [(values[child], cost(key, child)) for child in after[key] if child in values]
                wins = [one[1] + step for one, step in near if one is not None and one[0] == side]
                losses = [one[1] + step for one, step in near if one is not None and one[0] != side]
                if turns in wins:
                    values[key] = (side, turns)
                elif len(losses) == len(after[key]) and max(losses) == turns:
                    values[key] = (1 - side, turns)
                again = again or (not game.alternating and key in values)
        turns += 1
        if turns > 60:
            return {key: values.get(key) for key in states}
