"""The options of a Spark read or write of files: those of the format, and those of all formats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jelly_spark._format_options import (
    Mode,
    ReadOptions,
    option_names,
    read_options,
    write_options,
)
from jelly_spark.core.files.compression import COMPRESSIONS
from jelly_spark.core.format import Format, WrittenFormat
from jelly_spark.core.options import WriteOptions, check_spelling, choose, parse_bool
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
_MODES = {
    Skipping.NOTHING: (Mode.FAILFAST,),
    Skipping.REST: (Mode.FAILFAST, Mode.DROPMALFORMED),
    Skipping.LINE: (Mode.FAILFAST, Mode.DROPMALFORMED, Mode.PERMISSIVE),
}


def read_settings(format: Format, options: Mapping[str, str]) -> ReadOptions:
    """Return the options of a read, given as strings.

    Raises:
        OptionError: a name is misspelt, or a value is not valid.
    """
    modes = _MODES[format.reader_class.skipping]
    return read_options(format, _check_names(format, options), modes)


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
    return write_options(format, values), format.extension + compressed


def writes_into_log(options: Mapping[str, str]) -> bool:
    """Return whether a write may go into the folder of a managed log.

    Raises:
        OptionError: the value is not valid.
    """
    values = {name.lower(): text for name, text in options.items()}
    return parse_bool("writeIntoLog", values.get("writeintolog", "false").strip())


def _check_names(format: WrittenFormat, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options by their names in lower case."""
    check_spelling(options, [*option_names(format), *_SHARED])
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
