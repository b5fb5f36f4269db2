"""`kibitz bench`: the speed and the signature of the search."""

import json
from pathlib import Path
from typing import Annotated

import typer

from kibitz.bench import signature as benching
from kibitz.bench.peers import Peer, fairy_stockfish, openspiel
from kibitz.core.files import writable, write_whole


def bench(
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures as JSON.")] = None,
    peers: Annotated[
        bool, typer.Option("--peers", help="Measure Fairy-Stockfish and OpenSpiel beside, where installed.")
    ] = False,
) -> None:
    """Search fixed positions of every game; the last line is the signature, the sum of all nodes."""
    if json_file is not None:
        writable(json_file)
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
        write_whole(json_file, json.dumps({**facts, "signature": signature}, indent=2) + "\n")
    print(f"signature {signature}")


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
