"""The game's rules under the slots' names and signatures, as the text of small functions to compile or to interpret.

Authors leave out `rules` where they do not need it, and the types of what they return are theirs; the adapters pass
what is asked for and cast every field of a state to its annotation, so that all kernels see one type only.
"""

from collections.abc import Mapping
from textwrap import dedent, indent
from typing import Any

import numpy as np

from kibitz.core.errors import RulesError
from kibitz.core.fields import where
from kibitz.core.heuristic import RULES_OF_A_HEURISTIC, Heuristic
from kibitz.core.rulebook import Rule, Rulebook, asks
from kibitz.core.seam.bodies import MIX, NETWORK, build_state
from kibitz.core.seam.call_graph import CallGraph, Function
from kibitz.core.seam.generators import BUFFERS
from kibitz.core.seam.refusals import expected_of, refuse_length, refuse_missing_return, refuse_tuple
from kibitz.core.seam.slots import ROWS, SLOTS, Row, Slot
from kibitz.core.source import find_definition

_NOT_PASSED = {"rules", "me", "weights", "odds", "out", "at"}  # to the author's function unless it asks for them
_CONVERSIONS = {int: "whole", bool: "bool", float: "real"}


def find_rule(book: Rulebook, heuristic: Heuristic, row: Row) -> Rule | None:
    """The author's function that fills a slot, or None where there is none."""
    rules = (getattr(heuristic if name in RULES_OF_A_HEURISTIC else book, name) for name in row.rules)
    return next((rule for rule in rules if rule is not None), None)


def write_adapters(book: Rulebook, heuristic: Heuristic) -> dict[str, str]:
    """For each slot that is filled the text of a function, which calls the author's as `rule_<slot>`."""
    calls = {name: _write_call(row, find_rule(book, heuristic, row)) for name, row in ROWS.items()}
    texts = {}
    for name, row in ROWS.items():
        if calls[name] is not None or not row.rules:
            body = _default_body(book, row) if row.body is None else row.body(book, heuristic)
            lines = indent(dedent(body).strip("\n").format_map(calls), "    ")
            texts[name] = f"def {name}({', '.join(row.parameters)}):\n{lines}\n"
    return texts


def _write_call(row: Row, rule: Rule | None) -> str | None:
    """The call of the author's function, with `rules` and `me` if it asks for them; else the default."""
    if rule is None:
        return row.default
    arguments = [name for name in row.parameters if name not in _NOT_PASSED]
    arguments += [name for name in ("me", "rules") if asks(rule, name)]
    return f"rule_{row.name}({', '.join([*arguments, *(name[1:] for name in BUFFERS[row.form])])})"


def _default_body(book: Rulebook, row: Row) -> str:
    call = f"{{{row.name}}}"
    if row.returns in _CONVERSIONS:
        return f"return {_CONVERSIONS[row.returns]}({call})"
    return f"made = {call}\nreturn {build_state(book.state_fields, lambda name: f'made.{name}')}"


def _refuse_wrong_values(rule: Function, row: Row, book: Rulebook, heuristic: Heuristic) -> None:
    """What a rule returns, as far as its text says so."""
    tree = find_definition(rule)
    if tree is None or row.form != "plain":
        return
    refuse_missing_return(rule, tree, expected_of(row.returns))
    if row.returns is Any:
        refuse_tuple(rule, tree, book.state)
    if row.name == "features":
        refuse_length(rule, tree, tuple(heuristic.weights))


def add_adapters(graph: CallGraph, book: Rulebook, heuristic: Heuristic, probe: Slot | None, fit: Any) -> None:
    """Gather the functions of the game and its heuristic and fill the slots with them."""
    numbers = {"whole": np.int64, "real": np.float64, "word": np.uint64}
    links = {"mix": graph.add_text(MIX, numbers, {})}
    if heuristic.network is not None:
        links |= {function.__name__: graph.add(function) for function in NETWORK}  # type: ignore[arg-type]
    for name, row in ROWS.items():
        rule = find_rule(book, heuristic, row)
        if rule is not None:
            if not isinstance(rule, Function) or rule.__name__ == "<lambda>":
                raise RulesError(f"{where(book.state)}: {name} of '{book.name}' is to be compiled, expected a def")
            _refuse_wrong_values(rule, row, book, heuristic)
            links[f"rule_{name}"] = graph.add(rule, row.form)
    graph.refuse_mutual_recursion()
    for name, text in write_adapters(book, heuristic).items():
        used = {target: item for target, item in links.items() if f"{target}(" in text}
        names = {"np": np, "fit": fit, "State": book.state, **numbers}
        graph.slots[SLOTS[name]] = graph.add_text(text, names, used)  # type: ignore[index]
    if probe is not None:  # it calls the others, so it comes last
        graph.slots[SLOTS["probe"]] = graph.add(probe)  # type: ignore[index, arg-type]


def with_units(constants: Mapping[str, Any] | None, heuristic: Heuristic) -> dict[str, Any]:
    """The constants of a kernel, and how many units the heuristic's network has."""
    units = {} if heuristic.network is None else {"UNITS": heuristic.network.shape.units}
    return {**(constants or {}), **units}
