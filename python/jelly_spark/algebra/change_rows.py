"""The net changes of each patch of a log, and the history of statements."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.alignment import aligned
from jelly_spark.algebra.columns import PATCH, STATEMENT, patch_rows_of, statements_of
from jelly_spark.algebra.effects import OVER, transitions
from jelly_spark.algebra.headers import header
from jelly_spark.algebra.touched import touched
from jelly_spark.algebra.transactions import committed
from jelly_spark.patches.language_tags import LanguageTags, check_language_tags
from jelly_spark.patches.log_rows import OnOpen, check_on_open

_CHANGE = (*STATEMENT, "op AS change", "patch_id", "prev", "log_seq", "tx", "seq")
"""The columns of a change."""

_HEADERS = {"id": "patch_id", "prev": "prev"}
"""The columns for the headers of a patch, by their keys."""


def changes(
    patches: DataFrame,
    state: DataFrame | None = None,
    *,
    on_open: OnOpen = "error",
    assume_canonical: bool = False,
    language_tags: LanguageTags = "exact",
) -> DataFrame:
    """Return the net changes of each patch: one row for each statement that it added or removed.

        changes(log).where("change = 'D'").groupBy("patch_id").count()

    The states before and after each patch are compared. So adding a statement that is already
    present is not a change, nor is deleting one that is absent, nor adding one that the same patch
    deletes again. The changed statements are shuffled once. The state is read, but only those of
    its statements that may change are shuffled.

    If each row that adds or deletes a statement is a change, as `check_canonical` checks, the state
    is not needed. With `assume_canonical`, the query reads it not at all, and shuffles nothing:

        changes(log, assume_canonical=True).groupBy("patch_id", "change").count()

    Args:
        patches: rows of patches, with the columns of the patch formats, and `log_seq` if they come
            from several files.
        state: the statements before the patches, a DataFrame with `subject`, `predicate`, `object`
            and, if it has graphs, `graph`; by default, the empty state. It may lack statements that
            the patches do not change.
        on_open: how to treat a transaction that is neither committed nor aborted in its patch:
            `error` makes the query fail, `ignore` discards its changes.
        assume_canonical: whether to return the rows of the patches unchecked, for patches that are
            canonical for the state before them, such as those that `diff` made from it.
        language_tags: how language tags are compared: `exact`, as written; or `ignore-case`, as in
            RDF 1.2. Then a row changes the statement that the state has with other tags.

    Returns:
        A DataFrame with the columns `subject`, `predicate`, `object`, `graph`; `change` (`A` or
        `D`); `patch_id` and `prev`, the headers of the patch, null if it has none; and `log_seq`,
        `tx` and `seq` of the last row in the patch that changes the statement.

    Raises:
        OptionError: a DataFrame lacks a column, `on_open` or `language_tags` is not one of its
            values, or the patches come from several files and have no `log_seq`.
        pyspark.errors.PySparkException: a transaction is open and `on_open` is `error`; raised when
            the query runs.
    """
    check_language_tags(language_tags)
    rows = patch_rows_of(patches)
    if assume_canonical:
        check_on_open(on_open)
        return canonical_changes(rows, *(_header(rows, key) for key in _HEADERS))
    before = touched(state, rows, language_tags)
    effective = aligned(state, rows, committed(rows, on_open), language_tags)
    found = transitions(before, effective).where("log_seq IS NOT NULL")
    return _with_headers(found, _headers(rows)).selectExpr(*_CHANGE)


def canonical_changes(rows: DataFrame, *headers: DataFrame) -> DataFrame:
    """Return the changes of patches whose rows are their changes, as `changes` does.

    Args:
        rows: the rows of the patches, from `patch_rows_of`.
        headers: has `log_seq` and `patch`, and `patch_id`, `prev` or both, a row for each patch.
            Several DataFrames have these columns together.
    """
    return _with_headers(rows.where("op IN ('A', 'D')"), *headers).selectExpr(*_CHANGE)


def history(
    patches: DataFrame,
    statement_filter: Column | None = None,
    state: DataFrame | None = None,
    *,
    on_open: OnOpen = "error",
    language_tags: LanguageTags = "exact",
) -> DataFrame:
    """Return the intervals during which statements were present.

        history(log, F.col("subject") == "<http://example.org/cup>").orderBy("added_log_seq")

    Args:
        patches: rows of patches, with the columns of the patch formats, and `log_seq` if they come
            from several files.
        statement_filter: a condition on `subject`, `predicate`, `object` and `graph` that selects
            statements; by default, all are selected.
        state: the statements before the patches; by default, the empty state.
        on_open: how to treat a transaction that is neither committed nor aborted in its patch:
            `error` makes the query fail, `ignore` discards its changes.
        language_tags: how language tags are compared: `exact`, as written; or `ignore-case`, as in
            RDF 1.2. Then a row changes the statement that the state has with other tags.

    Returns:
        A DataFrame with a row for each interval: the columns of the statement; `added_by` and
        `removed_by`, the `id` of the patch; `added_log_seq` and `removed_log_seq`. `added_log_seq`
        is null if the statement was present before the patches, `removed_log_seq` if it is present
        after them.

    Raises:
        OptionError: a DataFrame lacks a column, `on_open` or `language_tags` is not one of its
            values, or the patches come from several files and have no `log_seq`.
        pyspark.errors.PySparkException: a transaction is open and `on_open` is `error`; raised when
            the query runs.
    """
    check_language_tags(language_tags)
    rows = patch_rows_of(patches)
    before = None if state is None else statements_of(state)
    effective = aligned(state, rows, committed(rows, on_open), language_tags)
    return intervals(before, effective, _headers(rows), statement_filter)


def intervals(
    before: DataFrame | None,
    rows: DataFrame,
    headers: DataFrame,
    statement_filter: Column | None = None,
) -> DataFrame:
    """Return the intervals during which statements were present, as `history` does.

    The columns of `headers` are `log_seq`, `patch`, `patch_id` and `prev`, a row for each patch.
    """
    if statement_filter is not None:
        rows = rows.where(statement_filter)
        before = None if before is None else before.where(statement_filter)
    found = _with_headers(transitions(before, rows), headers)
    ends = found.selectExpr(
        *STATEMENT,
        "op",
        "patch_id AS added_by",
        f"lead(patch_id) {OVER} AS removed_by",
        "log_seq AS added_log_seq",
        f"lead(log_seq) {OVER} AS removed_log_seq",
    )
    return ends.where("op = 'A'").drop("op")


def _with_headers(found: DataFrame, *headers: DataFrame) -> DataFrame:
    for frame in headers:
        found = found.join(F.broadcast(frame), [*PATCH], "left")
    return found


def _header(rows: DataFrame, key: str) -> DataFrame:
    """Return one header of each patch that has it, without the shuffle that finds repeated ones."""
    return rows.where(f"op = 'H' AND name = '{key}'").selectExpr(
        *PATCH, f"value AS {_HEADERS[key]}"
    )


def _headers(rows: DataFrame) -> DataFrame:
    """Return the headers `id` and `prev` of each patch that has at least one of them."""
    headers = rows.where((F.col("op") == "H") & F.col("name").isin(*_HEADERS))
    # The headers are few: in one partition, grouping needs no hash shuffle.
    return (
        headers.select(*PATCH, "op", "name", "value", "seq")
        .repartition(1)
        .groupBy(*PATCH)
        .agg(*(F.expr(header(key)).alias(name) for key, name in _HEADERS.items()))
    )
