"""The other way to run a kernel: as plain Python, for reading, debugging, and as the oracle of the tests."""

import hashlib
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import TooManyMoves
from kibitz.core.fields import packed, where
from kibitz.core.heuristic import NO_HEURISTIC, Heuristic
from kibitz.core.result import DRAW, FIRST, ONGOING
from kibitz.core.rulebook import Rule, Rulebook, asks, call_rule
from kibitz.core.seam.call_graph import Function
from kibitz.core.seam.slots import NO_LIMIT, SLOTS, UNKNOWN, Slot


class Interpreted:
    """A kernel run by Python itself, with the game's rules in its slots."""

    def __init__(
        self,
        book: Rulebook | None,
        kernel: Function,
        heuristic: Heuristic = NO_HEURISTIC,
        probe: Slot | None = None,
        constants: Mapping[str, Any] | None = None,
    ) -> None:
        fillings = _fillings(book) | _advised(heuristic, book) if book else {}
        if probe is not None:
            fillings[SLOTS["probe"]] = _rebound(probe, dict(fillings), {}, {})  # type: ignore[arg-type]
        self._run = _rebound(kernel, fillings, {}, constants or {})

    def __call__(self, *arguments: Any) -> Any:
        return self._run(*arguments)


def _rebound(
    function: Function, fillings: dict[Any, Any], spaces: dict[str, dict[str, Any]], constants: Mapping[str, Any]
) -> Function:
    """A copy of the function whose slots are filled, and likewise the functions of its package that it calls."""
    space = spaces.get(function.__module__)
    if space is None:
        space = spaces[function.__module__] = dict(function.__globals__)
        space.update((name, value) for name, value in constants.items() if name in space)
        for name, value in function.__globals__.items():
            if isinstance(value, types.FunctionType) and name not in constants:
                if value in fillings:
                    space[name] = fillings[value]
                elif value.__module__ == function.__module__ or _uses_slots(value) or _reads(value, constants):
                    space[name] = _rebound(value, fillings, spaces, constants)
    return types.FunctionType(function.__code__, space, function.__name__, function.__defaults__)


def _uses_slots(function: Function) -> bool:
    slots = set(SLOTS.values())
    return any(isinstance(value, types.FunctionType) and value in slots for value in function.__globals__.values())


def _reads(function: Function, constants: Mapping[str, Any]) -> bool:
    return any(name in function.__globals__ for name in constants)


def _advised(heuristic: Heuristic, book: Rulebook) -> dict[Any, Callable[..., Any]]:
    """For each slot of a heuristic a function that calls the author's."""

    def evaluate(state: Any, rules: Any, weights: NDArray[np.float64], me: int) -> float:
        rule = heuristic.features or heuristic.evaluate
        if rule is None:
            return 0.0
        found = call_rule(rule, rules, state, me) if asks(rule, "me") else call_rule(rule, rules, state)
        if heuristic.features is not None:
            found = sum(weight * count for weight, count in zip(weights, found, strict=False))  # they may go on
        return -float(found) if asks(rule, "me") and me != FIRST else float(found)

    def is_tactical(state: Any, move: int, rules: Any) -> bool:
        return heuristic.is_tactical is not None and bool(call_rule(heuristic.is_tactical, rules, state, int(move)))

    def known_result(state: Any, rules: Any) -> int:
        return 0 if heuristic.known_result is None else int(call_rule(heuristic.known_result, rules, state))

    def candidates(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
        rule = heuristic.candidates or book.moves_once or book.moves
        return _fill(call_rule(rule, rules, state), out, at, rule)

    def probe(state: Any, rules: Any, header: NDArray[np.int64], data: NDArray[np.uint8]) -> int:
        return UNKNOWN

    return {SLOTS[function.__name__]: function for function in (evaluate, is_tactical, known_result, candidates, probe)}


def _fillings(book: Rulebook) -> dict[Any, Callable[..., Any]]:
    """For each slot a function that calls the author's."""

    def turn(state: Any, rules: Any) -> int:
        return int(call_rule(book.turn, rules, state))

    def moves(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
        return _fill(call_rule(book.moves, rules, state), out, at, book.moves)

    def moves_once(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
        return _fill(call_rule(book.moves_once or book.moves, rules, state), out, at, book.moves_once or book.moves)

    def count_moves(state: Any, rules: Any) -> int:
        return sum(1 for _ in call_rule(book.moves, rules, state))

    def play(state: Any, move: int, rules: Any) -> Any:
        return packed(book.state, book.state_fields, call_rule(book.play, rules, state, int(move)), book.play)

    def plies_left(state: Any, rules: Any) -> int:
        return NO_LIMIT if book.plies_left is None else int(call_rule(book.plies_left, rules, state))

    def horizon(state: Any, rules: Any) -> int:
        return plies_left(state, rules) if book.horizon is None else int(call_rule(book.horizon, rules, state))

    def result(state: Any, rules: Any) -> int:
        found = int(call_rule(book.result, rules, state))
        if found == ONGOING and plies_left(state, rules) <= 0:
            return DRAW if book.at_limit is None else int(call_rule(book.at_limit, rules, state))
        return found

    def outcomes(state: Any, rules: Any, odds: NDArray[np.float64], out: NDArray[np.int64], at: int) -> int:
        pairs = [] if book.outcomes is None else list(call_rule(book.outcomes, rules, state))
        end = _fill((code for _, code in pairs), out, at, book.outcomes or book.moves)
        odds[at:end] = [chance for chance, _ in pairs]
        return end

    def key(state: Any, rules: Any) -> np.uint64:
        kept = state if book.key is None else call_rule(book.key, rules, state)
        digest = hashlib.blake2b(words_of(kept).tobytes(), digest_size=8).digest()
        return np.uint64(int.from_bytes(digest, "little"))

    def write_words(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
        words = words_of(state)
        out[at : at + len(words)] = words
        return at + len(words)

    def read_words(words: NDArray[np.int64], at: int, rules: Any) -> Any:
        return state_of(book, words, at)

    def keyed(state: Any, rules: Any) -> Any:
        if book.key is None:
            return state
        return packed(book.state, book.state_fields, call_rule(book.key, rules, state), book.key)

    def index(state: Any, rules: Any) -> int:
        return -1 if book.index is None else int(call_rule(book.index, rules, state))

    def unindex(number: int, rules: Any) -> Any:
        assert book.unindex is not None
        return packed(book.state, book.state_fields, call_rule(book.unindex, rules, int(number)), book.unindex)

    def unmoves(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
        return at if book.unmoves is None else _fill(call_rule(book.unmoves, rules, state), out, at, book.unmoves)

    def unplay(state: Any, move: int, rules: Any) -> Any:
        if book.unplay is None:
            return state
        return packed(book.state, book.state_fields, call_rule(book.unplay, rules, state, int(move)), book.unplay)

    def transform(state: Any, symmetry: int, rules: Any) -> Any:
        if book.transform is None:
            return state
        return packed(book.state, book.state_fields, call_rule(book.transform, rules, state, symmetry), book.transform)

    def transform_move(move: int, symmetry: int, rules: Any) -> int:
        return int(move if book.transform_move is None else call_rule(book.transform_move, rules, int(move), symmetry))

    filled = (turn, moves, moves_once, count_moves, play, plies_left, horizon, result, outcomes, key, write_words,
              read_words, keyed, index, unindex, unmoves, unplay, transform, transform_move)  # fmt: skip
    return {SLOTS[function.__name__]: function for function in filled}


def _fill(values: Iterable[Any], out: NDArray[np.int64], at: int, rule: Rule) -> int:
    for value in values:
        if at >= out.size:
            raise TooManyMoves(f"{where(rule)}: {rule.__name__}() yields more than the game declares as max_moves")
        out[at] = value
        at += 1
    return at


def words_of(state: Any) -> NDArray[np.int64]:
    """A state's numbers as 64-bit words, the way compiled kernels write them."""
    words: list[NDArray[np.int64]] = []
    for part in state:
        if isinstance(part, np.ndarray):
            words += [np.array([part.size], np.int64), part.astype(np.int64)]
        else:
            words.append(np.array([int(part) & 0xFFFFFFFFFFFFFFFF], np.uint64).view(np.int64))
    return np.concatenate(words)


def state_of(book: Rulebook, words: NDArray[np.int64], at: int) -> Any:
    """The state whose words begin at this index."""
    values: list[Any] = []
    for field in book.state_fields:
        if field.array:
            size = int(words[at])
            values.append(words[at + 1 : at + 1 + size].astype(field.dtype))
            at += 1 + size
        else:
            values.append(words[at : at + 1].astype(field.dtype)[0])
            at += 1
    return packed(book.state, book.state_fields, values, book.play)
