"""Ctrl-C that a search keeps to itself still stops a match."""

import signal
from collections.abc import Iterator
from contextlib import suppress

import pytest

from kibitz import games
from kibitz.arena.interrupts import keep_ctrl_c
from kibitz.arena.players.player import InProcessPlayer
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.search.report import Report


@pytest.fixture(autouse=True)
def python_hears_ctrl_c() -> Iterator[None]:
    """As in a terminal; shells start what runs in the background deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Keeper:
    """An agent that answers when it hears Ctrl-C, as our searches do."""

    def choose(self, position: Position, limit: Limit) -> Report:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return Report((position.move_ids[0],))


def test_ctrl_c_that_an_agent_keeps_to_itself_is_raised_after_its_move() -> None:
    game = games.breakthrough()
    player = InProcessPlayer(game, "random")
    player.agent = Keeper()
    with pytest.raises(KeyboardInterrupt):
        player.choose(game.new(), Limit(nodes=1), 1.0)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_that_is_not_kept_comes_through_once() -> None:
    with pytest.raises(KeyboardInterrupt), keep_ctrl_c():
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_whoever_handles_ctrl_c_otherwise_is_left_alone() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        with keep_ctrl_c():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]
