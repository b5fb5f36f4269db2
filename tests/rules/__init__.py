"""Whole games in the long form, every rule written out, for tests that need a file or a board of another size."""
