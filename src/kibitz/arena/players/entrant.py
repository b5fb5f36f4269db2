"""Who takes part in a contest."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Entrant:
    """Who takes part. One that cannot even be loaded has its failure here, and plays no game."""

    name: str
    text: str
    fingerprint: str = ""
    folder: str = ""  # its own, where it has one
    authors: tuple[str, ...] = ()
    language: str = ""
    failure: str = ""
