"""Checking laws: ask each one about many positions, and say how it went. None is proved that way."""

import time
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

from kibitz.core.errors import KibitzError, RulesError, TooManyMoves
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.seam import interpreting
from kibitz.laws.law import Broken, Law, NotApplicable
from kibitz.laws.parity import compiled_answers
from kibitz.laws.sample import Sample, blame, is_sound

ROOM_AT_START = 1 << 20  # words for all that compiled rules say about the first position
PLAYING, CHECKING = 0.2, 0.8  # the parts of the time after which no more games are played, and laws are cut short


def try_law(law: Law, sample: Sample, until: float | None = None) -> int:
    """How many cases the law was seen to hold in; Broken with a counterexample, NotApplicable if it applies to none.

    A law that is not done at `until`, a moment of time.monotonic(), is content with what it has seen.
    """
    seen, silence = 0, NotApplicable("no position could be looked at")
    for case in sample.cases(law.scope, law.basic):
        if seen and until is not None and time.monotonic() > until:
            break
        try:
            _ask(law, case, sample.game)
            seen += 1
        except NotApplicable as reason:
            silence = reason
        except Broken as first:
            raise _earliest(law, case, sample.game) or first from None
    if not seen:
        raise silence
    return seen


def _ask(law: Law, case: Any, game: Game) -> None:
    """Look whether the law holds; rules that fail break it."""
    try:
        law.check(case)
    except (Broken, NotApplicable):
        raise
    except KibitzError as error:
        raise Broken(str(error), case if isinstance(case, Position) else None) from error
    except Exception as problem:  # rules may fail in any way
        raise Broken(blame(problem, game), case if isinstance(case, Position) else None) from problem


def _earliest(law: Law, case: Any, game: Game) -> Broken | None:
    """How the law is broken for the first time in the game that led to this position."""
    for position in reversed(list(case.trail())) if isinstance(case, Position) else ():
        try:
            _ask(law, position, game)
        except Broken as broken:
            return broken
        except NotApplicable:
            continue
    return None


class LawResult(NamedTuple):
    """How one law came out."""

    law: str
    outcome: Literal["trying", "pass", "FAIL", "skip", "note"]
    note: str = ""  # how much was looked at, what is wrong, or why there was nothing to look at
    where: str = ""  # the counterexample
    scope: str = ""  # what the law was asked about: positions, playouts or the game
    cases: int = 0  # in so many of them it held


def check_laws(laws: Iterable[Law], game: Game, games: int, seed: int, seconds: float) -> Iterator[LawResult]:
    """The laws one by one, each announced before it is tried. The time is shared among them."""
    began = time.monotonic()
    sample = Sample(game, games, seed, until=began + PLAYING * seconds)
    sample.playouts  # noqa: B018 - rules that cannot be run or compiled are an error before the first law
    _compile(game)
    waiting = list(laws)
    while waiting:
        law = waiting.pop(0)
        now = time.monotonic()
        until = now + max(0.0, began + CHECKING * seconds - now) / (1 + len(waiting))
        yield LawResult(law.name, "trying")
        yield check_law(law, sample, until)


def _compile(game: Game) -> None:
    """A RulesError if the rules cannot be compiled; what else may be wrong with them is for the laws to say."""
    start = game.new()
    if interpreting() or not is_sound(start):
        return
    try:
        compiled_answers(start, ROOM_AT_START)
    except TooManyMoves:
        return
    except RulesError:
        raise
    except Exception:  # noqa: BLE001 - rules may fail in any way
        return


def check_law(law: Law, sample: Sample, until: float | None = None) -> LawResult:
    """Try one law."""
    try:
        seen = try_law(law, sample, until)
    except NotApplicable as silent:
        return LawResult(law.name, "skip", str(silent))
    except Broken as broken:
        return LawResult(law.name, "FAIL", broken.reason, broken.where)
    return LawResult(law.name, "pass", f"{seen} {law.scope}{'s' if seen > 1 else ''}", scope=law.scope, cases=seen)
