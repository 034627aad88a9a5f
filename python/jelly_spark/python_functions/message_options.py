"""The options of `from_…` and `to_…`: those of the data source that messages have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from jelly_spark._format_options import (
    Mode,
    ReadOptions,
    option_names,
    read_options,
    write_options,
)
from jelly_spark.core.options import WriteOptions, unknown_option
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
        read: the options of a read; with the mode `PERMISSIVE`, a malformed message becomes None.
        write: the options of the format's writer.
    """

    function: str
    format: str
    read: ReadOptions
    write: WriteOptions


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
        _check_names(options, (*option_names(found), "terms", "mode", "checkAllColumns"))
        texts = {name.lower(): text for name, text in options.items()}
        read = read_options(found, texts, (Mode.FAILFAST, Mode.PERMISSIVE))
        return MessageOptions(function, format, read, write_options(found, {**_DEFAULTS, **texts}))
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
