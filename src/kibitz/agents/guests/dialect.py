"""UCI and UGI, the two dialects in which engines talk: what differs, and how turns and scores are written."""

from dataclasses import dataclass

from kibitz.core.position import Position
from kibitz.core.result import CHANCE


@dataclass(frozen=True)
class Dialect:
    """UGI is UCI for any game of two players; the words differ a little."""

    name: str  # what the other side says first
    sides: tuple[str, str]  # how its words for clocks begin
    full_moves: bool  # is a proven win counted in full moves, or in plies?

    @property
    def acknowledgement(self) -> str:
        return f"{self.name}ok"

    @property
    def new_game(self) -> str:
        return f"{self.name}newgame"

    def mate(self, turns: int) -> int:
        """A win in so many turns, below zero a loss, as `score mate` has it."""
        if not self.full_moves:
            return turns
        return (turns + 1) // 2 if turns > 0 else -((1 - turns) // 2)

    def turns(self, mate: int) -> int:
        """The turns that `score mate` means, until a win or a loss."""
        return abs(mate) * 2 - (mate > 0) if self.full_moves else abs(mate)


UCI = Dialect("uci", ("w", "b"), full_moves=True)
UGI = Dialect("ugi", ("p1", "p2"), full_moves=False)


def turn_token(position: Position, moves: tuple[int, ...]) -> str:
    """The moves of one turn as protocols write them, joined by `+`."""
    words = []
    for move in moves:
        words.append(position.game.protocol_text(position.state, move))
        position = position.play(move)
    return "+".join(words)


def line_tokens(position: Position, moves: tuple[int, ...]) -> list[str]:
    """A line of play, one token a turn or outcome of chance."""
    tokens: list[str] = []
    mover = CHANCE
    for move in moves:
        word = position.game.protocol_text(position.state, move)
        if tokens and position.turn == mover != CHANCE:
            tokens[-1] += f"+{word}"
        else:
            tokens.append(word)
        mover = position.turn
        position = position.play(move)
    return tokens


def history(position: Position) -> tuple[Position, list[str]]:
    """Where the history of a position begins, and the tokens that led from there to here."""
    trail = list(position.trail())[::-1]
    moves = tuple(later.last_move for later in trail[1:] if later.last_move is not None)
    return trail[0], line_tokens(trail[0], moves)


def position_line(position: Position) -> str:
    """The command that sets up a position with its history."""
    root, tokens = history(position)
    begun = "startpos" if root == root.game.new() else f"fen {root.text}"
    return f"position {begun}" + (f" moves {' '.join(tokens)}" if tokens else "")
