"""Reading a log: where its patches end, and which of their changes count.

The order of the rows is that in which they come. A patch ends with its `END` row, where `patch`
changes, and where `seq` does not grow, since there another file begins. A transaction ends in its
patch (Jelly-Patch, "Transactions"): if it is committed, its changes count where they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal, TypeAlias, get_args

from jelly_spark.core.rows import PatchRow, describe_row
from jelly_spark.errors import OptionError, PatchError

OnOpen: TypeAlias = Literal["error", "ignore"]
"""What to do about a transaction that is neither committed nor aborted in its patch."""

OPEN_RULE = (
    "a transaction must be closed by TC or TA before its patch ends, "
    'or be left out with on_open="ignore"'
)
"""The rule that an open transaction breaks."""

CHANGES = frozenset(("A", "D", "PA", "PD"))
"""The codes of the rows that change a state."""


class Patch:
    """A patch of a log, while its rows pass by.

    Attributes:
        place: its place in the log, from 0.
        headers: its headers; complete when its rows have been iterated over.
    """

    def __init__(self, place: int, rows: Iterator[PatchRow], on_open: OnOpen) -> None:
        self.place = place
        self.headers: list[PatchRow] = []
        self._rows = rows
        self._on_open = on_open

    @property
    def id(self) -> str | None:
        """The patch's own id; of several the last one, as in Jena."""
        return self._header("id")

    @property
    def prev(self) -> str | None:
        """The id of the patch before it; of several the last one."""
        return self._header("prev")

    def _header(self, name: str) -> str | None:
        found = None
        for row in self.headers:
            if row.name == name:
                found = row.value
        return found

    def runs(self) -> Iterator[list[PatchRow]]:
        """Yield the rows in pieces: each transaction, and each row outside transactions.

        `END` is left out, and so are a `TC` or `TA` without a `TX`, and open transactions but for
        the headers in them.

        Raises:
            PatchError: a transaction is open, unless such are ignored.
        """
        transaction: list[PatchRow] | None = None
        for row in self._rows:
            op = row.op
            if op in CHANGES or op == "H":
                if op == "H":
                    self.headers.append(row)
                if transaction is None:
                    yield [row]
                else:
                    transaction.append(row)
            elif op == "TX":
                yield from self._headers_in(transaction)
                transaction = [row]
            elif op != "END" and transaction is not None:
                transaction.append(row)
                yield transaction
                transaction = None
        yield from self._headers_in(transaction)

    def headers_and_changes(self) -> Iterator[PatchRow]:
        """Yield the headers, and the changes that count: committed, or outside transactions.

        Raises:
            PatchError: a transaction is open, unless such are ignored.
        """
        for run in self.runs():
            if len(run) == 1:
                yield run[0]
            elif run[-1].op == "TC":
                yield from run[1:-1]
            else:
                yield from (row for row in run if row.op == "H")

    def changes(self) -> Iterator[PatchRow]:
        """Yield the changes that count: those that are committed, or outside transactions.

        Raises:
            PatchError: a transaction is open, unless such are ignored.
        """
        return (row for row in self.headers_and_changes() if row.op != "H")

    def _headers_in(self, transaction: list[PatchRow] | None) -> Iterator[list[PatchRow]]:
        """Yield the headers of an open transaction, each on its own, if such are ignored."""
        if transaction is not None:
            if self._on_open == "error":
                raise PatchError(OPEN_RULE, describe_row(transaction[0]))
            yield from ([row] for row in transaction if row.op == "H")


def read_patches(rows: Iterable[PatchRow], on_open: OnOpen = "error") -> Iterator[Patch]:
    """Return the patches of a log; each must be iterated over before the next one.

    Raises:
        OptionError: `on_open` is not one of its values; or, while iterating, these are no rows.
    """
    if on_open not in get_args(OnOpen):
        raise OptionError(f"on_open must be one of: error, ignore; not {on_open!r}")
    return (Patch(place, group, on_open) for place, group in group_patches(rows))


def group_patches(rows: Iterable[PatchRow]) -> Iterator[tuple[int, Iterator[PatchRow]]]:
    """Return the place of each patch in the log, from 0, with its rows, `END` included.

    Raises:
        OptionError: while iterating: these are no rows of patches.
    """
    return groupby(rows, _Places().place)


class _Places:
    """Tells the place of each row's patch in the log."""

    def __init__(self) -> None:
        self._place = -1
        self._patch: int | None = None
        self._seq = -1
        self._ended = True

    def place(self, row: PatchRow) -> int:
        try:
            op, _, _, _, _, _, _, patch, _, seq = row
        except (TypeError, ValueError):
            kind = type(row).__name__
            raise OptionError(f"patches must be rows of type PatchRow, not {kind}") from None
        if self._ended or patch != self._patch or (seq is not None and seq <= self._seq):
            self._place += 1
            self._patch = patch
            self._seq = -1
        if seq is not None:
            self._seq = seq
        self._ended = op == "END"
        return self._place
