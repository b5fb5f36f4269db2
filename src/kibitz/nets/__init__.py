"""Learned evaluations as files: which game each belongs to, where they are kept, and how a search gets them."""

from kibitz.nets.choice import find_heuristic as find_heuristic
from kibitz.nets.choice import heuristics_of as heuristics_of
from kibitz.nets.choice import net_of as net_of
from kibitz.nets.file import BadNet as BadNet
from kibitz.nets.file import Net as Net
