"""Turns that cannot be, on any graph, where all is filled and no face is of one colour.

A turn in a face of four leaves the opposite node to another colour. So that node is a source, or it must go on to its
two other neighbours, which may be a turn again. Lines of turns like this, spikes, end in a source or outside the intact
faces; a turn whose spike has no end is impossible.
"""

from kibitz.puzzles.flow.board import Board

Turn = tuple[int, int, int]  # a node and its two joined neighbours, the smaller first


def impossible_turns(board: Board) -> set[Turn]:
    """Every turn, in a face of four, whose spike has no end."""
    before: dict[Turn, list[Turn]] = {}  # the turns that force a turn
    waiting: list[Turn] = []
    for turn, opposite in turns(board):
        if opposite in board.letter_at:
            continue
        onward = [node for node in board.graph.neighbours[opposite] if node not in turn]
        if len(onward) < 2:
            waiting.append(turn)
        elif len(onward) == 2:
            before.setdefault((opposite, onward[0], onward[1]), []).append(turn)
    dead: set[Turn] = set()
    while waiting:
        turn = waiting.pop()
        if turn not in dead:
            dead.add(turn)
            waiting += before.get(turn, [])
    return dead


def turns(board: Board) -> list[tuple[Turn, int]]:
    """Every turn in a face of four, with the node opposite to it."""
    found = []
    for face in board.graph.faces:
        if len(face) == 4:
            for at, node in enumerate(face):
                one, opposite, other = (face[(at + step) % 4] for step in (1, 2, 3))
                if node not in board.letter_at:
                    found.append(((node, min(one, other), max(one, other)), opposite))
    return found
