"""`python -m kibitz.export.compiler OUT GAME HEURISTIC`: the process that compiles a module; `export.module` starts it.

Where the game cannot go, the reason is left in a file beside OUT.
"""

import gc
import sys
from pathlib import Path

from kibitz.core.errors import KibitzError
from kibitz.core.output_file import replace_file
from kibitz.export.module import kernels_of
from kibitz.games import catalog
from kibitz.nets.choice import find_heuristic


def main(out: Path, text: str, heuristic: str) -> None:
    """Write the module, or why there is none."""
    gc.disable()  # collecting garbage takes a tenth of the time
    try:
        game = catalog.load(text)
        module = kernels_of(game, find_heuristic(game, heuristic)).compile()
    except KibitzError as refusal:
        replace_file(out.with_suffix(".refusal"), str(refusal))
        return
    replace_file(out, module)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
