"""Rows as Arrow record batches, and back. The package pyarrow is imported when it is needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import repeat
from types import ModuleType
from typing import TYPE_CHECKING, Any

from jelly_spark.core.options import check_size
from jelly_spark.core.packages import needs_extra
from jelly_spark.core.rows import ORDINALS, AnyRow, PatchRow, RdfRow, check_row, unwritable
from jelly_spark.errors import OptionError, UnwritableRowError

if TYPE_CHECKING:
    import pyarrow as pa

DEFAULT_BATCH_SIZE = 1 << 16
"""The default of the most rows in a batch."""

# The names that pandas gives columns of its index.
_INDEX = re.compile("__index_level_[0-9]+__")
_LARGEST = 2**31 - 1
# A batch also ends when its text has this many characters, so that long literals do not need much
# memory, and no column exceeds the 2 GiB of an Arrow string array.
_MOST_TEXT = 1 << 24
# The number of rows whose values are held as objects of Python, before they become arrays.
_PIECE = 1 << 10


def import_pyarrow() -> ModuleType:
    """Return the module `pyarrow`.

    Raises:
        MissingPackageError: it is not installed.
    """
    with needs_extra("arrow", "Arrow needs a package"):
        import pyarrow
    module: ModuleType = pyarrow
    return module


def arrow_schema(columns: Iterable[str]) -> pa.Schema:
    """Return the Arrow schema of some columns of rows: `int64` for ordinals, else `string`."""
    pa = import_pyarrow()
    fields = []
    for name in columns:
        kind = pa.int64() if name in ORDINALS else pa.string()
        fields.append(pa.field(name, kind, nullable=name != "op"))
    return pa.schema(fields)


def to_batches(rows: Iterable[AnyRow], columns: tuple[str, ...], size: int) -> pa.RecordBatchReader:
    """Return a reader of record batches, which takes rows as batches are read.

    Args:
        rows: `PatchRow`s if `op` is a column, else `RdfRow`s.
        columns: the columns of the batches, in order.
        size: the most rows in a batch, from 1 to 2147483647.

    Raises:
        MissingPackageError: pyarrow is not installed.
        OptionError: `size` is not valid.
        UnwritableRowError: while reading: a row is of another class, or a column has a wrong type.
    """
    check_size("size", size, 1, _LARGEST)
    pa = import_pyarrow()
    schema = arrow_schema(columns)
    kind = PatchRow if "op" in columns else RdfRow
    places = [kind._fields.index(name) for name in columns]

    def batch_of(chunk: list[AnyRow]) -> Any:
        values = list(zip(*chunk, strict=True))
        try:
            arrays = [
                pa.array(values[place], field.type)
                for place, field in zip(places, schema, strict=True)
            ]
        except (pa.ArrowException, OverflowError, TypeError, ValueError):
            _check_rows(chunk, kind)
            raise
        return pa.RecordBatch.from_arrays(arrays, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, map(batch_of, _chunks(rows, kind, size)))


def column_batches(
    items: Iterable[Any], kind: type[AnyRow], columns: tuple[str, ...], size: int
) -> pa.RecordBatchReader:
    """Return a reader of record batches, without making a tuple for each row.

    Args:
        items: rows of the class `kind`, and `Columns` of many short rows, each a tuple.
        kind: the class of the rows.
        columns: the columns of the batches, in order.
        size: the most rows in a batch, from 1 to 2147483647.

    Raises:
        MissingPackageError: pyarrow is not installed.
        OptionError: `size` is not valid.
    """
    check_size("size", size, 1, _LARGEST)
    pa = import_pyarrow()
    schema = arrow_schema(columns)
    places = [kind._fields.index(name) for name in columns]
    pieces = map(
        lambda values: pa.RecordBatch.from_arrays(
            [pa.array(each, field.type) for each, field in zip(values, schema, strict=True)],
            schema=schema,
        ),
        _values_of(items, places),
    )
    return pa.RecordBatchReader.from_batches(schema, _regrouped(pieces, size))


def _values_of(items: Iterable[Any], places: list[int]) -> Iterator[list[list[Any]]]:
    """Yield the values of some columns, for about `_PIECE` rows at a time."""
    values: list[list[Any]] = [[] for _ in places]
    rows = 0
    text = 0
    for item in items:
        if type(item) is tuple:
            count = next(len(column) for column in item if isinstance(column, list))
            for found, place in zip(values, places, strict=True):
                column = item[place]
                found += repeat(column, count) if isinstance(column, int | None) else column
            rows += count
        else:
            for found, place in zip(values, places, strict=True):
                found.append(item[place])
            rows += 1
            text += sum(len(value) for value in item if isinstance(value, str))
        if rows >= _PIECE or text >= _MOST_TEXT:
            yield values
            values = [[] for _ in places]
            rows = 0
            text = 0
    if rows:
        yield values


def _regrouped(pieces: Iterable[Any], size: int) -> Iterator[Any]:
    """Yield the same rows in batches of the given size, and of about `_MOST_TEXT` bytes."""
    pa = import_pyarrow()
    waiting: list[Any] = []
    rows = 0
    text = 0
    for piece in pieces:
        waiting.append(piece)
        rows += piece.num_rows
        text += piece.nbytes
        if rows < size and text < _MOST_TEXT:
            continue
        (whole,) = pa.Table.from_batches(waiting).combine_chunks().to_batches()
        at = 0
        while rows - at >= size:
            yield whole.slice(at, size)
            at += size
        if text >= _MOST_TEXT and at < rows:
            yield whole.slice(at)
            at = rows
        waiting = [whole.slice(at)] if at < rows else []
        rows -= at
        text = sum(rest.nbytes for rest in waiting)
    if waiting:
        yield from pa.Table.from_batches(waiting).combine_chunks().to_batches()


def _chunks(rows: Iterable[AnyRow], kind: type[AnyRow], size: int) -> Iterator[list[AnyRow]]:
    # The columns with text come before those with numbers.
    texts = sum(name not in ORDINALS for name in kind._fields)
    chunk: list[AnyRow] = []
    text = 0
    for row in rows:
        if type(row) is not kind:
            _check_rows([row], kind)
        chunk.append(row)
        try:
            columns: Any = row[:texts]
            text += sum(map(len, filter(None, columns)))
        except TypeError:
            _check_rows([row], kind)
            raise
        if len(chunk) == size or text >= _MOST_TEXT:
            yield chunk
            chunk = []
            text = 0
    if chunk:
        yield chunk


def _check_rows(rows: Iterable[AnyRow], kind: type[AnyRow]) -> None:
    for row in rows:
        try:
            check_row(row, kind)
        except UnwritableRowError as error:
            raise unwritable(error, row) from None


def from_batches(data: Any) -> Iterator[AnyRow]:
    """Yield the rows of Arrow data, batch by batch; see `jelly_spark.integrations.arrow`."""
    pa = import_pyarrow()
    if isinstance(data, pa.RecordBatch):
        data = pa.Table.from_batches([data])
    if not hasattr(data, "__arrow_c_stream__"):
        raise OptionError(f"expected a table or stream of Arrow, not {type(data).__name__}")
    # Through `from_stream`, reading a table of pyarrow with a dictionary crashes the process.
    is_table = isinstance(data, pa.Table)
    reader = data.to_reader() if is_table else pa.RecordBatchReader.from_stream(data)
    # pandas adds its index, which is no data, if it does not number all rows from 0.
    names = [name for name in reader.schema.names if not _INDEX.fullmatch(name)]
    kind = PatchRow if "op" in names else RdfRow
    for name in names:
        if name not in kind._fields:
            raise OptionError(
                f"column {name!r} is not one of {kind.__name__}: {', '.join(kind._fields)}"
            )
    if len({*names}) < len(names):
        raise OptionError(f"a column is there twice: {', '.join(names)}")
    for batch in reader:
        columns = [_values(batch, field) for field in arrow_schema(kind._fields)]
        yield from map(kind._make, zip(*columns, strict=True))


def _values(batch: pa.RecordBatch, field: pa.Field) -> Iterable[Any]:
    """Return the values of a column, all None if the batch does not have it."""
    pa = import_pyarrow()
    if field.name not in batch.schema.names:
        return repeat(None, batch.num_rows)
    column = batch.column(field.name)
    if field.type == pa.string() and not _is_text(column.type):
        raise OptionError(f"column {field.name!r} must have strings, not {column.type}")
    try:
        values: list[Any] = column.cast(field.type).to_pylist()
    except pa.ArrowException as error:
        raise OptionError(f"column {field.name!r} must have whole numbers: {error}") from None
    return values


def _is_text(kind: Any) -> bool:
    types = import_pyarrow().types
    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(
        types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_string_view(kind)
        or types.is_null(kind)
    )
