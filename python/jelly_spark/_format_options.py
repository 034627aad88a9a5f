"""The options of formats as strings, which Spark, its functions and the command have alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, Literal

from jelly_spark.core.format import Format, FormatOf, WrittenFormat
from jelly_spark.core.options import (
    WriteOptions,
    camel,
    choose,
    named_as_in_spark,
    parse_bool,
    parse_size,
    strings_of,
)
from jelly_spark.core.reader import Skipping
from jelly_spark.core.row_size import check_max_row_size
from jelly_spark.jelly.options import ReadLimits

# The arguments that are not options: Spark decides what is read.
_NOT_OPTIONS = frozenset(("part", "where"))
_MAX_ROW_SIZE = "max_row_size"
_LIMITS = "limits"
_TEXTS = ("syntax", "base")
_SIZES = tuple(field.name for field in fields(ReadLimits))

# The default of Spark's setting `spark.sql.columnNameOfCorruptRecord`, which Python cannot see.
_CORRUPT_COLUMN = "_corrupt_record"

VALUE_ARGUMENTS = (*_SIZES, _MAX_ROW_SIZE, *_TEXTS)
"""The arguments that are sizes or texts, and not flags."""


class Mode(Enum):
    """What to do with malformed input."""

    FAILFAST = "fail the job"
    DROPMALFORMED = "drop it"
    PERMISSIVE = "read it as null, or a line as a row of nulls, with its text in a column"


@dataclass(frozen=True)
class ReadOptions:
    """The options of a read.

    Attributes:
        terms: the type of columns of terms.
        mode: what to do with malformed input.
        corrupt_column: the column for the text of malformed lines; None if the codec cannot skip a
            single line.
        arguments: the arguments of the format's reader.
    """

    terms: Literal["string", "struct"]
    mode: Mode
    corrupt_column: str | None
    arguments: dict[str, Any]

    @property
    def namespaces(self) -> bool:
        """Whether namespaces of RDF data are rows."""
        return bool(self.arguments.get("namespaces"))


def option_names(format: WrittenFormat) -> list[str]:
    """Return the names of a format's options in Spark: those of its writer and of its reader."""
    names = [] if format.by_jena else [field.name for field in fields(format.options)]
    if isinstance(format, FormatOf):
        names += _arguments(format)
    return [camel(name) for name in dict.fromkeys(names)]


def read_options(format: Format, options: Mapping[str, str], modes: Iterable[Mode]) -> ReadOptions:
    """Return the options of a read, and leave out those that it does not have.

    Args:
        format: the format.
        options: options of Spark, by their names in lower case.
        modes: the values that the option `mode` can have.

    Raises:
        OptionError: a value is not valid.
    """
    terms: dict[str, Literal["string", "struct"]] = {"string": "string", "struct": "struct"}
    mode = choose("mode", options.get("mode", "FAILFAST"), {mode.name: mode for mode in modes})
    # It changes nothing, because the codec always decodes all columns.
    parse_bool("checkAllColumns", options.get("checkallcolumns", "false").strip())
    keys = {name: camel(name).lower() for name in _arguments(format)}
    arguments = parse_arguments(
        {name: options[key].strip() for name, key in keys.items() if key in options}
    )
    skips_line = format.reader_class.skipping is Skipping.LINE
    return ReadOptions(
        choose("terms", options.get("terms", "string"), terms),
        mode,
        options.get("columnnameofcorruptrecord", _CORRUPT_COLUMN) if skips_line else None,
        arguments,
    )


def write_options(format: WrittenFormat, options: Mapping[str, str]) -> WriteOptions:
    """Return the options of a format's writer; the arguments and errors are as for a read."""
    own = {camel(field.name).lower() for field in fields(format.options)}
    found: WriteOptions = format.options.from_strings(
        {key: text for key, text in options.items() if key in own}
    )
    return found


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


def _arguments(format: Format) -> list[str]:
    names: list[str] = []
    for name in format.arguments:
        if name == _LIMITS:
            names += _SIZES
        elif name not in _NOT_OPTIONS:
            names.append(name)
    return names
