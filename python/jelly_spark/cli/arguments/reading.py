"""The options for reading files: `--from`, `--strict` and `--read-option`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast

import click

from jelly_spark._format_options import VALUE_ARGUMENTS, parse_arguments
from jelly_spark.cli.arguments.format_names import FormatName
from jelly_spark.core.options import camel, unknown_option
from jelly_spark.formats import READ

_C = TypeVar("_C", bound=Callable[..., Any])


@dataclass(frozen=True)
class Reading:
    """How to read files.

    Attributes:
        format: the short name of their format; None if the extensions say it.
        options: arguments of readers; a reader that does not have one ignores it.
    """

    format: str | None
    options: dict[str, Any]


def read_options(command: _C) -> _C:
    """Add the options `--from`, `--strict` and `--read-option`; together, they are a `Reading`."""
    return _FROM(strict_options(command))


def strict_options(command: _C) -> _C:
    """Add the same without `--from`, for a command whose files can have two formats."""
    add_strict = click.option(
        "--strict", is_flag=True, help="Reject input that the specification of its format forbids."
    )
    return cast(_C, add_strict(_limit_option(command)))


def lenient_options(command: Callable[..., Any]) -> Any:
    """Add the same without `--strict`, for a command that is not told whether to be strict."""
    return _FROM(_limit_option(command))


def from_option(name: str, more_help: str = "", **settings: Any) -> Callable[[_C], _C]:
    """Return the option `--from`, whose argument of the command has this name."""
    return click.option(
        "--from",
        name,
        type=FormatName("--from", READ),
        help="The format to read; by default, the extension says it, or the content of a pipe."
        + more_help,
        **settings,
    )


_FROM = from_option("source_format")


def _limit_option(command: Callable[..., Any]) -> Any:
    @wraps(command)
    def with_reading(
        *arguments: Any,
        source_format: str | None = None,
        read_settings: Sequence[str],
        strict: bool = False,
        **others: Any,
    ) -> Any:
        options = _parse(read_settings)
        if strict:
            options["strict"] = True
        return command(*arguments, reading=Reading(source_format, options), **others)

    return click.option(
        "--read-option",
        "read_settings",
        multiple=True,
        metavar="KEY=VALUE",
        help=f"An option of the reader: {', '.join(map(camel, VALUE_ARGUMENTS))}. May be repeated.",
    )(with_reading)


def parse_settings(option: str, settings: Sequence[str]) -> dict[str, str]:
    """Return what the uses of an option such as `--option KEY=VALUE` say, by key.

    Raises:
        UsageError: one is not `KEY=VALUE`, or a key is given twice.
    """
    found: dict[str, str] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not key or not equals:
            raise click.UsageError(f"{option} must be KEY=VALUE, not {setting!r}")
        if key in found:
            raise click.UsageError(f"{option} {key} is given twice")
        found[key] = value
    return found


def _parse(settings: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of readers for what `--read-option` says."""
    names = {camel(name).lower(): name for name in VALUE_ARGUMENTS}
    found: dict[str, str] = {}
    for key, text in parse_settings("--read-option", settings).items():
        name = names.get(key.lower())
        if name is None:
            raise unknown_option(key, [*map(camel, VALUE_ARGUMENTS)])
        if name in found:
            raise click.UsageError(f"--read-option {key} is given twice")
        found[name] = text
    return parse_arguments(found)
