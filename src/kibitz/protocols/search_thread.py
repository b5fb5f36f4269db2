"""One `go`, answered in a thread of its own, so that `stop` is heard at once."""

import threading
from collections.abc import Callable

from kibitz.agents.agent import Agent
from kibitz.agents.engine import EngineAgent
from kibitz.agents.guests.dialect import Dialect, turn_token
from kibitz.agents.mcts import MctsAgent
from kibitz.core.errors import KibitzError
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.core.seam.control import StopSignal
from kibitz.protocols.engine_commands import GoCommand
from kibitz.protocols.engine_info import info_lines
from kibitz.search import perft
from kibitz.search.report import Report

NO_BEST_MOVE = "bestmove (none)"
FIRST_WORD = 0.1  # seconds that a search is left to find anything at all

Say = Callable[[str], None]


class SearchThread:
    """A search at work. `stop` returns when it has said its last line."""

    def __init__(
        self, agent: Agent, position: Position, command: GoCommand, dialect: Dialect, lines: int, say: Say
    ) -> None:
        self.agent = agent
        self.position = position
        self.command = command
        self.dialect = dialect
        self.lines = lines
        self.say = say
        self._signal = StopSignal()
        self._stopped = threading.Event()
        self._found = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End it; an agent that cannot be stopped is waited for."""
        self._stopped.set()
        self._found.wait(FIRST_WORD)
        self._signal.stop()
        self._thread.join()

    def _run(self) -> None:
        try:
            if self.command.perft is not None:
                self._count(self.command.perft)
            else:
                self._choose()
        except KibitzError as error:
            self.say(f"info string {error}")
            self.say(NO_BEST_MOVE)
        except Exception as error:
            self.say(f"info string internal error: {type(error).__name__}: {error}")
            self.say(NO_BEST_MOVE)
            raise
        finally:
            self._found.set()

    def _choose(self) -> None:
        if self.position.over or self.position.turn == CHANCE:
            self.say(f"info string no move to choose: {'the game is over' if self.position.over else 'chance is next'}")
            self.say(NO_BEST_MOVE)
            return
        report = self._report()
        if self.command.infinite:
            self._stopped.wait()
        self.say(f"bestmove {turn_token(self.position, report.moves)}")

    def _report(self) -> Report:
        if isinstance(self.agent, EngineAgent):
            report = self.agent.choose(
                self.position, self.command.limit, lines=self.lines, watch=self._send_info, stop=self._signal
            )
        elif isinstance(self.agent, MctsAgent):
            report = self.agent.choose(self.position, self.command.limit, lines=self.lines, stop=self._signal)
        else:
            report = self.agent.choose(self.position, self.command.limit)
        self._send_info(report)
        for remark in report.remarks:
            self.say(f"info string {remark}")
        return report

    def _send_info(self, report: Report) -> None:
        for line in info_lines(report, self.position, self.dialect, self.agent):
            self.say(line)
        self._found.set()

    def _count(self, depth: int) -> None:
        """Perft as engines print it: a number for each first turn, then the sum."""
        total = 0
        for text in perft.divide(self.position, 1) if depth > 0 and not self.position.over else ():
            if self._stopped.is_set():
                break
            after = self.position.play(text)
            count = 1 if depth == 1 else perft.perft(after, depth - 1)
            total += count
            self.say(f"{self._token(after)}: {count}")
        self.say(f"\nNodes searched: {total if depth > 0 else 1}\n")

    def _token(self, after: Position) -> str:
        moves: list[int] = []
        for place in after.trail():
            if place is self.position or place.last_move is None:
                break
            moves.append(place.last_move)
        return turn_token(self.position, tuple(moves[::-1]))
