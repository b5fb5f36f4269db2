"""Options that several commands share, defined once as a dataclass, and help that shows options in groups."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperOption


def takes(kind: type, parameter: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a command take each field of a dataclass as an option of its own, and hand it over as one value. Fields that
    have the name of a parameter of the command stay the command's own.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(kind, include_extras=True)
        own = dict(inspect.signature(command, eval_str=True).parameters)
        del own[parameter]
        shared = {
            field.name: inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=field.default if field.default is not MISSING else inspect.Parameter.empty,
                annotation=hints[field.name],
            )
            for field in fields(kind)
            if field.name not in own
        }

        @functools.wraps(command)
        def wrapped(**given: Any) -> None:
            value = kind(**{name: given.pop(name) for name in shared})
            command(**given, **{parameter: value})

        parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in [*own.values(), *shared.values()]]
        setattr(wrapped, "__signature__", inspect.Signature(parameters))  # noqa: B010
        wrapped.__annotations__ = {one.name: one.annotation for one in parameters}
        return wrapped

    return decorate


class GroupedCommand(TyperCommand):
    """A command whose help lists its options under the panels that they name, the common ones first."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        arguments, panels = [], {}  # type: list[tuple[str, str]], dict[str, list[tuple[str, str]]]
        for option in self.get_params(ctx):
            row = option.get_help_record(ctx)
            if row is None:
                continue
            if isinstance(option, TyperOption):
                panels.setdefault(option.rich_help_panel or "Options", []).append(row)
            else:
                arguments.append(row)
        for title, rows in {"Arguments": arguments, **panels}.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def option(panel: str, text: str, *names: str, **more: Any) -> Any:
    """An option under a panel of the help."""
    return typer.Option(*names, help=text, rich_help_panel=panel, **more)
