"""`python -m kibitz.export.compiler OUT DIGEST GAME HEURISTIC` compiles a module; `export.module` starts it.

Where the game cannot go, the reason is left in a file beside OUT.
"""

import gc
import sys
from pathlib import Path

from kibitz.core.errors import KibitzError
from kibitz.core.output_file import replace_file
from kibitz.core.seam.wasm import CannotExport
from kibitz.export.module import kernels_of
from kibitz.games import catalog
from kibitz.nets.choice import find_heuristic


def main(out: Path, digest: str, text: str, heuristic: str) -> None:
    """Write the module, or why there is none."""
    gc.disable()  # collecting garbage takes a tenth of the time
    try:
        game = catalog.load(text)
        kernels = kernels_of(game, find_heuristic(game, heuristic))
        if kernels.digest() != digest:
            raise CannotExport("its sources have changed since they were read; try again")
        module = kernels.compile()
    except KibitzError as refusal:
        replace_file(out.with_suffix(".refusal"), str(refusal))
        return
    replace_file(out, module)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
