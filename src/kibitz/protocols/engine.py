"""Kibitz as an engine for other programs: the loop that listens, in UCI or UGI, whichever is spoken to it."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from kibitz import __version__
from kibitz.agents.agent import Agent, AgentText
from kibitz.agents.engine import EngineAgent
from kibitz.agents.guests.dialect import UCI, UGI, Dialect
from kibitz.core.errors import BadPosition, KibitzError, did_you_mean, quoted
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, SECOND, Result
from kibitz.protocols.engine_commands import parse_go, parse_position
from kibitz.protocols.engine_options import EngineOptions
from kibitz.protocols.search_thread import NO_BEST_MOVE, SearchThread

RESULTS = {None: "none", Result.FIRST_WINS: "p1win", Result.SECOND_WINS: "p2win", Result.DRAW: "draw"}


class EngineLoop:
    """One game, one agent, and someone who says what to do, line by line."""

    def __init__(self, game: Game, agent: AgentText, source: IO[str], out: IO[str]) -> None:
        self.game = game
        self._position: Position | None = game.new()
        self._refusal = ""  # why there is no position
        self.dialect: Dialect = UCI
        self.options = EngineOptions(agent, game, several_lines=agent.kind.name == "engine")
        self._source = source
        self._out = out
        self._lock = threading.Lock()
        self._agent: Agent | None = None
        self._search: SearchThread | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "uci": lambda rest: self._greet(UCI),
            "ugi": lambda rest: self._greet(UGI),
            "isready": self._ready,
            "setoption": self._set,
            "ucinewgame": self._new_game,
            "uginewgame": self._new_game,
            "position": self._place,
            "go": self._go,
            "stop": lambda rest: self._stop(),
            "query": self._answer,
            "d": self._show,
        }

    @property
    def position(self) -> Position:
        """The position that was set up last; a refused one leaves none, so that nothing is said of another."""
        if self._position is None:
            raise BadPosition(f"no position is set up, the last one was refused: {self._refusal}")
        return self._position

    def run(self) -> None:
        """Obey until `quit`, or until nobody speaks any more."""
        try:
            for line in self._source:
                word, _, rest = line.strip().partition(" ")
                if word == "quit":
                    break
                if word:
                    self._obey(word, rest.strip())
        finally:
            self._stop()

    def say(self, line: str) -> None:
        """Tell the other side, whole lines only; one that has gone is sent nothing."""
        with self._lock, suppress(BrokenPipeError, ValueError):
            self._out.write(line + "\n")
            self._out.flush()

    def _obey(self, word: str, rest: str) -> None:
        command = self._commands.get(word)
        if command is None:
            self.say(f"info string unknown command {quoted(word)}{did_you_mean(word, [*self._commands, 'quit'])}")
            return
        try:
            command(rest)
        except KibitzError as error:
            self.say(f"info string {error}")

    def _greet(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.say(f"id name Kibitz {__version__} {self.game.text} {self.options.agent}")
        self.say("id author The Kibitz founders")
        for line in self.options.declarations():
            self.say(line)
        self.say(dialect.acknowledgement)

    def _ready(self, rest: str) -> None:
        try:
            if self._search is None:
                self._ready_agent()
        finally:
            self.say("readyok")

    def _ready_agent(self) -> Agent:
        if self._agent is None:
            self._agent = self.options.agent.ready_for(self.game)
        return self._agent

    def _set(self, rest: str) -> None:
        self._stop()
        name, _, value = rest.removeprefix("name ").partition(" value ")
        before = self.options.agent
        self.options.set(name.strip(), value.strip())
        if self.options.agent != before:
            self._agent = None

    def _new_game(self, rest: str) -> None:
        self._stop()
        self._position = self.game.new()
        if isinstance(self._agent, EngineAgent):
            self._agent.engine.forget()

    def _place(self, rest: str) -> None:
        self._position = None
        try:
            self._position = parse_position(self.game, rest)
        except KibitzError as error:
            self._refusal = str(error)
            raise

    def _go(self, rest: str) -> None:
        """Whoever says `go` waits for a `bestmove`, so a `go` that cannot be obeyed gets one, too."""
        self._stop()
        try:
            self._think(rest)
        except KibitzError as error:
            self.say(f"info string {error}")
            self.say(NO_BEST_MOVE)

    def _think(self, rest: str) -> None:
        position = self.position
        command = parse_go(rest, SECOND if position.turn == SECOND else FIRST)
        for word in command.ignored:
            self.say(f"info string {quoted(word)} after go is ignored")
        agent = self._ready_agent()
        self._search = SearchThread(agent, position, command, self.dialect, self.options.lines, self.say)

    def _stop(self) -> None:
        if self._search is not None:
            self._search.stop()
        self._search = None

    def _answer(self, rest: str) -> None:
        questions: dict[str, Callable[[Position], str]] = {
            "p1turn": lambda here: str(not here.over and here.turn == FIRST).lower(),
            "p2turn": lambda here: str(not here.over and here.turn == SECOND).lower(),
            "gameover": lambda here: str(here.over).lower(),
            "result": lambda here: RESULTS[here.result],
            "legalmoves": _legal_moves,
            "fen": lambda here: here.text,
        }
        if rest not in questions:
            self.say(f"info string unknown query {quoted(rest)}{did_you_mean(rest, questions)}")
            return
        self.say(f"response {questions[rest](self.position)}".rstrip())

    def _show(self, rest: str) -> None:
        self.say(f"{self.position}\nfen {self.position.text}")


def _legal_moves(here: Position) -> str:
    """The moves from here, or what chance may do, as protocols write them."""
    if here.turn == CHANCE:
        return " ".join(text for _, text in here.outcomes())
    return " ".join(sorted(here.game.protocol_text(here.state, code) for code in here.move_ids))
