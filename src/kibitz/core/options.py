"""Options of a game as text: `name[:preset][,key=value...]`, read by the annotations of a NamedTuple."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from kibitz.core.errors import BadOption, did_you_mean, quoted

_TRUE, _FALSE = ("yes", "true", "on", "1"), ("no", "false", "off", "0")


class NoOptions(NamedTuple):
    """A game that can be played one way only."""


class Words(NamedTuple):
    """Said of a text option, `Annotated[str, Words(("random",))]`: words it knows besides those of its presets. Who
    must not name files, such as a visitor of a web page, may say only these.
    """

    known: tuple[str, ...]


class Spec(NamedTuple):
    """A game's text, taken apart: `breakthrough:5x10,base=3`."""

    name: str
    preset: str | None
    pairs: tuple[tuple[str, str], ...]


def split(text: str) -> Spec:
    """Take a game's text apart. A comma splits only where `key=` follows, so values may hold commas.

    >>> split("vampires:thetrap,plies=100")
    Spec(name='vampires', preset='thetrap', pairs=(('plies', '100'),))
    """
    head, *rest = re.split(r",(?=\s*[A-Za-z_]\w*=)", text.strip())
    pairs = tuple((key.strip(), value.strip()) for key, value in (part.split("=", 1) for part in rest))
    name, colon, preset = head.partition(":")
    refuse_doubles([key for key, _ in pairs])
    if "," in head:
        game, _, rest_of_it = head.partition(",")
        raise BadOption(f"{game[:60]}: {quoted(rest_of_it)} is no option, expected key=value")
    return Spec(name.strip(), preset.strip() if colon else None, pairs)


def refuse_doubles(keys: Iterable[str]) -> None:
    """An option is given once."""
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            raise BadOption(f"option {quoted(key)} is given twice, expected once")
        seen.add(key)


def refuse_presets(kind: type, presets: Any) -> None:
    """Nothing, or the reason why these are no presets: names, each with values for some options."""
    form = "expected a mapping of names to options, as {'small': {'size': 6}}"
    if not isinstance(presets, Mapping):
        raise BadOption(f"presets is a {type(presets).__name__}, {form}")
    fields: tuple[str, ...] = getattr(kind, "_fields")  # noqa: B009 - a NamedTuple class, known only at run time
    for name, values in presets.items():
        if not isinstance(name, str) or not isinstance(values, Mapping):
            raise BadOption(f"preset {name!r} is {values!r:.40}, {form}")
        for key in values:
            if key not in fields:
                raise BadOption(f"preset {name!r} says {key!r}, but no option is called so{did_you_mean(key, fields)}")


def chosen(kind: type, presets: Mapping[str, Mapping[str, Any]], preset: str | None, given: Mapping[str, Any]) -> Any:
    """The options: defaults, then the preset's, then those given one by one (text is read by type)."""
    values: dict[str, Any] = {}
    if preset is not None:
        if preset not in presets:
            raise BadOption(f"no preset is called {quoted(preset)}{did_you_mean(preset, presets)}")
        values.update(presets[preset])
    hints = get_type_hints(kind)
    fields: tuple[str, ...] = getattr(kind, "_fields")  # noqa: B009 - a NamedTuple class, known only at run time
    for key, value in given.items():
        if key not in fields:
            raise BadOption(f"no option is called {quoted(key)}{did_you_mean(key, fields)}")
        values[key] = _read(key, value, hints[key])
    return kind(**values)


def _read(key: str, value: Any, hint: Any) -> Any:
    if get_origin(hint) is Literal:
        choices = [str(choice) for choice in get_args(hint)]
        if str(value) not in choices:
            raise BadOption(f"option {key} is {quoted(str(value))}, expected one of {', '.join(choices)}")
        return get_args(hint)[choices.index(str(value))]
    if hint is bool:
        word = str(value).lower()
        if word not in _TRUE + _FALSE:
            raise BadOption(f"option {key} is {quoted(str(value))}, expected yes or no")
        return word in _TRUE
    if hint is int:
        if not re.fullmatch(r"-?[0-9]{1,300}", str(value)):
            raise BadOption(f"option {key} is {quoted(str(value))}, expected a whole number")
        return int(value)
    if hint is float:
        if not re.fullmatch(r"-?[0-9]{1,18}(\.[0-9]{1,18})?", str(value)):
            raise BadOption(f"option {key} is {quoted(str(value))}, expected a number")
        return float(value)
    return str(value)


def written(name: str, options: Any, presets: Mapping[str, Mapping[str, Any]]) -> str:
    """The shortest text for these options: a preset, if they keep all that it says, then what it leaves open."""
    kind = type(options)
    texts = []
    for head, said in [(name, {}), *((f"{name}:{preset}", values) for preset, values in presets.items())]:
        base = kind(**said)
        extra = {key: ours for key, ours, theirs in zip(kind._fields, options, base, strict=True) if ours != theirs}
        if not extra.keys() & said.keys():
            texts.append((len(extra), ",".join([head, *(f"{key}={shown(value)}" for key, value in extra.items())])))
    return min(texts, key=lambda pair: pair[0])[1]


def shown(value: Any) -> str:
    """An option's value as its text has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{Decimal(str(value)):f}".removesuffix(".0") if isinstance(value, float) else str(value)


def in_range(key: str, value: int, low: int, high: int) -> int:
    """The value, or an error that names the range."""
    if not low <= value <= high:
        raise BadOption(f"option {key} is {value}, expected {low} to {high}")
    return value
