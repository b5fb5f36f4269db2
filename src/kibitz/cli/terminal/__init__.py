"""A game at the keyboard: who sits where, what can be typed, and how it is asked for."""
