"""Tactics: positions in which one move alone wins, or holds the draw. Made from games, proven, rated, kept in files."""

from kibitz.puzzles.tactics.file import BadPuzzleFile as BadPuzzleFile
from kibitz.puzzles.tactics.file import load as load
from kibitz.puzzles.tactics.file import save as save
from kibitz.puzzles.tactics.maker import make as make
from kibitz.puzzles.tactics.puzzle import Puzzle as Puzzle
from kibitz.puzzles.tactics.puzzle import PuzzleSet as PuzzleSet
from kibitz.puzzles.tactics.settings import Settings as Settings
from kibitz.puzzles.tactics.verification import verify as verify
