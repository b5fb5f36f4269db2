"""What the generic solver finds."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.tables.probe import SIZE


class Solution(NamedTuple):
    """A solved game: the table as `probe` wants it, what is in it, and the positions that it was made of."""

    header: NDArray[np.int64]
    data: NDArray[np.uint8]
    rows: list[dict[str, int]]
    positions: list[NDArray[np.uint8]]  # the packed states of each bucket

    @property
    def size(self) -> int:
        """How many positions there are."""
        return int(self.header[SIZE])

    @property
    def codes(self) -> NDArray[np.int64]:
        """The sorted codes."""
        return self.data[: 8 * self.size].view(np.int64)

    @property
    def values(self) -> NDArray[np.int32]:
        """The value of each."""
        return self.data[8 * self.size :].view(np.int32)
