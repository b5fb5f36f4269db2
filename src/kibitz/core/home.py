"""Where the user's own files are."""

import os
from pathlib import Path


def home_folder() -> Path:
    """The user's folder. Whoever has none, such as a number without a name in a container, gets a place below which
    nothing can be: what would be kept there is not, and commands say so.
    """
    try:
        return Path.home()
    except RuntimeError:
        return Path(os.devnull)
