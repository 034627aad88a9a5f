"""Concatenating and splitting patches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from jelly_spark.core.rows import PatchRow, RowNumbering, RowOp
from jelly_spark.errors import OptionError
from jelly_spark.patches.log_rows import OnOpen, Patch, group_patches, read_patches


def concat(*patches: Iterable[PatchRow]) -> Iterator[PatchRow]:
    """Concatenate patches, and number their rows as those of one file.

        rows = [PatchRow("A", "<urn:x:cup>", "<urn:x:price>", '"9.20"')]
        [(row.patch, row.seq) for row in patches.concat(rows, rows)]  # [(0, 0), (1, 1)]

    Args:
        patches: iterables with the rows of one or more patches each.

    Returns:
        An iterator of the rows, with new values in `patch`, `tx` and `seq`; the input is read
        lazily. No `END` rows are added: a new value in `patch` ends a patch.

    Raises:
        OptionError: while iterating: an item is not a `PatchRow`.
    """
    return numbered(group for source in patches for _, group in group_patches(source))


def split(
    patch: Iterable[PatchRow],
    by: Literal["transaction", "patch"] | int = "transaction",
    *,
    on_open: OnOpen = "error",
) -> Iterator[PatchRow]:
    """Split a patch into several patches.

    The new patches take the place of the old one in the chain: its header `id` goes to the last of
    them, the other headers to the first. A header that comes after other rows goes to the patch of
    the row before it.

        rows = [PatchRow("D", "<urn:x:cup>", "<urn:x:price>", f'"{n}"') for n in range(3)]
        [row.op for row in patches.split(rows, by=2)]  # ['TX', 'D', 'D', 'TC', 'TX', 'D', 'TC']

    Args:
        patch: the rows of one or more patches.
        by: what a new patch holds. `transaction`: a transaction, committed or aborted, or the rows
            between two transactions. A number from 1: that many committed changes, in one
            transaction; the last new patch of each patch may have fewer. `patch`: a whole patch;
            patches are only renumbered.
        on_open: how to treat a transaction with neither `TC` nor `TA`: `error` raises an error,
            `ignore` leaves the transaction out.

    Returns:
        An iterator of the rows, with new values in `patch`, `tx` and `seq`. There are no `END`
        rows: a new value in `patch` ends a patch. At most two of the new patches and a transaction
        are held in memory.

    Raises:
        PatchError: while iterating: a transaction is open, and `on_open` is `error`.
        OptionError: `by` or `on_open` is not one of its values; or, while iterating, an item is not
            a `PatchRow`.
    """
    if by == "patch":
        return numbered(
            (row for row in group if row.op != "END") for _, group in group_patches(patch)
        )
    if by != "transaction" and (isinstance(by, bool) or not isinstance(by, int) or by < 1):
        raise OptionError(f"by must be one of: transaction, patch, an integer >= 1; not {by!r}")
    patches = read_patches(patch, on_open)
    return numbered(part for one in patches for part in _parts(one, by))


def numbered(patches: Iterable[Iterable[PatchRow]]) -> Iterator[PatchRow]:
    """Yield the rows of patches, numbered as those of one file."""
    numbering = RowNumbering()
    patch = 0
    for rows in patches:
        # A transaction that a patch leaves open does not continue in the next one.
        numbering = RowNumbering(numbering.rows, patch, numbering.transactions)
        row = None
        for row in rows:
            _, tx, seq = numbering.number(row.op)
            yield row._replace(patch=patch, tx=tx, seq=seq)
        patch += row is not None


def _parts(patch: Patch, by: Literal["transaction"] | int) -> Iterator[list[PatchRow]]:
    """Yield the parts that a patch is split into, with its headers."""
    parts = _transactions(patch) if by == "transaction" else _batches(patch, by)
    ids: list[PatchRow] = []
    part = next(parts)
    for following in parts:
        ids += filter(_is_id, part)
        yield _headers_first(row for row in part if not _is_id(row))
        part = following
    yield _headers_first([*ids, *part])


def _is_id(row: PatchRow) -> bool:
    return row.op == "H" and row.name == "id"


def _headers_first(rows: Iterable[PatchRow]) -> list[PatchRow]:
    return sorted(rows, key=lambda row: row.op != "H")


def _transactions(patch: Patch) -> Iterator[list[PatchRow]]:
    """Yield each transaction, and the rows between two, with the headers inside or right after.

    There is at least one part, which may be empty.
    """
    part: list[PatchRow] = []
    # The code of the part's first row that is not a header.
    first: RowOp | None = None
    for run in patch.runs():
        op = run[0].op
        if op != "H":
            if first is not None and "TX" in (first, op):
                yield part
                part = []
                first = None
            first = first or op
        part += run
    yield part


def _batches(patch: Patch, size: int) -> Iterator[list[PatchRow]]:
    """Yield `size` changes at a time, as a transaction, with the headers inside or right after.

    There is at least one part, which may be empty.
    """
    part: list[PatchRow] = []
    changes = 0
    for row in patch.headers_and_changes():
        if row.op != "H":
            if changes == size:
                yield [PatchRow("TX"), *part, PatchRow("TC")]
                part = []
                changes = 0
            changes += 1
        part.append(row)
    yield [PatchRow("TX"), *part, PatchRow("TC")] if changes else part
