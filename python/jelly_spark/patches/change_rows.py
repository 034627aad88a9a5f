"""The net changes of each patch of a log, and the history of statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import OptionError
from jelly_spark.patches.language_tags import Align, LanguageTags, aligner, check_language_tags
from jelly_spark.patches.log_rows import (
    Headers,
    OnOpen,
    Patch,
    check_on_open,
    group_patches,
    read_patches,
)
from jelly_spark.patches.statements import (
    Statement,
    Statements,
    by_terms,
    read_statements,
    statement_of,
)
from jelly_spark.patches.states import change_statement


class Change(NamedTuple):
    """A statement that a patch added or removed.

    Attributes:
        subject: the subject of the statement.
        predicate: the predicate of the statement.
        object: the object of the statement.
        graph: the graph of the statement; None for the default graph.
        change: `A` if the patch added the statement, `D` if it removed the statement.
        patch_id: the header `id` of the patch; None if it has none.
        prev: the header `prev` of the patch; None if it has none.
        log_seq: the 0-based position of the patch among those given.
        tx: `tx` of the last row in the patch that changes the statement.
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
    """An interval during which a statement was present.

    Attributes:
        subject: the subject of the statement.
        predicate: the predicate of the statement.
        object: the object of the statement.
        graph: the graph of the statement; None for the default graph.
        added_by: the header `id` of the patch that added the statement; None if the statement was
            present before the first patch, or that patch has no `id`.
        removed_by: the header `id` of the patch that removed the statement; None if the statement
            is present after the last patch, or that patch has no `id`.
        added_log_seq: the 0-based position, among the patches given, of the one that added the
            statement; None if the statement was present before the first patch.
        removed_log_seq: the 0-based position of the one that removed the statement; None if the
            statement is present after the last patch.
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
    patches: Iterable[PatchRow],
    state: Statements | None = None,
    *,
    on_open: OnOpen = "error",
    assume_canonical: bool = False,
    language_tags: LanguageTags = "exact",
) -> Iterator[Change]:
    """Yield the net changes of each patch: the statements that it added or removed.

    The states before and after each patch are compared. So adding a statement that is already
    present is not a change, nor is deleting one that is absent, nor adding one that the same patch
    deletes again.

        rows = [PatchRow("A", "<urn:x:cup>", "<urn:x:price>", '"9.20"')]
        [change.change for change in patches.changes(rows)]  # ['A']

    If each row that adds or deletes a statement is a change, as `check_canonical` checks, the state
    is not needed. With `assume_canonical`, it is not read.

    Args:
        patches: the rows of the patches, in order.
        state: the statements before the patches; by default, the empty state. It may lack
            statements that the patches do not change.
        on_open: how to treat a transaction with neither `TC` nor `TA`: `error` raises an error,
            `ignore` leaves the transaction out.
        assume_canonical: whether to yield the rows of the patches unchecked, for patches that are
            canonical for the state before them, such as those that `diff` made from it.
        language_tags: how language tags are compared: `exact`, as written; or `ignore-case`, as in
            RDF 1.2. Then a row changes the statement that the state has with other tags.

    Returns:
        The changes, ordered by patch, and in each patch by the last row that changes the statement.
        All statements and the changes of one patch are held in memory; with `assume_canonical`,
        only the rows of one patch.

    Raises:
        PatchError: while iterating: a transaction is open, and `on_open` is `error`.
        OptionError: `on_open` or `language_tags` is not one of its values, or the state has
            something that is not a statement.
    """
    if assume_canonical:
        check_on_open(on_open)
        check_language_tags(language_tags)
        return _canonical_changes(patches)
    statements = read_statements(() if state is None else state)
    align = aligner(language_tags, statements)
    return _changes(read_patches(patches, on_open), align, statements, None)


def history(
    patches: Iterable[PatchRow],
    statement_filter: Callable[[Statement], bool] | None = None,
    state: Statements | None = None,
    *,
    on_open: OnOpen = "error",
    language_tags: LanguageTags = "exact",
) -> list[Interval]:
    """Return the intervals during which statements were present.

        rows = [PatchRow("A", "<urn:x:cup>", "<urn:x:price>", '"9.20"')]
        intervals = patches.history(rows, lambda statement: statement.subject == "<urn:x:cup>")
        intervals[0][-2:]  # (0, None)

    Args:
        patches: the rows of the patches, in order.
        statement_filter: returns whether to include a `Statement`; by default, all are included.
        state: the statements before the patches; by default, the empty state.
        on_open: how to treat a transaction with neither `TC` nor `TA`: `error` raises an error,
            `ignore` leaves the transaction out.
        language_tags: how language tags are compared: `exact`, as written; or `ignore-case`, as in
            RDF 1.2. Then a row changes the statement that the state has with other tags.

    Returns:
        The intervals, sorted by statement, and those of one statement by time.

    Raises:
        PatchError: a transaction is open, and `on_open` is `error`.
        OptionError: `on_open` or `language_tags` is not one of its values, the state has something
            that is not a statement, or the filter is not callable.
    """
    before = read_statements(() if state is None else state)
    align = aligner(language_tags, before)
    if statement_filter is not None:
        if not callable(statement_filter):
            raise OptionError(
                "statement_filter must be a function of a Statement, not "
                f"{type(statement_filter).__name__}"
            )
        before = set(filter(statement_filter, before))
    # For each statement that is present, the patch that added it: its id and position.
    added: dict[Statement, tuple[str | None, int | None]] = dict.fromkeys(before, (None, None))
    intervals: list[Interval] = []
    for change in _changes(read_patches(patches, on_open), align, before, statement_filter):
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


def _canonical_changes(patches: Iterable[PatchRow]) -> Iterator[Change]:
    """Yield the rows that add or delete statements."""
    for place, patch in group_patches(patches):
        rows = list(patch)
        headers = Headers.of(rows)
        for row in rows:
            if row.op == "A" or row.op == "D":
                yield Change(*statement_of(row), row.op, *headers, place, row.tx, row.seq)


def _changes(
    patches: Iterator[Patch],
    align: Align,
    statements: set[Statement],
    statement_filter: Callable[[Statement], bool] | None,
) -> Iterator[Change]:
    """Yield the changes of patches, and make them in `statements`, the state before."""
    for patch in patches:
        # The last row that changes each statement, in the order of these rows.
        last: dict[Statement, PatchRow] = {}
        for row in align(patch.changes()):
            if row.op in ("A", "D"):
                statement = statement_of(row)
                last.pop(statement, None)
                last[statement] = row
        for statement, row in last.items():
            change: Literal["A", "D"] = "A" if row.op == "A" else "D"
            if (change == "A") == (statement in statements):
                continue
            if statement_filter is not None and not statement_filter(statement):
                continue
            change_statement(statements, row)
            yield Change(*statement, change, *patch.headers, patch.place, row.tx, row.seq)
