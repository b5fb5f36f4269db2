"""Records as JSON, one a line, for programs."""

import json
import math
from dataclasses import fields
from typing import Any

from kibitz.arena.records.record import FORMAT, TOKENS, BadRecord, Ply, Record, check_format, result_of
from kibitz.core.errors import quoted
from kibitz.core.json_text import parse_json

_KINDS: dict[str, tuple[type, ...]] = {
    "game": (str,),
    "first": (str,),
    "second": (str,),
    "start": (str,),
    "plies": (list,),
    "opening": (int,),
    "result": (str,),
    "reason": (str,),
    "seed": (int,),
    "tags": (dict,),
}
_PLY_KINDS: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "side": (int,),
    "seconds": (int, float),
    "score": (int, float, type(None)),
    "depth": (int,),
    "nodes": (int,),
}


def format_record(record: Record) -> str:
    """A record as one line of JSON."""
    values: dict[str, Any] = {field.name: getattr(record, field.name) for field in fields(record)}
    values["plies"] = [_ply_values(ply) for ply in record.plies]
    values["result"] = TOKENS[record.result]
    return json.dumps({"format": FORMAT, **values}, allow_nan=False) + "\n"


def read(line: str, place: str) -> Record:
    """The record of one line; `place` is where it stands, for messages."""
    try:
        values = parse_json(line)
    except ValueError as problem:
        raise BadRecord(f"{place}: {quoted(line)} is not JSON ({problem})") from None
    if not isinstance(values, dict):
        raise BadRecord(f"{place}: {quoted(line)} is no record, expected an object")
    check_format(values.pop("format", None), place)
    _check(values, _KINDS, set(_KINDS), place)
    if not all(isinstance(tag, str) for tag in values["tags"].values()):
        raise BadRecord(f"{place}: a tag's value is no text")
    plies = tuple(_ply(ply, f"{place}, ply {number}") for number, ply in enumerate(values["plies"], 1))
    if not 0 <= values["opening"] <= len(plies):
        raise BadRecord(f"{place}: opening is {values['opening']}, expected 0 to {len(plies)}")
    return Record(**values | {"plies": plies, "result": result_of(values["result"], place)})


def _ply_values(ply: Ply) -> dict[str, Any]:
    plain = Ply(text="", side=0)
    values = {field.name: getattr(ply, field.name) for field in fields(ply)}
    return {name: value for name, value in values.items() if name in ("text", "side") or value != getattr(plain, name)}


def _ply(values: Any, place: str) -> Ply:
    if not isinstance(values, dict):
        raise BadRecord(f"{place} is no object")
    _check(values, _PLY_KINDS, {"text", "side"}, place)
    if values["side"] not in (0, 1, 2):
        raise BadRecord(f"{place}: side is {values['side']}, expected 0, 1 or 2")
    return Ply(**values)


def _check(values: dict[str, Any], kinds: dict[str, tuple[type, ...]], needed: set[str], place: str) -> None:
    """Every value known and of its type, and none that is needed missing."""
    for name in needed - values.keys():
        raise BadRecord(f"{place}: there is no '{name}'")
    for name, value in values.items():
        if name not in kinds:
            raise BadRecord(f"{place}: nothing is known of {quoted(name)}")
        if type(value) not in kinds[name] or (isinstance(value, float) and not math.isfinite(value)):
            raise BadRecord(f"{place}: '{name}' is {quoted(str(value))}, which does not fit it")
