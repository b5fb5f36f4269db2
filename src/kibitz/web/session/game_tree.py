"""The moves of a game and the variations beside them: one tree, a number for each node, marks and comments."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.web.api.facts import TOKENS, Facts, moves_facts, pieces_of
from kibitz.web.api.refusals import Refused
from kibitz.web.session.steps import Step, join_line, last_turn, make_step

MOST_NODES = 10_000
LONGEST_COMMENT = 1000
MARKS = ("", "!", "?!", "?", "??")  # good, doubtful, mistake, blunder


@dataclass(eq=False)
class Node:
    """A moment of the tree: the step that led there, and what may follow. The root has no step."""

    number: int
    position: Position
    parent: "Node | None" = None
    step: Step | None = None
    children: "list[Node]" = field(default_factory=list)
    played: bool = False  # was the game here, or is it a variation only?
    mark: str = ""
    comment: str = ""
    reviewed: bool = False  # was it a review that marked it?

    def path(self) -> "list[Node]":
        """The nodes from the first step to this one."""
        found: list[Node] = []
        node = self
        while node.parent is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    @property
    def steps(self) -> list[Step]:
        return [node.step for node in self.path() if node.step is not None]

    @property
    def ply(self) -> int:
        return len(self.path())

    def facts(self) -> Facts:
        """The node as a page lists it."""
        step = self.step
        return {
            "node": self.number,
            "parent": None if self.parent is None else self.parent.number,
            "side": None if step is None else step.side,
            "text": "" if step is None else step.text,
            "turn": self.position.turn,
            "mark": self.mark,
            "comment": self.comment,
        }

    def view(self) -> Facts:
        """All that a page shows of this moment."""
        here, result, steps = self.position, self.position.result, self.steps
        return {
            "node": self.number,
            "ply": len(steps),
            "turn": here.turn,
            "to_move": here.to_move,
            "position": here.text,
            "line": join_line(steps),
            "over": here.over,
            "result": None if result is None else TOKENS[result],
            "winner": None if result is None else result.winner,
            "pieces": pieces_of(here),
            "moves": [] if here.over else moves_facts(here),
            "last": last_turn(steps),
        }


class GameTree:
    """A tree that follows a game and keeps what was tried beside it. `live` is where the game stands."""

    def __init__(self, start: Position) -> None:
        self.root = self.live = Node(0, start)
        self.nodes = {0: self.root}
        self.fresh = [self.root]  # nodes that the visitor has not been told of
        self._next = 1

    def node(self, number: object) -> Node:
        """The node of this number."""
        found = self.nodes.get(number) if type(number) is int else None
        if found is None:
            raise Refused("stale", f"the tree has no node {number!r:.20}")
        return found

    def follow(self, steps: Sequence[Step]) -> Node:
        """The game is here now: its steps come first among their siblings, and nothing else is lost."""
        node = self.root
        for step in steps:
            node = self._put_first(self._child(node, step))
            node.played = True
        self.live = node
        return node

    def play(self, node: Node, words: str, dice: random.Random) -> Node:
        """A turn, or a part of it, tried at any node; chance then rolls."""
        side, here = node.position.turn, node.position
        passed: list[Position] = []
        for word in words.split("+"):
            if here.over or here.turn != side:
                raise Refused("illegal-move", f"'{word[:40]}' comes after the turn has ended")
            here = here.play(word)
            passed.append(here)
        while not here.over and here.turn == CHANCE:
            here = here.roll(dice)
            passed.append(here)
        return self.add(node, passed)

    def add(self, node: Node, passed: Sequence[Position]) -> Node:
        """The node at the end of positions that follow each other from here."""
        for position in passed:
            assert position.before is not None
            node = self._child(node, make_step(position))
            position.before.forget_moves()
        return node

    def next_steps(self) -> list[Step]:
        """The steps that were taken back last, in order: a redo plays them."""
        found: list[Step] = []
        node = self.live
        while node.children and node.children[0].played:
            node = node.children[0]
            assert node.step is not None
            found.append(node.step)
        return found

    def annotate(self, node: Node, mark: str, comment: str) -> None:
        """Write beside a move."""
        if mark not in MARKS:
            raise Refused("bad-message", f"mark is {mark[:20]!r}, expected one of {', '.join(MARKS[1:])} or none")
        if len(comment) > LONGEST_COMMENT:
            raise Refused("too-large", f"the comment has {len(comment)} characters, expected at most {LONGEST_COMMENT}")
        node.reviewed = node.reviewed and mark == node.mark
        node.mark, node.comment = mark, comment

    def mark_reviewed(self, number: int, mark: str) -> None:
        """What a review thinks of a move; a mark of the visitor's own stays."""
        node = self.nodes.get(number)
        if node is not None and (node.reviewed or not node.mark):
            node.mark, node.reviewed = mark, True

    def remove(self, node: Node) -> Node:
        """Take out a variation; where it began."""
        if node.parent is None or node in {self.root, *self.live.path()}:
            raise Refused("bad-message", "the game itself cannot be removed, expected a move of a variation")
        node.parent.children.remove(node)
        for gone in [node, *_below(node)]:
            del self.nodes[gone.number]
        return node.parent

    def take_fresh(self) -> list[Facts]:
        """What the visitor has not been told of yet."""
        fresh, self.fresh = self.fresh, []
        return [node.facts() for node in fresh if node.number in self.nodes]

    def restore(self, notes: Sequence[tuple[str, str, str]]) -> None:
        """Put back variations and what was written beside moves: lines from the start with mark and comment."""
        for line, mark, comment in notes:
            trail = list(self.root.position.play(line).trail())[::-1]
            self.annotate(self.add(self.root, trail[1:]), mark, comment)

    def _child(self, node: Node, step: Step) -> Node:
        for child in node.children:
            assert child.step is not None
            if child.step.code == step.code:
                return child
        if len(self.nodes) >= MOST_NODES:
            raise Refused("too-large", f"the tree has {MOST_NODES} nodes, expected no more")
        made = Node(self._next, step.after, node, step)
        self._next += 1
        node.children.append(made)
        self.nodes[made.number] = made
        self.fresh.append(made)
        return made

    def _put_first(self, node: Node) -> Node:
        assert node.parent is not None
        node.parent.children.remove(node)
        node.parent.children.insert(0, node)
        return node


def _below(node: Node) -> Iterator[Node]:
    for child in node.children:
        yield child
        yield from _below(child)
