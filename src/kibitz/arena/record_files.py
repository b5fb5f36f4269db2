"""Files of records, in either form: text for people, or JSON lines where the name ends so."""

from collections.abc import Iterable
from pathlib import Path

from kibitz.arena import record_json, record_text
from kibitz.arena.record import BadRecord, Record
from kibitz.core.files import write_whole

JSON_ENDINGS = (".jsonl", ".json", ".ndjson")


def load(path: Path) -> list[Record]:
    """The records in a file; which form it has is seen from its first character."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise BadRecord(f"cannot read '{path}': {problem.strerror}") from None
    except UnicodeDecodeError:
        raise BadRecord(f"'{path}' is no text, expected a record") from None
    if text.lstrip().startswith("{"):
        lines = enumerate(text.split("\n"), 1)
        found = [record_json.read(line, f"{path.name}:{number}") for number, line in lines if line.strip()]
    else:
        found = list(record_text.read(text, path.name))
    if not found:
        raise BadRecord(f"'{path}' holds no record")
    return found


def save(path: Path, records: Iterable[Record]) -> None:
    """Write records under this name, whole or not at all."""
    form = record_json if path.suffix in JSON_ENDINGS else record_text
    write_whole(path, "".join(form.written(record) for record in records))
