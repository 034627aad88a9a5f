"""The options that both Jelly formats have, and the limits that a reader sets."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Protocol

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.options import WriteOptions, camel, check_bool, check_size, strings_of

MIN_NAME_TABLE_SIZE = 8
"""Jelly-RDF and Jelly-Patch, "stream options": the least size of the name lookup."""

MAX_TABLE_SIZE = 1 << 20
"""The biggest lookup, in entries: memory is set aside for all of them on the JVM."""

# An int on the JVM.
_MAX_FRAME_SIZE = 2**31 - 1
# A long.
_MAX_RESTART_INTERVAL = 2**63 - 1


@dataclass(frozen=True)
class JellyOptions(WriteOptions):
    """How a Jelly stream is written; the defaults are those of the reference implementation.

    Raises:
        OptionError: a value is not valid.
    """

    max_name_table_size: int = 4000
    """Entries, at least 8."""
    max_prefix_table_size: int = 150
    """Entries; 0 is no lookup: names hold whole IRIs."""
    max_datatype_table_size: int = 32
    """Entries; 0 is no lookup, so no typed literals."""
    frame_size: int = 512
    """Rows on the wire (lookup entries count) that end a frame, where nothing else ends it."""
    rdf_star: bool = True
    """Whether quoted triples are allowed."""
    generalized: bool = True
    """Whether literal subjects, predicates that are no IRI, and literal graphs are allowed."""
    delimited: bool = True
    """Whether frames are preceded by their length; if not, the stream is one frame."""
    restart_interval: int = 32 << 20
    """Bytes after which the file can be read without those before, by an index at its end; 0 for
    none. Shorter files, and those without lengths of frames, have neither."""

    def __post_init__(self) -> None:
        _check_table_sizes(self)
        check_size("frame_size", self.frame_size, 1, _MAX_FRAME_SIZE)
        check_bool("rdf_star", self.rdf_star)
        check_bool("generalized", self.generalized)
        check_bool("delimited", self.delimited)
        check_size("restart_interval", self.restart_interval, 0, _MAX_RESTART_INTERVAL)


@dataclass(frozen=True)
class ReadLimits:
    """The biggest lookups that a reader accepts, against hostile files; in entries.

    Raises:
        OptionError: a limit is not a whole number, or too small.
    """

    max_name_table_size: int = 4096
    max_prefix_table_size: int = 1024
    max_datatype_table_size: int = 256

    def __post_init__(self) -> None:
        _check_table_sizes(self)

    def to_strings(self) -> dict[str, str]:
        """Return the limits under the names that they have as options of Spark's readers."""
        return strings_of((field.name, getattr(self, field.name)) for field in fields(self))

    def check(self, sizes: TableSizes) -> None:
        """Check the sizes that a stream's options ask for.

        Raises:
            Violation: one of them is over its limit, or too small.
        """
        for kind, size, least, most in (
            ("name", sizes.max_name_table_size, MIN_NAME_TABLE_SIZE, self.max_name_table_size),
            ("prefix", sizes.max_prefix_table_size, 0, self.max_prefix_table_size),
            ("datatype", sizes.max_datatype_table_size, 0, self.max_datatype_table_size),
        ):
            if not least <= size <= most:
                option = camel(f"max_{kind}_table_size")
                raise Violation(
                    f"a {kind} table of {least} to {most} entries (option {option})",
                    f"a {kind} table of {size} entries",
                )


class TableSizes(Protocol):
    """Whatever says how big the lookups may be, in entries."""

    @property
    def max_name_table_size(self) -> int:
        """Of the lookup of IRI names."""

    @property
    def max_prefix_table_size(self) -> int:
        """Of the lookup of IRI prefixes."""

    @property
    def max_datatype_table_size(self) -> int:
        """Of the lookup of datatypes."""


def _check_table_sizes(sizes: TableSizes) -> None:
    check_size(
        "max_name_table_size", sizes.max_name_table_size, MIN_NAME_TABLE_SIZE, MAX_TABLE_SIZE
    )
    check_size("max_prefix_table_size", sizes.max_prefix_table_size, 0, MAX_TABLE_SIZE)
    check_size("max_datatype_table_size", sizes.max_datatype_table_size, 0, MAX_TABLE_SIZE)
