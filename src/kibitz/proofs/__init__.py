"""Proofs: what a position of a game too large for a table is worth, found by search and kept with its evidence.

`prover` runs a `search` that can be stopped and resumed: `dfpn` for who wins, a game's own search where it has one. The
evidence on disk is a `certificate` of a win, checked by `checker`, or of a kind that the game brings along. Checkers go
through it with the game's rules alone. A game joins with a folder whose `adapter` says what proofs need of it.
"""
