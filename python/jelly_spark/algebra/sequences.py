"""Concatenating and splitting patches."""

from __future__ import annotations

from functools import reduce
from typing import Literal

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import PATCH, STATEMENT, patch_rows_of
from jelly_spark.algebra.numbering import in_one_partition, numbered
from jelly_spark.algebra.transactions import OUTCOME, closed_rows, committed, with_places
from jelly_spark.errors import OptionError
from jelly_spark.patches.log_rows import OnOpen


def concat(*patches: DataFrame) -> DataFrame:
    """Concatenate patches, and number their rows as those of one file.

        concat(diff(monday, tuesday), diff(tuesday, wednesday))

    Args:
        patches: DataFrames with the rows of one or more patches each, with `log_seq` if the rows
            come from several files.

    Returns:
        A DataFrame with the columns of the patch formats, sorted, in a single partition. No `END`
        rows are added: a new value in `patch` ends a patch.

    Raises:
        OptionError: no DataFrame is given, one lacks a column, or its rows come from several files
            and have no `log_seq`.
        pyspark.errors.PySparkException: a row has no `seq`, `patch` or `log_seq`, or a `TX` row no
            `tx`; raised when the query runs.
    """
    if not patches:
        raise OptionError("concat needs at least one DataFrame")
    rows = (
        with_places(patch_rows_of(patch)).withColumn("_source", F.lit(source))
        for source, patch in enumerate(patches)
    )
    together = in_one_partition(reduce(DataFrame.unionByName, rows))
    return numbered(together, ["_source", "log_seq", "seq"], ["_source", "log_seq", "patch"])


def split(
    patch: DataFrame,
    by: Literal["transaction", "patch"] | int = "transaction",
    *,
    on_open: OnOpen = "error",
) -> DataFrame:
    """Split a patch into several patches.

    The new patches take the place of the old one in the chain: its header `id` goes to the last of
    them, the other headers to the first. A header that comes after other rows goes to the patch of
    the row before it.

        split(patch, by=10_000)

    Args:
        patch: the rows of one or more patches, with `log_seq` if they come from several files.
        by: what a new patch holds. `transaction`: a transaction, committed or aborted, or the rows
            between two transactions. A number from 1: that many committed changes, in one
            transaction; the last new patch of each patch may have fewer. `patch`: a whole patch;
            patches are only renumbered.
        on_open: how to treat a transaction that is neither committed nor aborted in its patch:
            `error` makes the query fail, `ignore` leaves the transaction out.

    Returns:
        A DataFrame with the columns of the patch formats, sorted, in a single partition. There are
        no `END` rows: a new value in `patch` ends a patch.

    Raises:
        OptionError: `by` or `on_open` is not one of its values, the DataFrame lacks a column, or
            its rows come from several files and have no `log_seq`.
        pyspark.errors.PySparkException: a transaction is open and `on_open` is `error`, a row has
            no `seq`, `patch` or `log_seq`, or a `TX` row no `tx`; raised when the query runs.
    """
    rows = patch_rows_of(patch, "patch")
    if by == "patch":
        rows = in_one_partition(with_places(rows.where(F.col("op") != "END")))
        return numbered(rows, ["log_seq", "patch", "seq"], [*PATCH])
    if by != "transaction" and (isinstance(by, bool) or not isinstance(by, int) or by < 1):
        raise OptionError(f"by must be one of: transaction, patch, an integer >= 1; not {by!r}")
    body = closed_rows(rows, on_open) if by == "transaction" else committed(rows, on_open)
    headers = with_places(rows.where(F.col("op") == "H"))
    if by == "transaction":
        body = body.withColumn("tx", F.when(F.col(OUTCOME).isNotNull(), F.col("tx")))
    headers = headers.withColumn("tx", F.lit(None).cast("bigint"))
    together = in_one_partition(headers.unionByName(body.select(*rows.columns)))
    parts = _transactions(together) if by == "transaction" else _batches(together, by)
    of_patch = Window.partitionBy(*PATCH)
    first, last = F.min("_part").over(of_patch), F.max("_part").over(of_patch)
    so_far = Window.partitionBy(*PATCH).orderBy("seq")
    so_far = so_far.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    other = F.coalesce(F.last("_part", ignorenulls=True).over(so_far), first)
    own = F.when(F.col("op") == "H", F.when(F.col("name") == "id", last).otherwise(other))
    # A patch that has only headers has no part: it is part 0.
    part = F.coalesce(own, F.col("_part"), F.lit(0))
    parts = parts.withColumn("_is_body", F.col("op") != "H").withColumn("_part", part)
    return numbered(parts, [*PATCH, "_part", "_is_body", "seq", "_mark"], [*PATCH, "_part"])


def _transactions(rows: DataFrame) -> DataFrame:
    """Add `_part`, the new patch of each row except headers: a transaction, or rows between two."""
    so_far = (
        Window.partitionBy(*PATCH)
        .orderBy("seq")
        .rowsBetween(Window.unboundedPreceding, Window.currentRow)
    )
    begun = F.sum((F.col("op") == "TX").cast("bigint")).over(so_far)
    part = F.when(F.col("op") != "H", 2 * begun - F.col("tx").isNotNull().cast("bigint"))
    return rows.withColumn("_part", part).withColumn("_mark", F.lit(0))


def _batches(rows: DataFrame, size: int) -> DataFrame:
    """Add `_part`, the new patch of each row except headers, and a `TX` and a `TC` around each."""
    is_change = F.col("op") != "H"
    in_patch = Window.partitionBy(*PATCH, is_change).orderBy("seq")
    number = F.row_number().over(in_patch) - 1
    counted = rows.withColumn("_number", F.when(is_change, number)).withColumn(
        "_is_last", F.lead("seq").over(in_patch).isNull()
    )
    begins = F.col("_number") % size == 0
    ends = (F.col("_number") % size == size - 1) | (is_change & F.col("_is_last"))
    marks = [F.when(begins, F.lit(-1)), F.lit(0), F.when(ends, F.lit(1))]
    marked = counted.select(
        "*",
        F.floor(F.col("_number") / size).alias("_part"),
        F.explode(F.array_compact(F.array(*marks))).alias("_mark"),
    )
    is_row = F.col("_mark") == 0
    op = F.when(F.col("_mark") < 0, "TX").when(F.col("_mark") > 0, "TC").otherwise(F.col("op"))
    content = {name: F.when(is_row, F.col(name)) for name in (*STATEMENT, "name", "value")}
    return marked.withColumns({**content, "op": op, "tx": F.when(is_change, F.lit(0))})
