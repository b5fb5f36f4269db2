"""Records as text that people read: tags in brackets, then numbered moves with comments, then the result.

    [Format "1"]
    [Game "breakthrough"]
    [First "engine:depth=4"]
    ...

    1. a2-a3 {+0.35/12 0.10s 15032n} b7-b6 {-M7/9 0.31s} 2. ... 1-0

`N.` stands before a turn of the first side, and `N...` before one of the second that does not follow such a turn at
once. A token that begins with `~` is an outcome of chance. A comment holds score/depth for the side that moved,
seconds and nodes; `M7` is a win in seven turns. A file may hold any number of games.
"""

import json
import math
import re
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from kibitz.arena.records.record import FORMAT, TOKENS, BadRecord, Ply, Record, check_format, result_of
from kibitz.core.errors import quoted
from kibitz.core.result import CHANCE, FIRST, SECOND
from kibitz.search.report import PROVEN, WIN

OWN = ("Format", "Game", "First", "Second", "Start", "Opening", "Seed", "Result", "Reason")
WIDTH = 110
_TAG = re.compile(r'\[([A-Za-z]\w*) ("(?:[^"\\]|\\.)*")\]')
_NUMBER = re.compile(r"\d+(\.|\.\.\.)")
_TOKEN = re.compile(r"\{([^{}]*)\}|(\S+)")
_SCORE = re.compile(r"([+-]M?[\d.]+(?:e[+-]?\d+)?)?(?:/(-?\d+))?")


def format_record(record: Record) -> str:
    """A record as text, with an empty line at its end."""
    own = (FORMAT, record.game, record.first, record.second, record.start, record.opening, record.seed)
    values = dict(zip(OWN, map(str, own), strict=False))
    values |= {"Result": TOKENS[record.result], "Reason": record.reason}
    for name in record.tags:
        if name in OWN or not re.fullmatch(r"[A-Za-z]\w*", name):
            raise BadRecord(f"a record cannot have a tag called {quoted(name)}, expected a word of its own")
    tags = "\n".join(f"[{name} {json.dumps(value)}]" for name, value in (values | record.tags).items())
    moves = " ".join([*_tokens(record.plies), TOKENS[record.result]])
    lines = textwrap.wrap(moves, WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"{tags}\n\n" + "\n".join(lines) + "\n\n"


def read(text: str, name: str) -> Iterator[Record]:
    """The records in a text; `name` is what error messages call it."""
    for game in _games(text, name):
        yield _record(game, name)


class _Game(NamedTuple):
    """One game of a file, taken apart: where it begins, its tags, and the text of its moves."""

    line: int
    tags: dict[str, str]
    moves: list[str]  # line by line


def _games(text: str, name: str) -> Iterator[_Game]:
    game: _Game | None = None
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("["):
            found = _TAG.fullmatch(line.rstrip())
            if found is None:
                raise BadRecord(f'{name}:{number}: {quoted(line)} is no tag, expected [Name "value"]')
            if game is None or game.moves:
                if game is not None:
                    yield game
                game = _Game(number, {}, [])
            if found[1] in game.tags:
                raise BadRecord(f"{name}:{number}: tag {found[1]} is given twice, expected once")
            game.tags[found[1]] = _value(found[2], f"{name}:{number}")
        elif line.strip():
            if game is None:
                raise BadRecord(f'{name}:{number}: {quoted(line)} is no record, expected [Format "{FORMAT}"]')
            game.moves.append(line)
    if game is not None:
        yield game


def _value(literal: str, place: str) -> str:
    try:
        value = str(json.loads(literal, strict=False))
        value.encode()  # half a character cannot be printed or written
        return value
    except ValueError:
        raise BadRecord(f"{place}: {quoted(literal)} is no value of a tag, expected a text in quotes") from None


def _record(game: _Game, name: str) -> Record:
    place = f"{name}:{game.line}"
    check_format(game.tags.get("Format"), place)
    for tag in OWN:
        if tag not in game.tags:
            raise BadRecord(f"{place}: the record has no tag {tag}")
    plies, last = _plies(" ".join(game.moves), place)
    if last != game.tags["Result"]:
        raise BadRecord(
            f"{place}: the moves end with {quoted(last)}, the tag Result says {quoted(game.tags['Result'])}"
        )
    opening, seed = (_whole(game.tags[tag], tag, place) for tag in ("Opening", "Seed"))
    if not 0 <= opening <= len(plies):
        raise BadRecord(f"{place}: tag Opening is {opening}, expected 0 to {len(plies)}")
    return Record(
        game=game.tags["Game"],
        first=game.tags["First"],
        second=game.tags["Second"],
        start=game.tags["Start"],
        plies=plies,
        opening=opening,
        result=result_of(last, place),
        reason=game.tags["Reason"],
        seed=seed,
        tags={tag: value for tag, value in game.tags.items() if tag not in OWN},
    )


def _whole(text: str, tag: str, place: str) -> int:
    if not re.fullmatch(r"-?\d{1,300}", text):
        raise BadRecord(f"{place}: tag {tag} is {quoted(text)}, expected a whole number")
    return int(text)


def _tokens(plies: tuple[Ply, ...]) -> Iterator[str]:
    number, before = 0, None  # whose turn the last one was, chance left out
    for place, ply in enumerate(plies):
        _check_writable(ply)
        if ply.side == CHANCE:
            yield ply.text
        elif ply.side == FIRST:
            number, before = number + 1, FIRST
            yield f"{number}. {ply.text}"
        else:
            number += before != FIRST
            at_once = before == FIRST and plies[place - 1].side == FIRST
            before = SECOND
            yield ply.text if at_once else f"{number}... {ply.text}"
        if comment := _comment(ply):
            yield f"{{{comment}}}"


def _check_writable(ply: Ply) -> None:
    misread = re.search(r"[\s{}]", ply.text) or ply.text.startswith("[") or _NUMBER.fullmatch(ply.text)
    if not ply.text or misread or ply.text.startswith("~") != (ply.side == CHANCE):
        raise BadRecord(f"move {quoted(ply.text)} of side {ply.side} cannot stand in a record as text, only in JSON")


def _comment(ply: Ply) -> str:
    score = "" if ply.score is None else _score_text(ply.score)
    words = [score + (f"/{ply.depth}" if ply.depth else "")]
    words += [f"{ply.seconds!r}s"] if ply.seconds else []
    words += [f"{ply.nodes}n"] if ply.nodes else []
    return " ".join(filter(None, words))


def _score_text(score: float) -> str:
    sign, size = "-" if score < 0 or str(score).startswith("-") else "+", abs(score)
    return f"{sign}M{WIN - size:.0f}" if PROVEN <= size <= WIN and size == int(size) else f"{sign}{size!r}"


def _plies(moves: str, place: str) -> tuple[tuple[Ply, ...], str]:
    """The turns, and the result behind them."""
    plies: list[Ply] = []
    tokens = [(comment, word) for comment, word in _TOKEN.findall(moves)]
    last = tokens.pop()[1] if tokens else ""
    announced: int | None = None
    for comment, word in tokens:
        if not word:
            if not plies:
                raise BadRecord(f"{place}: a comment stands before the first move")
            plies[-1] = _commented(plies[-1], comment, place)
        elif _NUMBER.fullmatch(word):
            announced = SECOND if word.endswith("...") else FIRST
        else:
            plies.append(Ply(text=word, side=_side(word, announced, plies, place)))
            announced = None
    return tuple(plies), last


def _side(word: str, announced: int | None, plies: list[Ply], place: str) -> int:
    if word.startswith("~"):
        return CHANCE
    if announced is not None:
        return announced
    if plies and plies[-1].side == FIRST:
        return SECOND
    raise BadRecord(f"{place}: nothing says whose move {quoted(word)} is, expected N. or N... before it")


def _commented(ply: Ply, comment: str, place: str) -> Ply:
    score, depth, seconds, nodes = ply.score, ply.depth, ply.seconds, ply.nodes
    try:
        for word in comment.split():
            if word.endswith("s"):
                seconds = _finite(word[:-1])
            elif word.endswith("n"):
                nodes = _count(word[:-1])
            else:
                found = _SCORE.fullmatch(word)
                if found is None:
                    raise ValueError
                score = _score(found[1]) if found[1] else None
                depth = _count(found[2] or "0")
    except ValueError:
        raise BadRecord(f"{place}: comment {quoted(comment)}, expected such as +0.35/12 0.1s 1500n") from None
    return Ply(text=ply.text, side=ply.side, seconds=seconds, score=score, depth=depth, nodes=nodes)


def _score(text: str) -> float:
    if text[1] != "M":
        return _finite(text)
    return (WIN - _count(text[2:])) * (-1.0 if text[0] == "-" else 1.0)


def _count(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,300}", text):
        raise ValueError
    return int(text)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number
