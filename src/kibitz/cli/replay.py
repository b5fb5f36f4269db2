"""`kibitz replay`: a recorded game, played again."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.arena.records.record import TOKENS, Record
from kibitz.cli.streams import draw_board
from kibitz.cli.texts import Json, RulesText, TrustGame, allow_rules
from kibitz.core import picture
from kibitz.core.errors import BadOption
from kibitz.core.output_file import check_writable, write_file
from kibitz.core.position import Position
from kibitz.search.report import Score

NOTEWORTHY = 0.005  # seconds
STEPPING = "enter: on, b: back, q: quit"


def replay(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="A file of records, as text or JSON lines.")],
    game: Annotated[int | None, typer.Option(help="Which one, where the file holds several.")] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page that replays the game, or all of a file.")
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Go through it ply by ply.")] = False,
    as_json: Json = False,
    rules: RulesText = None,
    trust_game: TrustGame = False,
) -> None:
    """Play a recorded game again, by the rules, and show how it went."""
    from kibitz.arena.records import files, json_lines

    allow_rules(rules, trust_game)
    found = files.load(record)
    if game is None and len(found) > 1 and html is None and not step and not as_json:
        print("\n".join(_listed(number, one) for number, one in enumerate(found, 1)))
        print(f"kibitz replay {record} --game N shows one of them")
        return
    if html is not None:
        check_writable(html)
    if game is None and len(found) > 1 and html is not None and not step and not as_json:
        write_file(html, picture.games_page(record.name, [_page_facts(one) for one in found]))
        print(f"{html}: {len(found)} games, open it in a browser", file=sys.stderr)
        return
    chosen = _chosen(found, game, record)
    positions = _replayed(chosen)
    if html is not None:
        write_file(html, picture.page(_title(chosen), positions, _captions(chosen, positions)))
        print(f"{html}: open it in a browser", file=sys.stderr)
    if as_json:
        print(json_lines.format_record(chosen), end="")
    elif step:
        _stepped(chosen, positions)
    elif html is None:
        print(_shown(chosen, positions[-1]))


def _page_facts(record: Record) -> dict[str, Any]:
    positions = _replayed(record)
    title = f"{_title(record)}  {TOKENS[record.result]}"
    return picture.facts(title, positions, _captions(record, positions))


def _chosen(found: list[Record], number: int | None, path: Path) -> Record:
    if number is None and len(found) > 1:
        raise BadOption(f"'{path}' holds {len(found)} games, expected --game 1 to {len(found)}")
    if number is not None and not 1 <= number <= len(found):
        raise BadOption(f"'{path}' has no game {number}, expected 1 to {len(found)}")
    return found[(number or 1) - 1]


def _replayed(record: Record) -> list[Position]:
    """All positions; a record that does not replay is refused before anything is shown or written."""
    from kibitz.arena.records.replay import check_replay, positions

    check_replay(record)
    return list(positions(record))


def _listed(number: int, record: Record) -> str:
    return f"{number:4}  {TOKENS[record.result]:7}  {len(record.plies):4} plies  {_title(record)}  ({record.reason})"


def _title(record: Record) -> str:
    return f"{record.game}: {record.first} - {record.second}"


def _ending(record: Record) -> str:
    token = TOKENS[record.result]
    return f"{token}, {'by the rules' if record.reason == 'rules' else record.reason}"


def _captions(record: Record, positions: list[Position]) -> list[str]:
    """What each frame says: the ply, who played it, what it thought."""
    lines = ["the start"]
    for number, (ply, before) in enumerate(zip(record.plies, positions, strict=False), 1):
        told = [f"{number}. {before.to_move}: {ply.text}"]
        told += ["opening"] if number <= record.opening else []
        told += [] if ply.score is None else [str(Score.read(ply.score, before.to_move))]
        told += [f"depth {ply.depth}"] if ply.depth else []
        told += [f"{ply.seconds:.2f} s"] if ply.seconds >= NOTEWORTHY else []
        lines.append(", ".join(told))
    lines[-1] += f" - {_ending(record)}"
    return lines


def _shown(record: Record, end: Position) -> str:
    from kibitz.arena.records.game_text import format_record

    board = draw_board(end)
    return f"{board}\n{picture.status(end)}\n\n{format_record(record).rstrip()}\n\n{_title(record)}\n{_ending(record)}"


def _stepped(record: Record, positions: list[Position]) -> None:
    captions = _captions(record, positions)
    at = 0
    while True:
        board = draw_board(positions[at])
        print(f"\n{board}\n{captions[at]}")
        if at + 1 == len(positions) and not sys.stdin.isatty():
            return
        try:
            word = input(f"{at}/{len(positions) - 1} ({STEPPING})> ").strip()
        except EOFError:
            print()
            return
        if word in ("q", "quit"):
            return
        at = max(0, at - 1) if word in ("b", "back") else at + 1
        if at == len(positions):
            return
