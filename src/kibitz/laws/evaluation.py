"""Laws of heuristics: what they count and say of positions, compiled as interpreted, and whether it is true."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz import heuristics
from kibitz.core.fields import where
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, ONGOING, SECOND, win_for
from kibitz.core.rulebook import asks, call_rule
from kibitz.core.seam import interpreting, specialise
from kibitz.core.seam.slots import candidates, evaluate, is_tactical, known_result
from kibitz.laws.law import NotApplicable, expect

MOST_NODES = 3000  # a known result that takes more of them to try is not tried
NO_HEURISTIC = "the game has no heuristic"


class _TooLarge(Exception):
    """Brute force has seen MOST_NODES positions, or one where chance decides."""


def heuristics_name_their_game(game: Game) -> None:
    for heuristic in _heuristics(game):
        name = game.rulebook.name
        expect(heuristic.game == name, f"heuristic '{heuristic.name}' is for '{heuristic.game}', expected '{name}'")


def each_weight_has_its_feature(position: Position) -> None:
    for heuristic in _judging(position):
        heuristic.explain(position)  # says what is wrong


def scores_stay_within_the_bounds(position: Position) -> None:
    for heuristic in _judging(position):
        low, high = heuristic.bounds
        for me in _views(heuristic):
            score = heuristic.explain(position, me).total_for(FIRST)
            reason = f"'{heuristic.name}' says {score:g}, expected {low:g} to {high:g} as its bounds declare"
            expect(low <= score <= high, reason, position)


def candidates_are_moves(position: Position) -> None:
    found = [heuristic for heuristic in _living(position) if heuristic.candidates is not None]
    if not found:
        raise NotApplicable("no heuristic names candidates")
    legal = set(position.game.moves_once(position.state))
    for heuristic in found:
        codes = _candidates(heuristic, position)
        strange = [code for code in codes if code not in legal]
        expect(not strange, f"'{heuristic.name}' names the candidates {strange[:3]}, which are no moves", position)
        expect(len(set(codes)) == len(codes), f"'{heuristic.name}' names a candidate twice", position)
        expect(bool(codes), f"'{heuristic.name}' names no candidate, expected at least one", position)


def known_results_are_true(position: Position) -> None:
    """A win that a heuristic is sure of is found by brute force, within the turns that it says."""
    tried = False
    for heuristic in _living(position):
        turns = _known_result(heuristic, position)
        if turns:
            side = FIRST if turns > 0 else SECOND
            try:
                wins = _forces(position.game, position.state, side, abs(turns), [MOST_NODES])
            except _TooLarge:
                continue
            tried = True
            name = position.game.rulebook.sides[side]
            place = where(heuristic.known_result) if heuristic.known_result else ""
            reason = f"'{heuristic.name}' knows that {name} wins in {abs(turns)} turns, which is not so ({place})"
            expect(wins, reason, position)
    if not tried:
        raise NotApplicable("no heuristic knows a result that can be tried")


def _forces(game: Game, state: Any, side: int, turns: int, budget: list[int]) -> bool:
    """Does this side win within so many turns against any defence?"""
    ended, mover = game.result(state), game.turn(state)
    if ended != ONGOING:
        return ended == win_for(side)
    budget[0] -= 1
    if budget[0] < 0 or mover == CHANCE:
        raise _TooLarge
    if turns <= 0:
        return False
    after = (game.play(state, code) for code in game.moves(state))
    goes_on = (_forces(game, next_, side, _turns_left(game, next_, mover, turns), budget) for next_ in after)
    return any(goes_on) if mover == side else all(goes_on)


def _turns_left(game: Game, state: Any, mover: int, turns: int) -> int:
    return turns if game.result(state) == ONGOING and game.turn(state) == mover else turns - 1


def judge(
    state: Any,
    rules: Any,
    weights: NDArray[np.float64],
    codes: NDArray[np.int64],
    scores: NDArray[np.float64],
    marks: NDArray[np.int64],
) -> int:
    """A kernel: the scores as each side sees them, the known result, the candidates, and which of them are tactical."""
    scores[0] = evaluate(state, rules, weights, FIRST)
    scores[1] = evaluate(state, rules, weights, SECOND)
    marks[0] = known_result(state, rules)
    end = int(candidates(state, rules, codes, 0))
    for index in range(end):
        marks[1 + index] = 1 if is_tactical(state, codes[index], rules) else 0
    return end


def compiled_heuristics_say_what_interpreted_ones_say(position: Position) -> None:
    if interpreting():
        raise NotApplicable("KIBITZ_INTERPRET=1 asks for plain Python")
    found = _living(position)
    beside_rules = _values_beside(position.game)
    in_rules_file = [heuristic for heuristic in found if any(heuristic is value for value in beside_rules)]
    for heuristic in in_rules_file or found[:1]:  # of a built-in game its default alone: each one is compiled
        _compare(heuristic, position)


def _values_beside(game: Game) -> list[Any]:
    """What stands at the top level of a game's rules file."""
    return list(game.rulebook.play.__globals__.values())


def _compare(heuristic: Heuristic, position: Position) -> None:
    game, state = position.game, position.state
    room = 2 * game.max_moves
    codes, marks, scores = np.zeros(room, np.int64), np.zeros(room + 1, np.int64), np.zeros(2)
    kernel = specialise(game.rulebook, judge, heuristic)
    end = kernel(state, game.rules, heuristic.weight_array, codes, scores, marks)
    for me in _views(heuristic) if heuristic.judges else ():
        expected = heuristic.explain(position, me).total_for(FIRST)
        same = bool(np.isclose(scores[me], expected, rtol=1e-9, atol=1e-9))
        expect(same, f"'{heuristic.name}' compiled says {scores[me]:g}, interpreted {expected:g}", position)
    told: list[tuple[str, Any, Any]] = [("known result", int(marks[0]), _known_result(heuristic, position))]
    told.append(("candidates", codes[:end].tolist(), _candidates(heuristic, position)))
    told.append(("tactical moves", marks[1 : end + 1].tolist(), _tactical(heuristic, position)))
    for what, found, wanted in told:
        expect(found == wanted, f"{what} of '{heuristic.name}': compiled {found}, interpreted {wanted}", position)


def _heuristics(game: Game) -> list[Heuristic]:
    found = heuristics.heuristics_of(game.rulebook)
    if not found:
        raise NotApplicable(NO_HEURISTIC)
    return found


def _living(position: Position) -> list[Heuristic]:
    """The heuristics, where there is something to say: the game goes on and a side is to move."""
    found = _heuristics(position.game)
    if position.game.result(position.state) != ONGOING or position.turn == CHANCE:
        raise NotApplicable("no game goes on")
    return found


def _judging(position: Position) -> list[Heuristic]:
    found = [heuristic for heuristic in _living(position) if heuristic.judges]
    if not found:
        raise NotApplicable("no heuristic values positions")
    return found


def _views(heuristic: Heuristic) -> tuple[int, ...]:
    """The sides that may search with it, where it asks which."""
    rule = heuristic.features or heuristic.evaluate
    return (FIRST, SECOND) if rule is not None and asks(rule, "me") else (FIRST,)


def _known_result(heuristic: Heuristic, position: Position) -> int:
    rule = heuristic.known_result
    return 0 if rule is None else int(call_rule(rule, position.game.rules, position.state))


def _candidates(heuristic: Heuristic, position: Position) -> list[int]:
    rule = heuristic.candidates
    if rule is None:
        return position.game.moves_once(position.state)
    return [int(code) for code in call_rule(rule, position.game.rules, position.state)]


def _tactical(heuristic: Heuristic, position: Position) -> list[int]:
    rule, rules = heuristic.is_tactical, position.game.rules
    codes = _candidates(heuristic, position)
    return [0 if rule is None else int(bool(call_rule(rule, rules, position.state, code))) for code in codes]
