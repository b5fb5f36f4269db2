"""The table of a game as searches are given it."""

import warnings

from kibitz.core.errors import KibitzWarning
from kibitz.core.game import Game
from kibitz.core.seam.slots import NO_PROBE_TABLE, ProbeTable
from kibitz.tables import folder
from kibitz.tables.errors import BadTable
from kibitz.tables.probe import probe


def find_probe_table(game: Game) -> ProbeTable:
    """What perfect play is known. A table that cannot be used gives a warning, and play goes on without it.

    A search of a game that numbers its positions can always read a table, so that none is compiled again when one
    appears; for other games the reading is compiled in once there is a table.
    """
    if game.rulebook.outcomes is not None:
        return NO_PROBE_TABLE
    try:
        table = folder.find(game)
    except BadTable as problem:
        warnings.warn(str(problem), KibitzWarning, stacklevel=2)
        table = None
    if table is not None:
        return ProbeTable(probe, table.header, table.data)
    return ProbeTable(probe) if game.rulebook.index is not None else NO_PROBE_TABLE
