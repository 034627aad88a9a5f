"""Canonical patches: headers, then at most one transaction, sorted in a single partition."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import IN_ORDER, PATCH_ROW, STATEMENT
from jelly_spark.algebra.numbering import WHOLE, in_one_partition
from jelly_spark.patches.canonical import check_headers

_BLOCKS = ("H", "TX", "PD", "PA", "D", "A", "TC")
"""The operations, in the order in which a canonical patch has them."""

_CONTENT = (*STATEMENT, "name", "value")

# Expressions are SQL text: PySpark builds each `Column` with calls to the JVM, which would take
# longer than the query if the patch is small.
_BLOCK = f"CASE op {' '.join(f'WHEN {op!r} THEN {n}' for n, op in enumerate(_BLOCKS))} END"
_HEADER, _BEGIN, _END = (_BLOCKS.index(op) for op in ("H", "TX", "TC"))
# Other headers come after `id` and `prev`.
_IS_OTHER = f"_block = {_HEADER} AND name NOT IN ('id', 'prev')"
_ORDER = f"_block, {', '.join(STATEMENT)}, {_IS_OTHER}, name"
_IN_ORDER = f"OVER (PARTITION BY {WHOLE} ORDER BY {_ORDER})"
_IS_EMPTY = f"_block = {_BEGIN} AND _after = {_END} OR _block = {_END} AND _before = {_BEGIN}"
_COLUMNS = {
    "op": f"element_at(array({', '.join(map(repr, _BLOCKS))}), _block + 1)",
    "patch": "CAST(0 AS BIGINT)",
    "tx": f"CASE WHEN _block <> {_HEADER} THEN CAST(0 AS BIGINT) END",
}


def canonical_patch(changes: DataFrame, *others: DataFrame, is_changing: bool = False) -> DataFrame:
    """Return the canonical patch of a set of changes.

    The rows are sorted in a single partition, where window functions number them and remove the
    transaction if there is no row between its `TX` and `TC`.

    Args:
        changes: `op` (`A` or `D`) and the columns of a statement, each statement once.
        others: rows of headers and prefixes, with `op` (`H`, `PA` or `PD`), `graph`, `name` and
            `value`.
        is_changing: whether it is certain that there is a change, and so a transaction. In that
            case, Spark drops the window from a query that does not read `seq`.
    """
    session = changes.sparkSession
    marks = session.range(0, 1, 1, 1).selectExpr("explode(array('TX', 'TC')) AS op")
    rows = in_one_partition(reduce(DataFrame.union, map(_with_block, (marks, *others, changes))))
    seq = F.expr(f"CAST(row_number() {_IN_ORDER} - 1 AS BIGINT)")
    numbered = rows.withColumn("seq", seq.alias("seq", metadata=IN_ORDER))
    if not is_changing:
        before, after = (F.expr(f"{side}(_block) {_IN_ORDER}") for side in ("lag", "lead"))
        numbered = numbered.withColumns({"_before": before, "_after": after})
        numbered = numbered.where(f"NOT ({_IS_EMPTY})")
    columns = (f"{_COLUMNS.get(name, name)} AS {name}" for name in PATCH_ROW[:-1])
    return numbered.selectExpr(*columns, "seq")


def headers(frame: DataFrame, **values: str | None) -> list[DataFrame]:
    """Return the rows of headers for `canonical_patch`.

    Args:
        frame: any DataFrame of the session.
        values: the term of each header, by its key; None leaves the header out.

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
    names = rows.columns
    content = (name if name in names else f"CAST(NULL AS STRING) AS {name}" for name in _CONTENT)
    return rows.selectExpr(f"{_BLOCK} AS _block", *content)
