"""Several rows as columns, which decoders make without a tuple for each row."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import chain, compress, repeat
from operator import and_
from typing import Any, Final, NamedTuple, TypeAlias

from jelly_spark.core.where import is_allowed


class Runs(NamedTuple):
    """A column in which values repeat.

    Attributes:
        values: the values.
        counts: how often each of them repeats.
    """

    values: list[Any]
    counts: list[int]


Column: TypeAlias = list[Any] | range | Runs | int | str | None
"""The values of a column; a number, a string or None is that of all rows."""

Columns: TypeAlias = tuple[Column, ...]
"""The columns of some rows, in the order of the fields. At least one is a list or a range.

It is a plain tuple, unlike rows, which are named tuples.
"""

# `tuple.__new__` takes half the time of the `__new__` of a named tuple, a Python function.
_new_row: Final = tuple.__new__


def count_of(columns: Columns) -> int:
    """Return the number of rows."""
    return next(len(column) for column in columns if isinstance(column, list | range))


def is_constant(column: Column) -> bool:
    """Return whether a column is one value for all rows."""
    return not isinstance(column, list | range | Runs)


def values_of(column: Column, count: int) -> Iterable[Any]:
    """Return the values of a column, one for each of `count` rows."""
    if isinstance(column, list | range):
        return column
    if isinstance(column, Runs):
        return chain.from_iterable(map(repeat, column.values, column.counts))
    return repeat(column, count)


def rows_of_columns(columns: Columns, kind: Any, fields: slice = slice(None)) -> Iterator[Any]:
    """Yield the rows that have these columns.

    Args:
        columns: the columns.
        kind: the class of the rows, named tuples.
        fields: which of the columns they have.
    """
    count = count_of(columns)
    values = [values_of(column, count) for column in columns[fields]]
    return map(_new_row, repeat(kind), zip(*values, strict=True))


def select(columns: Columns, tests: Sequence[tuple[int, Container[Any]]]) -> Columns | None:
    """Return the columns of the rows that pass all tests.

    Args:
        columns: the columns of all rows.
        tests: pairs of the position of a column, and the values that it may have.

    Returns:
        The columns; None if no row passes.
    """
    if not tests:
        return columns
    count = count_of(columns)
    passing: list[bool] | None = None
    for place, allowed in tests:
        column = columns[place]
        if is_constant(column):
            if not _passing([column], allowed)[0]:
                return None
            continue
        found = _passing(values_of(column, count), allowed)
        passing = found if passing is None else list(map(and_, passing, found))
    if passing is None or all(passing):
        return columns
    if not any(passing):
        return None
    return tuple(
        column if is_constant(column) else list(compress(values_of(column, count), passing))
        for column in columns
    )


def _passing(values: Iterable[Any], allowed: Container[Any]) -> list[bool]:
    if isinstance(allowed, range):
        return [is_allowed(value, allowed) for value in values]
    return list(map(allowed.__contains__, values))
