"""Laws of symmetry: the board seen another way is the same game."""

from collections.abc import Iterator
from typing import Any

from kibitz.core.errors import RulesError
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, swapped
from kibitz.core.rulebook import Symmetry
from kibitz.core.seam.words import words_of
from kibitz.laws.law import Broken, NotApplicable, expect

MOST_ENDINGS = 500  # of a chance node's battles, dice, ...; one with more of them is not compared

Words = tuple[int, ...]


def symmetries_keep_the_result(position: Position) -> None:
    game, state = position.game, position.state
    for symmetry, turned in _views(position):
        found, expected = game.result(turned), game.result(state)
        expected = swapped(expected) if symmetry.swaps else expected
        shown = f"the {symmetry.name} image '{_write(game, turned)}'"
        expect(found == expected, f"{shown} has the result {found}, expected {expected}", position)
        side, wanted = game.turn(turned), game.turn(state)
        wanted = 1 - wanted if symmetry.swaps and wanted != CHANCE else wanted
        expect(side == wanted, f"{shown} is a turn of {side}, expected {wanted}", position)


def symmetries_keep_the_moves(position: Position) -> None:
    game = position.game
    for index, (symmetry, turned) in enumerate(_views(position)):
        expected = sorted(game.transform_move(code, index) for code in game.moves(position.state))
        try:
            found = sorted(game.moves(turned))
        except RulesError as error:
            raise Broken(f"the {symmetry.name} image cannot be played: {error}", position) from None
        shown = f"the {symmetry.name} image '{_write(game, turned)}'"
        differing = sorted(set(found) ^ set(expected))
        expect(found == expected, f"{shown} has other moves than the turned ones: {differing} differ", position)


def symmetries_commute_with_playing(position: Position) -> None:
    game, state = position.game, position.state
    for index, (symmetry, turned) in enumerate(_views(position)):
        for code in game.moves(state):
            found = game.play(turned, game.transform_move(code, index))
            expected = game.transform(game.play(state, code), index)
            if _words(found) != _words(expected):
                text, seen, wanted = game.move_text(state, code), _write(game, found), _write(game, expected)
                reason = f"'{text}' in the {symmetry.name} image leads to '{seen}', expected '{wanted}'"
                raise Broken(reason, position)


def symmetries_keep_the_odds(position: Position) -> None:
    """Where chance decides several things one by one, a symmetry may change their sequence, but not how they end."""
    game = position.game
    views = list(_views(position))
    if position.over or position.turn != CHANCE:
        raise NotApplicable("chance never decides anything")
    for index, (symmetry, turned) in enumerate(views):
        expected: dict[Words, float] = {}
        for state, odds in _endings(game, position.state):
            words = _words(game.transform(state, index))
            expected[words] = expected.get(words, 0.0) + odds
        found: dict[Words, float] = {}
        for state, odds in _endings(game, turned):
            found[_words(state)] = found.get(_words(state), 0.0) + odds
        differing = [words for words in {**expected, **found} if not _close(expected.get(words), found.get(words))]
        reason = f"chance ends otherwise in the {symmetry.name} image: {len(differing)} states differ in probability"
        expect(not differing, reason, position)


def _endings(game: Game, state: Any) -> list[tuple[Any, float]]:
    """The states in which chance leaves the game, with their probabilities."""
    ended: list[tuple[Any, float]] = []
    waiting = [(state, 1.0)]
    while waiting:
        here, odds = waiting.pop()
        rolls = game.outcomes(here)
        if not rolls:
            ended.append((here, odds))
        waiting += [(game.play(here, code), odds * chance) for chance, code in rolls]
        if len(ended) + len(waiting) > MOST_ENDINGS:
            raise NotApplicable(f"chance never ends in fewer than {MOST_ENDINGS} ways")
    return ended


def _close(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and abs(one - other) < 1e-9


def _views(position: Position) -> Iterator[tuple[Symmetry, Any]]:
    """The symmetries of the game and the state seen through each of them."""
    game, book = position.game, position.game.rulebook
    if not game.symmetries:
        raise NotApplicable("the game declares no symmetries")
    if book.transform is None or book.transform_move is None:
        raise Broken("the game declares symmetries, but not both transform() and transform_move()")
    for index, symmetry in enumerate(game.symmetries):
        yield symmetry, game.transform(position.state, index)


def _words(state: Any) -> Words:
    return tuple(words_of(state).tolist())


def _write(game: Game, state: Any) -> str:
    try:
        return game.write(state)
    except Exception:  # noqa: BLE001 - a wrong image may be a state that cannot be written
        return repr(state)
