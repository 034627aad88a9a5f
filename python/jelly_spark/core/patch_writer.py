"""What the writers of all patch formats have in common: where patches end, and transactions."""

from __future__ import annotations

from abc import abstractmethod

from jelly_spark.core.files import Writable
from jelly_spark.core.rows import PatchRow, check_row, is_ordinal
from jelly_spark.core.transactions import TransactionGuard
from jelly_spark.core.writer import RowWriter


class PatchRowWriter(RowWriter[PatchRow]):
    """Writes the rows of patches to a file, as `RowWriter` does.

    A new value in `patch` ends the current patch, unless the previous row was an `END`. The end of
    the input ends no patch. A transaction must be closed in its patch, except where rows follow
    each other in `seq` without a gap: these are rows as a reader gave them, and are written as they
    were read. `tx` is ignored.

    Subclasses turn rows into bytes, also the `END` rows that this class adds.
    """

    row = PatchRow

    def __init__(self, file: Writable, *, append: bool) -> None:
        super().__init__(file, append=append)
        self._transactions = TransactionGuard()
        # Of the row before; there is nothing to close before the first one.
        self._patch: int | None = None
        self._tx: int | None = None
        self._ended = True

    @abstractmethod
    def _put(self, row: PatchRow) -> None:
        """Write a row, as `_write` does; its transaction is in order."""

    def _write_rest(self) -> None:
        """Write what is left: nothing, unless a subclass keeps something."""

    def _write(self, row: PatchRow) -> None:
        op, _, _, _, _, _, _, patch, tx, seq = row
        # Most rows share these objects with the row before, whose types were checked.
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
        """Nothing is kept."""

    def _finish(self) -> None:
        self._transactions.check_end()
        self._write_rest()
