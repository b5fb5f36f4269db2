"""What people see of a game, as data that a program without its rules' Python can follow."""

from kibitz.core.view.fit import NoView, find_view
from kibitz.core.view.model import View

__all__ = ["NoView", "View", "find_view"]
