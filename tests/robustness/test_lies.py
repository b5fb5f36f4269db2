"""Files that lie about themselves are refused in one line, before what they claim costs anything."""

import hashlib
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core.errors import KibitzError
from kibitz.games import catalog
from kibitz.proofs import prover
from kibitz.proofs.certificate import BadCertificate
from kibitz.proofs.sealed_file import BadFile
from kibitz.tables import solver
from kibitz.tables.errors import BadTable
from kibitz.tables.file import container
from kibitz.tables.table import Table

PROOF = Path(__file__).parents[1] / "proofs" / "kibitz_0_1" / "breakthrough-5x3.proof"


def rewritten(path: Path, block: bytes | None = None, **changes: Any) -> Path:
    """The proof with another header or block, and a checksum that fits."""
    line, _, old = PROOF.read_bytes().partition(b"\n")
    data = old if block is None else block
    about = json.loads(line) | {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)} | changes
    path.write_bytes(json.dumps(about).encode() + b"\n" + data)
    return path


def check(path: Path) -> None:
    prover.check(path, None, lambda what, state: None)


def test_a_proof_unpacks_to_no_more_than_its_header_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = zlib.compressobj(9)
    bomb = b"".join(engine.compress(bytes(1 << 20)) for _ in range(64)) + engine.flush()
    asked: list[int] = []

    original = zlib.decompressobj

    def counted() -> Any:
        found = original()

        class Spy:
            eof = property(lambda self: found.eof)
            unused_data = property(lambda self: found.unused_data)

            def decompress(self, data: bytes, most: int) -> bytes:
                asked.append(most)
                return found.decompress(data, most)

        return Spy()

    monkeypatch.setattr(zlib, "decompressobj", counted)
    with pytest.raises(BadCertificate, match="does not hold what it says"):
        check(rewritten(tmp_path / "bomb.proof", bomb))
    positions = json.loads(PROOF.read_bytes().partition(b"\n")[0])["positions"]
    assert asked == [8 * positions + 1]


def test_a_proof_claims_no_more_positions_than_its_board_has(tmp_path: Path) -> None:
    block = zlib.compress(bytes(1 << 20))
    with pytest.raises(BadCertificate, match="does not hold what it says"):
        check(rewritten(tmp_path / "many.proof", block, positions=3**16))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": "2"}, "has format '2', expected 1"),
        ({"format": None}, "has format 'None'"),
        ({"format": 1.5}, "has format '1.5'"),
        ({"format": 99}, "written by a newer Kibitz"),
        ({"format": -1}, "has format '-1'"),
        ({"positions": "many"}, "does not hold what it says"),
        ({"positions": -5}, "does not hold what it says"),
        ({"positions": 10**30}, "does not hold what it says"),
        ({"winner": 7}, "does not hold what it says"),
        ({"winner": [0]}, "does not hold what it says"),
        ({"seconds": "1e999"}, ""),
        ({"game": "breakthrough"}, "at most"),
        ({"game": "breakthrough,rows=9,columns=9"}, ""),
        ({"position": 5}, ""),
        ({"game": ["breakthrough"]}, ""),
    ],
)
def test_a_header_that_lies_is_refused_in_one_line(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(KibitzError) as refused:
        check(rewritten(tmp_path / "lie.proof", **changes))
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_header_of_deep_nesting_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.proof"
    path.write_bytes(b'{"file": "proof", "a": ' + b"[" * 3000 + b"\n")
    with pytest.raises(BadFile, match="is no proof file of Kibitz"):
        check(path)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of a small game."""
    path = tmp_path_factory.mktemp("tables") / "tictactoe.table"
    solver.solve(solver.SolveTask(catalog.load("tictactoe"), path, jobs=1))
    return path


def reassembled(path: Path, table: Path, pieces: list[bytes] | None = None, **changes: Any) -> Path:
    """The table with another header or other parts, and a checksum that fits."""
    data = table.read_bytes()
    start = len(container.MAGIC) + 8
    length = int.from_bytes(data[len(container.MAGIC) : start], "little")
    about = json.loads(data[start : start + length])
    body = data[start + length : -container.DIGEST]
    if pieces is not None:
        body = b"".join(pieces)
        about["parts"] = [len(piece) for piece in pieces]
    described = json.dumps(about | changes).encode()
    whole = container.MAGIC + len(described).to_bytes(8, "little") + described + body
    path.write_bytes(whole + hashlib.sha256(whole).digest())
    return path


def test_a_damaged_part_under_a_fresh_checksum_is_refused(tmp_path: Path, table: Path) -> None:
    game = catalog.load("tictactoe")
    size = container.read_header(table)["bytes"]
    for parts in ([b"no deflated bytes"], [zlib.compress(bytes(size + 1))], [zlib.compress(bytes(size - 1))], []):
        with pytest.raises(BadTable, match="is damaged"):
            Table.open(reassembled(tmp_path / "damaged.table", table, parts), game)


def test_a_table_whose_header_does_not_fit_the_game_is_refused(tmp_path: Path, table: Path) -> None:
    game = catalog.load("tictactoe")
    kind, size, width, salt = container.read_header(table)["header"]
    lies: list[dict[str, Any]] = [
        {"header": [kind, size, 1, salt]},  # fewer words than a state has: compiled code would write beyond them
        {"header": [kind, 10**15, width, salt]},
        {"header": [1, size, width, salt]},
        {"header": [kind, -1, width, salt]},
        {"header": "x"},
        {"bytes": 10**15},
        {"unpacked": 0},
        {"parts": [10**12]},
        {"parts": None},
    ]
    for lie in lies:
        with pytest.raises(BadTable, match="its header does not fit tictactoe"):
            Table.open(reassembled(tmp_path / "lie.table", table, **lie), game)


def test_an_unpacked_table_that_was_changed_is_unpacked_again(table: Path) -> None:
    from kibitz.core.errors import KibitzWarning
    from kibitz.tables.table import _unpacked_path

    game = catalog.load("tictactoe")
    right = Table.open(table, game)
    cached = _unpacked_path(container.verify_checksum(table))
    before = np.array(right.data)
    damaged = bytearray(cached.read_bytes())
    damaged[-1] ^= 1
    cached.write_bytes(damaged)
    with pytest.warns(KibitzWarning, match=r"unpacked table .* is damaged and is made anew"):
        found = Table.open(table, game)
    assert (np.array(found.data) == before).all()
