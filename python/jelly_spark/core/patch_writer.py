"""What the writers of all patch formats have in common: where patches end, and transactions."""

from __future__ import annotations

import os
from abc import abstractmethod
from typing import BinaryIO

from jelly_spark.core.rows import PatchRow
from jelly_spark.core.transactions import TransactionGuard
from jelly_spark.core.writer import RowWriter


class PatchRowWriter(RowWriter[PatchRow]):
    """Writes the rows of patches to a file, in their order; a context manager.

    Where `patch` changes between two rows, the patch is closed, unless an `END` row just did; the
    end of the input closes no patch. A transaction must be closed in its patch; only rows that
    follow each other in `seq`, as a reader gave them, may be otherwise. `tx` is ignored.

    A format's own writer adds how rows, those `END`s as well, become bytes.

    Args:
        file: path, or buffered stream of bytes.

    Raises:
        OSError: the file cannot be written.
    """

    def __init__(self, file: str | os.PathLike[str] | BinaryIO) -> None:
        super().__init__(file)
        self._transactions = TransactionGuard()
        # Of the row before; there is nothing to close before the first one.
        self._patch: int | None = None
        self._ended = True

    @abstractmethod
    def _put(self, row: PatchRow) -> None:
        """Write a row, as `_write` does; its transaction is in order."""

    @abstractmethod
    def _flush(self) -> None:
        """Write what is left."""

    def _write(self, row: PatchRow) -> None:
        if row.patch != self._patch and not self._ended:
            self._transactions.check_patch_end(row.seq)
            self._put(PatchRow("END"))
        self._transactions.check(row.op, row.seq)
        self._put(row)
        self._patch = row.patch
        self._ended = row.op == "END"

    def _finish(self) -> None:
        self._transactions.check_end()
        self._flush()
