"""The words everyone uses: Game, Position, Limit, layouts, errors."""

from kibitz.core.errors import KibitzError as KibitzError
from kibitz.core.game import Game as Game
from kibitz.core.limit import Limit as Limit
from kibitz.core.position import Position as Position
from kibitz.core.result import Result as Result
from kibitz.core.rulebook import Rulebook as Rulebook
