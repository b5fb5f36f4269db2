"""The game itself: draw, ask or think, play, until it is over or somebody leaves."""

import random
import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from kibitz import agents, heuristics
from kibitz.agents import turn_text
from kibitz.agents.agent import Agent
from kibitz.arena.interrupts import keep_ctrl_c
from kibitz.arena.play.tags import make_tags
from kibitz.arena.play.task import TimeControl
from kibitz.arena.play.timed_game import opening_plies
from kibitz.arena.records import files
from kibitz.arena.records.record import Record
from kibitz.cli.streams import draw_board
from kibitz.cli.terminal.prompt import Prompt
from kibitz.cli.terminal.seats import seat_text, seated
from kibitz.core import picture
from kibitz.core.errors import IllegalMove, KibitzError
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.search.report import Report

SHORT_HELP = "type a move, or: moves, hint, undo, swap, level N, text, save FILE, help, quit"
HELP = """\
a move         as `moves` lists them; several of one turn joined by +; Tab completes what you type
a cell         what can be played from there
moves          all legal moves
hint           what the engine would play, and the chances it sees
undo           back to your last choice
swap           change sides with the other player
level N        the strength of the machine, 1 to 10
text           the position as text, for --position
save FILE      the game as a record, for --resume and `kibitz replay`
help, ?        this list
quit, exit, q  leave; you are told how to go on later"""


class TerminalGame:
    """Two seats, a board, and what a human may type."""

    def __init__(self, here: Position, texts: tuple[str, str], limit: Limit, seed: int | None) -> None:
        self.here = here
        self.texts = list(texts)
        self.limit = limit
        self.seed = seed
        self.dice = random.Random(seed)
        self.prompt = Prompt(self._words)
        self.players: list[Agent | None] = [seated(text, here.game) for text in texts]
        self._helper: Agent | None = None

    # The course of a game.

    def play(self) -> None:
        """Until it is over, or a human leaves, also by Ctrl-C while a machine thinks."""
        print(f"{self.here.game.rulebook.title}: {self._who(0)}, {self._who(1)}. {SHORT_HELP}", flush=True)
        with suppress(KeyboardInterrupt):
            self._go_on()
        self.draw()
        if not self.here.over:
            seats = shlex.join(["--first", self.texts[0], "--second", self.texts[1]])
            print(f"to go on: kibitz play {self.here.game.text} {seats} --position '{self.here.text}'")

    def _go_on(self) -> None:
        while not self.here.over:
            if self.here.turn == CHANCE:
                self._roll()
            elif self.players[self.here.turn] is None:
                self.draw()
                if not self._ask():
                    break
            else:
                self._think()

    def _who(self, side: int) -> str:
        return f"{self.here.game.rulebook.sides[side]} is {self.texts[side]}"

    def _roll(self) -> None:
        before, self.here = self.here, self.here.roll(self.dice)
        assert self.here.last_move is not None
        print(f"chance: {before.game.move_text(before.state, self.here.last_move)}")

    def _think(self) -> None:
        player = self.players[self.here.turn]
        assert player is not None
        with keep_ctrl_c():
            report = player.choose(self.here, self.limit)
        print(f"{self.here.to_move}: {turn_text(self.here, report.moves)}{self._chances(report)}", flush=True)
        for move in report.moves:
            self.here = self.here.play(move)

    def draw(self) -> None:
        """The board and whose turn it is."""
        print(f"\n{draw_board(self.here)}\n{picture.status(self.here)}\n")

    # What a human types.

    def _ask(self) -> bool:
        """Play what is typed; False to leave."""
        while True:
            line = self.prompt.asked(f"{self.here.to_move}> ")
            if line is None or line in ("quit", "exit", "q"):
                return False
            word, _, rest = line.partition(" ")
            try:
                if word in self._commands:
                    if self._commands[word](rest.strip()):
                        return True
                elif word:
                    self.here = self._played(line)
                    return True
            except KibitzError as problem:
                print(problem)

    def _played(self, line: str) -> Position:
        """The position after a move; a cell alone asks what can be done from there."""
        legal = self.here.moves()
        from_there = [
            move for move in legal if line not in legal and move.startswith((f"{line}-", f"{line}x", f"{line}>"))
        ]
        if from_there:
            raise IllegalMove(f"from {line}: {' '.join(from_there)}")
        return self.here.play(line)

    def _words(self) -> Iterator[str]:
        yield from self.here.moves()
        yield from self._commands
        yield "quit"

    @property
    def _commands(self) -> dict[str, Callable[[str], bool]]:
        """What can be typed besides moves. Each says whether the position, or who is to move, is another now."""
        return {
            "moves": lambda rest: self._say(" ".join(self.here.moves())),
            "hint": lambda rest: self._say(self._hint()),
            "undo": lambda rest: self._undo(),
            "swap": lambda rest: self._swap(),
            "level": self._level,
            "text": lambda rest: self._say(self.here.text),
            "save": self._save,
            "help": lambda rest: self._say(HELP),
            "?": lambda rest: self._say(HELP),
        }

    def _say(self, text: str) -> bool:
        print(text)
        return False

    def _hint(self) -> str:
        machine = next((player for player in self.players if player is not None), None)
        self._helper = self._helper or machine or agents.agent(agents.default_agent(self.here.game), self.here.game)
        report = self._helper.choose(self.here, self.limit)
        return f"try {turn_text(self.here, report.moves)}{self._chances(report)}"

    def _chances(self, report: Report) -> str:
        """What the machine thinks of its move, if it thinks anything."""
        unit = heuristics.find(self.here.game.rulebook).unit
        return f" ({report.score.describe(unit)})" if report.score is not None else ""

    def _undo(self) -> bool:
        """Back to the last position in which a human was to move."""
        for earlier in self.here.trail():
            if earlier is not self.here and earlier.turn != CHANCE and self.players[earlier.turn] is None:
                self.here = earlier
                return True
        return self._say("nothing to undo")

    def _swap(self) -> bool:
        self.texts.reverse()
        self.players.reverse()
        return not self._say(f"{self._who(0)}, {self._who(1)}")

    def _level(self, rest: str) -> bool:
        if not rest.isdigit():
            raise KibitzError(f"level is '{rest}', expected a number from 1 to 10, as: level 6")
        text = seat_text(rest, self.here.game, int(rest))
        for side, player in enumerate(self.players):
            if player is not None:
                self.texts[side], self.players[side] = text, seated(text, self.here.game)
        return self._say(f"{self._who(0)}, {self._who(1)}")

    def _save(self, rest: str) -> bool:
        if not rest:
            raise KibitzError("save where? expected the name of a file, as: save game.txt")
        files.save(Path(rest), [self.record()])
        return self._say(f"saved; to go on: kibitz play --resume {rest}")

    def record(self) -> Record:
        """What was played so far."""
        *_, start = self.here.trail()
        return Record(
            game=self.here.game.text,
            first=self.texts[0],
            second=self.texts[1],
            start=start.text,
            plies=tuple(opening_plies(self.here)),
            result=self.here.result,
            reason="rules" if self.here.over else "unfinished",
            seed=self.seed or 0,
            tags=make_tags(TimeControl(seconds=self.limit.seconds), {"Event": "kibitz play"}),
        )
