"""An engine of others as an agent, in either dialect: the handshake, its options, what it is asked and what it says."""

import re
import time
from typing import NamedTuple

from kibitz.agents.agent import pairs_of, wins_at_once
from kibitz.agents.engine import narrow_limit
from kibitz.agents.guests.dialect import Dialect, position_line
from kibitz.agents.guests.errors import GuestFailed, illegal_answer
from kibitz.agents.guests.program import Program, split_command
from kibitz.core.errors import BadOption, IllegalMove, did_you_mean, quoted
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.search.budget import line_of
from kibitz.search.report import WIN, Line, Report, first_turn

HANDSHAKE = 30.0  # seconds; a busy machine starts programs slowly
READY = 120.0  # seconds: an engine may have to compile first
PATIENCE = 10.0  # seconds beyond a limit before it is asked to stop, and again before it is given up
NO_MOVE = "(none)"  # what an engine answers that cannot move, or cannot play at all
CLAIMED = 100_000.0  # what a mate is worth that an engine says it sees, less the turns
LONGEST = 86_400.0  # seconds, for a search bounded by depth or nodes alone


class EngineGuestOptions(NamedTuple):
    program: str = ""  # the command
    hash: int = 64
    threads: int = 1
    seconds: float = 0.0  # 0: as the match says
    depth: int = 0
    nodes: int = 0
    settings: str = ""  # all other keys: options of the engine's own


class Setting(NamedTuple):
    """An option that an engine says it has."""

    name: str
    kind: str  # check, spin, combo, button, string
    choices: tuple[str, ...] = ()


class EngineGuest:
    """An engine in its own process; it is sent each position whole. It is started again if it failed."""

    def __init__(self, dialect: Dialect, game: Game, options: EngineGuestOptions) -> None:
        if not options.program:
            raise BadOption(f"agent {dialect.name} needs a program, as {dialect.name}:COMMAND")
        split_command(options.program)
        self.dialect = dialect
        self.game = game
        self.options = options
        self.settings: dict[str, Setting] = {}
        self._program: Program | None = None
        self._last_line = ""
        self.program()

    def choose(self, position: Position, limit: Limit) -> Report:
        began = time.perf_counter()
        bounds = narrow_limit(limit, self.options.seconds, self.options.depth, self.options.nodes)
        try:
            self._set_position(position)
            answers = self._search(bounds)
        except BaseException:
            self.end()
            raise
        token = (*answers[-1].split(), "")[1]
        if token == NO_MOVE and (why := _last_info_string(answers)):
            raise GuestFailed(f"{self.options.program} has no move: {why}")
        moves = self._moves(position, token)
        facts = _facts(answers)
        return Report(
            moves,
            (self._line(position, moves, facts),),
            depth=_number(facts, "depth"),
            nodes=_number(facts, "nodes"),
            seconds=time.perf_counter() - began,
            remarks=self._claims(facts),
        )

    def program(self) -> Program:
        """The running program, started and set up if need be."""
        if self._program is None:
            program = Program(self.options.program)
            try:
                self._set_up(program)
            except BaseException:
                program.end()
                raise
            self._program, self._last_line = program, ""
        return self._program

    def end(self) -> None:
        """Let the program go."""
        if self._program is not None:
            self._program.end()
        self._program = None

    def set(self, program: Program, name: str, value: object) -> None:
        """Set one of the engine's options."""
        known = self.settings[plain(name)]
        if known.choices and str(value).lower() not in [choice.lower() for choice in known.choices]:
            expected = did_you_mean(str(value), known.choices)
            raise BadOption(f"{known.name} of {program.name} is {quoted(str(value))}{expected}")
        ending = "" if known.kind == "button" else f" value {value}"
        program.say(f"setoption name {known.name}{ending}")

    def choose_game(self, program: Program) -> None:
        """Tell the engine which game is played, where the dialect has a word for it."""

    def wait_for(self, program: Program, last: str, seconds: float = READY) -> list[str]:
        """What a program says up to a word; one that does not say it in time has failed."""
        try:
            return program.hear(last, seconds)
        except TimeoutError:
            raise GuestFailed(f"{program.name} said no '{last}' within {seconds:g} s") from None

    def _set_up(self, program: Program) -> None:
        program.say(self.dialect.name)
        said = self.wait_for(program, self.dialect.acknowledgement, HANDSHAKE)
        self.settings = {plain(setting.name): setting for setting in map(_setting, said) if setting}
        for name, value in (("Hash", self.options.hash), ("Threads", self.options.threads)):
            if plain(name) in self.settings:
                self.set(program, name, value)
        for name, text in (pairs_of(self.options.settings) if self.options.settings else {}).items():
            if plain(name) not in self.settings:
                known = [setting.name.replace(" ", "_") for setting in self.settings.values()]
                raise BadOption(f"{program.name} has no option {quoted(name)}{did_you_mean(name, known)}")
            self.set(program, name, text)
        self.choose_game(program)
        self._new_game(program)

    def _new_game(self, program: Program) -> None:
        """Done when it is set up, too, before any clock runs: emptying its tables takes an engine a while."""
        program.say(self.dialect.new_game)
        program.say("isready")
        self.wait_for(program, "readyok")

    def _set_position(self, position: Position) -> None:
        """Set up the position; one that does not go on from the last begins a new game."""
        program, line = self.program(), position_line(position)
        if not line.startswith(self._last_line):
            self._new_game(program)
        self._last_line = line
        program.say(line)

    def _search(self, limit: Limit) -> list[str]:
        program = self.program()
        program.say(f"go {self._bounds(limit)}")
        seconds = min((bound for bound in (limit.seconds, limit.clock) if bound is not None), default=LONGEST)
        try:
            return program.hear("bestmove", seconds + PATIENCE)
        except TimeoutError:
            program.say("stop")
        try:
            return program.hear("bestmove", PATIENCE)
        except TimeoutError:
            waited = f"{seconds + PATIENCE:g} s"
            raise GuestFailed(f"{program.name} said no 'bestmove' within {waited}, nor when asked to stop") from None

    def _bounds(self, limit: Limit) -> str:
        words = [f"movetime {_thousandths(limit.seconds)}"] if limit.seconds else []
        if limit.clock is not None:  # the other side's is not known here
            clock, increment = _thousandths(limit.clock), int((limit.increment or 0.0) * 1000)
            words += [f"{side}time {clock} {side}inc {increment}" for side in self.dialect.sides]
            words += [f"movestogo {limit.moves_to_go}"] if limit.moves_to_go else []
        words += [f"depth {limit.depth}"] if limit.depth else []
        words += [f"nodes {limit.nodes}"] if limit.nodes else []
        return " ".join(words)

    def _moves(self, position: Position, token: str) -> tuple[int, ...]:
        """The moves of a whole turn, from its token."""
        try:
            after = position.play(token)
        except IllegalMove:
            raise illegal_answer(self.options.program, quoted(token), position) from None
        if after is position or (after.turn == position.turn and not after.over):
            raise illegal_answer(self.options.program, f"{quoted(token)}, which is no whole turn,", position)
        return _moves_between(position, after)

    def _line(self, position: Position, moves: tuple[int, ...], fact: str) -> Line:
        """The line it expects; without one, what it plays."""
        after = position
        found = re.search(r" pv (.+)", fact)
        try:
            after = position.play(found[1]) if found else position
        except IllegalMove:
            after = position
        expected = _moves_between(position, after)
        if first_turn(position, expected) != moves:
            expected = moves
        if wins_at_once(position, moves):
            return line_of(position, WIN - 1, expected, proven=True)
        return line_of(position, self._value(fact), expected, proven=False)

    def _value(self, fact: str) -> float:
        """What it says, for the side to move. A mate is its claim, which nothing here has proven: it counts for more
        than any other score of its own, and for less than a proven win.
        """
        mate, score = _mate(fact), re.search(r" score cp (-?[0-9]{1,9})\b", fact)
        if mate is None:
            return float(score[1]) if score else 0.0
        value = CLAIMED - self.dialect.turns(mate)
        return value if mate > 0 else -value

    def _claims(self, fact: str) -> tuple[str, ...]:
        """What it says of the end of the game, in words."""
        mate = _mate(fact)
        if mate is None:
            return ()
        return (f"{self.options.program} claims a {'win' if mate > 0 else 'loss'} in {self.dialect.turns(mate)}",)


def plain(name: str) -> str:
    """An option's name as it is compared: engines have spaces in them, texts of agents have underscores."""
    return name.lower().replace("_", " ")


def _setting(line: str) -> Setting | None:
    found = re.match(r"option name (.+?) type (\w+)(.*)", line)
    if found is None:
        return None
    choices = tuple(re.findall(r" var (.+?)(?= var |$)", found[3])) if found[2] == "combo" else ()
    return Setting(found[1], found[2], choices)


def _last_info_string(answers: list[str]) -> str:
    """The last thing that an engine said to people."""
    said = [line.removeprefix("info string ") for line in answers if line.startswith("info string ")]
    return said[-1] if said else ""


def _facts(answers: list[str]) -> str:
    """The last line about the best line of play that is no mere bound."""
    scored = [answer for answer in answers if answer.startswith("info ") and " score " in answer]
    best = [answer for answer in scored if " multipv " not in answer or " multipv 1 " in answer]
    exact = [answer for answer in best if "bound " not in answer]
    return (exact or best or [""])[-1]


def _mate(fact: str) -> int | None:
    found = re.search(r" score mate (-?[0-9]{1,6})\b", fact)
    return int(found[1]) if found else None


def _number(fact: str, word: str) -> int:
    found = re.search(rf" {word} ([0-9]{{1,18}})\b", fact)
    return int(found[1]) if found else 0


def _thousandths(seconds: float) -> int:
    return max(1, int(seconds * 1000))


def _moves_between(position: Position, after: Position) -> tuple[int, ...]:
    moves: list[int] = []
    while after is not position:
        assert after.last_move is not None
        assert after.before is not None
        moves.append(after.last_move)
        after = after.before
    return tuple(moves[::-1])
