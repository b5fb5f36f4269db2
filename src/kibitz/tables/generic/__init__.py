"""The generic way to solve a game: every position that can come about is visited, then valued from the ends back."""
