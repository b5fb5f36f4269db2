"""The server: it waits for two players, lets them play, and says how it went; as often as it was asked to."""

import socket
from collections.abc import Callable, Iterator
from dataclasses import replace

from kibitz.arena.records.record import Record
from kibitz.core.game import Game
from kibitz.core.result import FIRST, SECOND, Result
from kibitz.games.vampires.rules import VAMPIRES, WEREWOLVES, headcount
from kibitz.protocols.vampires.network_game import NetworkGame, NetworkSettings
from kibitz.protocols.vampires.registration import Registration


def serve(
    listener: socket.socket,
    game: Game,
    settings: NetworkSettings,
    log: Callable[[str], None],
    save: Callable[[list[Record]], None],
) -> str:
    """Play one game on this socket. `save` gets its records, also of a game that is stopped; returns the result in
    words.
    """
    registration = Registration(listener, game.new(), log)
    try:
        connections, names = registration.wait_for_players()
        match = NetworkGame(game.new(), connections, names, settings, log)
        try:
            match.play()
        finally:
            if match.parts:
                save(match.parts)
            match.hang_up()
        return outcome(match)
    finally:
        registration.close()


def serve_series(
    listener: socket.socket,
    game: Game,
    settings: NetworkSettings,
    games: int,
    log: Callable[[str], None],
    save: Callable[[list[Record]], None],
) -> Iterator[str]:
    """Play games one after the other, each with players who connect for it; the result of each in words. `save` gets
    the records of all games so far. Each game has a seed of its own.
    """
    records: list[Record] = []

    def save_all(parts: list[Record]) -> None:
        numbered = {"Round": str(number + 1)} if games > 1 else {}
        records.extend(replace(part, tags=part.tags | numbered) for part in parts)
        save(records)

    for number in range(games):
        yield serve(listener, game, replace(settings, seed=settings.seed + number), log, save_all)


def outcome(match: NetworkGame) -> str:
    """The result in one line."""
    last, cells = match.parts[-1], match.position.state.cells
    counts = f"{headcount(cells, VAMPIRES)} vampires, {headcount(cells, WEREWOLVES)} werewolves"
    turns = f"after {match.position.state.ply} turns"
    why = "" if last.reason == "rules" else f" ({last.reason})"
    if last.result in (None, Result.DRAW):
        return f"a draw {turns}: {counts}{why}"
    side = FIRST if last.result == Result.FIRST_WINS else SECOND
    return f"the {match.start.game.rulebook.sides[side]} of {match.names[side]} win {turns}: {counts}{why}"
