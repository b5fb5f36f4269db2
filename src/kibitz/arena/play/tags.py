"""What a record says of how it came about: when, with which versions, under which control."""

import platform
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime

import kibitz
from kibitz.arena.play.task import TimeControl
from kibitz.core.options import shown


def make_tags(control: TimeControl, tags: Mapping[str, str]) -> dict[str, str]:
    """The tags of a record: those given, and these where they are not given."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    own = {"Date": now, "Control": control_text(control), "Kibitz": kibitz.__version__}
    return {**own, "Python": platform.python_version(), **tags}


def control_text(control: TimeControl) -> str:
    """A time control as text: `seconds=1,nodes=1000`."""
    plain = TimeControl()
    said = [(field.name, getattr(control, field.name)) for field in fields(control)]
    return ",".join(f"{name}={shown(value)}" for name, value in said if value != getattr(plain, name)) or "none"
