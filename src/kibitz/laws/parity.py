"""Laws of compiling: machine code and plain Python play the same game."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import TooManyMoves
from kibitz.core.game import Game
from kibitz.core.limit import UNBOUNDED
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, ONGOING
from kibitz.core.seam import interpreting, specialise
from kibitz.core.seam.slots import (
    count_moves,
    horizon,
    key,
    moves,
    moves_once,
    outcomes,
    play,
    plies_left,
    result,
    transform,
    transform_move,
    turn,
    write_words,
)
from kibitz.core.seam.words import words_of
from kibitz.laws.law import Broken, NotApplicable, expect
from kibitz.laws.overflow import find_overflow
from kibitz.laws.sample import is_sound, run
from kibitz.search.perft import perft

MOST_LINES = 20_000  # a depth that is likely to have more of them is not counted in plain Python
ROOM = 4096  # words to spare for compiled rules that say more than they should


class Answer(NamedTuple):
    """What the rules say to a question about a state, perhaps about one of its moves."""

    question: str
    words: NDArray[np.int64]
    move: int | None = None


def testify(
    state: Any,
    rules: Any,
    symmetries: int,
    codes: NDArray[np.int64],
    odds: NDArray[np.float64],
    out: NDArray[np.int64],
) -> int:
    """A kernel: write all that the rules say about a state to `out`, each answer behind its length."""
    side, ending = turn(state, rules), result(state, rules)
    at = put(side, out, 0)
    at = put(ending, out, at)
    at = put(plies_left(state, rules), out, at)
    at = put(horizon(state, rules), out, at)
    at = put(np.int64(key(state, rules)), out, at)
    end, choosing = 0, ending == ONGOING and side != CHANCE
    if choosing:
        end = moves(state, rules, codes, 0)
    elif ending == ONGOING:
        end = outcomes(state, rules, odds, codes, 0)
    at = put_all(codes, 0, end, out, at)
    for index in range(end):
        after = play(state, codes[index], rules)
        at = put_state(after, rules, out, at)
        at = put(np.int64(key(after, rules)), out, at)
    if choosing:
        at = put(count_moves(state, rules), out, at)
        at = put_all(codes, end, moves_once(state, rules, codes, end), out, at)
    for symmetry in range(symmetries):
        at = put_state(transform(state, symmetry, rules), rules, out, at)
        if choosing:
            for index in range(end):
                at = put(transform_move(codes[index], symmetry, rules), out, at)
    return put_state(state, rules, out, at)


def put(value: int | np.int64, out: NDArray[np.int64], at: int) -> int:
    out[at] = 1
    out[at + 1] = value
    return at + 2


def put_all(values: NDArray[np.int64], begin: int, end: int, out: NDArray[np.int64], at: int) -> int:
    out[at] = end - begin
    for index in range(begin, end):
        at += 1
        out[at] = values[index]
    return at + 1


def put_state(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
    end: int = write_words(state, rules, out, at + 1)
    out[at] = end - at - 1
    return end


def answers(position: Position) -> Iterator[Answer]:
    """What the kernel should write, from the rules as plain Python. Keys are hashed there, so their values are left
    open here.
    """
    game, state, book = position.game, position.state, position.game.rulebook
    side, ending = game.turn(state), game.result(state)
    yield Answer("turn", _numbers(side))
    yield Answer("result", _numbers(ending))
    left = UNBOUNDED if book.plies_left is None else int(run(game, book.plies_left, state))
    yield Answer("plies left", _numbers(left))
    yield Answer("horizon", _numbers(left if book.horizon is None else int(run(game, book.horizon, state))))
    yield Answer("key", _numbers(0))
    choosing = ending == ONGOING and side != CHANCE
    codes = _codes(position)
    yield Answer("moves" if choosing else "outcomes", _numbers(*codes))
    for code in codes:
        yield Answer("state", words_of(game.play(state, code)), code)
        yield Answer("key", _numbers(0), code)
    if choosing:
        yield Answer("number of moves", _numbers(len(codes)))
        yield Answer("moves that build each turn once", _numbers(*game.moves_once(state)))
    for index, symmetry in enumerate(game.symmetries):
        yield Answer(f"{symmetry.name} image", words_of(game.transform(state, index)))
        for code in codes if choosing else ():
            yield Answer(f"{symmetry.name} image", _numbers(game.transform_move(code, index)), code)
    yield Answer("state itself, afterwards", words_of(state))


def _codes(position: Position) -> list[int]:
    """Moves or outcomes, as bare rules have them: without a draw by repetition."""
    game, state = position.game, position.state
    return game.moves(state) or [code for _, code in game.outcomes(state)]


def _numbers(*values: int) -> NDArray[np.int64]:
    return np.array(values, np.int64)


def compiled_answers(position: Position, room: int) -> tuple[list[NDArray[np.int64]], NDArray[np.float64]]:
    """What the kernel writes, answer by answer, and the probabilities of the outcomes."""
    game = position.game
    codes, odds = np.zeros(2 * game.max_moves, np.int64), np.zeros(2 * game.max_moves, np.float64)
    out = np.zeros(room, np.int64)
    kernel = specialise(game.rulebook, testify)
    end = kernel(position.state, game.rules, len(game.symmetries), codes, odds, out)
    found, at = [], 0
    while at < end:
        found.append(out[at + 1 : at + 1 + int(out[at])])
        at += 1 + int(out[at])
    return found, odds


def interpreted_and_compiled_rules_agree(position: Position) -> None:
    _refuse_to_compare_python_with_itself()
    expected = list(answers(position))
    try:
        found, odds = compiled_answers(position, _room(expected))
    except TooManyMoves as error:
        raise Broken(f"only the compiled rules say: {error}", position) from None
    for answer, words in zip(expected, found, strict=False):
        if answer.question != "key" and not np.array_equal(answer.words, words):
            raise Broken(_difference(answer, words, position), position)
    _expect_same_odds(position, odds)
    said = [int(words[0]) for answer, words in zip(expected, found, strict=True) if answer.question == "key"]
    _expect_same_keys(position, said)


def _difference(answer: Answer, words: NDArray[np.int64], position: Position) -> str:
    question, expected, move = answer
    if move is not None:
        question += f" of '{position.game.move_text(position.state, move)}'"
    cause = find_overflow(position)
    said = f"{question}: compiled rules say {words.tolist()}, interpreted ones {expected.tolist()}"
    return f"{said}; {cause}" if cause else said


def _expect_same_odds(position: Position, odds: NDArray[np.float64]) -> None:
    chances = [chance for chance, _ in position.game.outcomes(position.state)]
    said = odds[: len(chances)]
    reason = f"probabilities: compiled rules say {said.tolist()}, interpreted ones {chances}"
    expect(np.allclose(said, chances, rtol=1e-9, atol=0), reason, position)


def _expect_same_keys(position: Position, said: list[int]) -> None:
    """Do compiled keys tell the same states apart? Asked of a position and those after each of its moves."""
    game, state = position.game, position.state
    kept = [game.key(state), *(game.key(game.play(state, code)) for code in _codes(position))]
    expect(_classes(said) == _classes(kept), "compiled keys tell other positions apart than interpreted ones", position)


def _classes(keys: list[Any]) -> list[int]:
    """For each key the place of the first that equals it."""
    first: dict[Any, int] = {}
    return [first.setdefault(each, index) for index, each in enumerate(keys)]


def compiled_rules_stay_in_bounds(position: Position) -> None:
    _refuse_to_compare_python_with_itself()
    with with_bounds_checks():
        try:
            compiled_answers(position, _room(list(answers(position))))
        except TooManyMoves:
            return  # another law is about that
        except IndexError as error:
            raise Broken(f"compiled rules reach outside an array ({error})", position) from None


def _room(expected: list[Answer]) -> int:
    return 2 * sum(1 + answer.words.size for answer in expected) + ROOM


def _refuse_to_compare_python_with_itself() -> None:
    if interpreting():
        raise NotApplicable("KIBITZ_INTERPRET=1 asks for plain Python")


@contextmanager
def with_bounds_checks() -> Iterator[None]:
    """What is compiled in here checks every index."""
    before = os.environ.get("KIBITZ_BOUNDS")
    os.environ["KIBITZ_BOUNDS"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["KIBITZ_BOUNDS"]
        else:
            os.environ["KIBITZ_BOUNDS"] = before


def compiled_and_interpreted_counts_are_equal(game: Game) -> None:
    _refuse_to_compare_python_with_itself()
    start = game.new()
    if not is_sound(start):
        raise NotApplicable("no line can be played from the start")
    before, lines, depth = 1, 1, 0
    while lines * max(1, lines // before) <= MOST_LINES and depth < 4 and lines:
        depth += 1
        try:
            before, lines = lines, count(game, start.state, depth)
        except RecursionError:
            raise Broken("lines cannot be counted: a turn, or roll upon roll, never ends", start) from None
        found = perft(start, depth)
        expect(found == lines, f"{found} lines of {depth} turns are counted compiled, {lines} interpreted", start)


def count(game: Game, state: Any, depth: int) -> int:
    """Perft as plain as can be: the lines of so many turns."""
    if game.result(state) != ONGOING:
        return 0
    side = game.turn(state)
    if side == CHANCE:
        return sum(count(game, game.play(state, code), depth) for _, code in game.outcomes(state))
    total = 0
    for code in game.moves_once(state):
        after = game.play(state, code)
        if game.turn(after) == side and game.result(after) == ONGOING:
            total += count(game, after, depth)
        else:
            total += 1 if depth == 1 else count(game, after, depth - 1)
    return total
