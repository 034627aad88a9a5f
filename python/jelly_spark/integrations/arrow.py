"""Rows as Arrow record batches, and back: for pandas, Polars, DuckDB and other users of Arrow.

    import pyarrow.parquet
    from jelly_spark import codec
    from jelly_spark.integrations.arrow import from_arrow, to_arrow

    table = to_arrow("changes.jellyp").read_all()
    pyarrow.parquet.write_table(table, "changes.parquet")
    codec.write("changes.rdfp", from_arrow(table))

It needs the extra `jelly-spark[arrow]`. Both directions are streaming, in bounded memory. Readers
have the method `to_arrow` too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from jelly_spark import codec
from jelly_spark.codec import AnyRow
from jelly_spark.core.columns.arrow_batches import (
    DEFAULT_BATCH_SIZE,
    arrow_schema,
    from_batches,
    import_pyarrow,
    to_batches,
)
from jelly_spark.core.files.input_file import Readable
from jelly_spark.core.options import check_bool
from jelly_spark.formats import find_read

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["batches", "from_arrow", "schema", "to_arrow"]

import_pyarrow()


def schema(format: str, *, namespaces: bool = False) -> pa.Schema:
    """Return the Arrow schema of a format: the columns that Spark reads.

        schema("jelly_patch").names[:2]  # ['op', 'subject']

    Args:
        format: the short name of the format: `jelly_patch`, `jelly_rdf`, `rdf_patch`,
            `rdf_patch_thrift`, `ntriples`, `nquads` or `rdf`.
        namespaces: whether to include the columns `name` and `value` of namespaces in Jelly-RDF and
            `rdf`.

    Raises:
        OptionError: the format is not known, or `namespaces` is not a bool.
    """
    check_bool("namespaces", namespaces)
    return arrow_schema(find_read(format).columns_with(namespaces=namespaces))


def to_arrow(
    file: Readable, *, format: str | None = None, size: int = DEFAULT_BATCH_SIZE, **options: Any
) -> pa.RecordBatchReader:
    """Return the rows of a file as Arrow record batches, a `pyarrow.RecordBatchReader`.

    The file is read as the batches are, and closed after the last one.

        to_arrow("changes.jellyp").read_all().num_rows  # 2

    Args:
        file: path, URL, bytes, or stream of bytes, which is read from its current position on.
        format: the short name of the file's format; by default, it is found by the extension.
        size: the most rows in a batch, from 1 to 2147483647. A batch with long texts has fewer.
        options: options of the format's reader; see `codec.read`.

    Raises:
        MalformedInputError: while reading batches: the input breaks the format.
        OptionError: the format is not known, or an argument is not valid.
        OSError: the file cannot be read.
    """
    return codec.open_reader(file, format=format, **options).to_arrow(size)


def batches(
    rows: Iterable[AnyRow], schema: pa.Schema, size: int = DEFAULT_BATCH_SIZE
) -> pa.RecordBatchReader:
    """Return rows as Arrow record batches, which take the rows as they are read.

        patch = patches.diff([], [("<urn:x:s>", "<urn:x:p>", '"o"')])
        batches(patch, schema("jelly_patch")).read_all().num_rows  # 3

    Args:
        rows: the rows: `PatchRow`s or, if the schema has no column `op`, `RdfRow`s.
        schema: the columns: the schema of a format, or some of its columns.
        size: the most rows in a batch, from 1 to 2147483647. A batch with long texts has fewer.

    Raises:
        OptionError: `size` is not valid.
        UnwritableRowError: while reading batches: a row is of another class, or a column has a
            wrong type.
    """
    return to_batches(rows, tuple(schema.names), size)


def from_arrow(data: Any) -> Iterator[AnyRow]:
    """Yield the rows of Arrow data, for writing.

        codec.write("changes.rdfp", from_arrow(to_arrow("changes.jellyp")))

    Args:
        data: a `Table`, `RecordBatch` or `RecordBatchReader` of pyarrow, or another object with the
            method `__arrow_c_stream__`, such as a DataFrame of Polars or pandas. Columns may come
            in any order, and may be missing. A column of numbers may have floating-point values
            that are whole, because pandas stores columns with nulls so.

    Returns:
        An iterator over `PatchRow`s if there is a column `op`, and over `RdfRow`s otherwise.

    Raises:
        OptionError: while iterating: `data` is something else; a column is not known, or is there
            twice; or a column has a wrong type, or a number that is not whole.
    """
    return from_batches(data)
