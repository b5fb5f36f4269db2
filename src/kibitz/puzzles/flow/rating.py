from typing import Literal
Difficulty = Literal["easy", "medium", "hard", "expert"]
def difficulty_of(board): return "easy"
