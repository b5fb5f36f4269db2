"""Kibitz: write a game's rules in plain Python; get a native-speed engine, an opponent and a board."""

from importlib.metadata import version as _version

__version__ = _version("kibitz")
