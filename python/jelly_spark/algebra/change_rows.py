"""The net changes of each patch of a log, and the history of statements."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import PATCH, STATEMENT, patch_rows_of, statements_of
from jelly_spark.algebra.effects import OVER, transitions
from jelly_spark.algebra.headers import header
from jelly_spark.algebra.transactions import committed
from jelly_spark.patches.log_rows import Headers, OnOpen


def changes(
    patches: DataFrame, state: DataFrame | None = None, *, on_open: OnOpen = "error"
) -> DataFrame:
    """Return the net changes of each patch: one row for each statement that it added or removed.

        changes(log).where("change = 'D'").groupBy("patch_id").count()

    The states before and after each patch are compared. So adding a statement that is already
    present is not a change, nor is deleting one that is absent, nor adding one that the same patch
    deletes again. The statements are shuffled once.

    Args:
        patches: rows of patches, with the columns of the patch formats, and `log_seq` if they come
            from several files.
        state: the statements before the patches, a DataFrame with `subject`, `predicate`, `object`
            and, if it has graphs, `graph`; by default, the empty state.
        on_open: how to treat a transaction that is neither committed nor aborted in its patch:
            `error` makes the query fail, `ignore` discards its changes.

    Returns:
        A DataFrame with the columns `subject`, `predicate`, `object`, `graph`; `change` (`A` or
        `D`); `patch_id` and `prev`, the headers of the patch, null if it has none; and `log_seq`,
        `tx` and `seq` of the last row in the patch that changes the statement.

    Raises:
        OptionError: a DataFrame lacks a column, `on_open` is not one of its values, or the patches
            come from several files and have no `log_seq`.
        pyspark.errors.PySparkException: a transaction is open and `on_open` is `error`; raised when
            the query runs.
    """
    rows = patch_rows_of(patches)
    found = transitions(_before(state), committed(rows, on_open))
    return _with_headers(found.where(F.col("log_seq").isNotNull()), _headers(rows)).select(
        *STATEMENT, F.col("op").alias("change"), "patch_id", "prev", "log_seq", "tx", "seq"
    )


def history(
    patches: DataFrame,
    statement_filter: Column | None = None,
    state: DataFrame | None = None,
    *,
    on_open: OnOpen = "error",
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

    Returns:
        A DataFrame with a row for each interval: the columns of the statement; `added_by` and
        `removed_by`, the `id` of the patch; `added_log_seq` and `removed_log_seq`. `added_log_seq`
        is null if the statement was present before the patches, `removed_log_seq` if it is present
        after them.

    Raises:
        OptionError: a DataFrame lacks a column, `on_open` is not one of its values, or the patches
            come from several files and have no `log_seq`.
        pyspark.errors.PySparkException: a transaction is open and `on_open` is `error`; raised when
            the query runs.
    """
    rows = patch_rows_of(patches)
    return intervals(_before(state), committed(rows, on_open), _headers(rows), statement_filter)


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


def _before(state: DataFrame | None) -> DataFrame | None:
    return None if state is None else statements_of(state)


def _with_headers(found: DataFrame, headers: DataFrame) -> DataFrame:
    return found.join(F.broadcast(headers), [*PATCH], "left")


def _headers(rows: DataFrame) -> DataFrame:
    """Return the headers `id` and `prev` of each patch that has at least one of them."""
    headers = rows.where((F.col("op") == "H") & F.col("name").isin(*Headers._fields))
    # The headers are few: in one partition, grouping needs no hash shuffle.
    return (
        headers.select(*PATCH, "op", "name", "value", "seq")
        .repartition(1)
        .groupBy(*PATCH)
        .agg(F.expr(header("id")).alias("patch_id"), F.expr(header("prev")).alias("prev"))
    )
