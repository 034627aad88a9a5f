"""The options of a Spark read or write that do not depend on the format's codec, and the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from jelly_spark._reader_options import reader_arguments, reader_option_names
from jelly_spark.core.files.compression import COMPRESSIONS
from jelly_spark.core.format import FormatOf, ReadFormat, WrittenFormat, WrittenFormatOf
from jelly_spark.core.options import (
    WriteOptions,
    camel,
    check_spelling,
    choose,
    parse_bool,
)
from jelly_spark.core.reader import Skipping
from jelly_spark.errors import OptionError

_UNCOMPRESSED = "none"
# Names of options for all formats, as on the JVM.
_SHARED = (
    "terms",
    "mode",
    "columnNameOfCorruptRecord",
    "checkAllColumns",
    "compression",
    "writeIntoLog",
    "engine",
)
# The default of Spark's setting `spark.sql.columnNameOfCorruptRecord`, which a data source in
# Python cannot see.
_CORRUPT_COLUMN = "_corrupt_record"


class Mode(Enum):
    """What to do with malformed input."""

    FAILFAST = "fail the job"
    DROPMALFORMED = "drop it"
    PERMISSIVE = "read it as a row of nulls, with its text in a column"


@dataclass(frozen=True)
class ReadSettings:
    """The options of a read.

    Attributes:
        structs: whether columns of terms are structs (`terms=struct`).
        namespaces: whether namespaces of Jelly-RDF are rows.
        mode: what to do with malformed input.
        corrupt_column: the column for the text of malformed lines; None if the codec cannot skip a
            single line.
        arguments: the other arguments of the format's reader.
    """

    structs: bool
    namespaces: bool
    mode: Mode
    corrupt_column: str | None
    arguments: dict[str, Any]


def read_settings(format: ReadFormat, options: Mapping[str, str]) -> ReadSettings:
    """Return the options of a read, given as strings.

    Raises:
        OptionError: a name is misspelt, or a value is not valid.
    """
    values = _check_names(format, options)
    skips_line = format.reader_class.skipping is Skipping.LINE
    modes = {Mode.FAILFAST.name: Mode.FAILFAST}
    if format.reader_class.skipping is not Skipping.NOTHING:
        modes[Mode.DROPMALFORMED.name] = Mode.DROPMALFORMED
    if skips_line:
        modes[Mode.PERMISSIVE.name] = Mode.PERMISSIVE
    mode = choose("mode", values.get("mode", Mode.FAILFAST.name), modes)
    # It changes nothing, because the codec always decodes all columns.
    parse_bool("checkAllColumns", values.get("checkallcolumns", "false").strip())
    arguments = reader_arguments(format, values)
    return ReadSettings(
        structs=choose("terms", values.get("terms", "string"), {"string": False, "struct": True}),
        namespaces=arguments.get("namespaces", False),
        mode=mode,
        corrupt_column=values.get("columnnameofcorruptrecord", _CORRUPT_COLUMN)
        if skips_line
        else None,
        arguments=arguments,
    )


def write_settings(format: WrittenFormat, options: Mapping[str, str]) -> tuple[WriteOptions, str]:
    """Return the options of a format, and the extension of the files, with the compression's.

    Args:
        format: the format.
        options: the options of a write, given as strings.

    Raises:
        OptionError: a name is misspelt, or a value is not valid.
    """
    values = _check_names(format, options)
    extensions = {_UNCOMPRESSED: ""} | {found.name: found.extension for found in COMPRESSIONS}
    compressed = choose("compression", values.get("compression", _UNCOMPRESSED), extensions)
    own = {camel(field.name).lower() for field in fields(format.options)}
    codec = format.options.from_strings(
        {name: text for name, text in values.items() if name in own}
    )
    return codec, format.extension + compressed


def writes_into_log(options: Mapping[str, str]) -> bool:
    """Return whether a write may go into the folder of a managed log.

    Raises:
        OptionError: the value is not valid.
    """
    values = {name.lower(): text for name, text in options.items()}
    return parse_bool("writeIntoLog", values.get("writeintolog", "false").strip())


def _check_names(format: ReadFormat | WrittenFormat, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options by their names in lower case."""
    known: list[str] = []
    if isinstance(format, WrittenFormatOf):
        known += (camel(field.name) for field in fields(format.options))
    if not isinstance(format, WrittenFormatOf) or isinstance(format, FormatOf):
        known += reader_option_names(format)
    check_spelling(options, [*dict.fromkeys(known), *_SHARED])
    values = {name.lower(): text for name, text in options.items()}
    choose("engine", values.get("engine", "native"), {"native": None})
    return values


def refuse(options: Mapping[str, str], names: Iterable[str]) -> None:
    """Check that options which only the jar has are not set.

    Raises:
        OptionError: one of the names is set, in any case.
    """
    given = {name.lower() for name in options}
    for name in names:
        if name.lower() in given:
            raise OptionError(f"option {name} needs jelly-spark.jar")
