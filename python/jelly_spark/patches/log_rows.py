"""Reading a log: where its patches end, their headers, and which of their changes take effect.

Rows are processed in the order in which they are given. A patch ends with its `END` row, when the
value in `patch` changes, or when `seq` does not increase, which means that another file begins. A
transaction ends with its patch (Jelly-Patch, "Transactions"). If it is committed, its changes take
effect at their positions, not at the position of the `TC`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias, get_args

from jelly_spark.core.rows import PatchRow, describe_row
from jelly_spark.errors import OptionError, PatchError

OnOpen: TypeAlias = Literal["error", "ignore"]
"""How to treat a transaction that is neither committed nor aborted in its patch."""

OPEN_RULE = (
    "a transaction must be closed by TC or TA before its patch ends, "
    'or be left out with on_open="ignore"'
)
"""The rule that an open transaction breaks."""

CHANGES = frozenset(("A", "D", "PA", "PD"))
"""The codes of the rows that change a state."""


class Headers(NamedTuple):
    """The headers of a patch that give its position in a log.

    Attributes:
        id: the header `id`; None if the patch has none.
        prev: the header `prev`; None if the patch has none.
    """

    id: str | None = None
    prev: str | None = None

    @classmethod
    def of(cls, rows: Iterable[PatchRow]) -> Headers:
        """Return the headers of a patch with these rows."""
        return reduce(cls.after, (row for row in rows if row.op == "H"), cls())

    def after(self, header: PatchRow) -> Headers:
        """Return the headers after another `H` row. The last one of a key counts, as in Jena."""
        if header.name in Headers._fields:
            return self._replace(**{header.name: header.value})
        return self


class Patch:
    """A patch of a log, whose rows can be iterated over once.

    Attributes:
        place: the 0-based position of the patch in the log.
        headers: the headers `id` and `prev` read so far; complete after the iteration.
    """

    def __init__(self, place: int, rows: Iterator[PatchRow], on_open: OnOpen) -> None:
        self.place = place
        self.headers = Headers()
        self._rows = rows
        self._on_open = on_open

    def runs(self) -> Iterator[list[PatchRow]]:
        """Yield each transaction as a list of rows, and each row outside transactions as a list.

        `END` rows are left out, and so is a `TC` or `TA` without a `TX`. Of open transactions, only
        the headers are yielded.

        Raises:
            PatchError: a transaction is open, and `on_open` is `error`.
        """
        transaction: list[PatchRow] | None = None
        for row in self._rows:
            op = row.op
            if op in CHANGES or op == "H":
                if op == "H":
                    self.headers = self.headers.after(row)
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
        """Yield the headers and the effective changes: committed, or outside transactions.

        Raises:
            PatchError: a transaction is open, and `on_open` is `error`.
        """
        for run in self.runs():
            if len(run) == 1:
                yield run[0]
            elif run[-1].op == "TC":
                yield from run[1:-1]
            else:
                yield from (row for row in run if row.op == "H")

    def changes(self) -> Iterator[PatchRow]:
        """Yield the effective changes: those that are committed, or outside transactions.

        Raises:
            PatchError: a transaction is open, and `on_open` is `error`.
        """
        return (row for row in self.headers_and_changes() if row.op != "H")

    def _headers_in(self, transaction: list[PatchRow] | None) -> Iterator[list[PatchRow]]:
        """Yield the headers of an open transaction, each in a list.

        Raises:
            PatchError: `on_open` is `error`, and `transaction` is not None.
        """
        if transaction is not None:
            if self._on_open == "error":
                raise PatchError(OPEN_RULE, describe_row(transaction[0]))
            yield from ([row] for row in transaction if row.op == "H")


def read_patches(rows: Iterable[PatchRow], on_open: OnOpen = "error") -> Iterator[Patch]:
    """Return the patches of a log; each must be iterated over before the next one.

    Raises:
        OptionError: `on_open` is not one of its values; or, while iterating, an item of `rows` is
            not a `PatchRow`.
    """
    check_on_open(on_open)
    return (Patch(place, group, on_open) for place, group in group_patches(rows))


def check_on_open(on_open: OnOpen) -> None:
    """Check an argument that is `OnOpen`.

    Raises:
        OptionError: it is not one of its values.
    """
    if on_open not in get_args(OnOpen):
        raise OptionError(f"on_open must be one of: error, ignore; not {on_open!r}")


def group_patches(rows: Iterable[PatchRow]) -> Iterator[tuple[int, Iterator[PatchRow]]]:
    """Return the 0-based position of each patch in the log, with its rows, `END` included.

    Raises:
        OptionError: while iterating: an item of `rows` is not a `PatchRow`.
    """
    return groupby(rows, _Places().place)


class _Places:
    """Computes the position in the log of each row's patch."""

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
