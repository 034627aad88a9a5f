"""The options of a Jelly-Patch stream, and the limits that a reader sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any, TypeVar

from jelly_spark.errors import OptionError

MIN_NAME_TABLE_SIZE = 8
"""Jelly-Patch, "Patch stream options": the least size of the name lookup."""

PROTOCOL_VERSION = 1
"""Jelly-Patch, "Versioning": the version tag written, and the highest one read."""

MAX_TABLE_SIZE = 1 << 20
"""The biggest lookup, in entries: memory is set aside for all of them on the JVM."""

# An int on the JVM.
_MAX_FRAME_SIZE = 2**31 - 1

_E = TypeVar("_E", bound=IntEnum)


class StreamType(IntEnum):
    """What ends a patch, by its number on the wire (Jelly-Patch, "Patch stream types")."""

    FRAME = 1
    """The end of its frame."""
    FLAT = 2
    """Nothing: the stream is one patch."""
    PUNCTUATED = 3
    """A punctuation row."""


class StatementType(IntEnum):
    """What statements are, by its number on the wire (Jelly-Patch, "Statement types")."""

    TRIPLES = 1
    QUADS = 2


def _check_size(name: str, value: object, least: int, most: int = MAX_TABLE_SIZE) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise OptionError(
            f"{_camel(name)} must be a whole number from {least} to {most}, not {value!r}"
        )


def _check_bool(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise OptionError(f"{_camel(name)} must be one of: true, false; not {value!r}")


def _check_member(name: str, value: object, kind: type[IntEnum]) -> None:
    if not isinstance(value, kind):
        raise OptionError(f"{_camel(name)} must be one of: {_members(kind)}; not {value!r}")


def _members(kind: type[IntEnum]) -> str:
    return ", ".join(kind.__members__)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


@dataclass(frozen=True)
class PatchOptions:
    """How a stream is written; the defaults are those of the reference implementation's writer.

    Raises:
        OptionError: a value is none of the valid ones.
    """

    stream_type: StreamType = StreamType.PUNCTUATED
    statement_type: StatementType = StatementType.QUADS
    max_name_table_size: int = 4000
    """Entries, at least 8."""
    max_prefix_table_size: int = 150
    """Entries; 0 is no lookup: names hold whole IRIs."""
    max_datatype_table_size: int = 32
    """Entries; 0 is no lookup, so no typed literals."""
    frame_size: int = 512
    """Rows on the wire (lookup entries count) that end a frame, in `PUNCTUATED` and `FLAT`."""
    rdf_star: bool = True
    """Whether quoted triples are allowed."""
    generalized: bool = True
    """Whether literal subjects, predicates that are no IRI, and literal graphs are allowed."""
    delimited: bool = True
    """Whether frames are preceded by their length; if not, the stream is one frame."""

    def __post_init__(self) -> None:
        _check_member("stream_type", self.stream_type, StreamType)
        _check_member("statement_type", self.statement_type, StatementType)
        _check_size("max_name_table_size", self.max_name_table_size, MIN_NAME_TABLE_SIZE)
        _check_size("max_prefix_table_size", self.max_prefix_table_size, 0)
        _check_size("max_datatype_table_size", self.max_datatype_table_size, 0)
        _check_size("frame_size", self.frame_size, 1, _MAX_FRAME_SIZE)
        _check_bool("rdf_star", self.rdf_star)
        _check_bool("generalized", self.generalized)
        _check_bool("delimited", self.delimited)

    @staticmethod
    def from_strings(options: Mapping[str, str]) -> PatchOptions:
        """Return the options that a mapping of camelCase names gives, as Spark's options are.

        Names and values are case-insensitive.

        Raises:
            OptionError: a name or a value is none of the valid ones, or a name comes twice.
        """
        known = {_camel(field.name).lower(): field for field in fields(PatchOptions)}
        values: dict[str, Any] = {}
        for name, text in options.items():
            field = known.get(name.lower())
            if field is None:
                valid = ", ".join(_camel(field.name) for field in known.values())
                raise OptionError(f"unknown option {name!r}; the options are: {valid}")
            if field.name in values:
                raise OptionError(f"option {_camel(field.name)} is given twice")
            values[field.name] = _parse(field.name, field.default, text.strip())
        return PatchOptions(**values)

    def to_strings(self) -> dict[str, str]:
        """Return the options as `from_strings` reads them, and Spark's writers too."""
        return _to_strings(self)


def _to_strings(options: PatchOptions | ReadLimits) -> dict[str, str]:
    values = ((field.name, getattr(options, field.name)) for field in fields(options))
    return {
        _camel(name): value.name if isinstance(value, IntEnum) else str(value).lower()
        for name, value in values
    }


def _parse(name: str, default: object, text: str) -> object:
    # The default's type is the option's; bool and the enums are ints too, so they come first.
    if isinstance(default, bool):
        return _parse_bool(name, text)
    if isinstance(default, IntEnum):
        return _parse_member(name, type(default), text)
    return _parse_size(text)


def _parse_bool(name: str, text: str) -> bool:
    value = {"true": True, "false": False}.get(text.lower())
    if value is None:
        raise OptionError(f"{_camel(name)} must be one of: true, false; not {text!r}")
    return value


def _parse_member(name: str, kind: type[_E], text: str) -> _E:
    member = kind.__members__.get(text.upper())
    if member is None:
        raise OptionError(f"{_camel(name)} must be one of: {_members(kind)}; not {text!r}")
    return member


def _parse_size(text: str) -> int | str:
    # What is no plain number goes on as it is: the check of the values names the valid ones.
    return int(text) if text.isascii() and text.isdigit() else text


@dataclass(frozen=True)
class ReadLimits:
    """The biggest lookups that a reader accepts, against hostile files; in entries.

    Raises:
        OptionError: a limit is no whole number, or too small.
    """

    max_name_table_size: int = 4096
    max_prefix_table_size: int = 1024
    max_datatype_table_size: int = 256

    def __post_init__(self) -> None:
        _check_size("max_name_table_size", self.max_name_table_size, MIN_NAME_TABLE_SIZE)
        _check_size("max_prefix_table_size", self.max_prefix_table_size, 0)
        _check_size("max_datatype_table_size", self.max_datatype_table_size, 0)

    def to_strings(self) -> dict[str, str]:
        """Return the limits under the names that they have as options of Spark's readers."""
        return _to_strings(self)
