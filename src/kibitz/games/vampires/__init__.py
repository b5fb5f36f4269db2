"""Vampires against werewolves: its options and its declaration. The rules stand in `rules`."""

from typing import Annotated, NamedTuple

import numpy as np

from kibitz.core.errors import BadOption, quoted
from kibitz.core.options import Words, in_range
from kibitz.core.rulebook import Rulebook, Symmetry
from kibitz.games.vampires import maps
from kibitz.games.vampires.actions import actions
from kibitz.games.vampires.rules import (
    HUMANS,
    VAMPIRES,
    WEREWOLVES,
    Rules,
    State,
    at_limit,
    group,
    key,
    max_moves,
    moves,
    moves_once,
    outcomes,
    play,
    plies_left,
    result,
    start,
    turn,
)
from kibitz.games.vampires.symmetries import transform, transform_move
from kibitz.games.vampires.texts import SIDES, gesture, layout, move_text, pieces, read, write


class Options(NamedTuple):
    map: Annotated[str, Words(("random",))] = "thetrap"  # a known map, `random`, or an XML file
    rows: int = 10  # this and the next three are for random maps
    columns: int = 10
    groups: int = 5
    seed: int = 0
    plies: int = 200
    certain_defence: bool = False
    old_survival: bool = False


def rules_of(options: Options) -> Rules:
    board = _map_of(options)
    cells = np.zeros(board.rows * board.columns, np.int16)
    armies = [(VAMPIRES, board.vampires), (WEREWOLVES, board.werewolves)]
    for kind, (x, y, count) in armies + [(HUMANS, home) for home in board.humans]:
        cells[y * board.columns + x] = group(kind, count)
    return Rules(
        board.rows,
        board.columns,
        plies=(in_range("plies", options.plies, 1, 10**6) + 1) // 2 * 2,
        certain_defence=options.certain_defence,
        old_survival=options.old_survival,
        creatures=int((cells & 255).sum()),
        cells=cells,
    )


def _map_of(options: Options) -> maps.Map:
    if options.map == "random":
        return maps.random_map(options.rows, options.columns, options.groups, options.seed)
    plain = Options()
    for name in ("rows", "columns", "groups", "seed"):
        if getattr(options, name) != getattr(plain, name):
            raise BadOption(f"option {name} is for map=random, and map is {quoted(options.map)}")
    return maps.load(options.map)


vampires = Rulebook(
    name="vampires",
    title="Vampires against werewolves",
    sides=SIDES,
    options=Options,
    presets={name: {"map": name} for name in maps.KNOWN},
    rules=rules_of,
    parameters=Rules,
    state=State,
    start=start,
    turn=turn,
    moves=moves,
    moves_once=moves_once,
    play=play,
    result=result,
    outcomes=outcomes,
    key=key,
    plies_left=plies_left,
    at_limit=at_limit,
    max_moves=max_moves,
    symmetries=(Symmetry("mirror"), Symmetry("flip"), Symmetry("half turn")),
    transform=transform,
    transform_move=transform_move,
    layout=layout,
    pieces=pieces,
    gesture=gesture,
    read=read,
    write=write,
    move_text=move_text,
    actions=actions,
)
