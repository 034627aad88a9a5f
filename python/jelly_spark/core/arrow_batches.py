"""Rows as Arrow record batches, and back. The package pyarrow is imported when it is needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate, repeat
from types import ModuleType
from typing import TYPE_CHECKING, Any

from jelly_spark.core.columns import (
    Column,
    Columns,
    Runs,
    count_of,
    is_constant,
    rows_of_columns,
    values_of,
)
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
_PIECE = 1 << 11


def import_pyarrow() -> ModuleType:
    """Return the module `pyarrow`.

    Raises:
        MissingPackageError: it is not installed.
    """
    with needs_extra("arrow", "Arrow needs a package"):
        import pyarrow
        import pyarrow.compute
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
    kind = PatchRow if "op" in columns else RdfRow
    return column_batches(_checked(rows, kind), kind, columns, size)


def _checked(rows: Iterable[AnyRow], kind: type[AnyRow]) -> Iterator[AnyRow]:
    for row in rows:
        if type(row) is not kind:
            _check_rows([row], kind)
        yield row


def column_batches(
    items: Iterable[Any], kind: type[AnyRow], columns: tuple[str, ...], size: int
) -> pa.RecordBatchReader:
    """Return a reader of record batches, without making a tuple for each row.

    Args:
        items: rows of the class `kind`, and `Columns` of many short rows.
        kind: the class of the rows.
        columns: the columns of the batches, in order.
        size: the most rows in a batch, from 1 to 2147483647.

    Raises:
        MissingPackageError: pyarrow is not installed.
        OptionError: `size` is not valid.
        UnwritableRowError: while reading: a column of a row has a wrong type.
    """
    check_size("size", size, 1, _LARGEST)
    pa = import_pyarrow()
    schema = arrow_schema(columns)
    places = [kind._fields.index(name) for name in columns]

    def batch_of(parts: list[Columns]) -> Any:
        counts = [count_of(part) for part in parts]
        try:
            arrays = [
                _array([part[place] for part in parts], counts, field.type)
                for place, field in zip(places, schema, strict=True)
            ]
        except (pa.ArrowException, OverflowError, TypeError, ValueError):
            for part in parts:
                _check_rows(rows_of_columns(part, kind), kind)
            raise
        return pa.RecordBatch.from_arrays(arrays, schema=schema)

    pieces = map(batch_of, _pieces(items, kind))
    return pa.RecordBatchReader.from_batches(schema, _regrouped(pieces, size))


def _pieces(items: Iterable[Any], kind: type[AnyRow]) -> Iterator[list[Columns]]:
    """Yield the columns of about `_PIECE` rows at a time."""
    # The columns with text come before those with numbers.
    texts = sum(name not in ORDINALS for name in kind._fields)
    parts: list[Columns] = []
    rows: list[AnyRow] = []
    count = 0
    text = 0
    for item in items:
        if type(item) is tuple:
            if rows:
                parts.append(_columns_of(rows))
                rows = []
            parts.append(item)
            count += count_of(item)
        else:
            rows.append(item)
            count += 1
            try:
                text += sum(map(len, filter(None, item[:texts])))
            except TypeError:
                _check_rows([item], kind)
                raise
        if count >= _PIECE or text >= _MOST_TEXT:
            if rows:
                parts.append(_columns_of(rows))
                rows = []
            yield parts
            parts = []
            count = 0
            text = 0
    if rows:
        parts.append(_columns_of(rows))
    if parts:
        yield parts


def _columns_of(rows: list[AnyRow]) -> Columns:
    return tuple(map(list, zip(*rows, strict=True)))


def _array(parts: list[Column], counts: list[int], kind: Any) -> Any:
    """Return the array of a column that is in parts, with these numbers of rows."""
    pa = import_pyarrow()
    first = parts[0]
    if is_constant(first) and parts.count(first) == len(parts):
        return pa.repeat(pa.scalar(first, kind), sum(counts))
    if isinstance(first, range):
        last = parts[-1]
        rows = sum(counts)
        # Parts follow each other, so this is so unless a row between them has a number of its own.
        if isinstance(last, range) and last.stop - first.start == rows <= len(_numbers()):
            return pa.compute.add(_numbers().slice(0, rows), first.start)
    if not any(isinstance(part, list | range) for part in parts):
        values: list[Any] = []
        ends: list[int] = []
        end = 0
        for part, count in zip(parts, counts, strict=True):
            runs = part if isinstance(part, Runs) else Runs([part], [count])
            values += runs.values
            ends += map(end.__add__, accumulate(runs.counts))
            end += count
        encoded = pa.RunEndEncodedArray.from_arrays(
            pa.array(ends, pa.int32()), pa.array(values, kind)
        )
        return pa.compute.run_end_decode(encoded)
    if len(parts) == 1:
        return pa.array(first, kind)
    found: list[Any] = []
    for part, count in zip(parts, counts, strict=True):
        found += values_of(part, count)
    return pa.array(found, kind)


@cache
def _numbers() -> Any:
    """Return an array of the numbers from 0 on, one for each row of a piece."""
    pa = import_pyarrow()
    return pa.array(range(2 * _PIECE), pa.int64())


def _regrouped(pieces: Iterable[Any], size: int) -> Iterator[Any]:
    """Yield the same rows in batches of the given size, and of about `_MOST_TEXT` bytes."""
    waiting: list[Any] = []
    rows = 0
    text = 0
    for piece in pieces:
        waiting.append(piece)
        rows += piece.num_rows
        text += piece.nbytes
        if rows < size and text < _MOST_TEXT:
            continue
        whole = _joined(waiting)
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
        yield _joined(waiting)


def _joined(batches: list[Any]) -> Any:
    """Return a batch with the rows of several."""
    pa = import_pyarrow()
    columns = zip(*(batch.columns for batch in batches), strict=True)
    arrays = [pa.concat_arrays(parts) for parts in columns]
    return pa.RecordBatch.from_arrays(arrays, schema=batches[0].schema)


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
