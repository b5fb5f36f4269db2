"""The games. Adding one is a file here and a line below."""

from kibitz.games.alquerque import alquerque as alquerque
from kibitz.games.breakthrough import breakthrough as breakthrough
from kibitz.games.catalog import load as load
from kibitz.games.catalog import position as position
from kibitz.games.checkers import checkers as checkers
from kibitz.games.vampires import vampires as vampires
from kibitz.games.wolves import wolves as wolves
