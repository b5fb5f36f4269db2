"""Files of records, in either form: text for people, or JSON lines where the name ends so."""

from collections.abc import Iterable
from pathlib import Path

from kibitz.arena.records import game_text, json_lines
from kibitz.arena.records.record import BadRecord, Record
from kibitz.core.input_file import MB, read_text
from kibitz.core.output_file import write_file

LARGEST = 256 * MB
JSON_ENDINGS = (".jsonl", ".json", ".ndjson")


def load(path: Path) -> list[Record]:
    """The records in a file; which form it has is seen from its first character."""
    text = read_text(path, LARGEST, BadRecord)
    if text.lstrip().startswith("{"):
        lines = enumerate(text.split("\n"), 1)
        found = [json_lines.read(line, f"{path.name}:{number}") for number, line in lines if line.strip()]
    else:
        found = list(game_text.read(text, path.name))
    if not found:
        raise BadRecord(f"'{path}' holds no record")
    return found


def save(path: Path, records: Iterable[Record]) -> None:
    """Write records under this name, whole or not at all."""
    form = json_lines if path.suffix in JSON_ENDINGS else game_text
    write_file(path, "".join(form.format_record(record) for record in records))
