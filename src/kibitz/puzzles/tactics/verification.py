"""Proving puzzles again, by other means than those by which they were made.

What a table said is asked of the engine, with no table and the heuristic that was made by hand, and where that proves
nothing, of proof-number search. What proof-number search said is asked of the table, where there is one, and of the
engine; of proof-number search, begun anew, only where these prove nothing: an engine never proves a draw. What was
checked, or expected by chance, is looked at once more and longer.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz import heuristics
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.puzzles.tactics.judge import ChanceJudge, SearchJudge, claims_of
from kibitz.puzzles.tactics.provers import EngineProver, ProofNumberProver, Prover, TableProver, find_table
from kibitz.puzzles.tactics.puzzle import BadPuzzle, Puzzle, PuzzleSet, positions_of
from kibitz.puzzles.tactics.turns import canonical_key, find_turn, list_turns

NODES = 400_000  # for each claim
CHECKS = 40_000  # of the first look at what was only checked


class Verdict(NamedTuple):
    """What became of a puzzle: by which means it was shown again, or what is wrong with it."""

    number: int
    shown_by: tuple[str, ...] = ()
    fault: str = ""


def verify(puzzles: PuzzleSet, game: Game, nodes: int = NODES) -> Iterator[Verdict]:
    """Look at the puzzles one by one. One that is another one's image is a fault, too."""
    known: dict[object, int] = {}
    verifier = Verifier(game, nodes)
    for number, puzzle in enumerate(puzzles.puzzles, 1):
        try:
            here = game.position(puzzle.position)
            twin = known.setdefault(canonical_key(here), number)
            if twin != number:
                raise BadPuzzle(f"it is puzzle {twin} seen another way")
            yield Verdict(number, verifier.verify(puzzle))
        except KibitzError as problem:
            yield Verdict(number, fault=str(problem))


class Verifier:
    """The means of one game, made ready when they are first needed."""

    def __init__(self, game: Game, nodes: int) -> None:
        self.game = game
        self.nodes = nodes
        self._provers: dict[str, Prover | None] = {}

    def verify(self, puzzle: Puzzle) -> tuple[str, ...]:
        """By which means it was shown again; BadPuzzle where it was not."""
        positions = positions_of(puzzle, self.game)
        if not puzzle.proven:
            return (self._look_again(puzzle, positions),)
        used: dict[str, None] = {}
        for here, after in zip(positions[::2], positions[1::2], strict=True):
            turns = list_turns(here)
            best = None if turns is None else find_turn(turns, after)
            if turns is None or best is None:
                raise BadPuzzle("its turns cannot be listed")
            for claim in claims_of(puzzle.goal, here.turn, best, turns):
                used[self._show(puzzle, claim.position, claim.attacker, claim.wins)] = None
        return tuple(sorted(used))

    def _show(self, puzzle: Puzzle, position: Position, attacker: int, wins: bool) -> str:
        """Who shows a claim."""
        side = self.game.rulebook.sides[attacker]
        for name in ("engine", "proof-number search") if puzzle.evidence == "table" else self.means_for_proofs:
            prover = self._prover(name)
            found = None if prover is None else prover.ask(position, attacker, self.nodes)
            if found is not None and found is not wins:
                raise BadPuzzle(f"{name}: {side} {'wins' if found else 'does not win'} after '{position.line}'")
            if found is not None:
                return name
        raise BadPuzzle(f"it was not shown again whether {side} wins after '{position.line}'")

    means_for_proofs = ("table", "engine", "proof-number search")

    def _prover(self, name: str) -> Prover | None:
        if name not in self._provers:
            self._provers[name] = self._make(name)
        return self._provers[name]

    def _make(self, name: str) -> Prover | None:
        if name == "engine":
            return EngineProver(self.game, heuristics.find(self.game.rulebook))
        if name == "proof-number search":
            return ProofNumberProver(self.game)
        table = find_table(self.game)
        return None if table is None else TableProver(table)

    def _look_again(self, puzzle: Puzzle, positions: list[Position]) -> str:
        """What a longer look sees in a puzzle that is not proven."""
        if puzzle.goal == "best":
            found = ChanceJudge(self.game, CHECKS, 0.0).judge(positions[0])
        else:
            found = SearchJudge(self.game, CHECKS, checked=True).judge(positions[0])
        if found is None or found.goal != puzzle.goal or found.turn.after.key != positions[1].key:
            raise BadPuzzle("a longer look finds another turn as good")
        return "a longer search"
