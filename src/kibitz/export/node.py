"""Node, which runs an exported game outside of a browser: for tests and benches."""

import json
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kibitz.core.errors import KibitzError


def find_node() -> str | None:
    """The program: on the path, or the one that Playwright's wheel carries."""
    spec = find_spec("playwright")
    places = [] if spec is None or spec.origin is None else [Path(spec.origin).parent / "driver" / "node"]
    return shutil.which("node") or next((str(place) for place in places if place.is_file()), None)


def run_script(script: Path, job: Any) -> Any:
    """What a script prints as JSON when it reads this job as JSON."""
    node = find_node()
    if node is None:
        raise KibitzError("there is no Node here; install it, or Playwright's wheel, which carries one")
    ended = subprocess.run([node, str(script)], input=json.dumps(job), capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise KibitzError(f"{script.name} failed in Node: {ended.stderr.strip()[-500:]}")
    return json.loads(ended.stdout)
