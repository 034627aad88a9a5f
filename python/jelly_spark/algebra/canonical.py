"""Canonical patches: headers, then at most one transaction, in one order, in one partition."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import IN_ORDER, PATCH_ROW, STATEMENT
from jelly_spark.patches.canonical import check_headers

_BLOCKS = ("H", "TX", "PD", "PA", "D", "A", "TC")
"""The operations, in the order of their blocks."""

_BLOCK = "_block"
_CONTENT = (*STATEMENT, "name", "value")
_ORDER = (_BLOCK, *STATEMENT, "name")


def canonical_patch(changes: DataFrame, *others: DataFrame) -> DataFrame:
    """Return the canonical patch of some changes.

    The rows come into one partition, where a window over the sorted rows numbers them, and leaves
    out the transaction that has no row between its `TX` and `TC`.

    Args:
        changes: `op` (`A` or `D`) and the columns of a statement, each statement once.
        others: rows of headers and prefixes, with `op` (`H`, `PA` or `PD`), `graph`, `name` and
            `value`.
    """
    session = changes.sparkSession
    ends = F.explode(F.array(F.lit("TX"), F.lit("TC")))
    marks = session.range(0, 1, 1, 1).select(ends.alias("op"))
    rows = reduce(DataFrame.unionByName, map(_with_block, (marks, *others, changes)))
    in_order = Window.orderBy(*_ORDER)
    numbered = rows.select(
        "*",
        (F.row_number().over(in_order) - 1).cast("bigint").alias("seq", metadata=IN_ORDER),
        F.lag(_BLOCK).over(in_order).alias("_before"),
        F.lead(_BLOCK).over(in_order).alias("_after"),
    )
    begin, end = F.lit(_BLOCKS.index("TX")), F.lit(_BLOCKS.index("TC"))
    is_empty = ((F.col(_BLOCK) == begin) & (F.col("_after") == end)) | (
        (F.col(_BLOCK) == end) & (F.col("_before") == begin)
    )
    is_header = F.col(_BLOCK) == _BLOCKS.index("H")
    return (
        numbered.where(~is_empty)
        .withColumn("op", F.element_at(F.array(*map(F.lit, _BLOCKS)), F.col(_BLOCK) + 1))
        .withColumn("patch", F.lit(0).cast("bigint"))
        .withColumn("tx", F.when(~is_header, F.lit(0)).cast("bigint"))
        .select(*PATCH_ROW)
    )


def headers(frame: DataFrame, **values: str | None) -> list[DataFrame]:
    """Return rows of headers for `canonical_patch`.

    Args:
        frame: any DataFrame of the session.
        values: the term of each header by its key; None for a header that is left out.

    Raises:
        InvalidTermError: a value is not a term.
    """
    check_headers(**values)
    terms = [(key, term) for key, term in values.items() if term is not None]
    if not terms:
        return []
    rows = (
        F.struct(F.lit("H").alias("op"), F.lit(key).alias("name"), F.lit(term).alias("value"))
        for key, term in terms
    )
    return [frame.sparkSession.range(0, 1, 1, 1).select(F.inline(F.array(*rows)))]


def _with_block(rows: DataFrame) -> DataFrame:
    number: Column = F.lit(None).cast("int")
    for index, op in enumerate(_BLOCKS):
        number = F.when(F.col("op") == op, index).otherwise(number)
    content = [
        (F.col(name) if name in rows.columns else F.lit(None).cast("string")).alias(name)
        for name in _CONTENT
    ]
    return rows.select(number.alias(_BLOCK), *content)
