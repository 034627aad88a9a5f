"""The inverse of a patch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import PATCH_ROW, PLACE, STATEMENT, patch_rows_of
from jelly_spark.algebra.numbering import WHOLE, in_one_partition, numbered
from jelly_spark.algebra.transactions import is_open, refusal, with_places
from jelly_spark.core.transactions import TRANSACTION_OPS
from jelly_spark.patches.inversion import (
    ABORTED_RULE,
    INVERSE,
    MANY_PATCHES_RULE,
    NOT_BEGUN_RULE,
    PREFIX_TWICE_RULE,
    STATEMENT_TWICE_RULE,
    UNKNOWN_IRI_RULE,
)
from jelly_spark.patches.log_rows import OPEN_RULE

_SWAPPED = {"id": "prev", "prev": "id"}


def invert(patch: DataFrame, *, assume_canonical: bool = False) -> DataFrame:
    """Return the inverse of a patch: the patch that undoes it.

        undo = invert(diff(monday, tuesday))

    Adds become deletes, deletes become adds, and the order is reversed. The headers `id` and `prev`
    are swapped, so the inverse leads from the state after the patch to the state before it. Other
    headers are kept. The inverse is exact if every change of the patch has an effect, as in patches
    made by `diff`. If the patch adds a statement that was already present, the inverse deletes it.

    Args:
        patch: the rows of one patch, with the columns of the patch formats.
        assume_canonical: whether to skip the checks, for a patch made by `diff` or `squash`.

    Returns:
        A DataFrame with the columns of the patch formats, sorted, in a single partition.

    Raises:
        OptionError: the DataFrame lacks a column, or its rows come from several files.
        pyspark.errors.PySparkException: the patch cannot be inverted, because it changes a
            statement or prefix twice, aborts a transaction or leaves one open, or deletes a prefix
            without giving its IRI; or there is more than one patch; or a row has no `seq` or
            `patch`, or a `TX` row no `tx`. Raised when the query runs; the message has such a row.
    """
    rows = in_one_partition(with_places(patch_rows_of(patch, "patch")))
    if not assume_canonical:
        rows = _checked(rows)
    is_header = F.col("op") == "H"
    is_end = is_header & F.col("name").isin(*_SWAPPED)
    same_header = Window.partitionBy(is_end, "name").orderBy(*PLACE)
    changed = {
        "op": F.when(is_header, F.col("op")).otherwise(_mapped("op", INVERSE)),
        "name": F.when(is_end, _mapped("name", _SWAPPED)).otherwise(F.col("name")),
        "patch": F.lit(0).cast("bigint"),
    }
    inverse = rows.select(
        *(changed.get(name, F.col(name)).alias(name) for name in PATCH_ROW),
        WHOLE,
        # The headers `id` and `prev`, the other headers, then the other rows in reverse order.
        F.when(is_end, F.lit(0)).when(is_header, 1).otherwise(2).alias("_block"),
        F.when(is_end, F.when(F.col("name") == "id", 1).otherwise(0))
        .when(is_header, F.col("seq"))
        .otherwise(-F.col("seq"))
        .alias("_place"),
        # If the patch repeats a header, the last one counts.
        (is_end & F.lead("name").over(same_header).isNotNull()).alias("_superseded"),
    )
    inverse = inverse.where(F.col("op").isNotNull() & ~F.col("_superseded"))
    return numbered(inverse, ["_block", "_place"], ["patch"])


def _checked(rows: DataFrame) -> DataFrame:
    """Return the rows; the query fails if one cannot be inverted, and reports the first."""
    op = F.col("op")
    whole = Window.partitionBy(WHOLE)
    patches = whole.orderBy("log_seq", "patch")
    statements = Window.partitionBy(op.isin("A", "D"), *STATEMENT).orderBy(*PLACE)
    prefixes = Window.partitionBy(op.isin("PA", "PD"), "graph", "name").orderBy(*PLACE)
    marks = Window.partitionBy(op.isin(*TRANSACTION_OPS)).orderBy(*PLACE)
    prefix_before = F.lag("op").over(prefixes)
    # Changing the IRI of a prefix takes two rows: a PD of the old IRI, then a PA of the new one.
    prefix_twice = (prefix_before != "PD") | (prefix_before.isNotNull() & (op == "PD"))
    rules = {
        MANY_PATCHES_RULE: F.dense_rank().over(patches) > 1,
        STATEMENT_TWICE_RULE: op.isin("A", "D") & F.lag("op").over(statements).isNotNull(),
        UNKNOWN_IRI_RULE: (op == "PD") & F.col("value").isNull(),
        PREFIX_TWICE_RULE: op.isin("PA", "PD") & prefix_twice,
        ABORTED_RULE: op == "TA",
        NOT_BEGUN_RULE: (op == "TC") & ~is_open(marks),
        OPEN_RULE: (op == "TX") & (F.coalesce(F.lead("op").over(marks), F.lit("TX")) == "TX"),
    }
    found: Column = F.lit(None).cast("string")
    for rule, breaks in reversed(rules.items()):
        found = F.when(breaks, F.expr(refusal(rule))).otherwise(found)
    with_found = rows.withColumn("_refusal", found)
    first = F.min(F.when(F.col("_refusal").isNotNull(), F.struct(*PLACE, "_refusal")))
    refusals = with_found.withColumn("_first", first.over(whole))
    fails = F.raise_error(F.col("_first._refusal")).cast("string")
    # `op` depends on the check, so that no query can prune it.
    return refusals.withColumn("op", F.when(F.col("_first").isNull(), op).otherwise(fails)).select(
        *rows.columns
    )


def _mapped(column: str, values: Mapping[Any, str]) -> Column:
    found: Column = F.lit(None).cast("string")
    for value, result in values.items():
        found = F.when(F.col(column) == value, result).otherwise(found)
    return found
