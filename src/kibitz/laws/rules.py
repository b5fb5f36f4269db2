"""Laws of playing: moves, turns, results and chance."""

import math
import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from kibitz.core.fields import where
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, ONGOING, SECOND
from kibitz.core.seam.words import words_of
from kibitz.laws.law import Broken, NotApplicable, expect
from kibitz.laws.sample import LONGEST, RESULTS, SIDES, Playout, children, is_sound, list_moves, walk

MOST_TURNS = 2000  # a position with more of them is not enumerated
TOO_LONG = f"no turn was found that can be played in fewer than {MOST_TURNS} ways"
PLAYED, LONGEST_PLAYED = 3, 100  # games, and moves of each, in which both sides should have moved
MOST_ROLLS, FOLLOWED = 50, 4  # in a row, and how many of the positions they lead to are looked at further
NEIGHBOURHOODS = 8  # positions of a playout whose children are compared by key


def a_new_game_is_unfinished(game: Game) -> None:
    start = game.new()
    code = game.result(start.state)
    expect(code == ONGOING, f"result() says {code} before the first move, expected ONGOING ({ONGOING})", start)


def turns_and_results_are_known_codes(position: Position) -> None:
    code = position.game.result(position.state)
    expect(code in RESULTS, f"result() says {code}, expected ONGOING, FIRST_WINS, SECOND_WINS or DRAW", position)
    side = position.turn
    expect(side in SIDES, f"turn() says {side}, expected FIRST, SECOND or CHANCE", position)
    rolls = position.game.rulebook.outcomes
    expect(side != CHANCE or rolls is not None, "turn() says CHANCE, but the game has no outcomes()", position)


def an_unfinished_game_has_moves_and_a_finished_one_has_none(position: Position) -> None:
    if position.game.result(position.state) != ONGOING:
        expect(not position.move_ids and not position.outcomes(), "moves are listed in a finished game", position)
    elif position.turn in SIDES:
        rule = "outcomes" if position.turn == CHANCE else "moves"
        expect(bool(list_moves(position)), f"the game goes on, but {rule}() yields nothing", position)


def there_are_never_more_moves_than_declared(position: Position) -> None:
    if position.game.result(position.state) == ONGOING and position.turn in SIDES:
        found, most = len(list_moves(position)), position.game.max_moves
        expect(found <= most, f"more moves or outcomes than the {most} that max_moves declares", position)


def no_move_is_listed_twice(position: Position) -> None:
    twice = [code for code, times in Counter(position.move_ids).items() if times > 1]
    expect(not twice, f"moves() yields {twice} twice", position)


def both_sides_come_to_move(game: Game) -> None:
    seen: set[int] = set()
    longest = 0
    for seed in range(PLAYED):
        turns = [position.turn for position in islice(walk(game.new(), random.Random(seed)), LONGEST_PLAYED)]
        longest = max(longest, len(turns) - 1)  # who would move at the end does not count
        seen |= set(turns[:-1]) & {FIRST, SECOND}
    if longest < 2:
        raise NotApplicable("no random game has two moves")
    if len(seen) < 2:
        one = seen.pop() if seen else FIRST
        names = game.rulebook.sides
        place = where(game.rulebook.play)
        raise Broken(
            f"only {names[one]} ever moves in {PLAYED} random games: play() at {place} never gives the turn to"
            f" {names[1 - one]}, expected 1 - state.side in the new state"
        )


def every_move_ends_its_turn_where_the_game_is_alternating(position: Position) -> None:
    game, side = position.game, position.turn
    if not game.alternating:
        raise NotApplicable("the game does not declare that every move ends its turn")
    if side == CHANCE:
        raise NotApplicable("only chance ever moves")
    for code, after in children(position):
        again = game.result(after.state) == ONGOING and after.turn == side
        name = game.rulebook.sides[side]
        expect(not again, f"{name} moves again after move {code}, but the game declares alternating=True", position)


def random_games_end(playout: Playout) -> None:
    last = playout[-1]
    expect(not is_sound(last) or last.over, f"a random game is not over after {LONGEST} moves", last)


def playing_a_move_leaves_the_old_position_alone(position: Position) -> None:
    before = _answers(position)
    for code, after in children(position):
        again = position.game.play(position.state, code)
        expect(_same(again, after.state), f"move {code} played twice gives {again} and {after.state}", position)
    for seen, expected in zip(_answers(position), before, strict=True):
        expect(seen == expected, f"playing its moves has changed {expected} to {seen}", position)


def _answers(position: Position) -> list[Any]:
    """What the rules say of a position, asked anew."""
    game, state = position.game, position.state
    ongoing = game.result(state) == ONGOING
    fixed = [words_of(part).tolist() for part in (state, game.rules)]
    return [*fixed, game.turn(state), game.result(state), game.write(state), list_moves(position) if ongoing else []]


def _same(one: Any, other: Any) -> bool:
    return np.array_equal(words_of(one), words_of(other))


def chance_sums_to_one_over_different_outcomes(position: Position) -> None:
    if position.over or position.turn != CHANCE:
        raise NotApplicable("chance never decides anything")
    rolls = position.game.outcomes(position.state)
    codes = [code for _, code in rolls]
    twice = [code for code, times in Counter(codes).items() if times > 1]
    expect(not twice, f"outcomes() yields {twice} twice", position)
    wrong = [odds for odds, _ in rolls if not odds > 0]
    expect(not wrong, f"outcomes() yields the probability {wrong[:1]}, expected more than 0", position)
    total = math.fsum(odds for odds, _ in rolls)
    expect(abs(total - 1) < 1e-9, f"the probabilities of the outcomes sum to {total}, expected 1", position)


def rolls_do_not_follow_rolls_without_end(position: Position) -> None:
    if position.over or position.turn != CHANCE:
        raise NotApplicable("chance never decides anything")
    game, rolled = position.game, [position.state]
    for _ in range(MOST_ROLLS):
        after = (game.play(state, code) for state in rolled for _, code in game.outcomes(state))
        again = (state for state in after if game.result(state) == ONGOING and game.turn(state) == CHANCE)
        rolled = list(islice(again, FOLLOWED))
        if not rolled:
            return
    place = where(game.rulebook.play)
    reason = (
        f"{MOST_ROLLS} rolls can follow each other: play() at {place} gives the turn to chance after a roll, expected a"
        " turn of the side that rolled, which passes where it cannot move"
    )
    raise Broken(reason, position)


def positions_with_equal_keys_have_equal_moves(playout: Playout) -> None:
    game = playout[0].game
    if game.rulebook.key is None:
        raise NotApplicable("the game declares no key()")
    known: dict[Any, tuple[Any, Position]] = {}
    for position in _with_neighbours(playout):
        if game.result(position.state) != ONGOING:
            continue  # the same position may be over at the ply limit
        if position.turn == CHANCE:
            found: Any = (CHANCE, sorted((code, odds) for odds, code in game.outcomes(position.state)))
        else:
            found = (position.turn, sorted(game.moves(position.state)))
        expected, twin = known.setdefault(game.key(position.state), (found, position))
        reason = f"turn and moves are {found}, but {expected} in '{twin.text}', which has the same key"
        expect(found == expected, reason, position)


def _with_neighbours(playout: Playout) -> Iterator[Position]:
    """The positions of a game, and those one move aside of some of them."""
    every = max(1, len(playout) // NEIGHBOURHOODS)
    for index, position in enumerate(playout):
        if not is_sound(position):
            return
        yield position
        if index % every == 0:
            yield from (after for _, after in children(position) if is_sound(after))


Turn = tuple[tuple[int, ...], tuple[int, ...]]  # its moves in rising order, and the state it leads to


def moves_once_builds_each_turn_in_exactly_one_sequence(position: Position) -> None:
    if position.game.rulebook.moves_once is None:
        raise NotApplicable("the game declares no moves_once()")
    begins = position.before is None or position.before.turn != position.turn
    if position.over or position.turn == CHANCE or not begins:
        raise NotApplicable(TOO_LONG)
    every, once = _turns(position, once=False), _turns(position, once=True)
    missed = [turn for turn in every if turn not in once]
    expect(not missed, f"moves_once() never builds the turn {_shown(missed)}", position)
    twice = [turn for turn, times in once.items() if times > 1]
    expect(not twice, f"moves_once() builds the turn {_shown(twice)} in more than one sequence", position)
    alien = [turn for turn in once if turn not in every]
    expect(not alien, f"moves_once() builds the turn {_shown(alien)}, which moves() does not", position)


def _shown(turns: list[Turn]) -> str:
    return str(list(turns[0][0])) if turns else ""


def _turns(position: Position, once: bool) -> Counter[Turn]:
    """Every turn from here, with the number of sequences that build it; with moves(), beginnings that differ only in
    their sequence are followed once.
    """
    game, side = position.game, position.turn
    listing = game.moves_once if once else game.moves
    built: Counter[Turn] = Counter()
    begun: set[Turn] = set()
    waiting: list[tuple[tuple[int, ...], Any]] = [((), position.state)]
    while waiting:
        if len(built) + len(waiting) > MOST_TURNS:
            raise NotApplicable(TOO_LONG)
        played, state = waiting.pop()
        for code in listing(state):
            after = game.play(state, code)
            turn = (tuple(sorted((*played, code))), tuple(words_of(after).tolist()))
            if game.result(after) != ONGOING or game.turn(after) != side:
                built[turn] += 1
            elif once or turn not in begun:
                begun.add(turn)
                waiting.append((turn[0], after))
    return built
