"""What proofs need to know of Alquerque (`dm574`): can a side hold, that is at least draw, and can a side win?"""

from functools import partial
from pathlib import Path

from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.options import in_range
from kibitz.core.position import Position
from kibitz.core.result import FIRST, SECOND
from kibitz.games.alquerque import FIELDS, FLIP, MIRROR, alquerque
from kibitz.proofs.adapter import ProofAdapter
from kibitz.proofs.alquerque import endgames, hold_search, kernels, strategy, strategy_checker
from kibitz.proofs.alquerque.endgames import EndgameTables
from kibitz.proofs.alquerque.kernels import Board
from kibitz.proofs.alquerque.preferences import PREFERENCES
from kibitz.proofs.alquerque.strategy_writer import gather_strategy
from kibitz.proofs.claims import DfpnKernels, dfpn_method
from kibitz.proofs.evidence import EvidenceFormat
from kibitz.proofs.question import Method, Query, Question, Report, describe_start
from kibitz.proofs.symmetry import flip, make_images, pass_turn

DEFAULT_PIECES = 6  # of the endgame tables, where they are needed: 3 MB
METHOD = dfpn_method(DfpnKernels(kernels.list_children, kernels.list_all_children, kernels.first_guess))


def pose(position: Position, query: Query) -> list[Question]:
    """Can each side, or the one that is asked about, win?"""
    pieces = DEFAULT_PIECES if query.pieces is None else query.pieces
    in_range("pieces", pieces, endgames.FEWEST, endgames.MOST)
    sides = [FIRST, SECOND] if query.attacker is None else [_side_called(query.attacker, position.game)]
    return [can_hold(position, 1 - side, pieces) for side in sides]


def can_hold(position: Position, holder: int, pieces: int = DEFAULT_PIECES) -> Question:
    """Does this side at least draw, or can the other one win? That it wins is shown with endgame tables up to so many
    pieces.
    """
    refuse_unfit(position.game)
    return Question(
        text=f"{describe_start(position)}: can {position.game.rulebook.sides[holder]} hold",
        position=position,
        stem=_stem(position.game, 1 - holder),
        method=Method(hold_search.hold_root, gather_strategy, label="holding", rephrase=partial(ask_for_win, pieces)),
        board=PREFERENCES[holder],
        code=hold_search.code_of(position, holder),
        attacker=1 - holder,
        draws=True,
    )


def ask_for_win(pieces: int, question: Question, holds: bool, folder: Path, report: Report) -> Question | None:
    """The question for the side that has to win, where it does: how is a matter of proof-number search."""
    if question.draw_will_do(holds):
        return None
    return can_win(question.position, 1 - question.holder, endgames.open_or_solve(folder, pieces, report))


def can_win(position: Position, attacker: int, tables: EndgameTables | None = None) -> Question:
    """Can this side win, or does the other one at least draw?"""
    board = make_board(position.game, tables or endgames.empty_tables())
    return Question(
        text=f"{describe_start(position)}: can {position.game.rulebook.sides[attacker]} win",
        position=position,
        stem=_stem(position.game, attacker),
        method=METHOD,
        board=board,
        code=code_of(position, board, attacker),
        attacker=attacker,
        draws=True,
    )


def _stem(game: Game, attacker: int) -> str:
    return f"alquerque-can-{game.rulebook.sides[attacker]}-win"


def _side_called(name: str, game: Game) -> int:
    if name not in game.rulebook.sides:
        raise BadOption(f"no side of {game.text} is called '{name}' (known: {', '.join(game.rulebook.sides)})")
    return game.rulebook.sides.index(name)


def refuse_unfit(game: Game) -> None:
    """The other rulesets know repetition and chains."""
    if game.options != type(game.options)():
        raise BadOption(f"{game.text}: proofs are for the ruleset dm574")


def make_board(game: Game, tables: EndgameTables) -> Board:
    """What proof-number search needs to know of the board."""
    refuse_unfit(game)
    return Board(make_images(5, 5), tables.places, tables.values, FIELDS, tables.pieces)


def code_of(position: Position, board: Board, attacker: int) -> int:
    """A position as proof-number search sees it, when this side wants to win."""
    white, black = int(position.state.white), int(position.state.black)
    if position.state.side != FIRST:
        white, black = flip(black, board.images), flip(white, board.images)
    # `pass_turn` expects the position as the other side sees it
    white, black = flip(black, board.images), flip(white, board.images)
    return pass_turn(white, black, int(position.state.side == attacker), board.images, board.cells)


ADAPTER = ProofAdapter(
    rulebook=alquerque,
    options=frozenset({"attacker", "pieces"}),
    pose=pose,
    refuse_unfit=refuse_unfit,
    unpack_state=kernels.unpack_state,
    pack_state=kernels.pack_state,
    mirror=MIRROR,
    swap=FLIP,
    formats={strategy.KIND: EvidenceFormat(strategy.write, strategy.read, strategy_checker.check)},
)
