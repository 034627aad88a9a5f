"""Transaction rules (Jelly-Patch, "Transactions"), for writers and for strict readers.

The rules: TX begins a transaction, TC or TA closes it; transactions do not nest, and each is
closed before its patch ends.
"""

from __future__ import annotations

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.rows import RowNumbering, check_ordinal
from jelly_spark.errors import UnwritableRowError

_NOT_CLOSED = (
    "a transaction must be closed by TC or TA before the next TX and before the end of the patch"
)
# The ordinal before the first row's: 0 follows it.
_BEFORE_FIRST = -1


class TransactionGuard:
    """Checks the transaction rules for the rows that a writer takes.

    Files that break the rules exist, and a reader that is not strict accepts them. Their rows must
    be writable again. So a row that follows the one before without a gap in `seq`, in a run that
    began at 0, is exempt from the rules: it comes as it stood in its file. A gap, or no `seq`,
    means that rows may have been dropped on the way, and the rules apply.
    """

    def __init__(self) -> None:
        self._open = False
        self._last_seq = _BEFORE_FIRST
        # Whether all rows of the current run followed each other from `seq` 0 on.
        self._gapless = True

    def check(self, op: str, seq: int | None) -> None:
        """Check that a row may come next.

        Args:
            op: the row's code.
            seq: the row's 0-based ordinal in the file that it was read from, if it has one.

        Raises:
            UnwritableRowError: the row breaks a transaction rule, or `seq` has more than 64 bits.
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
        if not follows:
            # At 0 the rows of another file begin.
            self._gapless = seq == 0
            # Rows that follow 0 without a gap are too few to get out of the range.
            if seq is not None:
                check_ordinal("seq", seq)
        self._last_seq = _BEFORE_FIRST if seq is None else seq

    def check_patch_end(self, seq: int | None) -> None:
        """Check that the patch may end before the row with this ordinal.

        Raises:
            UnwritableRowError: a transaction is open.
        """
        if self._open and not self._is_next(seq):
            raise UnwritableRowError(_NOT_CLOSED)

    def check_end(self) -> None:
        """Check that the input may end.

        Raises:
            UnwritableRowError: a transaction is open.
        """
        if self._open and not self._gapless:
            raise UnwritableRowError(_NOT_CLOSED)

    def _is_next(self, seq: int | None) -> bool:
        return self._gapless and seq == self._last_seq + 1


class TransactionCheck:
    """Checks the transaction rules for the rows that a strict reader decodes.

    Args:
        numbering: numbers the same rows; it knows whether a transaction is open.
        strict: whether to check; if not, every row passes.
    """

    def __init__(self, numbering: RowNumbering, *, strict: bool) -> None:
        self._numbering = numbering
        self._strict = strict

    def check(self, op: str, *, in_row: bool = True) -> None:
        """Check that a row may come next. Call it before the row is numbered.

        Args:
            op: the row's code; all but `TX`, `TC`, `TA` and `END` pass.
            in_row: see `Violation`; False where the end of a frame stands for an `END`.

        Raises:
            Violation: the row breaks a transaction rule.
        """
        if not self._strict:
            return
        if op == "TC" or op == "TA":
            if not self._numbering.in_transaction:
                raise Violation(f"a TX before a {op}", "no open transaction")
        elif op == "TX":
            self._check_closed("TX", in_row=in_row)
        elif op == "END":
            self._check_closed("the end of the patch", in_row=in_row)

    def check_end(self) -> None:
        """Check that the input may end.

        Raises:
            Violation: a transaction is open.
        """
        if self._strict:
            self._check_closed("the end of the input", in_row=False)

    def _check_closed(self, found: str, *, in_row: bool) -> None:
        if self._numbering.in_transaction:
            raise Violation("the transaction's TC or TA", found, in_row=in_row)
