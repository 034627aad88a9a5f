"""Whether patches are canonical for a state: whether each row that changes a statement counts."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import PATCH, PLACE, patch_rows_of
from jelly_spark.algebra.effects import with_effects
from jelly_spark.algebra.touched import touched
from jelly_spark.algebra.transactions import committed, refusal
from jelly_spark.patches.checks.canonical import (
    ABORTED_RULE,
    ADD_RULE,
    DELETE_RULE,
    HEADER_TWICE_RULE,
    STATEMENT_TWICE_RULE,
)
from jelly_spark.patches.log_rows import Headers


def check_canonical(patches: DataFrame, state: DataFrame | None = None) -> DataFrame:
    """Return the rows of patches; a query of them fails unless each `A` and `D` is a change.

        check_canonical(patch, state).write.format("jelly_patch").save("patch")

    If the query succeeds, `changes` of the patches with `assume_canonical` are their changes.
    Patches that `diff` made from the state before them pass, and so do those that `squash` made for
    it. The order of the rows and changes of prefixes are not checked.

    The query reads the patches and the state once more, and shuffles the statements that the
    patches change. Call an action on the result: the call itself runs no query.

    Args:
        patches: rows of patches, with the columns of the patch formats, and `log_seq` if they come
            from several files.
        state: the statements before the patches, a DataFrame as in `changes`; by default, the empty
            state.

    Raises:
        OptionError: a DataFrame lacks a column, or the patches come from several files and have no
            `log_seq`.
        pyspark.errors.PySparkException: a patch adds a statement that is already present, deletes
            one that is absent, changes one twice, aborts a transaction or leaves one open, or
            repeats the header `id` or `prev`. Raised when the query runs; the message has the first
            such row.
    """
    rows = patch_rows_of(patches)
    changes = _changes(touched(state, rows), committed(rows, "error"))
    refused = changes.union(_headers(rows)).union(_aborted(rows))
    first = refused.agg(F.min_by("refusal", F.struct(*PLACE)).alias("_refusal"))
    fails = F.raise_error(F.col("_refusal")).cast("string")
    is_canonical = F.when(F.col("_refusal").isNotNull(), fails).isNull()
    # A filter, unlike a column, stays in a query that reads no column.
    return patches.crossJoin(F.broadcast(first)).where(is_canonical).drop("_refusal")


def _changes(before: DataFrame | None, rows: DataFrame) -> DataFrame:
    """Return the refusals of rows that add or delete a statement without effect, or again."""
    found = with_effects(before, rows).selectExpr(
        *PLACE,
        f"CASE WHEN is_again THEN {refusal(STATEMENT_TWICE_RULE)} "
        f"WHEN op = 'A' AND was_there THEN {refusal(ADD_RULE)} "
        f"WHEN op = 'D' AND NOT was_there THEN {refusal(DELETE_RULE)} END AS refusal",
    )
    return found.where("refusal IS NOT NULL")


def _headers(rows: DataFrame) -> DataFrame:
    """Return the refusals of repeated headers."""
    same_name = Window.partitionBy(*PATCH, "name").orderBy("seq")
    headers = rows.where((F.col("op") == "H") & F.col("name").isin(*Headers._fields))
    numbered = headers.withColumn("number", F.row_number().over(same_name)).where("number > 1")
    return numbered.selectExpr(*PLACE, f"{refusal(HEADER_TWICE_RULE)} AS refusal")


def _aborted(rows: DataFrame) -> DataFrame:
    """Return the refusals of rows that abort a transaction."""
    return rows.where("op = 'TA'").selectExpr(*PLACE, f"{refusal(ABORTED_RULE)} AS refusal")
