"""Column functions: messages to rows and back.

    from jelly_spark.functions import from_jelly_patch

    rows = messages.select(F.explode(from_jelly_patch("value")).alias("row")).select("row.*")

They run in the JVM, on classic Spark and on Spark Connect, where the jar is on the session: see
`jelly_spark.configure`. In SQL they have the same names.

A message is one file of its format, in a column: the value of a record of Kafka, for example. It
stands alone. In the Jelly formats, it is written undelimited unless the option `delimited` is true,
and read in both forms.

- `from_…` returns the rows of a message as an array of structs, with the columns of the data
  source. The array is made as a whole: memory grows with the rows of the longest message. Of each
  row, only the columns that the query uses are decoded.
- `to_…` returns the message that holds the rows of an array of structs. It takes the columns that
  the data source writes.

`options` are those of the data source, apart from those of files (`compression`, `restartInterval`,
`columnNameOfCorruptRecord`). `mode` is FAILFAST (default: a malformed message is an error) or
PERMISSIVE (a malformed message is null). Null is null both ways.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from pyspark.sql import Column

__all__ = [
    "from_jelly_patch",
    "from_jelly_rdf",
    "from_rdf_patch",
    "from_rdf_patch_thrift",
    "to_jelly_patch",
    "to_jelly_rdf",
    "to_rdf_patch",
    "to_rdf_patch_thrift",
]

ColumnOrName: TypeAlias = "Column | str"

Options: TypeAlias = Mapping[str, "str | int | bool"]


# Formats


def from_jelly_patch(message: ColumnOrName, options: Options | None = None) -> Column:
    """Return the rows of a Jelly-Patch message.

        changes.select(F.explode(from_jelly_patch("value")).alias("row")).select("row.*")

    Args:
        message: a column of binary.
        options: options of the data source `jelly_patch` for reading.

    Returns:
        A column of arrays of structs.
    """
    return _call("from_jelly_patch", message, options)


def to_jelly_patch(rows: ColumnOrName, options: Options | None = None) -> Column:
    """Return the Jelly-Patch message that holds the rows of an array.

        row = F.struct("op", "subject", "predicate", "object", "graph", "seq")
        rows.groupBy("key").agg(to_jelly_patch(F.array_sort(F.collect_list(row), by_seq)))

    Args:
        rows: a column of arrays of structs, with the columns of the data source `jelly_patch`.
        options: options of the data source for writing.

    Returns:
        A column of binary.
    """
    return _call("to_jelly_patch", rows, options)


def from_jelly_rdf(message: ColumnOrName, options: Options | None = None) -> Column:
    """Return the statements of a Jelly-RDF message.

    Args:
        message: a column of binary.
        options: options of the data source `jelly_rdf` for reading.

    Returns:
        A column of arrays of structs.
    """
    return _call("from_jelly_rdf", message, options)


def to_jelly_rdf(rows: ColumnOrName, options: Options | None = None) -> Column:
    """Return the Jelly-RDF message that holds the statements of an array.

    Args:
        rows: a column of arrays of structs, with the columns of the data source `jelly_rdf`.
        options: options of the data source for writing.

    Returns:
        A column of binary.
    """
    return _call("to_jelly_rdf", rows, options)


def from_rdf_patch(message: ColumnOrName, options: Options | None = None) -> Column:
    """Return the rows of an RDF Patch, the text format.

    Args:
        message: a column of strings, or of binary that is UTF-8.
        options: options of the data source `rdf_patch` for reading.

    Returns:
        A column of arrays of structs.
    """
    return _call("from_rdf_patch", message, options)


def to_rdf_patch(rows: ColumnOrName, options: Options | None = None) -> Column:
    """Return the RDF Patch, the text format, that holds the rows of an array.

    Args:
        rows: a column of arrays of structs, with the columns of the data source `rdf_patch`.
        options: options of the data source for writing.

    Returns:
        A column of strings.
    """
    return _call("to_rdf_patch", rows, options)


def from_rdf_patch_thrift(message: ColumnOrName, options: Options | None = None) -> Column:
    """Return the rows of an RDF Patch in Thrift.

    Args:
        message: a column of binary.
        options: options of the data source `rdf_patch_thrift` for reading.

    Returns:
        A column of arrays of structs.
    """
    return _call("from_rdf_patch_thrift", message, options)


def to_rdf_patch_thrift(rows: ColumnOrName, options: Options | None = None) -> Column:
    """Return the RDF Patch in Thrift that holds the rows of an array.

    Args:
        rows: a column of arrays of structs, with the columns of the data source `rdf_patch_thrift`.
        options: options of the data source for writing.

    Returns:
        A column of binary.
    """
    return _call("to_rdf_patch_thrift", rows, options)


def _call(function: str, argument: ColumnOrName, options: Options | None) -> Column:
    from pyspark.sql import functions as F

    column = F.col(argument) if isinstance(argument, str) else argument
    if not options:
        return F.call_function(function, column)
    entries = [F.lit(text) for name, value in options.items() for text in (name, _text(value))]
    return F.call_function(function, column, F.create_map(*entries))


def _text(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
