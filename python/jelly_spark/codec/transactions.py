"""The writer's rule that a transaction ends within its patch (Jelly-Patch, "Transactions")."""

from __future__ import annotations

from jelly_spark.codec.rows import PatchRow
from jelly_spark.errors import UnwritableRowError

_NOT_CLOSED = "a transaction must be closed by TC or TA before the next TX and the patch's end"


class TransactionGuard:
    """Watches the rows that are written.

    Rows that a reader numbered can hold transactions that were never closed, as the file did.
    There the `tx` ordinals are held to: such a file can be written again, but no end can get lost.
    """

    def __init__(self) -> None:
        self._open = False
        # The ordinal of the open transaction; None where its TX has none.
        self._tx: int | None = None

    def check(self, row: PatchRow) -> None:
        """Check that the row may come next.

        Raises:
            UnwritableRowError: it may not.
        """
        op = row.op
        if op == "TX":
            self.check_closed()
            self._open = True
            self._tx = row.tx
            return
        if self._open:
            if self._tx is not None and row.tx != self._tx:
                raise UnwritableRowError(
                    f"transaction {self._tx} must be closed by TC or TA before other rows"
                )
            if op == "END":
                self.check_closed()
            elif op == "TC" or op == "TA":
                self._open = False

    def check_closed(self) -> None:
        """Check that the patch, or the input, may end here.

        Raises:
            UnwritableRowError: a transaction without an ordinal is open.
        """
        if self._open and self._tx is None:
            raise UnwritableRowError(_NOT_CLOSED)
