"""The words everyone uses. An author of rules finds what a rules file needs here."""

from kibitz.core import bits as bits
from kibitz.core import notation as notation
from kibitz.core.errors import BadOption as BadOption
from kibitz.core.errors import BadPosition as BadPosition
from kibitz.core.errors import KibitzError as KibitzError
from kibitz.core.game import Game as Game
from kibitz.core.layout import Cell as Cell
from kibitz.core.layout import Gesture as Gesture
from kibitz.core.layout import Layout as Layout
from kibitz.core.layout import Piece as Piece
from kibitz.core.layout import from_to as from_to
from kibitz.core.layout import placement as placement
from kibitz.core.layout import square_board as square_board
from kibitz.core.limit import Limit as Limit
from kibitz.core.position import Position as Position
from kibitz.core.result import CHANCE as CHANCE
from kibitz.core.result import DRAW as DRAW
from kibitz.core.result import FIRST as FIRST
from kibitz.core.result import FIRST_WINS as FIRST_WINS
from kibitz.core.result import ONGOING as ONGOING
from kibitz.core.result import SECOND as SECOND
from kibitz.core.result import SECOND_WINS as SECOND_WINS
from kibitz.core.result import Result as Result
from kibitz.core.rulebook import Rulebook as Rulebook
from kibitz.core.rulebook import Symmetry as Symmetry
