"""What proofs need to know of Breakthrough: who wins, and does somebody win within so many plies?"""

from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import FIRST
from kibitz.games.breakthrough import MIRROR, SWAP, breakthrough
from kibitz.proofs.adapter import ProofAdapter
from kibitz.proofs.breakthrough import kernels
from kibitz.proofs.breakthrough.kernels import Board
from kibitz.proofs.breakthrough.last_rows import make_last_rows
from kibitz.proofs.claims import DfpnKernels, dfpn_method
from kibitz.proofs.question import Query, Question, describe_start
from kibitz.proofs.symmetry import MOST_CELLS, flip, make_images, pass_turn

MOST_PLIES = 63
METHOD = dfpn_method(DfpnKernels(kernels.list_children, kernels.list_all_children, kernels.first_guess))


def pose(position: Position, query: Query) -> list[Question]:
    """Who wins, or within how many plies."""
    return [wins_within(position, query.within) if query.within else who_wins(position)]


def who_wins(position: Position) -> Question:
    """Who wins?"""
    board = make_board(position.game)
    text = f"{describe_start(position)}: who wins"
    return Question(text, position, _stem(position.game), METHOD, board, code_of(position, board))


def wins_within(position: Position, plies: int) -> Question:
    """Does the side that would make the last of so many plies win within them?"""
    game = position.game
    cells = game.options.rows * game.options.columns
    if not 1 <= plies <= MOST_PLIES or 2 * cells + MOST_PLIES.bit_length() > 2 * MOST_CELLS:
        raise BadOption(f"{game.text}: plies can be counted up to {MOST_PLIES} and on at most 27 cells")
    board = make_board(game)
    attacker = position.turn if plies % 2 else 1 - position.turn
    text = f"{describe_start(position)}: does {game.rulebook.sides[attacker]} win within {plies} plies"
    stem = f"{_stem(game)}-within-{plies}"
    return Question(text, position, stem, METHOD, board, code_of(position, board, plies), attacker, plies)


def _stem(game: Game) -> str:
    return f"breakthrough-{game.options.rows}x{game.options.columns}"


def refuse_unfit(game: Game) -> None:
    """Large boards do not fit into one integer."""
    rows, columns, base = game.options.rows, game.options.columns, game.options.base
    if base != 1 or rows * columns > MOST_CELLS:
        raise BadOption(f"{game.text}: proofs are for one worker to base and at most {MOST_CELLS} cells")


def make_board(game: Game) -> Board:
    """What the search needs to know of a board."""
    refuse_unfit(game)
    rows, columns = game.options.rows, game.options.columns
    cells = rows * columns
    table = make_last_rows(rows, columns)
    west = sum(1 << columns * row for row in range(rows))
    return Board(
        images=make_images(rows, columns),
        powers=table.powers,
        last_rows=table.entries,
        cells=cells,
        columns=columns,
        west=west,
        east=west << (columns - 1),
        all=(1 << cells) - 1,
        shift=columns * (rows - table.rows),
        lower=columns * (table.rows - 1),
    )


def code_of(position: Position, board: Board, within: int = 0) -> int:
    """A position as the search sees it, with the plies in which the game has to be decided."""
    white, black = int(position.state.white), int(position.state.black)
    if position.state.side == FIRST:
        white, black = flip(black, board.images), flip(white, board.images)
    return pass_turn(white, black, within, board.images, board.cells)


ADAPTER = ProofAdapter(
    rulebook=breakthrough,
    options=frozenset({"within"}),
    pose=pose,
    refuse_unfit=refuse_unfit,
    unpack_state=kernels.unpack_state,
    pack_state=kernels.pack_state,
    mirror=MIRROR,
    swap=SWAP,
)
