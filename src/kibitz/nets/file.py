"""A net's file: the weights of a network, which game they belong to, where they come from and how they played.

The file is a zip of NumPy arrays, read without pickle, and one text in JSON. The hash of a net is that of its weights
and its game: what was found out about it later does not change it.
"""

import hashlib
import io
import json
import math
import zipfile
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.json_text import parse_json
from kibitz.core.network import BadNetwork, Network, Shape
from kibitz.core.output_file import write_file
from kibitz.tables.file.identity import name_of, rules_hash

FORMAT = 1
LARGEST = 64 << 20  # bytes, unpacked
ARRAYS = ("maps", "rows", "biases", "outputs", "offsets", "phases")
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # the date of every part, so that equal nets are equal files


DAMAGE = (
    *(OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, EOFError, MemoryError, OverflowError),
    *(RuntimeError, NotImplementedError, SyntaxError, zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error),
)  # what reading a zip of arrays can raise that are not as they were written


class BadNet(KibitzError):
    """A file that holds no net, or one of other rules."""


@dataclass(frozen=True, kw_only=True)
class Net:
    """A learned evaluation of one game."""

    network: Network
    game: str  # its text, without the place where its file lies
    rules: str  # the hash of its rules and options
    heuristic: str = ""  # whose features are inputs, if any are
    provenance: dict[str, Any] = field(default_factory=dict)
    matches: tuple[dict[str, Any], ...] = ()
    default: bool = False  # is it what the engine uses where nothing is said?

    @property
    def facts(self) -> dict[str, Any]:
        """What the hash covers besides the arrays."""
        shape = self.network.shape
        return {
            "game": self.game,
            "rules": self.rules,
            "heuristic": self.heuristic,
            "units": shape.units,
            "numbers": list(shape.numbers),
            "arrays": [list(pair) for pair in shape.arrays],
            "features": shape.features,
            "levels": [list(row) for row in self.network.levels],
            "unit_bits": self.network.unit_bits,
            "output_bits": self.network.output_bits,
        }

    @property
    def hash(self) -> str:
        """The same exactly for nets that play alike."""
        digest = hashlib.sha256(json.dumps(self.facts, sort_keys=True).encode())
        for name in ARRAYS:
            array = np.ascontiguousarray(getattr(self.network, name))
            digest.update(f"{name}{array.dtype}{array.shape}".encode() + array.tobytes())
        return digest.hexdigest()[:16]

    def check_game(self, game: Game, path: object) -> None:
        """Refuse a net of another game, of other options or of other rules."""
        if self.game != name_of(game):
            raise BadNet(f"'{path}' is a net of {self.game}, expected one of {name_of(game)}")
        if self.rules != rules_hash(game):
            raise BadNet(f"'{path}' was learned under other rules of {self.game}; learn anew: kibitz learn {game.text}")
        if not self._fits_states_of(game):
            raise BadNet(f"'{path}' is no net, or a damaged one: its inputs are not those of {self.game}")

    def _fits_states_of(self, game: Game) -> bool:
        """Does a state have the fields that are inputs? Compiled code reads them without asking."""
        fields = game.new().state._asdict()
        arrays = {name: part.size for name, part in fields.items() if isinstance(part, np.ndarray)}
        shape = self.network.shape
        numbers = all(name in fields and name not in arrays for name in shape.numbers)
        return numbers and all(arrays.get(name) == size for name, size in shape.arrays)

    def save(self, path: Path) -> None:
        """Write the file whole or not at all."""
        about = {
            "format": FORMAT,
            "hash": self.hash,
            **self.facts,
            "provenance": self.provenance,
            "matches": list(self.matches),
            "default": self.default,
        }
        text = np.frombuffer(json.dumps(about, indent=1).encode(), np.uint8)
        parts: dict[str, NDArray[Any]] = {"about": text, **{name: getattr(self.network, name) for name in ARRAYS}}
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, array in parts.items():
                whole = io.BytesIO()
                np.lib.format.write_array(whole, np.ascontiguousarray(array), allow_pickle=False)
                info = zipfile.ZipInfo(f"{name}.npy", _EARLIEST)
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, whole.getvalue())
        write_file(path, buffer.getvalue())

    def after_match(self, **match: Any) -> "Net":
        """The same net with one more match written down."""
        return replace(self, matches=(*self.matches, match))


def load(path: Path, game: Game | None = None) -> Net:
    """The net of a file; one line says why where it holds none, or none of this game."""
    try:
        net = _read(path)
    except FileNotFoundError:
        raise BadNet(f"there is no net '{path}'") from None
    except BadNetwork as problem:
        raise BadNet(f"'{path}' is no net: {problem}") from None
    except DAMAGE:
        raise BadNet(f"'{path}' is no net, or a damaged one") from None
    if game is not None:
        net.check_game(game, path)
    return net


def _read(path: Path) -> Net:
    with zipfile.ZipFile(path) as archive:
        if sum(info.file_size for info in archive.infolist()) > LARGEST:
            raise ValueError
        parts = {name: _read_array(archive, name) for name in ("about", *ARRAYS)}
    about = parse_json(parts["about"].tobytes())
    if about["format"] != FORMAT:
        raise BadNetwork(f"its format is {about['format']!r}, expected {FORMAT}")
    shape = Shape(
        int(about["units"]),
        tuple(map(str, about["numbers"])),
        tuple((str(name), int(size)) for name, size in about["arrays"]),
        int(about["features"]),
    )
    levels = tuple(tuple(map(int, row)) for row in about["levels"])
    scales = int(about["unit_bits"]), int(about["output_bits"])
    arrays: dict[str, Any] = {name: parts[name] for name in ARRAYS}
    network = Network(shape, levels, unit_bits=scales[0], output_bits=scales[1], **arrays)
    net = Net(
        network=network,
        game=str(about["game"]),
        rules=str(about["rules"]),
        heuristic=str(about["heuristic"]),
        provenance=dict(about["provenance"]),
        matches=tuple(map(dict, about["matches"])),
        default=bool(about["default"]),
    )
    if net.hash != about["hash"]:
        raise BadNetwork("its hash is wrong: the file is damaged")
    return net


def _read_array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """An array whose bytes are all there: no size that a header claims is believed."""
    with archive.open(f"{name}.npy") as part:
        data = part.read(LARGEST + 1)
    stream = io.BytesIO(data)
    version = np.lib.format.read_magic(stream)
    if version != (1, 0):
        raise ValueError(f"version {version}")
    shape, by_columns, dtype = np.lib.format.read_array_header_1_0(stream)
    body = data[stream.tell() :]
    if dtype.hasobject or by_columns or len(body) != dtype.itemsize * math.prod(shape):
        raise ValueError(name)
    return np.frombuffer(body, dtype).reshape(shape).copy()
