"""The judge: everything that is wrong with a filling. It shares no code with any solver."""

from collections.abc import Iterator, Sequence

from kibitz.puzzles.flow.board import Board

_MOST_TRIES = 100_000  # of tracing a path that may touch itself; seconds on the largest boards


def faults(board: Board, filling: Sequence[str]) -> list[str]:
    """What is wrong with this filling, a letter for each node and '' for an empty one; nothing if it is a solution."""
    nodes = board.graph.nodes
    if len(filling) != len(nodes):
        return [f"{len(filling)} cells are given, expected {len(nodes)}"]
    found = list(_misplaced(board, filling))
    for letter in board.sources:
        found += _torn(board, filling, letter)
    if board.touch == "no2x2":
        found += _blocks(board, filling)
    return found


def _misplaced(board: Board, filling: Sequence[str]) -> Iterator[str]:
    """Cells that are empty, hold an unknown letter, or hide a source."""
    for index, (node, letter) in enumerate(zip(board.graph.nodes, filling, strict=True)):
        source = board.letter_at.get(index)
        if source is not None and letter != source:
            yield f"{node.name} holds {letter or 'nothing'!r}, expected its source '{source}'"
        elif letter and letter not in board.sources:
            yield f"{node.name} holds {letter!r}, which has no source"
        elif not letter and board.fill:
            yield f"{node.name} is empty, expected every cell to be filled"


def _torn(board: Board, filling: Sequence[str], letter: str) -> list[str]:
    """Why the cells of a letter are not one path between its sources."""
    cells = {index for index, held in enumerate(filling) if held == letter}
    near = {cell: [other for other in board.graph.neighbours[cell] if other in cells] for cell in cells}
    start, end = board.sources[letter]
    found = []
    if board.touch == "strict":
        for cell in sorted(cells):
            wanted = 1 if cell in (start, end) else 2
            if len(near[cell]) != wanted:
                name = board.graph.nodes[cell].name
                found.append(f"{name} has {len(near[cell])} neighbours of its colour '{letter}', expected {wanted}")
    if not {start, end} <= cells:
        return found
    lost = cells - _reached(near, start)
    if lost:
        first = board.graph.nodes[min(lost)].name
        found.append(f"{first} is not joined to the source of '{letter}'")
    elif board.touch != "strict":
        found += _untraced(near, start, end, letter)
    return found


def _reached(near: dict[int, list[int]], start: int) -> set[int]:
    seen, waiting = {start}, [start]
    while waiting:
        for other in near[waiting.pop()]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


def _untraced(near: dict[int, list[int]], start: int, end: int, letter: str) -> list[str]:
    """What is wrong if no path from start to end goes through all these cells. Tries all, leaving lost causes early."""
    stack = [(start, frozenset(near) - {start})]
    for _ in range(_MOST_TRIES):
        if not stack:
            return [f"the cells of '{letter}' are not one path between its sources"]
        here, left = stack.pop()
        if not left:
            if here == end:
                return []
            continue
        if here == end:
            continue
        open_to = left | {here}
        narrow = (cell for cell in left if sum(other in open_to for other in near[cell]) < (1 if cell == end else 2))
        if next(narrow, None) is None:
            stack += [(other, left - {other}) for other in near[here] if other in left]
    return [f"no path of '{letter}' between its sources was found in {_MOST_TRIES} tries"]


def _blocks(board: Board, filling: Sequence[str]) -> Iterator[str]:
    for face in board.graph.faces:
        letters = {filling[node] for node in face}
        if len(letters) == 1 and letters != {""}:
            first = board.graph.nodes[min(face)].name
            yield f"the block of {len(face)} cells at {first} is all '{letters.pop()}'"
