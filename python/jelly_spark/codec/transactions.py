"""The writer's rules on transactions (Jelly-Patch, "Transactions"): each is closed in its patch."""

from __future__ import annotations

from jelly_spark.errors import UnwritableRowError

_NOT_CLOSED = "a transaction must be closed by TC or TA before the next TX and the patch's end"


class TransactionGuard:
    """Watches the rows that are written.

    Rows that follow each other in `seq` from 0 on, without a gap, are as a reader gave them. They
    may break the rules, as their file did, so that it can be written again: nothing got lost on
    the way.
    """

    def __init__(self) -> None:
        self._open = False
        self._last_seq = -1
        # Whether the rows so far are as a reader gave them.
        self._gapless = True

    def check(self, op: str, seq: int | None) -> None:
        """Check that a row may come next.

        Args:
            op: its code.
            seq: its ordinal in the file that it was read from.

        Raises:
            UnwritableRowError: it may not.
        """
        follows = self._is_next(seq)
        if op == "TX":
            if self._open and not follows:
                raise UnwritableRowError(_NOT_CLOSED)
            self._open = True
        elif op == "TC" or op == "TA":
            if not self._open and not follows:
                raise UnwritableRowError(f"{op} needs a TX before it")
            self._open = False
        elif op == "END" and self._open and not follows:
            raise UnwritableRowError(_NOT_CLOSED)
        # The rows of another file may begin.
        self._gapless = follows or seq == 0
        self._last_seq = -1 if seq is None else seq

    def check_patch_end(self, seq: int | None) -> None:
        """Check that the patch may end before the row with this ordinal.

        Raises:
            UnwritableRowError: it may not.
        """
        if self._open and not self._is_next(seq):
            raise UnwritableRowError(_NOT_CLOSED)

    def check_end(self) -> None:
        """Check that the input may end.

        Raises:
            UnwritableRowError: it may not.
        """
        if self._open and not self._gapless:
            raise UnwritableRowError(_NOT_CLOSED)

    def _is_next(self, seq: int | None) -> bool:
        return self._gapless and seq == self._last_seq + 1
