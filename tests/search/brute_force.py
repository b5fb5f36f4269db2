"""What a random game is worth: every line is followed with its full history, by the lists of the graph alone."""

from collections.abc import Callable
from dataclasses import dataclass

from kibitz.core.result import CHANCE, DRAW, FIRST, FIRST_WINS, ONGOING, SECOND_WINS
from tests.search.random_games import Graph

WHOLE_GAME = 1 << 30
Key = tuple[int, bool]  # of a position, as repetition compares it: a node, and whether the late results hold
Line = tuple[Key, ...]


class TooLarge(Exception):
    """There are more lines than brute force may follow."""


@dataclass
class BruteForce:
    """The values of one game for the first player, as a search counts that does what the fields say."""

    graph: Graph
    win: float = 1.0
    cost: float = 0.0  # of each turn that a win takes
    past: Line = ()  # before the root
    repetition: int = 0  # a position seen so many times is a draw; 0: never
    eager: bool = False  # the first repetition since the root is a draw already
    knowing: bool = False  # a line ends where the heuristic knows the winner
    judge: Callable[[float], float] = float  # what a score is worth at the end of a line
    quiet_turns: int = 0  # at the end of the depth, tactical moves go on so long
    most_nodes: int = 20_000

    def value(self, node: int, ply: int, depth: int, line: Line = (), turns: int = 0, fresh: bool = True) -> float:
        """The value `depth` turns ahead. The line holds the nodes since the root; `fresh`: a turn begins here."""
        graph, ended = self.graph, self.result(node, ply, line)
        if ended != ONGOING:
            return self.decided(ended, turns)
        line += (self.key(node, ply),)
        if graph.sides[node] == CHANCE:
            rolls = zip(graph.odds[node], graph.children[node], strict=True)
            return sum(odds * self.value(child, ply, depth, line, turns) for odds, child in rolls)
        known = self.known(node, ply) if self.knowing and fresh and len(line) > 1 else 0
        if known:
            return self.decided(FIRST_WINS if known > 0 else SECOND_WINS, turns + abs(known))
        if depth <= 0 and fresh:
            return self.quiet_value(node, ply, depth, line, turns)
        best = max if graph.sides[node] == FIRST else min
        return best(self.after(node, child, ply, depth, line, turns) for child in graph.children[node])

    def after(self, node: int, child: int, ply: int, depth: int, line: Line, turns: int) -> float:
        """The value after a move. A turn ends when the other side, chance or nobody is to move."""
        passes = self.graph.sides[child] != self.graph.sides[node]
        ends = passes or self.result(child, ply + passes) != ONGOING
        return self.value(child, ply + passes, depth - ends, line, turns + ends, ends)

    def quiet_value(self, node: int, ply: int, depth: int, line: Line, turns: int) -> float:
        """The heuristic's score, or better, what a tactical move brings; where all moves are tactical, one is made.
        Only moves that build each turn in one sequence count here.
        """
        graph, score = self.graph, self.judge(float(self.graph.scores[node]))
        if depth <= -self.quiet_turns:
            return score
        moves = [move for move, needed in enumerate(graph.once[node]) if needed]
        tactical = [move for move in moves if graph.tactical[node][move]]
        values = [self.after(node, graph.children[node][move], ply, depth, line, turns) for move in tactical]
        values += [] if tactical == moves else [score]
        return max(values) if graph.sides[node] == FIRST else min(values)

    def certain(self, node: int, ply: int, line: Line = ()) -> int | None:
        """The result of best play, 1, 0 or -1, if it is the same however chance falls; else None."""
        graph, ended = self.graph, self.result(node, ply, line)
        if ended != ONGOING:
            return round(self.decided(ended, 0) / self.win)
        line += (self.key(node, ply),)
        side, sign = graph.sides[node], -1 if graph.sides[node] != FIRST else 1
        found = [
            self.certain(child, ply + (side not in (CHANCE, graph.sides[child])), line)
            for child in graph.children[node]
        ]
        if side == CHANCE:
            return found[0] if len(set(found)) == 1 else None
        if sign in found:
            return sign
        known = [result for result in found if result is not None]
        return sign * max(sign * result for result in known) if len(known) == len(found) else None

    def result(self, node: int, ply: int, line: Line = ()) -> int:
        """How the game has ended here: by its rules, at the ply limit, or by repetition."""
        graph = self.graph
        self.most_nodes -= 1
        if self.most_nodes < 0:
            raise TooLarge
        found = graph.late_results[node] if ply >= graph.change else graph.results[node]
        if found == ONGOING and ply >= graph.plies:
            return graph.limit_results[node]
        return DRAW if found == ONGOING and line and self.is_repeated(self.key(node, ply), line) else found

    def is_repeated(self, key: Key, line: Line) -> bool:
        if self.repetition == 0:
            return False
        return (self.eager and key in line) or (self.past + line).count(key) >= self.repetition - 1

    def decided(self, ended: int, turns: int) -> float:
        won = self.win - self.cost * turns
        return 0.0 if ended == DRAW else won if ended == FIRST_WINS else -won

    def key(self, node: int, ply: int) -> Key:
        return node, ply >= self.graph.change

    def known(self, node: int, ply: int) -> int:
        """What the heuristic knows, as far as the ply does not matter."""
        graph = self.graph
        found = graph.known[node] if ply < graph.change else 0
        return found if abs(found) <= min(graph.plies, graph.change) - ply else 0
