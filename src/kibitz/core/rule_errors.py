"""Rules that fail while they run: reported with the author's file and line instead of a traceback."""

import ast
import traceback
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from types import FunctionType, GeneratorType
from typing import Any

import numpy as np

from kibitz.core.errors import KibitzError, RulesError
from kibitz.core.source import find_definition, find_missing_return, place_of, returns_of


def report_rule_errors(rule: Callable[..., Any], call: Callable[..., Any]) -> Callable[..., Any]:
    """The call, with any error in the rule raised as a RulesError; the error itself is its cause."""

    @wraps(rule)
    def guarded(*given: Any, **named: Any) -> Any:
        try:
            found = call(*given, **named)
        except KibitzError:
            raise
        except Exception as problem:
            raise describe_failure(rule, problem) from problem
        return _report_while_iterating(rule, found) if isinstance(found, GeneratorType) else found

    return guarded


def _report_while_iterating(rule: Callable[..., Any], values: Iterator[Any]) -> Iterator[Any]:
    try:
        yield from values
    except KibitzError:
        raise
    except Exception as problem:
        raise describe_failure(rule, problem) from problem


def whole_number(rule: Callable[..., Any], found: Any, expected: str) -> int:
    """What a rule returned as an int; the line to blame where it is something else."""
    if isinstance(found, (int, np.integer, np.bool_)):
        return int(found)
    tree = find_definition(rule) if isinstance(rule, FunctionType) else None
    if found is None:
        node = tree and find_missing_return(tree)
        raise RulesError(f"{place_of(rule, node)}: {rule.__name__}() ends without a return, expected {expected}")
    kind = {str: "text", float: "float"}.get(type(found), type(found).__name__)
    node = next((node for node in returns_of(tree) if _holds(node, found)), None) if tree else None
    raise RulesError(f"{place_of(rule, node)}: {rule.__name__}() returns the {kind} {found!r:.40}, expected {expected}")


def _holds(node: ast.Return, value: object) -> bool:
    """Does a return statement name this value?"""
    return any(isinstance(part, ast.Constant) and part.value == value for part in ast.walk(node))


def refuse_plain_tuple(rule: Callable[..., Any], found: Any, kind: type) -> None:
    """A new state is made by its class."""
    if type(found) is tuple:
        tree = find_definition(rule) if isinstance(rule, FunctionType) else None
        tuples = (node for node in returns_of(tree) if isinstance(node.value, ast.Tuple)) if tree else iter(())
        place = place_of(rule, next(tuples, None))
        raise RulesError(f"{place}: {rule.__name__}() returns a plain tuple, expected {kind.__name__}(...)")


def describe_failure(rule: Callable[..., Any], problem: Exception) -> RulesError:
    """One line: where in the author's file the rule failed, and how."""
    file = rule.__code__.co_filename
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == file]
    line = frames[-1].lineno if frames else rule.__code__.co_firstlineno
    problem_text = " ".join(f"{type(problem).__name__}: {problem}".split())
    return RulesError(f"{Path(file).name}:{line}: {rule.__name__}() fails with {problem_text}")
