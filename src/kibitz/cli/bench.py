"""`kibitz bench`: the speed and the signature of the search."""

import json
from pathlib import Path
from typing import Annotated

import typer

from kibitz.bench import signature as benching
from kibitz.bench import speed
from kibitz.bench.peers import Peer, fairy_stockfish, openspiel
from kibitz.core.limit import Limit
from kibitz.core.output_file import check_writable, write_file
from kibitz.games import catalog


def bench(
    game: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Games or rules files to measure instead of the signature."),
    ] = None,
    seconds: Annotated[float, typer.Option(help="Seconds a position, where games are named.")] = 1.0,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures as JSON.")] = None,
    peers: Annotated[
        bool, typer.Option("--peers", help="Measure Fairy-Stockfish and OpenSpiel beside, where installed.")
    ] = False,
) -> None:
    """Search fixed positions of every game; the last line is the signature, the sum of all nodes.

    With GAME, how fast that one is: lines counted, and nodes searched at the start and after some random moves.
    """
    if json_file is not None:
        check_writable(json_file)
    if game:
        _measure(game, seconds, json_file)
        return
    rows = []
    for row in benching.rows():
        speed = row.nodes / row.seconds / 1e6
        print(
            f"{row.game:18} depth {row.depth:2} {row.nodes:>12,} nodes {row.seconds:8.3f} s {speed:7.2f} M/s",
            flush=True,
        )
        rows.append(row)
    beside = _beside() if peers else []
    signature = sum(row.nodes for row in rows)
    if json_file is not None:
        facts = {"rows": [row._asdict() for row in rows], "peers": [peer._asdict() for peer in beside]}
        write_file(json_file, json.dumps({**facts, "signature": signature}, indent=2) + "\n")
    print(f"signature {signature}")


def _measure(texts: list[str], seconds: float, json_file: Path | None) -> None:
    """Print the speed of each game; the last line of each is its mean speed of search."""
    Limit(seconds=seconds)  # a senseless number is refused before anything is compiled
    facts = {}
    for game in [catalog.load(text) for text in texts]:
        found = [speed.count_lines(game, seconds)]
        _print_speed(found[0])
        for row in speed.searches(game, seconds):
            _print_speed(row)
            found.append(row)
        nodes, taken = sum(row.nodes for row in found[1:]), sum(row.seconds for row in found[1:])
        facts[game.text] = [row._asdict() for row in found]
        print(f"{game.text} {nodes / taken / 1e6 if taken else 0.0:.2f} M nodes/s")
    if json_file is not None:
        write_file(json_file, json.dumps(facts, indent=2) + "\n")


def _print_speed(row: speed.Speed) -> None:
    figures = f"depth {row.depth:2} {row.nodes:>13,} in {row.seconds:7.3f} s {row.per_second / 1e6:8.2f} M/s"
    print(f"{figures}  {row.what}", flush=True)


def _beside() -> list[Peer]:
    """Measure the other programs that are there, and say which are not."""
    found: list[Peer] = []
    for name, measured in (("fairy-stockfish", fairy_stockfish), ("OpenSpiel (pip install open_spiel)", openspiel)):
        before = len(found)
        for peer in measured():
            found.append(peer)
            speeds = f"{peer.theirs / 1e6:.3f} M {peer.unit}/s, ours {peer.ours / 1e6:.3f}"
            print(f"{peer.name:18} {speeds}, ratio {peer.ratio:.1f}", flush=True)
        if len(found) == before:
            print(f"{name} is not installed")
    return found
