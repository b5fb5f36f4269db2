"""Looking through one game for puzzles."""

from collections.abc import Iterator

from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.puzzles.tactics.candidates import EnginePlay, GameTask, positions_of_record
from kibitz.puzzles.tactics.judge import Finding, Judge, find_judge
from kibitz.puzzles.tactics.puzzle import Puzzle, play_turn
from kibitz.puzzles.tactics.rating import Levels
from kibitz.puzzles.tactics.settings import Settings
from kibitz.puzzles.tactics.turns import start_afresh

SHORTEST = 3  # turns: a win that is there to be taken is no puzzle
FEWEST_CHOICES = 3
FROM_ONE_GAME = 2
APART = 4  # turns between two puzzles of one game


class Scanner:
    """All that is needed for it, made ready once."""

    def __init__(self, game: Game, settings: Settings) -> None:
        self.settings = settings
        self.judge: Judge = find_judge(game, settings.nodes, settings.checked, settings.margin)
        self.levels = Levels(game)
        self.play = None if settings.sources else EnginePlay(game, settings.seed)

    def scan(self, task: GameTask) -> list[Puzzle]:
        """What a game has to offer: at most a few puzzles, and none close to another."""
        found: list[Puzzle] = []
        free_from = 0
        for number, position in self._positions(task):
            if len(found) >= FROM_ONE_GAME:
                break
            puzzle = (
                self._puzzle(start_afresh(position), f"{task.origin}, turn {number}") if number >= free_from else None
            )
            if puzzle is not None:
                found.append(puzzle)
                free_from = number + APART
        return found

    def _positions(self, task: GameTask) -> Iterator[tuple[int, Position]]:
        if task.record is not None:
            return positions_of_record(task.record)
        assert self.play is not None
        return self.play.positions(task.number)

    def _puzzle(self, position: Position, origin: str) -> Puzzle | None:
        finding = self.judge.judge(position) if len(position.move_ids) > 1 else None
        if finding is None or not self._is_wanted(finding):
            return None
        return Puzzle(
            position=position.text,
            goal=finding.goal,
            line=tuple(self._line(position, finding)),
            turns=finding.turns,
            margin=finding.margin,
            choices=finding.choices,
            level=self.levels.rate(position, finding.turn),
            evidence=finding.evidence,
            origin=origin,
        )

    def _is_wanted(self, finding: Finding) -> bool:
        if self.settings.goal not in (None, finding.goal) or finding.parry:
            return False
        if finding.goal == "win" and not SHORTEST <= (finding.turns or 0) <= self.settings.longest:
            return False
        return finding.goal == "best" or finding.choices >= FEWEST_CHOICES

    def _line(self, position: Position, finding: Finding) -> Iterator[str]:
        """The solver's turns as long as each is the only one, with the hardest answers between them."""
        yield finding.turn.text
        here = play_turn(position, finding.turn.text)
        length = finding.turns or 0
        while finding.goal == "win" and not here.over and length > 2:
            answer = self.judge.answer(start_afresh(here))
            after = None if answer is None else answer.after
            found = None if after is None or after.over else self.judge.judge(start_afresh(after))
            if answer is None or found is None or found.goal != "win" or (found.turns or length) >= length:
                return
            yield from (answer.text, found.turn.text)
            here, length = found.turn.after, found.turns or 0
