"""Proofs: what a position of a game too large for a table is worth, found by search and kept with its evidence.

`solving` runs a search that can be stopped and resumed: `numbers` for who wins, `holding` for who at least draws. The
evidence on disk is a `certificate` of a win or a `strategy` that never loses. `checker` and `walking` believe it only
after going through it with the game's rules alone.
"""
