"""The options for reading files: `--from`, `--strict` and `--read-option`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from inspect import signature
from typing import Any, TypeVar, cast

import click

from jelly_spark.codec import ReadLimits
from jelly_spark.core.format import Format
from jelly_spark.core.options import camel, parse_size, unknown_option
from jelly_spark.core.row_size import check_max_row_size
from jelly_spark.formats import FORMATS

_C = TypeVar("_C", bound=Callable[..., Any])

_MAX_ROW_SIZE = "max_row_size"
_SIZES = [*(field.name for field in fields(ReadLimits)), _MAX_ROW_SIZE]


@dataclass(frozen=True)
class Reading:
    """How to read files.

    Attributes:
        format: the short name of their format; None if the extensions say it.
        strict: whether to reject what the specification forbids; see the reader of the format.
        max_row_size: the limit of a row, in bytes; None for the default.
        limits: the limits of lookup tables; None for the defaults.
    """

    format: str | None = None
    strict: bool = False
    max_row_size: int | None = None
    limits: ReadLimits | None = None

    def arguments(self, format: Format) -> dict[str, Any]:
        """Return the arguments of a format's reader; limits that it does not have are left out."""
        found = {
            "strict": self.strict or None,
            _MAX_ROW_SIZE: self.max_row_size,
            "limits": self.limits,
        }
        known = signature(format.reader).parameters
        return {key: value for key, value in found.items() if value is not None and key in known}


def read_options(command: _C) -> _C:
    """Add the options `--from`, `--strict` and `--read-option`.

    Together, they are the argument `reading`.
    """
    add_strict = click.option(
        "--strict", is_flag=True, help="Reject input that the specification of its format forbids."
    )
    return cast(_C, _FROM(add_strict(_limit_option(command))))


def lenient_options(command: Callable[..., Any]) -> Any:
    """Add the same without `--strict`, for a command that is not told whether to be strict."""
    return _FROM(_limit_option(command))


_FROM = click.option(
    "--from",
    "source_format",
    type=click.Choice([*FORMATS], case_sensitive=False),
    help="The format to read; by default, the extension says it.",
)


def _limit_option(command: Callable[..., Any]) -> Any:
    @wraps(command)
    def with_reading(
        *arguments: Any,
        source_format: str | None,
        read_settings: Sequence[str],
        strict: bool = False,
        **others: Any,
    ) -> Any:
        sizes = _parse(read_settings)
        max_row_size = sizes.pop(_MAX_ROW_SIZE, None)
        if max_row_size is not None:
            check_max_row_size(max_row_size)
        limits = ReadLimits(**sizes) if sizes else None
        reading = Reading(source_format, strict, max_row_size, limits)
        return command(*arguments, reading=reading, **others)

    return click.option(
        "--read-option",
        "read_settings",
        multiple=True,
        metavar="KEY=VALUE",
        help=f"A limit of the reader: {', '.join(map(camel, _SIZES))}. May be repeated.",
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
    names = {camel(name).lower(): name for name in _SIZES}
    sizes: dict[str, Any] = {}
    for key, text in parse_settings("--read-option", settings).items():
        name = names.get(key.lower())
        if name is None:
            raise unknown_option(key, [*map(camel, _SIZES)])
        if name in sizes:
            raise click.UsageError(f"--read-option {key} is given twice")
        sizes[name] = parse_size(text)
    return sizes
