"""Rules that fail while they run: reported with the author's file and line instead of a traceback."""

import traceback
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from types import GeneratorType
from typing import Any

from kibitz.core.errors import KibitzError, RulesError


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


def describe_failure(rule: Callable[..., Any], problem: Exception) -> RulesError:
    """One line: where in the author's file the rule failed, and how."""
    file = rule.__code__.co_filename
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == file]
    line = frames[-1].lineno if frames else rule.__code__.co_firstlineno
    problem_text = " ".join(f"{type(problem).__name__}: {problem}".split())
    return RulesError(f"{Path(file).name}:{line}: {rule.__name__}() fails with {problem_text}")
