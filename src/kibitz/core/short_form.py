"""`Rulebook.of`: a rulebook from the functions of a file, and from its board what those leave out."""

import ast
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from kibitz.core.boards.board import Board
from kibitz.core.boards.derived_rules import DERIVED, BoardRules
from kibitz.core.errors import RulesError, did_you_mean
from kibitz.core.options import NoOptions
from kibitz.core.rulebook import SIGNATURES, NoRules, Rulebook, refuse_signature

_CLASSES = {"state": "State", "options": "Options", "parameters": "Rules"}


def find_rulebook(name: str, board: Board | Callable[[Any], Board] | None, declared: Mapping[str, Any]) -> Rulebook:
    """The rulebook of a module: what is declared wins over its functions, those win over what the board gives."""
    module = sys.modules[name]
    found: dict[str, Any] = {**_find_classes(module, declared), **_find_rules(module, declared), **declared}
    found.setdefault("name", Path(module.__file__ or name).stem)
    found.setdefault("title", _title(module, found["name"]))
    if board is not None:
        found = _complete(found, board)
    found.setdefault("sides", ("first", "second"))
    _refuse_gaps(module, found)
    return Rulebook(**found)


def _find_classes(module: ModuleType, declared: Mapping[str, Any]) -> dict[str, type]:
    known = vars(module)
    found = {slot: known[name] for slot, name in _CLASSES.items() if isinstance(known.get(name), type)}
    if "state" not in found and "state" not in declared:
        raise RulesError(f"{_file(module)}:1: the file has no class State, expected class State(NamedTuple)")
    return found


def _find_rules(module: ModuleType, declared: Mapping[str, Any]) -> dict[str, Any]:
    """The functions of the module that are called like rules. Nothing else may be called so."""
    found = {}
    for slot in SIGNATURES:
        value = vars(module).get(slot)
        if value is None or slot in declared:
            continue
        place = f"{_file(module)}:{_line_of(module, slot)}"
        if not isinstance(value, FunctionType):
            kind = type(value).__name__
            shown = f"'{slot}' is the name of a rule, but here it is {'an' if kind[0] in 'aeiou' else 'a'} {kind}"
            raise RulesError(f"{place}: {shown}, expected a function, or another name")
        if value.__module__ != module.__name__:
            raise RulesError(
                f"{place}: '{slot}' is the name of a rule, but is imported from {value.__module__},"
                f" expected Rulebook.of(__name__, {slot}={slot}, ...) if it is meant, or another name"
            )
        refuse_signature(slot, value)
        found[slot] = value
    return found


def _complete(found: dict[str, Any], board: Board | Callable[[Any], Board]) -> dict[str, Any]:
    """The rules with those that follow from the board where there are none."""
    options = found.get("options", NoOptions)
    derived = BoardRules(board, found["state"], options, found["name"])
    declared = found.get("parameters", NoRules)
    found["rules"] = derived.rules(declared, found.get("rules"))
    found["parameters"] = derived.parameters(declared)
    made = {slot: getattr(derived, slot)() for slot in DERIVED if slot not in found}
    found |= {slot: rule for slot, rule in made.items() if rule is not None}
    found["derived"] = tuple(slot for slot, rule in made.items() if rule is not None)
    derived.written = found
    found.setdefault("sides", derived.board.sides)
    return found


def _refuse_gaps(module: ModuleType, found: Mapping[str, Any]) -> None:
    slots = fields(Rulebook)
    needed = [slot.name for slot in slots if slot.default is MISSING and slot.default_factory is MISSING]
    for slot in needed:
        if slot not in found:
            near = did_you_mean(slot, [name for name, value in vars(module).items() if isinstance(value, FunctionType)])
            shown = f"{slot}({', '.join(SIGNATURES.get(slot, ()))})"
            hint = near if "did you mean" in near else ""
            raise RulesError(f"{_file(module)}:1: the file has no function {shown}{hint}")
    known = {slot.name for slot in slots}
    for name in found:
        if name not in known:
            raise RulesError(f"{_file(module)}:1: a Rulebook has no '{name}'{did_you_mean(name, known)}")


def _title(module: ModuleType, name: str) -> str:
    """The docstring's first words, up to a colon; else the file's name."""
    head, colon, _ = (module.__doc__ or "").strip().partition("\n")[0].partition(":")
    return head if colon and len(head) <= 40 else name.replace("_", " ").capitalize()


def _file(module: ModuleType) -> str:
    return Path(module.__file__ or module.__name__).name


def _line_of(module: ModuleType, name: str) -> int:
    """The line where a module first gives this name a value: an assignment, a loop, an import."""
    for node in _outside_functions(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            return node.lineno
        if isinstance(node, ast.alias) and (node.asname or node.name) == name:
            return node.lineno
    return 1


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a file that run when it is loaded, in order."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            yield from _outside_functions(child)
