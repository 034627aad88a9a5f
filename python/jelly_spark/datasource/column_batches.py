"""Rows as the Arrow batches that Spark expects, and Arrow batches as rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pyarrow as pa
from pyspark.sql import Row
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from jelly_spark.core.columns import Columns
from jelly_spark.core.columns.arrow_batches import column_batches, from_batches
from jelly_spark.core.format import Format
from jelly_spark.core.rows import AnyRow
from jelly_spark.core.terms import format_term, parse_term
from jelly_spark.core.terms.parts import parts_of, term_of
from jelly_spark.datasource.malformed_rows import MalformedLine
from jelly_spark.errors import InvalidTermError, UnwritableRowError

# As many rows as Spark puts into a batch of Arrow by default.
_BATCH_SIZE = 10_000


class BatchMaker:
    """Makes batches with the columns of a schema.

    Args:
        format: the format of the rows.
        schema: the schema of the batches.
        corrupt_column: the column for the text of malformed lines; None if there is none.
    """

    def __init__(self, format: Format, schema: StructType, corrupt_column: str | None) -> None:
        self._row = format.row
        fields = format.row._fields
        self._arrow = to_arrow_schema(schema)
        self._names = [name.lower() for name in schema.names]
        wanted = tuple(name for name in fields if name in self._names)
        # Where no column is wanted, one is read to count the rows.
        self._read = wanted or fields[:1]
        self._corrupt = corrupt_column and corrupt_column.lower()

    def batches(
        self, items: Iterable[AnyRow | Columns | MalformedLine], values: dict[str, Any]
    ) -> Iterator[pa.RecordBatch]:
        """Yield the batches of the rows of a file.

        Args:
            items: the rows; see `items_of`.
            values: the values of the columns of partitions, by name in lower case. They replace
                those of the rows.
        """
        source = iter(items)
        while True:
            malformed: list[MalformedLine] = []
            rows = _rows_before(source, malformed)
            for batch in column_batches(rows, self._row, self._read, _BATCH_SIZE):
                yield self._batch(batch, values)
            if not malformed:
                return
            text, frame = malformed[0]
            yield self._batch(None, {"frame": frame, **values, self._corrupt or "": text})

    def _batch(self, batch: pa.RecordBatch | None, values: dict[str, Any]) -> pa.RecordBatch:
        size = 1 if batch is None else batch.num_rows
        columns = []
        for name, field in zip(self._names, self._arrow, strict=True):
            if batch is None or name in values or name not in self._read:
                columns.append(pa.repeat(pa.scalar(values.get(name), field.type), size))
            elif pa.types.is_struct(field.type):
                columns.append(_structs(batch.column(name), field.type))
            else:
                columns.append(batch.column(name).cast(field.type))
        return pa.RecordBatch.from_arrays(columns, schema=self._arrow)


def _rows_before(
    items: Iterator[AnyRow | Columns | MalformedLine], malformed: list[MalformedLine]
) -> Iterator[AnyRow | Columns]:
    """Yield the rows up to a malformed line, which is added to a list."""
    for item in items:
        if isinstance(item, MalformedLine):
            malformed.append(item)
            return
        yield item


def _structs(column: pa.Array, kind: pa.DataType) -> pa.Array:
    texts = column.dictionary_encode()
    parts = [parts_of(parse_term(text))._asdict() for text in texts.dictionary.to_pylist()]
    terms = pa.array(parts, kind)
    return terms.take(texts.indices)


def written_rows(batch: pa.RecordBatch) -> Iterator[AnyRow]:
    """Yield the rows of a batch to write.

    Raises:
        UnwritableRowError: a struct does not hold a term.
    """
    names = [name.lower() for name in batch.schema.names]
    columns = [
        _texts(name, column) if pa.types.is_struct(column.type) else column
        for name, column in zip(names, batch.columns, strict=True)
    ]
    return from_batches(pa.RecordBatch.from_arrays(columns, names=names))


def _texts(name: str, column: pa.Array) -> pa.Array:
    texts = []
    for parts in column.to_pylist():
        try:
            texts.append(None if parts is None else format_term(term_of(**parts)))
        except InvalidTermError as error:
            raise UnwritableRowError(f"{name}: {error}") from None
    return pa.array(texts, pa.string())


def batches_of(rows: Iterable[Row], schema: StructType) -> Iterator[pa.RecordBatch]:
    """Yield batches of rows of Spark, which have the columns of a schema."""
    arrow = to_arrow_schema(schema)
    source = iter(rows)
    while chunk := list(islice(source, _BATCH_SIZE)):
        yield pa.RecordBatch.from_pylist([row.asDict(recursive=True) for row in chunk], arrow)
