"""What each patch of a log really changed, and when a statement came and went."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import OptionError
from jelly_spark.patches.log_rows import OnOpen, Patch, read_patches
from jelly_spark.patches.statements import (
    Statement,
    Statements,
    by_terms,
    read_statements,
    statement_of,
)
from jelly_spark.patches.states import change_statement


class Change(NamedTuple):
    """A statement that a patch added or deleted.

    Attributes:
        subject: of the statement.
        predicate: of the statement.
        object: of the statement.
        graph: of the statement; None is the default graph.
        change: `A` if the statement is there after the patch, `D` if it was there before.
        patch_id: the header `id` of the patch.
        prev: the header `prev` of the patch.
        log_seq: the place of the patch in the log, from 0.
        tx: `tx` of the deciding row: the last one in the patch that changes the statement.
        seq: `seq` of that row.
    """

    subject: str
    predicate: str
    object: str
    graph: str | None
    change: Literal["A", "D"]
    patch_id: str | None
    prev: str | None
    log_seq: int
    tx: int | None
    seq: int | None


class Interval(NamedTuple):
    """A time during which a statement was there.

    Attributes:
        subject: of the statement.
        predicate: of the statement.
        object: of the statement.
        graph: of the statement; None is the default graph.
        added_by: the header `id` of the patch that added it; None if it was there before the log.
        removed_by: that of the patch that deleted it; None if it is still there.
        added_log_seq: the place in the log of the patch that added it, from 0; None if it was there
            before the log.
        removed_log_seq: that of the patch that deleted it; None if it is still there.
    """

    subject: str
    predicate: str
    object: str
    graph: str | None
    added_by: str | None
    removed_by: str | None
    added_log_seq: int | None
    removed_log_seq: int | None


def changes(
    patches: Iterable[PatchRow], state: Statements | None = None, *, on_open: OnOpen = "error"
) -> Iterator[Change]:
    """Yield what each patch really changed: what is there after it and was not before, or reverse.

    What a patch adds and deletes again is no change, nor is what it adds that was there.

        rows = [PatchRow("A", "<urn:x:cup>", "<urn:x:price>", '"9.20"')]
        [change.change for change in patches.changes(rows)]  # ['A']

    Args:
        patches: the rows of the patches, in order.
        state: the statements before the patches; by default, there are none.
        on_open: `error`, or `ignore` to leave out transactions with neither `TC` nor `TA`.

    Returns:
        The changes, patch by patch, in each patch in the order of their deciding rows. One patch
        and the statements are in memory.

    Raises:
        PatchError: while iterating: a transaction is open.
        OptionError: `on_open` is not one of its values, or the state has something that is not a
            statement.
    """
    statements = read_statements(() if state is None else state)
    return _changes(read_patches(patches, on_open), statements, None)


def history(
    patches: Iterable[PatchRow],
    statement_filter: Callable[[Statement], bool] | None = None,
    state: Statements | None = None,
    *,
    on_open: OnOpen = "error",
) -> list[Interval]:
    """Return when statements came and went, as intervals.

        rows = [PatchRow("A", "<urn:x:cup>", "<urn:x:price>", '"9.20"')]
        intervals = patches.history(rows, lambda statement: statement.subject == "<urn:x:cup>")
        intervals[0][-2:]  # (0, None)

    Args:
        patches: the rows of the patches, in order.
        statement_filter: tells the statements to follow; by default, all are.
        state: the statements before the patches; by default, there are none.
        on_open: `error`, or `ignore` to leave out transactions with neither `TC` nor `TA`.

    Returns:
        The intervals, sorted by statement, and those of one statement by time.

    Raises:
        PatchError: a transaction is open.
        OptionError: `on_open` is not one of its values, the state has something that is not a
            statement, or the filter is no function.
    """
    before = read_statements(() if state is None else state)
    if statement_filter is not None:
        if not callable(statement_filter):
            raise OptionError(
                "statement_filter must be a function of a Statement, not "
                f"{type(statement_filter).__name__}"
            )
        before = set(filter(statement_filter, before))
    # Of the statements that are there: when and by which patch they were added.
    added: dict[Statement, tuple[str | None, int | None]] = dict.fromkeys(before, (None, None))
    intervals: list[Interval] = []
    for change in _changes(read_patches(patches, on_open), before, statement_filter):
        statement = Statement(*change[:4])
        if change.change == "A":
            added[statement] = change.patch_id, change.log_seq
        else:
            by, place = added.pop(statement)
            intervals.append(Interval(*statement, by, change.patch_id, place, change.log_seq))
    intervals += (
        Interval(*statement, by, None, place, None) for statement, (by, place) in added.items()
    )
    return sorted(intervals, key=_by_statement_and_time)


def _by_statement_and_time(interval: Interval) -> tuple[tuple[str, ...], int]:
    place = interval.added_log_seq
    return by_terms(interval[:4]), -1 if place is None else place


def _changes(
    patches: Iterator[Patch],
    statements: set[Statement],
    statement_filter: Callable[[Statement], bool] | None,
) -> Iterator[Change]:
    """Yield the changes of patches.

    Args:
        patches: the patches.
        statements: those before the patches; afterwards, those after them.
        statement_filter: tells the statements to follow, or None for all.
    """
    for patch in patches:
        # By statement the last row that changes it, in the order of these rows.
        last: dict[Statement, PatchRow] = {}
        for row in patch.changes():
            if row.op in ("A", "D"):
                statement = statement_of(row)
                last.pop(statement, None)
                last[statement] = row
        patch_id, prev = patch.id, patch.prev
        for statement, row in last.items():
            change: Literal["A", "D"] = "A" if row.op == "A" else "D"
            if (change == "A") == (statement in statements):
                continue
            if statement_filter is not None and not statement_filter(statement):
                continue
            change_statement(statements, row)
            yield Change(*statement, change, patch_id, prev, patch.place, row.tx, row.seq)
