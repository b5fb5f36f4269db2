"""The fields of a state, read off its annotations, however these were declared."""

import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from typing_extensions import TypeAliasType, TypeVar

from kibitz.core.errors import RulesError
from kibitz.core.fields import fields_of

Scalar = TypeVar("Scalar", bound=np.generic)
# As NumPy 2.5 declares NDArray on Python 3.12.
Array: Any = TypeAliasType("Array", np.ndarray[Any, np.dtype[Scalar]], type_params=(Scalar,))  # type: ignore[arg-type]
Board: Any = TypeAliasType("Board", Array[np.int16])
Count: Any = TypeAliasType("Count", np.uint8)
Text: Any = TypeAliasType("Text", str)


class Plain(NamedTuple):
    cells: NDArray[np.int16]
    left: np.uint8
    side: int


class Aliased(NamedTuple):
    cells: Array[np.int16]
    left: Count
    side: int


class Nested(NamedTuple):
    cells: Board
    left: Count
    side: int


class Wrong(NamedTuple):
    cells: Text


@pytest.mark.parametrize("kind", [Aliased, Nested])
def test_fields_declared_by_type_aliases_are_those_of_the_types_behind(kind: type) -> None:
    assert fields_of(kind) == fields_of(Plain)


def test_the_message_about_a_wrong_field_names_the_type_behind_its_alias() -> None:
    with pytest.raises(RulesError, match="field 'cells' of Wrong is str, expected int, bool"):
        fields_of(Wrong)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the type statement came with Python 3.12")
def test_fields_declared_by_a_type_statement_are_read() -> None:
    names: dict[str, Any] = {"NDArray": NDArray, "np": np, "NamedTuple": NamedTuple}
    exec(
        "type Row[Scalar: np.generic] = NDArray[Scalar]\n"
        "type Number = int\n"
        "class State(NamedTuple):\n    cells: Row[np.int16]\n    left: np.uint8\n    side: Number",
        names,
    )
    assert fields_of(names["State"]) == fields_of(Plain)
