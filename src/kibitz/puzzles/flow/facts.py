"""A board as plain data: everything that a page needs to draw it."""

from typing import Any

from kibitz.puzzles.flow.board import Board


def board_facts(board: Board) -> dict[str, Any]:
    """Everything there is to draw of a board."""
    graph, plan = board.graph, board.graph.plan
    nodes = [
        {
            "row": node.row,
            "column": node.column,
            "x": node.x,
            "y": node.y,
            "layer": node.layer,
            "name": node.name,
            "source": board.letter_at.get(index, ""),
        }
        for index, node in enumerate(graph.nodes)
    ]
    return {
        "text": str(board),
        "size": board.size,
        "rows": plan.rows if plan else 0,
        "columns": plan.columns if plan else 0,
        "hexagonal": bool(plan and plan.hexagonal),
        "wrap": plan.wrap if plan else "none",
        "fill": board.fill,
        "touch": board.touch,
        "letters": list(board.letters),
        "nodes": nodes,
        "edges": [list(edge) for edge in graph.edges],
        "holes": [list(place) for place in sorted(plan.holes)] if plan else [],
        "walls": [[list(one), list(other)] for one, other in sorted(plan.walls)] if plan else [],
        "bridges": [list(place) for place in sorted(plan.bridges)] if plan else [],
    }
