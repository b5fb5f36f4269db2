"""Processes that think, and the one that compiles."""
