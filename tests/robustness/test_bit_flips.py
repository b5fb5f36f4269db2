"""Two hundred random bit flips over everything that Kibitz keeps: each is harmless or refused in one line.

Harmless means that what is read is what was written, or, of code and unpacked tables in the cache, that it is made anew
with a warning. A record is text for people, who may edit it: it is harmless if it still replays by the rules.
"""

import random
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from kibitz.arena.contest.openings import Opening
from kibitz.arena.contest.store import Store
from kibitz.arena.play.fixture import PlayedGame
from kibitz.arena.records import files, game_text, json_lines, replay
from kibitz.core.errors import KibitzError, KibitzWarning
from kibitz.core.game import Game
from kibitz.games import catalog
from kibitz.nets import file as nets
from kibitz.proofs import prover
from kibitz.tables import solver
from kibitz.tables.file import container
from kibitz.tables.table import Table, _unpacked_path
from kibitz.web.server.table_store import TableStore
from tests.arena.samples import WON, contest, record
from tests.fuzz.targets import _proofs, _records
from tests.nets.networks import random_net
from tests.robustness.test_cache import compute

FLIPS = 200
SMALL = "tictactoe"


class Kept(NamedTuple):
    """A file, and what is read out of it."""

    path: Path
    read: Callable[[], Any]
    whole: Any  # what is read while it is whole


def flip(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]


def make_all(folder: Path) -> list[Kept]:
    """One of everything."""
    game = catalog.load(SMALL)
    readers: list[tuple[Path, Callable[[], Any]]] = [
        *_keep_code(folder),
        *_keep_table(folder, game),
        *_keep_texts(folder),
        (_keep_store(folder), partial(_read_store, folder / "games.db")),
        (_keep_shared_tables(folder), partial(_read_shared_tables, folder / "tables.db")),
    ]
    for number, data in enumerate(_proofs()):
        path = folder / f"{number}.proof"
        path.write_bytes(data)
        readers.append((path, partial(_read_proof, path)))
    random_net(game)[0].save(folder / "a.net")
    readers.append((folder / "a.net", lambda: nets.load(folder / "a.net", game).hash))
    return [Kept(path, read, read()) for path, read in readers]


def _keep_code(folder: Path) -> list[tuple[Path, Callable[[], Any]]]:
    compute()
    return [(path, compute) for path in sorted(folder.rglob("*add_up*")) if path.is_file() and path.suffix != ".lock"]


def _keep_table(folder: Path, game: Game) -> list[tuple[Path, Callable[[], Any]]]:
    path = folder / f"{SMALL}.table"
    solver.solve(solver.SolveTask(game, path, jobs=1))

    def read() -> bytes:
        return np.array(Table.open(path, game).data).tobytes()

    read()
    cached = _unpacked_path(container.verify_checksum(path))
    return [(path, read), (cached, read), (cached.with_suffix(".sum"), read)]


def _keep_texts(folder: Path) -> list[tuple[Path, Callable[[], Any]]]:
    one = json_lines.read(_records()[1].decode(), "seed")
    (folder / "r.txt").write_text(game_text.format_record(one))
    (folder / "r.jsonl").write_text(json_lines.format_record(one))
    return [(folder / name, partial(_replay, folder / name)) for name in ("r.txt", "r.jsonl")]


def _replay(path: Path) -> str:
    for one in files.load(path):
        replay.check_replay(one)
    return "it replays"


def _read_proof(path: Path) -> tuple[str, str, int, bool]:
    found = prover.check(path, None, lambda what, state: None)
    return found.game, found.position, found.winner, found.draw_will_do


def _keep_store(folder: Path) -> Path:
    path, one = folder / "games.db", contest("random", "first", games=4)
    with Store(path) as store:
        number = store.enter(one)
        for count in range(2):
            store.add_opening(one.book, Opening(number=count, line="a2-a3", seed=5))
        for opening in store.openings(one.book):
            for fixture in one.fixtures(("first", "random"), opening, 0):
                made = record(fixture.key.first, fixture.key.second, WON)
                store.add(number, PlayedGame(fixture.key, 0, fixture.fingerprint, made))
        store.rows.execute("PRAGMA journal_mode = DELETE")
    return path


def _read_store(path: Path) -> Any:
    with Store(path, create=False) as store:
        return [(contest, store.games(number)) for number, contest in store.contests().items()]


def _keep_shared_tables(folder: Path) -> Path:
    kept = TableStore(folder / "tables.db")
    kept.save("abcdefgh", {"game": SMALL, "line": "a1 b2"})
    kept.file.execute("PRAGMA journal_mode=DELETE")
    kept.close()
    return folder / "tables.db"


def _read_shared_tables(path: Path) -> Any:
    kept = TableStore(path)
    try:
        found = kept.load("abcdefgh")
    finally:
        kept.close()
    if found is None:
        raise KibitzError("the table is gone")
    return found


@pytest.mark.proof
def test_two_hundred_flips_are_harmless_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    kept, dice = make_all(tmp_path), random.Random(19)
    for number in range(FLIPS):
        one = kept[number % len(kept)]
        before = one.path.read_bytes()
        one.path.write_bytes(flip(before, dice))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", KibitzWarning)
                assert one.read() == one.whole, f"flip {number} of {one.path.name} is not seen"
        except KibitzError as problem:
            refusal = str(problem)
            assert refusal.count("\n") == 0 < len(refusal), one.path
        if one.path.exists():
            one.path.write_bytes(before)
