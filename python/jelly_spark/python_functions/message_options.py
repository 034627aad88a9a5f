"""The options of `from_…` and `to_…`: those of the data source that messages have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from jelly_spark._reader_options import reader_arguments, reader_option_names
from jelly_spark.core.options import WriteOptions, camel, choose, parse_bool, unknown_option
from jelly_spark.errors import OptionError
from jelly_spark.formats import find_format

_DEFAULTS = {"delimited": "false", "restartinterval": "0"}
"""The defaults that differ for messages: one frame without its length, and no restart points."""

_OF_FILES = {
    "restartInterval": "a message has no restart points",
    "indexColumns": "a message has no index",
    "indexFilterBits": "a message has no index",
    "compression": "a message is not compressed",
    "columnNameOfCorruptRecord": (
        "with the mode PERMISSIVE, the array of a malformed message is null"
    ),
}
"""Options that only files have, each with the reason why messages do not have it."""


@dataclass(frozen=True)
class MessageOptions:
    """The options of a call, parsed.

    Attributes:
        function: the name of the called function, for errors.
        format: the short name of the format.
        read: the arguments of the format's reader.
        write: the options of the format's writer.
        has_structs: whether terms are structs in the rows that are read.
        is_permissive: whether a malformed message becomes None instead of an error.
    """

    function: str
    format: str
    read: Mapping[str, Any]
    write: WriteOptions
    has_structs: bool
    is_permissive: bool


def parse_options(function: str, format: str, options: Mapping[str, str]) -> MessageOptions:
    """Parse the options of a call. Those for reading and for writing are both checked.

    Args:
        function: the name of the called function.
        format: the short name of its format.
        options: the options as strings; names and values are case-insensitive.

    Raises:
        OptionError: a name or a value is not valid; the message says what is.
    """
    found = find_format(format)
    try:
        written, known = (
            [camel(f.name) for f in fields(found.options)],
            reader_option_names(found),
        )
        _check_names(options, dict.fromkeys((*written, *known, "terms", "mode", "checkAllColumns")))
        texts = {name.lower(): text for name, text in options.items()}
        # It changes nothing, because the codec always decodes all columns.
        parse_bool("checkAllColumns", texts.get("checkallcolumns", "false").strip())
        defaults = _chosen(_DEFAULTS, written)
        return MessageOptions(
            function,
            format,
            reader_arguments(found, texts),
            found.options.from_strings({**defaults, **_chosen(texts, written)}),
            choose("terms", texts.get("terms", "string"), {"string": False, "struct": True}),
            choose("mode", texts.get("mode", "FAILFAST"), {"FAILFAST": False, "PERMISSIVE": True}),
        )
    except OptionError as error:
        raise OptionError(f"{function}: {error}") from None


def _check_names(names: Iterable[str], known: Iterable[str]) -> None:
    of_files = {name.lower(): (name, why) for name, why in _OF_FILES.items()}
    valid = [name for name in known if name not in _OF_FILES]
    for name in names:
        if name.lower() in of_files:
            option, why = of_files[name.lower()]
            raise OptionError(f"{option} is an option of files: {why}. Remove the option")
        if name.lower() not in map(str.lower, valid):
            raise unknown_option(name, valid)


def _chosen(texts: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return the options that have one of the names, by their names in lower case."""
    lower = {name.lower() for name in names}
    return {name: text for name, text in texts.items() if name in lower}
