"""Checks of the transaction rules (Jelly-Patch, "Transactions"), for writers and strict readers.

The rules: `TX` begins a transaction, and `TC` or `TA` closes it. Transactions do not nest, and each
is closed before its patch ends.
"""

from __future__ import annotations

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.rows import RowNumbering, check_ordinal
from jelly_spark.errors import UnwritableRowError

_NOT_CLOSED = (
    "a transaction must be closed by TC or TA before the next TX and before the end of the patch"
)
# The ordinal before that of the first row, which is 0.
_BEFORE_FIRST = -1


class TransactionGuard:
    """Checks the transaction rules for the rows of a writer.

    Some files break the rules, and a reader that is not strict accepts them. It must be possible to
    write their rows again, so rows whose `seq` counts up from 0 without a gap are exempt: they are
    the unchanged rows of a file. After a gap, or without `seq`, rows may have been dropped in
    between, and the rules apply.
    """

    def __init__(self) -> None:
        self._open = False
        self._last_seq = _BEFORE_FIRST
        # Whether `seq` has counted up from 0 without a gap.
        self._gapless = True

    def check(self, op: str, seq: int | None) -> None:
        """Check that a row may come next.

        Args:
            op: the row's code.
            seq: the row's 0-based ordinal in the file that it was read from, if it has one.

        Raises:
            UnwritableRowError: the row breaks a transaction rule, or `seq` does not fit 64 bits.
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
            # The rows of another file begin at 0.
            self._gapless = seq == 0
            # Only here: a `seq` that counted up from 0 is always in range.
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
    """Checks the transaction rules for the rows of a strict reader.

    Args:
        numbering: the numbering of the same rows, which says whether a transaction is open.
        strict: whether to check the rules; if false, every row passes.
    """

    def __init__(self, numbering: RowNumbering, *, strict: bool) -> None:
        self._numbering = numbering
        self._strict = strict

    def check(self, op: str, *, in_row: bool = True) -> None:
        """Check that a row may come next. Call it before the row is numbered.

        Args:
            op: the row's code; all but `TX`, `TC`, `TA` and `END` pass.
            in_row: see `Violation`; False if the end of a frame stands for an `END`.

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
