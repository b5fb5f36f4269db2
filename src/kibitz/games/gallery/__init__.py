"""Classics, one short file each. Every file here is found by its name; none is listed anywhere else."""

from pathlib import Path

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The games of the gallery, without loading any."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))
