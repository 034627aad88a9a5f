"""The options that both Jelly formats share, and the limits of their readers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.options import (
    WriteOptions,
    camel,
    check_bool,
    check_size,
    check_text,
    strings_of,
)
from jelly_spark.errors import OptionError

MIN_NAME_TABLE_SIZE = 8
"""The smallest size of the name lookup table, in entries (Jelly-RDF and Jelly-Patch, "Stream
options")."""

MAX_TABLE_SIZE = 1 << 20
"""The largest size of a lookup table, in entries. The JVM allocates memory for all of them."""

# The smallest sizes of the lookup tables, in entries, by the kind of their entries.
_LEAST_TABLE_SIZES = {"name": MIN_NAME_TABLE_SIZE, "prefix": 0, "datatype": 0}
# The fields of the options messages that both formats have, by option.
_FIELDS = {
    "generalized": "generalized_statements",
    "rdf_star": "rdf_star",
    "max_name_table_size": "max_name_table_size",
    "max_prefix_table_size": "max_prefix_table_size",
    "max_datatype_table_size": "max_datatype_table_size",
}
TERM_COLUMNS = ("subject", "predicate", "object", "graph")
"""The columns that can have filters in the index of restart points."""

OPTIONS_OUTSIDE_FILES = ("frame_size", "restart_interval", "index_columns", "index_filter_bits")
"""The options that the options row of a stream does not hold."""

# The numbers of bits of a filter for each term.
_MIN_FILTER_BITS, _MAX_FILTER_BITS = 4, 32
# The largest int on the JVM.
_MAX_FRAME_SIZE = 2**31 - 1
# The largest long on the JVM.
_MAX_RESTART_INTERVAL = 2**63 - 1


@dataclass(frozen=True)
class JellyOptions(WriteOptions):
    """Options for writing a Jelly stream; the defaults are those of the reference implementation.

    Raises:
        OptionError: a value has a wrong type or is out of range.
    """

    max_name_table_size: int = 4000
    """The size of the name lookup table in entries, from 8 to 1048576."""
    max_prefix_table_size: int = 150
    """The size of the prefix lookup table in entries, from 0 to 1048576. With 0, there is no such
    table, and names hold whole IRIs."""
    max_datatype_table_size: int = 32
    """The size of the datatype lookup table in entries, from 0 to 1048576. With 0, there is no such
    table, and literals cannot have datatypes."""
    frame_size: int = 512
    """The number of rows after which a frame ends, counting lookup entries; at least 1. Ignored if
    the ends of frames have a meaning."""
    rdf_star: bool = True
    """Whether triple terms are allowed."""
    generalized: bool = True
    """Whether literals as subjects and graphs, and predicates that are not IRIs, are allowed."""
    delimited: bool = True
    """Whether each frame is preceded by its length. If not, the stream is one frame."""
    restart_interval: int = 32 << 20
    """The number of bytes between restart points, from which a reader can start; 0 for none. An
    index at the end of the file lists them. Files that are shorter, or not delimited, have neither
    restart points nor an index."""
    index_columns: str = ""
    """The columns whose terms can be looked up in the index, so that readers skip restart ranges:
    any of `subject`, `predicate`, `object` and `graph`, separated by commas. By default, none."""
    index_filter_bits: int = 10
    """The number of bits in the index for each term that a restart range has in such a column, from
    4 to 32. With 10, about 1 of 80 ranges without a term is read in vain; with 16, 1 of 700."""

    def __post_init__(self) -> None:
        _check_table_sizes(self)
        check_size("frame_size", self.frame_size, 1, _MAX_FRAME_SIZE)
        check_bool("rdf_star", self.rdf_star)
        check_bool("generalized", self.generalized)
        check_bool("delimited", self.delimited)
        check_size("restart_interval", self.restart_interval, 0, _MAX_RESTART_INTERVAL)
        index_columns(self)
        bits = self.index_filter_bits
        check_size("index_filter_bits", bits, _MIN_FILTER_BITS, _MAX_FILTER_BITS)


def index_columns(options: JellyOptions) -> frozenset[str]:
    """Return the columns that the option `index_columns` names.

    Raises:
        OptionError: the option is not a list of such columns.
    """
    check_text("index_columns", options.index_columns)
    text = options.index_columns.strip()
    names = frozenset(name.strip().lower() for name in text.split(",")) if text else frozenset()
    if not names <= frozenset(TERM_COLUMNS):
        raise OptionError(
            f"index_columns must be a comma-separated list of: {', '.join(TERM_COLUMNS)}; "
            f"not {options.index_columns!r}"
        )
    return names


def shared_fields(options: JellyOptions) -> dict[str, Any]:
    """Return the fields of an options message that both formats have, by name."""
    return {field: getattr(options, option) for option, field in _FIELDS.items()}


def shared_options(message: Any) -> dict[str, Any]:
    """Return the options in an options message that both formats have, by name."""
    return {option: getattr(message, field) for option, field in _FIELDS.items()}


@dataclass(frozen=True)
class ReadLimits:
    """The largest lookup tables that a reader accepts, in entries, to guard against hostile files.

    Attributes:
        max_name_table_size: from 8 to 1048576.
        max_prefix_table_size: from 0 to 1048576.
        max_datatype_table_size: from 0 to 1048576.

    Raises:
        OptionError: a limit is not a whole number, or is out of range.
    """

    max_name_table_size: int = 4096
    max_prefix_table_size: int = 1024
    max_datatype_table_size: int = 256

    def __post_init__(self) -> None:
        _check_table_sizes(self)

    def to_strings(self) -> dict[str, str]:
        """Return the limits as strings, under the names of the options of Spark's readers."""
        return strings_of((field.name, getattr(self, field.name)) for field in fields(self))

    def check(self, message: Any) -> None:
        """Check the sizes of the lookup tables that the options message of a stream declares.

        Raises:
            Violation: a size is above its limit, or too small.
        """
        for kind, least in _LEAST_TABLE_SIZES.items():
            option = f"max_{kind}_table_size"
            size, most = getattr(message, option), getattr(self, option)
            if not least <= size <= most:
                raise Violation(
                    f"a {kind} table of {least} to {most} entries (option {camel(option)})",
                    f"a {kind} table of {size} entries",
                )


def _check_table_sizes(sizes: JellyOptions | ReadLimits) -> None:
    for kind, least in _LEAST_TABLE_SIZES.items():
        option = f"max_{kind}_table_size"
        check_size(option, getattr(sizes, option), least, MAX_TABLE_SIZE)
