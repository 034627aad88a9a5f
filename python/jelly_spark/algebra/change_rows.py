"""What a log changed, patch by patch, and when statements came and went."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import STATEMENT, patch_rows_of, statements_of
from jelly_spark.algebra.effects import in_order, transitions
from jelly_spark.algebra.transactions import committed
from jelly_spark.patches.log_rows import OnOpen

_PATCH = ("log_seq", "patch")


def changes(
    patches: DataFrame, state: DataFrame | None = None, *, on_open: OnOpen = "error"
) -> DataFrame:
    """Return a row for each statement and patch that really changed it.

        changes(log).where("change = 'D'").groupBy("patch_id").count()

    Whether a statement is there is compared before and after each patch. So an add of what is there
    is no change, nor is a delete of what is not, nor an add that the same patch takes back. The
    statements are shuffled once.

    Args:
        patches: rows of patches, with the columns of the patch formats, and `log_seq` if they come
            from several files.
        state: the statements before the patches, a DataFrame with `subject`, `predicate`, `object`
            and, if it has graphs, `graph`; by default there are none.
        on_open: what to do about a transaction that is neither committed nor aborted: `error`, or
            `ignore` its changes.

    Returns:
        A DataFrame with the columns `subject`, `predicate`, `object`, `graph`, `change` (`A` or
        `D`), `patch_id`, `prev` (headers of the patch; null if it has none), `log_seq`, `tx` and
        `seq` of the row that decided.

    Raises:
        OptionError: a DataFrame lacks a column, or the patches come from several files and have no
            `log_seq`.
        pyspark.errors.PySparkException: in the query, for an open transaction, unless `on_open` is
            `ignore`.
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
    """Return from when to when statements were there.

        history(log, F.col("subject") == "<http://example.org/cup>").orderBy("added_log_seq")

    Args:
        patches: rows of patches, with the columns of the patch formats, and `log_seq` if they come
            from several files.
        statement_filter: a condition on `subject`, `predicate`, `object` and `graph` that chooses
            statements; by default all.
        state: the statements before the patches; by default there are none.
        on_open: what to do about a transaction that is neither committed nor aborted: `error`, or
            `ignore` its changes.

    Returns:
        A DataFrame with a row for each interval: the columns of the statement, `added_by` and
        `removed_by` (the `id` of the patch), `added_log_seq` and `removed_log_seq`. `added_log_seq`
        is null if the statement was there before the patches, `removed_log_seq` if it is still
        there.

    Raises:
        OptionError: a DataFrame lacks a column, or the patches come from several files and have no
            `log_seq`.
        pyspark.errors.PySparkException: in the query, for an open transaction, unless `on_open` is
            `ignore`.
    """
    rows = patch_rows_of(patches)
    return intervals(_before(state), committed(rows, on_open), _headers(rows), statement_filter)


def intervals(
    before: DataFrame | None,
    rows: DataFrame,
    headers: DataFrame,
    statement_filter: Column | None = None,
) -> DataFrame:
    """Return from when to when statements were there, as `history` does.

    Args:
        before: the statements before, or None if there are none.
        rows: the changes that count.
        headers: `log_seq`, `patch`, `patch_id` and `prev` of each patch.
        statement_filter: see `history`.
    """
    if statement_filter is not None:
        rows = rows.where(statement_filter)
        before = None if before is None else before.where(statement_filter)
    found = _with_headers(transitions(before, rows), headers)
    window = in_order()
    ends = found.select(
        *STATEMENT,
        "op",
        F.col("patch_id").alias("added_by"),
        F.lead("patch_id").over(window).alias("removed_by"),
        F.col("log_seq").alias("added_log_seq"),
        F.lead("log_seq").over(window).alias("removed_log_seq"),
    )
    return ends.where(F.col("op") == "A").drop("op")


def _before(state: DataFrame | None) -> DataFrame | None:
    return None if state is None else statements_of(state)


def _with_headers(found: DataFrame, headers: DataFrame) -> DataFrame:
    return found.join(F.broadcast(headers), [*_PATCH], "left")


def _headers(rows: DataFrame) -> DataFrame:
    """Return the headers `id` and `prev` of each patch that has one."""
    headers = rows.where((F.col("op") == "H") & F.col("name").isin("id", "prev"))

    def header(name: str) -> Column:
        # The last header of a name counts.
        of_name = F.col("name") == name
        return F.max_by(F.when(of_name, F.col("value")), F.when(of_name, F.col("seq")))

    # In one partition, so that grouping them is no shuffle by hash.
    return (
        headers.select(*_PATCH, "name", "value", "seq")
        .repartition(1)
        .groupBy(*_PATCH)
        .agg(header("id").alias("patch_id"), header("prev").alias("prev"))
    )
