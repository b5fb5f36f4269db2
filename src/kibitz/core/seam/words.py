"""States as 64-bit words: what the slots `write_words` and `read_words` do in compiled code, for Python."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.fields import cast_fields
from kibitz.core.rulebook import Rulebook


def words_of(state: Any) -> NDArray[np.int64]:
    """A state's numbers as 64-bit words, an array as its length and its elements."""
    words: list[NDArray[np.int64]] = []
    for part in state:
        if isinstance(part, np.ndarray):
            words += [np.array([part.size], np.int64), part.astype(np.int64).ravel()]
        else:
            words.append(np.array([int(part) & 0xFFFFFFFFFFFFFFFF], np.uint64).view(np.int64))
    return np.concatenate(words)


def state_of(book: Rulebook, words: NDArray[np.int64], at: int) -> Any:
    """The state whose words begin at this index."""
    values: list[Any] = []
    for field in book.state_fields:
        if field.array:
            size = int(words[at])
            values.append(words[at + 1 : at + 1 + size].astype(field.dtype))
            at += 1 + size
        else:
            values.append(words[at : at + 1].astype(field.dtype)[0])
            at += 1
    return cast_fields(book.state, book.state_fields, values, book.play)
