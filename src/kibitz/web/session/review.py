"""A game gone through move by move: what each one cost, which were mistakes, and what would have been better."""

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, Result
from kibitz.web.api.facts import Facts
from kibitz.web.session.game_tree import Node

# The loss of winning chances from which a move is called so, the gravest first.
LOSSES = ((0.20, "??"), (0.10, "?"), (0.05, "?!"))
ONLY_MOVE = 0.10  # the best move is good, not merely right, where the next one is worse by so much
SHARPNESS = 5.0  # a move that loses a tenth of the chances is exp(-0.5), 61 % accurate
MOST_OUTCOMES = 12  # of chance that are judged after a move, the likeliest
VALUES = {Result.FIRST_WINS: 1.0, Result.SECOND_WINS: 0.0, Result.DRAW: 0.5}

Judge = Callable[[Position], Awaitable[Facts]]


@dataclass(frozen=True)
class Turn:
    """The nodes of one side's turn, and those that chance added to it."""

    nodes: tuple[Node, ...]

    @property
    def before(self) -> Node:
        parent = self.nodes[0].parent
        assert parent is not None
        return parent

    @property
    def last(self) -> Node:
        """Where the side's own moves end."""
        own = [node for node in self.nodes if node.step is not None and node.step.side == self.side]
        return own[-1]

    @property
    def side(self) -> int:
        return self.before.position.turn

    @property
    def codes(self) -> list[int]:
        return [node.step.code for node in self.nodes if node.step is not None and node.step.side == self.side]


def split_turns(nodes: list[Node]) -> list[Turn]:
    """The turns of a line; what chance did before the first is nobody's."""
    found: list[list[Node]] = []
    for node in nodes:
        assert node.step is not None
        assert node.parent is not None
        side = node.step.side
        begins = side != CHANCE and (not found or found[-1][0].step is None or found[-1][0].step.side != side)
        if begins:
            found.append([node])
        elif found:
            found[-1].append(node)
    return [Turn(tuple(turn)) for turn in found]


async def review_line(nodes: list[Node], judge: Judge, progress: Callable[[int, int], None]) -> Facts:
    """Every turn of a line with its loss, and how accurate each side was."""
    turns = split_turns(nodes)
    moves: list[Facts] = []
    shares: list[Facts] = []
    for number, turn in enumerate(turns):
        progress(number, len(turns))
        before = await judge(turn.before.position)
        shares.append({"node": turn.before.number, "share": before["share"]})
        after = await judge_after(turn.last.position, judge)
        moves.append(rate_turn(turn, before, after))
    if turns:
        end = turns[-1].nodes[-1]
        shares.append({"node": end.number, "share": await judge_after(end.position, judge)})
    progress(len(turns), len(turns))
    return {"moves": moves, "shares": shares, "accuracy": [mean_accuracy(moves, side) for side in (0, 1)]}


async def judge_after(position: Position, judge: Judge) -> float:
    """What the first side may expect after a move, the mean over what chance may do."""
    if position.result is not None:
        return VALUES[position.result]
    if position.turn != CHANCE:
        return float((await judge(position))["share"])
    outcomes = sorted(position.outcomes(), reverse=True)[:MOST_OUTCOMES]
    total = sum(odds for odds, _ in outcomes)
    return sum([odds / total * await judge_after(position.play(text), judge) for odds, text in outcomes])


def rate_turn(turn: Turn, before: Facts, after: float) -> Facts:
    """What a turn lost, how it is called, and the better line if there is one."""
    best, *others = before["lines"]
    played = [move["code"] for move in best["moves"]][: len(turn.codes)] == turn.codes
    sign = 1 if turn.side == FIRST else -1
    loss = 0.0 if played else max(0.0, sign * (before["share"] - after))
    mark = next((mark for least, mark in LOSSES if loss >= least), "")
    if played and others and sign * (before["share"] - others[0]["share"]) >= ONLY_MOVE:
        mark = "!"
    better = {key: best[key] for key in ("text", "share", "score", "unit", "win_in", "side", "moves")}
    return {
        "node": turn.nodes[-1].number,
        "last": turn.last.number,
        "side": turn.side,
        "loss": round(loss, 4),
        "mark": mark,
        "better": better if loss >= LOSSES[-1][0] else None,
    }


def mean_accuracy(moves: list[Facts], side: int) -> int | None:
    """How accurate a side was, 0 to 100; None where it never moved."""
    kept = [math.exp(-SHARPNESS * move["loss"]) for move in moves if move["side"] == side]
    return round(100 * sum(kept) / len(kept)) if kept else None
