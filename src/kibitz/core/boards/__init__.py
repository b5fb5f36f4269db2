"""Boards declared as data, and the rules that follow from them."""
