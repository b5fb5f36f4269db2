"""The games in a report: each a line that opens to its moves, and to a board that replays it."""

import json
from collections.abc import Sequence
from html import escape

from kibitz.arena.play.fixture import PlayedGame
from kibitz.arena.records.record import TOKENS, Record
from kibitz.arena.records.replay import positions
from kibitz.arena.stats.scores import culprit, is_failure
from kibitz.core.errors import KibitzError
from kibitz.core.picture.page import facts

REPLAYS = 60  # boards in one page; some 40 kB each


def anchor(number: int) -> str:
    """The name of a game's line in the page."""
    return f"game-{number}"


def list_games(games: Sequence[PlayedGame]) -> str:
    """All games. Where there are too many to replay, those that failed come first, then some of every part."""
    chosen = choose_replays(games)
    return "".join(_line(game, number, replay=number in chosen) for number, game in enumerate(games))


def choose_replays(games: Sequence[PlayedGame]) -> set[int]:
    """The numbers of the games that get a board."""
    failed = [number for number, game in enumerate(games) if is_failure(game)]
    others = [number for number, game in enumerate(games) if not is_failure(game)]
    room = max(0, REPLAYS - len(failed))
    step = max(1, -(-len(others) // room)) if room else len(others) + 1
    return {*failed[:REPLAYS], *others[::step][:room]}


def _line(game: PlayedGame, number: int, *, replay: bool) -> str:
    record = game.record
    told = f"{game.key.first} - {game.key.second}: {TOKENS[record.result]}, {len(record.plies)} plies"
    kind = "bad" if is_failure(game) else "quiet"
    reason = "" if record.reason == "rules" else f' <span class="{kind}">{escape(record.reason)}</span>'
    board = f'<script type="application/json">{_facts(game)}</script>' if replay else ""
    return (
        f'<details id="{anchor(number)}"><summary>{escape(told)}{reason}</summary>'
        f'<p class="quiet">round {game.round + 1}, opening {game.key.opening + 1}, seed {record.seed}</p>'
        f'<p class="moves">{_moves(record)}</p>{board}</details>'
    )


def _moves(record: Record) -> str:
    opening = " ".join(escape(ply.text) for ply in record.plies[: record.opening])
    rest = " ".join(escape(ply.text) for ply in record.plies[record.opening :])
    return f'<span class="quiet">{opening}</span> {rest}' if opening else rest


def _facts(game: PlayedGame) -> str:
    try:
        found = list(positions(game.record))
    except KibitzError:
        return "null"
    captions = ["the start", *(_caption(game.record, number) for number in range(len(found) - 1))]
    title = f"{game.key.first} - {game.key.second}"
    data = json.dumps(facts(title, found, captions), ensure_ascii=False, separators=(",", ":"))
    return data.replace("<", "\\u003c")


def _caption(record: Record, number: int) -> str:
    ply = record.plies[number]
    words = [f"{number + 1}. {ply.text}"]
    if number < record.opening:
        words.append("opening")
    if ply.depth:
        words.append(f"depth {ply.depth}")
    if ply.seconds >= 0.005:
        words.append(f"{ply.seconds:.2f} s")
    return ", ".join(words)


def list_failures(games: Sequence[PlayedGame], *, linked: bool) -> str:
    """Each game that ended by an offence: who, against whom, why, and where it can be seen."""
    found = []
    for number, game in enumerate(games):
        if not is_failure(game):
            continue
        where = escape(f"{game.key.first} - {game.key.second}")
        where = f'<a href="#{anchor(number)}">{where}</a>' if linked else where
        who = escape(culprit(game) or "nobody alone")
        found.append(f'<p><b>{who}</b> in {where}: <span class="bad">{escape(game.record.reason)}</span></p>')
    return "".join(found)
