"""The lines of those slots that do more than call the author's function, written out field by field.

A name in braces stands for the call of the function that fills the slot of that name, or for that slot's default.
`whole`, `real` and `word` make an int, a float and an unsigned 64-bit word, and `fit` casts a field to its annotation.
"""

from collections.abc import Callable, Iterable

from kibitz.core.fields import Field
from kibitz.core.heuristic import Heuristic
from kibitz.core.network import LEVELS, MASKS, ROOM, numbers_of, score_inputs, write_bits, write_cells, write_value
from kibitz.core.result import FIRST
from kibitz.core.rulebook import Rulebook, asks

Body = Callable[[Rulebook, Heuristic], str]

NETWORK = (write_bits, write_value, write_cells, score_inputs)  # what the lines of a network call

MIX = """
def mix(code, part):
    code = word((code ^ part) * word(0xD6E8FEB86659FD93))
    return code ^ (code >> word(32))
"""


def build_state(fields: Iterable[Field], value: Callable[[str], str]) -> str:
    """A state made of the expressions that `value` gives for the names of its fields."""
    parts = (f"fit({value(field.name)}, np.{width(field)}, '{field.name}')" for field in fields)
    return f"State({', '.join(parts)})"


def width(field: Field) -> str:
    """NumPy's name of a field's type."""
    return field.dtype.type.__name__


def hash_fields(book: Rulebook, heuristic: Heuristic) -> str:
    """Stir every number of what repetition compares into one word, and the length of every array."""
    lines = ["kept = {key_state}", "code = word(0x9E3779B97F4A7C15)"]
    for field in book.state_fields:
        part = f"kept.{field.name}"
        if field.array:
            lines += [
                f"for part in {part}:",
                "    code = mix(code, word(part))",
                f"code = mix(code, word({part}.size))",
            ]
        else:
            lines += [f"code = mix(code, word({part}))"]
    return "\n".join([*lines, "return np.uint64(code)"])


def write_fields(book: Rulebook, heuristic: Heuristic) -> str:
    """Write a number as one word, an array as its length and one word for each element."""
    lines = []
    for field in book.state_fields:
        part = f"state.{field.name}"
        if field.array:
            lines += [f"out[at] = {part}.size", "at += 1", f"for part in {part}:"]
            lines += ["    out[at] = np.int64(part)", "    at += 1"]
        else:
            lines += [f"out[at] = np.int64({part})", "at += 1"]
    return "\n".join([*lines, "return at"])


def count_field_words(book: Rulebook, heuristic: Heuristic) -> str:
    """How many words `write_fields` writes."""
    sizes = (f"1 + state.{field.name}.size" if field.array else "1" for field in book.state_fields)
    return f"return {' + '.join(sizes)}"


def read_fields(book: Rulebook, heuristic: Heuristic) -> str:
    """Read what `write_fields` writes."""
    lines = []
    for field in book.state_fields:
        if field.array:
            lines += [f"{field.name} = words[at + 1 : at + 1 + words[at]].astype(np.{width(field)})"]
            lines += ["at += 1 + words[at]"]
        else:
            lines += [f"{field.name} = np.{width(field)}(words[at])", "at += 1"]
    return "\n".join([*lines, f"return {build_state(book.state_fields, str)}"])


def weigh_features(book: Rulebook, heuristic: Heuristic) -> str:
    """The features times their weights, or the score itself; turned where the author's function speaks for `me`."""
    if heuristic.network is not None:
        return _score_with_network(heuristic)
    rule = heuristic.features or heuristic.evaluate
    if heuristic.features is None:
        lines = ["value = real({evaluate})"]
    else:
        terms = [f"weights[{index}] * found[{index}]" for index in range(len(heuristic.weights))]
        lines = ["found = {features}", f"value = real({' + '.join(terms) or 0.0})"]
    turned = rule is not None and asks(rule, "me")
    return "\n".join([*lines, f"return value if me == {FIRST} else -value" if turned else "return value"])


def write_network_inputs(book: Rulebook, heuristic: Heuristic) -> str:
    """Write which inputs of the heuristic's network are on, field by field; none where it has no network."""
    return "\n".join([*_input_lines(heuristic), "return at"])


def _score_with_network(heuristic: Heuristic) -> str:
    """The score of the inputs that are on; they are noted in the thread's own array."""
    start = ["out = weights", f"first = at = whole(weights[{ROOM}])"]
    return "\n".join([*start, *_input_lines(heuristic), "return real(score_inputs(weights, {turn}, first, at))"])


def _input_lines(heuristic: Heuristic) -> list[str]:
    network = heuristic.network
    if network is None:
        return []
    shape = network.shape
    firsts = iter(numbers_of(shape, network.levels))
    lines = []
    for index, name in enumerate(shape.numbers):
        seen = f"word(state.{name}) & word(weights[whole(weights[{MASKS}]) + {index}])"
        lines += [f"at = write_bits({seen}, {next(firsts)}, out, at)"]
    place = 0
    names = [f"state.{name}" for name, _ in shape.arrays] + [f"found[{index}]" for index in range(shape.features)]
    for number, (name, levels) in enumerate(zip(names, network.levels, strict=True)):
        if number == len(shape.arrays):
            lines += ["found = {features}"]
        call = "write_cells" if number < len(shape.arrays) else "write_value"
        where = f"whole(weights[{LEVELS}]) + {place}"
        lines += [f"at = {call}({name}, weights, {where}, {len(levels)}, {next(firsts)}, out, at)"]
        place += len(levels) + 1
    return lines
