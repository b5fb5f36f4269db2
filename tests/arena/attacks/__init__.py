"""Guests that attack the machine they play on, and proof that each is contained and named."""
