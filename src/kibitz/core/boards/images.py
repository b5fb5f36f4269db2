"""Boards seen through a symmetry: functions that compiled rules call, and those that are written for a game."""

import linecache
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import NONE, Bits, cells, one
from kibitz.core.boards.board import Board
from kibitz.core.boards.storage import CODES, Storage
from kibitz.core.fields import Field

Images = NDArray[np.int64]  # where each symmetry brings each cell, one symmetry after the other


def image_of_int(members: int, images: Images, base: int) -> int:
    """A set of cells in an int, each brought to its image."""
    found = 0
    for cell in cells(members):
        found |= 1 << images[base + cell]
    return found


def image_of_bits(members: Bits, images: Images, base: int) -> Bits:
    """The same of a set in 64 bits."""
    found = NONE
    for cell in cells(members):
        found |= one(images[base + cell])
    return found


def image_of_words(members: NDArray[np.uint64], images: Images, base: int) -> NDArray[np.uint64]:
    """The same of a set in several words."""
    found = np.zeros_like(members)
    for word in range(members.size):
        for cell in cells(members[word]):
            image = images[base + 64 * word + cell]
            found[image >> 6] |= one(image & 63)
    return found


def image_of_array(values: NDArray[Any], images: Images, base: int) -> NDArray[Any]:
    """An array with a number for each cell."""
    found = values.copy()
    for cell in range(values.size):
        found[images[base + cell]] = values[cell]
    return found


def image_of_codes(codes: NDArray[Any], images: Images, base: int, swaps: NDArray[np.int64], at: int) -> NDArray[Any]:
    """An array with a code for each cell; swaps[at + code] is what becomes of a code."""
    found = codes.copy()
    for cell in range(codes.size):
        found[images[base + cell]] = swaps[at + codes[cell]]
    return found


def image_of_place(cell: int, images: Images, base: int) -> int:
    """A cell, or -1 where there is none."""
    return images[base + cell] if cell >= 0 else -1


def image_of_pair(numbers: NDArray[Any], swap: int) -> NDArray[Any]:
    """An array with a number for each side."""
    found = numbers.copy()
    found[swap], found[1 - swap] = numbers[0], numbers[1]
    return found


_FUNCTIONS = {
    function.__name__: function
    for function in (
        image_of_int,
        image_of_bits,
        image_of_words,
        image_of_array,
        image_of_codes,
        image_of_place,
        image_of_pair,
    )
}


def tables(board: Board, storage: Storage) -> dict[str, Any]:
    """What the written functions read of a board: its size, the images, and who is exchanged."""
    names = board.symmetries
    images = [board.images[name.removesuffix("+swap")] for name in names]
    kept = list(range(len(storage.codes) + 1))
    swapped = [0, *(1 + storage.codes.index(twin(board, name)) for name in storage.codes)] if storage.codes else kept
    return {
        "board_size": board.size,
        "board_images": np.array(images, np.int64).ravel(),
        "board_swaps": np.array([name.endswith("+swap") for name in names], np.int64),
        "board_codes": np.array([*kept, *swapped], np.int64),
    }


def twin(board: Board, name: str) -> str:
    """The kind of the other side that takes this one's place when sides are exchanged; a neutral one stays."""
    return _twin({kind: piece.side for kind, piece in board.kinds.items()}, name)


def _twin(sides: Mapping[str, int | None], name: str) -> str:
    """The name that has the same place among those of the other side."""
    side = sides[name]
    if side is None:
        return name
    own, others = ([each for each, owner in sides.items() if owner == wanted] for wanted in (side, 1 - side))
    return others[own.index(name)] if len(own) == len(others) else name


def write_transform(board: Board, storage: Storage, fields: Mapping[str, Field], rules: str) -> str:
    """The text of `transform`; `rules` is where it finds the tables: `rules.` or nothing."""
    lines = [f"base = symmetry * {rules}board_size", f"swap = {rules}board_swaps[symmetry]"]
    lines += [f"{name} = {_image_call(name, storage, fields[name], rules)}" for name in storage.fields]
    for name in (*storage.sets, *storage.words, *storage.counts):
        other = twin(board, name)
        if other > name:
            lines += ["if swap:", f"    {name}, {other} = {other}, {name}"]
    values = {name: name if name in storage.fields else f"state.{name}" for name in fields}
    values |= {name: f"image_of_place(state.{name}, {rules}board_images, base)" for name in board.places}
    values |= {name: _beside_image(board, name, fields[name]) for name in board.beside if name not in board.places}
    if "side" in fields:
        values["side"] = "1 - state.side if swap else state.side"
    lines.append(f"return State({', '.join(values.values())})")
    parameters = "state, symmetry, rules" if rules else "state, symmetry"
    return f"def transform({parameters}):\n" + "".join(f"    {line}\n" for line in lines)


def _beside_image(board: Board, name: str, field: Field) -> str:
    """What lies beside the board stays there; what belongs to a side changes hands when sides are exchanged."""
    if field.array:
        return f"image_of_pair(state.{name}, swap)"
    other = _twin({each: beside.side for each, beside in board.beside.items()}, name)
    return f"state.{other} if swap else state.{name}" if other != name else f"state.{name}"


def _image_call(name: str, storage: Storage, field: Field, rules: str) -> str:
    given = f"(state.{name}, {rules}board_images, base"
    if name in storage.sets:
        return f"image_of_{'int' if field.dtype.kind == 'i' else 'bits'}{given})"
    if name in storage.words:
        return f"image_of_words{given})"
    if name == CODES and storage.codes:
        return f"image_of_codes{given}, {rules}board_codes, swap * {len(storage.codes) + 1})"
    return f"image_of_array{given})"


def write_transform_move(board: Board, rules: str) -> str:
    """The text of `transform_move` for the board's coding of moves; what touches no cell stays as it is."""
    parameters = "move, symmetry, rules" if rules else "move, symmetry"
    size, images = f"{rules}board_size", f"{rules}board_images"
    base = f"symmetry * {size}"
    if board.moves == "cell":
        body = f"return {images}[{base} + move] if move < {size} else move"
    else:
        turned = f"{images}[{base} + move // {size}] * {size} + {images}[{base} + move % {size}]"
        body = f"return {turned} if move < {size} * {size} else move"
    return f"def transform_move({parameters}):\n    {body}\n"


def make_function(text: str, owner: str, names: Mapping[str, Any], module: str) -> Callable[..., Any]:
    """The function of a text, with its source where the compiler looks for it."""
    name = text[4 : text.index("(")]
    file = f"<kibitz {owner} {name}>"
    space: dict[str, Any] = {**_FUNCTIONS, **names, "__name__": module}
    exec(compile(text, file, "exec"), space)
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    function = space[name]
    assert isinstance(function, FunctionType)
    return function
