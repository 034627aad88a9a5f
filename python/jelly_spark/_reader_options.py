"""The arguments of a format's reader as options of Spark, and the other way round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from inspect import signature
from typing import Any

from jelly_spark.core.format import ReadFormat
from jelly_spark.core.options import (
    camel,
    named_as_in_spark,
    parse_bool,
    parse_size,
    strings_of,
)
from jelly_spark.core.row_size import check_max_row_size
from jelly_spark.jelly.options import ReadLimits

# The arguments that are not options: Spark decides what is read.
_NOT_OPTIONS = frozenset(("file", "part", "where"))
_MAX_ROW_SIZE = "max_row_size"
_LIMITS = "limits"
_TEXTS = ("syntax", "base")
_SIZES = tuple(field.name for field in fields(ReadLimits))

VALUE_ARGUMENTS = (*_SIZES, _MAX_ROW_SIZE, *_TEXTS)
"""The arguments that are sizes or texts, and not flags."""


def reader_option_names(format: ReadFormat) -> list[str]:
    """Return the names that the arguments of a format's reader have in Spark."""
    return [camel(name) for name in _names(format)]


def reader_arguments(format: ReadFormat, options: Mapping[str, str]) -> dict[str, Any]:
    """Return arguments of a format's reader.

    Args:
        format: the format.
        options: options of Spark, by their names in lower case; those that the reader does not have
            are left out.

    Raises:
        OptionError: a value is not valid.
    """
    keys = {name: camel(name).lower() for name in _names(format)}
    return parse_arguments(
        {name: options[key].strip() for name, key in keys.items() if key in options}
    )


def parse_arguments(texts: Mapping[str, str]) -> dict[str, Any]:
    """Return arguments of readers, given as texts; those of `ReadLimits` become `limits`.

    Raises:
        OptionError: a value is not valid.
    """
    found: dict[str, Any] = {}
    sizes: dict[str, Any] = {}
    for name, text in texts.items():
        if name in _SIZES:
            sizes[name] = parse_size(text)
        elif name == _MAX_ROW_SIZE:
            found[name] = parse_size(text)
        elif name in _TEXTS:
            found[name] = text
        else:
            found[name] = parse_bool(name, text)
    with named_as_in_spark():
        if _MAX_ROW_SIZE in found:
            check_max_row_size(found[_MAX_ROW_SIZE])
        return found | {_LIMITS: ReadLimits(**sizes)} if sizes else found


def reader_strings(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Return arguments of a format's reader as options of Spark, which are strings."""
    values = {name: value for name, value in arguments.items() if name != _LIMITS}
    limits: ReadLimits | None = arguments.get(_LIMITS)
    return strings_of(values.items()) | ({} if limits is None else limits.to_strings())


def _names(format: ReadFormat) -> list[str]:
    names: list[str] = []
    for name in signature(format.reader).parameters:
        if name == _LIMITS:
            names += _SIZES
        elif name not in _NOT_OPTIONS:
            names.append(name)
    return names
