"""Races in Breakthrough: who is through first, where that can be seen without searching."""

from kibitz.core.bits import Bits, count
from kibitz.core.result import FIRST, SECOND
from kibitz.games.breakthrough import Rules, State
from kibitz.heuristics.breakthrough_steps import ahead, strikes


def race(own: Bits, enemy: Bits, side: int, on_move: bool, rules: Rules) -> int:
    """How many moves the first worker needs that nothing can stop; 0 where there is none.

    The runners of all ways advance together, and so do all enemy workers at once, as if each of them moved every
    turn: a runner that steps only where none of these could then capture it gets through whatever the enemy does.
    The last step is never barred, for one of its two diagonals is on the board.
    """
    guards = enemy
    runners = own
    if not on_move:
        runners = own & ~strikes(enemy, 1 - side, rules)
        guards = enemy | ahead(enemy, 1 - side, rules) | strikes(enemy, 1 - side, rules)
    last = ahead(rules.top, SECOND, rules) if side == FIRST else ahead(rules.bottom, FIRST, rules)
    needed = 1
    while runners and not runners & last:
        struck = strikes(guards, 1 - side, rules)
        runners = ((ahead(runners, side, rules) & ~guards) | strikes(runners, side, rules)) & ~(own | struck)
        guards |= ahead(guards, 1 - side, rules) | struck
        needed += 1
    return needed if runners else 0


def nearest(workers: Bits, side: int, rules: Rules) -> int:
    """The steps that the foremost worker has to go."""
    row = rules.top if side == FIRST else rules.bottom
    steps = 0
    while row and not workers & row:
        row = ahead(row, 1 - side, rules)
        steps += 1
    return steps


def known_result(state: State, rules: Rules) -> int:
    """Who wins by a race that can be seen, and in exactly how many turns.

    The side to move wins at once if it can. With one worker to base there is more to see: two enemy workers one step
    away cannot both be taken, and an unstoppable worker wins unless an enemy could arrive before it. The distance is
    exact because only the foremost workers are asked, and only if the enemies are too many to be all captured sooner.
    """
    mover = state.side
    own, enemy = (state.white, state.black) if mover == FIRST else (state.black, state.white)
    sign = 1 if mover == FIRST else -1
    if wins_at_once(own, enemy, mover, rules):
        return sign
    if rules.base > 1:
        return 0
    near, far = nearest(own, mover, rules), nearest(enemy, 1 - mover, rules)
    if far == 1 and threats(enemy, mover, rules) > 1:
        return -2 * sign
    if near <= far and (near == 2 or count(enemy) >= near) and race(own, enemy, mover, True, rules) == near:
        return sign * (2 * near - 1)
    if far < near and count(own) >= far and race(enemy, own, 1 - mover, False, rules) == far:
        return -sign * 2 * far
    return 0


def threats(workers: Bits, mover: int, rules: Rules) -> int:
    """How many workers of the side that is not to move are one step away."""
    last = ahead(rules.bottom, FIRST, rules) if mover == FIRST else ahead(rules.top, SECOND, rules)
    return count(workers & last)


def wins_at_once(own: Bits, enemy: Bits, side: int, rules: Rules) -> bool:
    """Can this side, which is to move, reach the goal with its last worker to base, or take the one too many?"""
    struck = strikes(own, side, rules)
    if count(enemy) == rules.base and struck & enemy:
        return True
    goal = rules.top if side == FIRST else rules.bottom
    if count(own & goal) != rules.base - 1:
        return False
    return bool(((ahead(own, side, rules) & ~enemy) | struck) & goal & ~own)
