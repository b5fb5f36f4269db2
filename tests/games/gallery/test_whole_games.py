"""Every game of the gallery obeys the laws, is short, says what it is, and is played to its end by the engine."""

import ast
import random
import statistics
from collections.abc import Callable

import pytest

from kibitz import CHANCE, Limit, agents, games, heuristics
from kibitz.core.seam import interpreting
from kibitz.games import gallery

NAMES = gallery.names()
SMALL = {"amazons": "amazons:6x6", "hex": "hex,size=5", "konane": "konane:6x6", "othello": "othello:6x6"}
PLAYED = [SMALL.get(name, name) for name in NAMES]


@pytest.mark.skipif(not interpreting(), reason="compiled for every game this takes minutes; the proofs do")
@pytest.mark.kibitz(*PLAYED, games=1, positions=6)
def test_every_game_obeys_every_law(kibitz_law: Callable[[], None]) -> None:
    kibitz_law()


@pytest.mark.proof
@pytest.mark.kibitz(*PLAYED, games=5, positions=60)
def test_every_game_obeys_every_law_compiled(kibitz_law: Callable[[], None]) -> None:
    kibitz_law()


@pytest.mark.proof
@pytest.mark.skipif(interpreting(), reason="plays with the compiled engine")
@pytest.mark.parametrize("text", PLAYED)
def test_the_engine_plays_a_whole_game_against_itself(text: str) -> None:
    game, dice = games.load(text), random.Random(text)
    engine, here = agents.agent("engine:hash=16,seed=1", game), games.load(text).new()
    for _ in range(400):
        if here.over:
            break
        if here.turn == CHANCE:
            here = here.roll(dice)
        else:
            report = engine.choose(here, Limit(nodes=2000))
            assert report.score is not None
            for move in report.moves:
                here = here.play(move)
    assert here.over


def lines_of(name: str) -> int:
    """The lines of a file without its docstring and without blank ones."""
    text = (gallery.FOLDER / f"{name}.py").read_text()
    docstring = ast.parse(text).body[0]
    assert isinstance(docstring, ast.Expr), name
    written = text.splitlines()[docstring.end_lineno :]
    return sum(bool(line.strip()) for line in written)


def test_the_games_are_short() -> None:
    counted = {name: lines_of(name) for name in NAMES}
    assert statistics.median(counted.values()) <= 90, counted
    assert counted["tictactoe"] <= 40
    assert counted["connectfour"] <= 60


@pytest.mark.parametrize("name", NAMES)
def test_a_game_begins_with_its_name_and_what_it_is(name: str) -> None:
    book = games.load(name).rulebook
    assert book.summary.startswith(f"{book.title}: ")
    assert book.summary.endswith(".")


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"tictactoe"}))
def test_a_game_has_a_heuristic_of_its_own(name: str) -> None:
    assert heuristics.find(games.load(name)).judges
