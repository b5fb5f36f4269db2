"""Proofs: who wins from the start of a game too large for a table, found by search and kept with its evidence.

`solving` runs a search that can be stopped and resumed, `certificate` is the evidence on disk, and `checker` believes
the evidence only after going through it with the game's rules alone.
"""
