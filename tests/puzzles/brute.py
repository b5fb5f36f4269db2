"""The oracle: list every path of a graph and keep the pairs that fit. Obviously right, and slow."""

from collections import defaultdict
from collections.abc import Iterator

from kibitz.puzzles.flow.board import Touch
from kibitz.puzzles.flow.graph import Graph

Path = tuple[int, ...]
Pairs = dict[tuple[int, int], list[Path]]


def all_paths(graph: Graph) -> Iterator[Path]:
    """Every path of two or more nodes, once, its smaller end first."""

    def grown(path: Path) -> Iterator[Path]:
        if len(path) > 1 and path[0] < path[-1]:
            yield path
        for node in graph.neighbours[path[-1]]:
            if node not in path:
                yield from grown((*path, node))

    for start in range(len(graph.nodes)):
        yield from grown((start,))


def allowed(graph: Graph, path: Path, touch: Touch) -> bool:
    """May a path run like this under the rule for touching?"""
    if touch == "strict":
        touching = sum(one in path and other in path for one, other in graph.edges)
        return touching == len(path) - 1
    if touch == "no2x2":
        return not any(set(face) <= set(path) for face in graph.faces)
    return True


def two_path_solutions(graph: Graph, fill: bool, touch: Touch) -> dict[tuple[Path, Path], set[frozenset[Path]]]:
    """For every two pairs of sources the solutions, each a set of two paths."""
    by_cells: dict[frozenset[int], list[Path]] = defaultdict(list)
    for path in all_paths(graph):
        if allowed(graph, path, touch):
            by_cells[frozenset(path)].append(path)
    everything = frozenset(range(len(graph.nodes)))
    found: dict[tuple[Path, Path], set[frozenset[Path]]] = defaultdict(set)
    for cells, paths in by_cells.items():
        others = [everything - cells] if fill else [rest for rest in by_cells if not rest & cells]
        for rest in others:
            for one in paths:
                for other in by_cells.get(rest, []):
                    first, second = sorted([(one[0], one[-1]), (other[0], other[-1])])
                    found[first, second].add(frozenset([one, other]))
    return found
