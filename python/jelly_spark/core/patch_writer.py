"""The base class of the writers of patch formats: ends of patches, and transaction rules."""

from __future__ import annotations

from abc import abstractmethod

from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.rows import PatchRow, check_row, is_ordinal
from jelly_spark.core.transactions import TransactionGuard
from jelly_spark.core.writer import RowWriter


class PatchRowWriter(RowWriter[PatchRow]):
    """Writes the rows of patches to a file; see `RowWriter`.

    A new value in `patch` ends the current patch, unless the previous row was an `END`. The end of
    the input does not add an `END`. A transaction must be closed in its patch. Rows whose `seq`
    counts up from 0 without a gap are exempt: they are the rows of a file as a reader returned
    them, and are written as they were read. `tx` is ignored.

    Subclasses encode the rows, including the `END` rows that this class adds.
    """

    row = PatchRow

    def __init__(self, file: Writable, *, append: bool) -> None:
        super().__init__(file, append=append)
        self._transactions = TransactionGuard()
        # `patch` and `tx` of the previous row, and whether it was an `END`. At the start, there is
        # no patch to end.
        self._patch: int | None = None
        self._tx: int | None = None
        self._ended = True

    @abstractmethod
    def _put(self, row: PatchRow) -> None:
        """Write a row that follows the transaction rules; see `_write`."""

    def _write_rest(self) -> None:
        """Write the rows that the subclass has buffered; by default, there are none."""

    def _write(self, row: PatchRow) -> None:
        op, _, _, _, _, _, _, patch, tx, seq = row
        # Fast path: most rows share these objects with the previous row, so their types are known.
        if (
            patch is not self._patch
            or tx is not self._tx
            or (type(seq) is not int and seq is not None)
        ):
            if not (is_ordinal(patch) and is_ordinal(tx) and is_ordinal(seq)):
                check_row(row, PatchRow)
            if patch != self._patch and not self._ended:
                self._transactions.check_patch_end(seq)
                self._put(PatchRow("END"))
            self._patch = patch
            self._tx = tx
        self._transactions.check(op, seq)
        self._put(row)
        self._ended = op == "END"

    def _pass_on(self) -> None:
        """Do nothing, because no rows are buffered."""

    def _finish(self) -> None:
        self._transactions.check_end()
        self._write_rest()
