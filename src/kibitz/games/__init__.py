"""The games. Adding one is a file here and a line below."""

from kibitz.games.breakthrough import breakthrough as breakthrough
