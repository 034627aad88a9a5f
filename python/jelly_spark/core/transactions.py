"""The transaction rules (Jelly-Patch, "Transactions"), for writers, strict readers and patches.

The rules: `TX` begins a transaction, and `TC` or `TA` closes it. Transactions do not nest, and each
is closed before its patch ends.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, Generic, TypeVar

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.rows import RowNumbering, check_ordinal
from jelly_spark.errors import MalformedInputError, UnwritableRowError

Row = TypeVar("Row")

TRANSACTION_OPS: Final = ("TX", "TC", "TA")
"""The codes of the rows that begin and close transactions."""

_CLOSING: Final = "the transaction's TC or TA"
_BEGINNING: Final = "a TX before a "

_NOT_CLOSED: Final = (
    "a transaction must be closed by TC or TA before the next TX and before the end of the patch"
)
# The ordinal before that of the first row, which is 0.
_BEFORE_FIRST: Final = -1


class TransactionRule(Enum):
    """The rules, by the row that breaks them."""

    NESTED = auto()
    """A `TX` while a transaction is open."""

    NOT_BEGUN = auto()
    """A `TC` or `TA` while none is open."""

    NOT_CLOSED = auto()
    """An `END` while a transaction is open."""


_BROKEN: Final = {
    ("TX", True): TransactionRule.NESTED,
    ("TC", False): TransactionRule.NOT_BEGUN,
    ("TA", False): TransactionRule.NOT_BEGUN,
    ("END", True): TransactionRule.NOT_CLOSED,
}


def broken_rule(op: str, *, is_open: bool) -> TransactionRule | None:
    """Return the rule that a row breaks, given whether a transaction is open before it."""
    return _BROKEN.get((op, is_open))


class TransactionState(Generic[Row]):
    """Which transaction is open, from one `TX`, `TC`, `TA` or `END` to the next.

    Attributes:
        begin: the `TX` row of the open transaction; None if none is open.
    """

    __slots__ = ("begin",)

    def __init__(self) -> None:
        self.begin: Row | None = None

    def move(self, op: str, row: Row) -> TransactionRule | None:
        """Move past the next of these rows, and return the rule that it breaks, if any."""
        broken = broken_rule(op, is_open=self.begin is not None)
        self.begin = row if op == "TX" else None
        return broken


class TransactionGuard:
    """Checks the transaction rules for the rows of a writer.

    Some files break the rules, and a reader that is not strict accepts them. It must be possible to
    write their rows again, so the rows of an unchanged file are exempt. A reader numbers the rows
    of a file from 0, so their `seq` counts up from 0 without a gap. After a gap, or without `seq`,
    rows may have been dropped in between. A row with the `seq` 0 begins another file.
    """

    def __init__(self) -> None:
        self._transaction = TransactionState[str]()
        # Whether the rows since the last one with the `seq` 0 are those of an unchanged file, and
        # the last `seq`.
        self._is_unchanged = True
        self._last = _BEFORE_FIRST

    def check(self, op: str, seq: int | None) -> None:
        """Check that a row may come next.

        Args:
            op: the row's code.
            seq: the row's 0-based ordinal in the file that it was read from, if it has one.

        Raises:
            UnwritableRowError: the row breaks a transaction rule, or `seq` does not fit 64 bits.
        """
        continues = self._is_unchanged and seq == self._last + 1
        # Only after a gap: a `seq` that counted up from 0 is always in range.
        if not continues and seq is not None:
            check_ordinal("seq", seq)
        self._is_unchanged = continues or seq == 0
        self._last = _BEFORE_FIRST if seq is None else seq
        # Most rows have other codes, which break no rule.
        if op in TRANSACTION_OPS or op == "END":
            broken = self._transaction.move(op, op)
            if broken is not None and not continues:
                if broken is TransactionRule.NOT_BEGUN:
                    raise UnwritableRowError(f"{op} needs a TX before it")
                raise UnwritableRowError(_NOT_CLOSED)

    def check_patch_end(self, seq: int | None) -> None:
        """End the patch before the row with this ordinal, and check that it may end there.

        Raises:
            UnwritableRowError: a transaction is open.
        """
        continues = self._is_unchanged and seq == self._last + 1
        if self._transaction.move("END", "END") is not None and not continues:
            raise UnwritableRowError(_NOT_CLOSED)

    def check_end(self) -> None:
        """Check that the input may end.

        Raises:
            UnwritableRowError: a transaction is open.
        """
        if self._transaction.begin is not None and not self._is_unchanged:
            raise UnwritableRowError(_NOT_CLOSED)


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
        broken = broken_rule(op, is_open=self._numbering.in_transaction)
        if broken is TransactionRule.NOT_BEGUN:
            raise Violation(f"{_BEGINNING}{op}", "no open transaction")
        if broken is TransactionRule.NESTED:
            raise _not_closed("TX", in_row=in_row)
        if broken is TransactionRule.NOT_CLOSED:
            raise _not_closed("the end of the patch", in_row=in_row)

    def check_end(self) -> None:
        """Check that the input may end.

        Raises:
            Violation: a transaction is open.
        """
        if self._strict and self._numbering.in_transaction:
            raise _not_closed("the end of the input", in_row=False)


def is_transaction_error(error: MalformedInputError) -> bool:
    """Return whether a strict reader found that a row, or the end, breaks the transaction rules."""
    return error.expected == _CLOSING or error.expected.startswith(_BEGINNING)


def _not_closed(found: str, *, in_row: bool) -> Violation:
    return Violation(_CLOSING, found, in_row=in_row)
