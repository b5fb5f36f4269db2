"""Evaluations learned from self-play alone: inputs, games, training, and the match that shows what they are worth."""
