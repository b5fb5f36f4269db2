"""The entries of the control arrays that proof searches share with Python."""

import numpy as np
from numpy.typing import NDArray

from kibitz.core.limit import UNBOUNDED
from kibitz.core.seam.control import STOP as STOP
from kibitz.search.budget import MOST_NODES as MOST_NODES
from kibitz.search.budget import NODES as NODES

PHI, DELTA = 3, 4  # the numbers of the root when a search ends
THREAD = 5  # which of the threads this is
FOUND, DONE, WAITING = 6, 7, 8  # positions of the evidence: how many there are, were followed up, wait for their turn
BOOKED = 9  # positions in the book of a strategy


def new_control(thread: int = 0) -> NDArray[np.int64]:
    """A control array for a search without bounds whose question is open."""
    control = np.zeros(16, np.int64)
    control[MOST_NODES], control[THREAD], control[PHI], control[DELTA] = UNBOUNDED, thread, 1, 1
    return control
