"""The base class of readers that decode several rows at once, as columns."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterable, Iterator
from inspect import GEN_CREATED, getgeneratorstate
from itertools import chain
from typing import Any, BinaryIO, Generic, cast

from jelly_spark.core.columns import Columns, rows_of_columns
from jelly_spark.core.reader import R, RowReader


class ColumnReader(RowReader[R], Generic[R]):
    """Iterates once over the rows of a file, singly or as columns; see `RowReader`."""

    # The iterator that `items` returned; None before that.
    _columns: Generator[Any, None, None] | None = None

    @abstractmethod
    def _items(self, stream: BinaryIO) -> Iterator[R | Columns]:
        """Yield the rows: single ones, and the columns of several; see `RowReader._read`."""

    def _read(self, stream: BinaryIO) -> Iterator[R]:
        # No generator of its own: each would take time for each row.
        return chain.from_iterable(map(self._rows_of, self._items(stream)))

    def items(self) -> Iterator[R | Columns]:
        """Iterate over the rest of the rows, singly and as columns; see `RowReader.items`."""
        self._check_open()
        if getgeneratorstate(self._rows) != GEN_CREATED:
            return self._rows
        found = self._guarded(self._items(self._input.stream))
        self._columns = found
        self._rows.close()
        self._rows = (row for item in found for row in self._rows_of(item))
        return found

    def close(self) -> None:
        """End the iteration, and close the file if it was given as a path; may be called again."""
        super().close()
        if self._columns is not None:
            self._columns.close()

    def _rows_of(self, item: R | Columns) -> Iterable[R]:
        return rows_of_columns(item, self.row) if type(item) is tuple else (cast(R, item),)
