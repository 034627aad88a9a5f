"""Rows as Arrow record batches, and back. The package pyarrow is imported when it is needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate, repeat
from operator import mul
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

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
# The number of single rows that become columns at once: so few that the garbage collector, which
# runs after 700 new tuples, finds hardly any of them alive.
_ROWS = 1 << 8


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
    pieces = (_piece(parts, kind, schema) for parts in _parts(items, kind, min(size, _PIECE)))
    return pa.RecordBatchReader.from_batches(schema, _batches(pieces, schema, size))


def _parts(items: Iterable[Any], kind: type[AnyRow], most: int) -> Iterator[list[Columns]]:
    """Yield the columns of about `most` rows at a time."""
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
            if len(rows) == _ROWS:
                parts.append(_columns_of(rows))
                rows = []
        if count >= most or text >= _MOST_TEXT:
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


class _Compact(NamedTuple):
    """A column that becomes an array with its batch, since it needs little memory until then.

    Attributes:
        parts: its parts: ranges, values of all rows of a part, or `Runs`.
        counts: the numbers of rows of the parts.
    """

    parts: list[Column]
    counts: list[int]


class _Piece(NamedTuple):
    """About `_PIECE` rows.

    Attributes:
        rows: the number of rows.
        text: the size of their text in bytes, about.
        columns: the columns: arrays or `_Compact`.
    """

    rows: int
    text: int
    columns: list[Any]


def _piece(parts: list[Columns], kind: type[AnyRow], schema: pa.Schema) -> _Piece:
    """Return the rows of several parts.

    Raises:
        UnwritableRowError: a column of a row has a wrong type.
    """
    pa = import_pyarrow()
    counts = [count_of(part) for part in parts]
    columns: list[Any] = []
    text = 0
    try:
        for field in schema:
            place = kind._fields.index(field.name)
            column = [part[place] for part in parts]
            if any(isinstance(part, list) for part in column):
                array = pa.array(_flat(column, counts), field.type)
                columns.append(array)
                text += array.nbytes
            else:
                columns.append(_Compact(column, counts))
                text += sum(map(_text_of, column, counts))
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        for part in parts:
            _check_rows(rows_of_columns(part, kind), kind)
        raise
    return _Piece(sum(counts), text, columns)


def _flat(parts: list[Column], counts: list[int]) -> Any:
    if len(parts) == 1:
        return parts[0]
    values: list[Any] = []
    for part, count in zip(parts, counts, strict=True):
        values += values_of(part, count)
    return values


def _text_of(part: Column, count: int) -> int:
    """Return the number of characters of a part of a compact column."""
    runs = part if isinstance(part, Runs) else Runs([part], [count])
    lengths = [len(value) if isinstance(value, str) else 0 for value in runs.values]
    return sum(map(mul, lengths, runs.counts))


def _batches(pieces: Iterable[_Piece], schema: pa.Schema, size: int) -> Iterator[Any]:
    """Yield the same rows in batches of the given size, and of about `_MOST_TEXT` bytes."""
    waiting: list[_Piece] = []
    rows = 0
    text = 0
    for piece in pieces:
        waiting.append(piece)
        rows += piece.rows
        text += piece.text
        if rows < size and text < _MOST_TEXT:
            continue
        whole = _joined(waiting, schema)
        at = 0
        while rows - at >= size:
            yield whole.slice(at, size)
            at += size
        if text >= _MOST_TEXT and at < rows:
            yield whole.slice(at)
            at = rows
        waiting = []
        rows -= at
        text = 0
        if rows:
            rest = whole.slice(at)
            text = rest.nbytes
            waiting.append(_Piece(rows, text, rest.columns))
    if waiting:
        yield _joined(waiting, schema)


def _joined(pieces: list[_Piece], schema: pa.Schema) -> Any:
    """Return a batch with the rows of several pieces."""
    pa = import_pyarrow()
    arrays = []
    for number, field in enumerate(schema):
        found: list[Any] = []
        compact = _Compact([], [])
        for piece in pieces:
            column = piece.columns[number]
            if isinstance(column, _Compact):
                compact.parts.extend(column.parts)
                compact.counts.extend(column.counts)
                continue
            if compact.parts:
                found.append(_expanded(compact, field.type))
                compact = _Compact([], [])
            found.append(column)
        if compact.parts:
            found.append(_expanded(compact, field.type))
        arrays.append(found[0] if len(found) == 1 else pa.concat_arrays(found))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _expanded(column: _Compact, kind: Any) -> Any:
    """Return the array of a compact column."""
    pa = import_pyarrow()
    parts, counts = column
    if is_constant(parts[0]) and parts.count(parts[0]) == len(parts):
        return pa.repeat(pa.scalar(parts[0], kind), sum(counts))
    ranges = [part for part in parts if isinstance(part, range)]
    if len(ranges) == len(parts):
        return pa.concat_arrays(list(map(_numbers, _merged(ranges))))
    runs = Runs([], [])
    for part, count in zip(parts, counts, strict=True):
        found = part if isinstance(part, Runs) else Runs([part], [count])
        runs.values.extend(found.values)
        runs.counts.extend(found.counts)
    encoded = pa.RunEndEncodedArray.from_arrays(
        pa.array(accumulate(runs.counts), pa.int32()), pa.array(runs.values, kind)
    )
    return pa.compute.run_end_decode(encoded)


def _merged(ranges: list[range]) -> Iterator[range]:
    """Yield the same numbers, with ranges that follow each other in one."""
    start, stop = ranges[0].start, ranges[0].start
    for part in ranges:
        if part.start != stop:
            yield range(start, stop)
            start = part.start
        stop = part.stop
    yield range(start, stop)


def _numbers(numbers: range) -> Any:
    """Return an array of numbers; an array of the range itself would take longer."""
    pa = import_pyarrow()
    ones = pa.repeat(pa.scalar(1, pa.int64()), len(numbers))
    return pa.compute.cumulative_sum(ones, start=numbers.start - 1)


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
