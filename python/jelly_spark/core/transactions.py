"""The rules on transactions (Jelly-Patch, "Transactions"): each is closed in its patch."""

from __future__ import annotations

from jelly_spark.core.rows import RowNumbering
from jelly_spark.core.violation import Violation
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


class TransactionCheck:
    """The reader's rules, where it is strict.

    Args:
        numbering: what numbers the rows: it knows whether a transaction is open.
        strict: whether to check anything.
    """

    def __init__(self, numbering: RowNumbering, *, strict: bool) -> None:
        self._numbering = numbering
        self._strict = strict

    def check(self, op: str, *, in_row: bool = True) -> None:
        """Check that a row may come next. It must be called before the row is numbered.

        Args:
            op: its code; only those of transactions and `END` matter.
            in_row: whether it is a row, and not the end of a frame, that a violation is about.

        Raises:
            Violation: it may not.
        """
        if not self._strict:
            return
        if op == "TC" or op == "TA":
            if not self._numbering.in_transaction:
                raise Violation(f"a TX before a {op}", "none")
        elif op == "TX":
            self._check_none("TX", in_row=in_row)
        elif op == "END":
            self._check_none("the end of the patch", in_row=in_row)

    def check_end(self) -> None:
        """Check that the input may end.

        Raises:
            Violation: it may not.
        """
        if self._strict:
            self._check_none("the end of the input", in_row=False)

    def _check_none(self, found: str, *, in_row: bool) -> None:
        if self._numbering.in_transaction:
            raise Violation("the transaction's TC or TA", found, in_row=in_row)
