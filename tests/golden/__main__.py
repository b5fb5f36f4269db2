"""Regenerate every transcript: `make golden`."""

from tests.golden.transcript import GAMES, path_of, transcript

for game in GAMES:
    path_of(game).write_text(transcript(game))
