"""A DataFrame with a patch, as a file would have it: canonical, numbered and checked.

A table keeps what it is given, so nothing else does this before a patch is appended to one.
"""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from jelly_spark import functions as jf
from jelly_spark.algebra.headers import header
from jelly_spark.algebra.numbering import WHOLE, in_one_partition
from jelly_spark.core.rows import PatchRow
from jelly_spark.core.transactions import TransactionGuard
from jelly_spark.errors import OptionError
from jelly_spark.log.entries.patch_files import check_one_patch
from jelly_spark.patches.log_rows import Headers

UNPLACED = "_is_unplaced"
"""The column that says whether `seq` is null or that of another row."""

_NEEDS_SEQ = "a table does not keep the order of rows, so they must be numbered"

_CONTENT = PatchRow._fields[:-3]
"""The columns of a row without its ordinals."""


def as_in_file(patch: DataFrame) -> DataFrame:
    """Return the rows of a DataFrame with the terms and the `tx` that a file would give them.

    Each row is encoded and decoded on its own, so the query fails if one cannot be written. Rules
    about several rows do not apply to a row whose `seq` is 0; `check` checks them.

    Returns:
        The columns of a patch, and `UNPLACED`.

    Raises:
        OptionError: a column is missing.
    """
    missing = [name for name in ("op", "seq") if name not in patch.columns]
    if missing:
        raise OptionError(f"the patch has no column {', '.join(missing)}: {_NEEDS_SEQ}")
    content = (name for name in _CONTENT if name in patch.columns)
    row = F.struct(*content, F.lit(0).cast("bigint").alias("seq"))
    decoded = F.inline(jf.from_jelly_patch(jf.to_jelly_patch(F.array(row))))
    rows = patch.select(
        F.col("seq").cast("bigint"),
        (F.col("patch") if "patch" in patch.columns else F.lit(0)).alias("patch"),
        decoded.alias(*_CONTENT, "_patch", "_tx", "_seq"),
    )
    rows = in_one_partition(rows)
    in_order = Window.partitionBy(WHOLE).orderBy("seq")
    until_here = in_order.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    before_here = in_order.rowsBetween(Window.unboundedPreceding, -1)
    begun = F.count_if(F.col("op") == "TX").over(until_here)
    ended = F.count_if(F.col("op").isin("TC", "TA")).over(before_here)
    return rows.select(
        *_CONTENT,
        # As `RowNumbering` numbers them: the row that ends a transaction is in it.
        F.when(begun > ended, begun - 1).alias("tx"),
        "seq",
        "patch",
        F.col("seq").eqNullSafe(F.lag("seq").over(in_order)).alias(UNPLACED),
    )


def check(rows: DataFrame) -> tuple[Headers, str | None]:
    """Check the rules about several rows of a patch, from `as_in_file`.

    Returns:
        Its headers, and the term of its header `message`.

    Raises:
        LogError: the rows belong to more than one patch.
        OptionError: `seq` does not order the rows.
        UnwritableRowError: a transaction is not closed, or was not begun.
    """
    op, seq = F.col("op"), F.col("seq")
    marks = F.when(op.isin("TX", "TC", "TA", "END"), F.struct("seq", "op"))
    found = rows.select(
        F.bool_or(UNPLACED),
        # An END closes the patch, so only one may come last.
        (F.max("patch") > F.min("patch")) | (F.max(seq) > F.min(F.when(op == "END", seq))),
        F.array_sort(F.collect_list(marks))["op"],
        *(F.expr(header(name)) for name in (*Headers._fields, "message")),
    ).first()
    assert found is not None
    is_unplaced, are_several, ops, *headers, message = found
    if is_unplaced:
        raise OptionError(f"the patch has rows whose seq is null or repeated: {_NEEDS_SEQ}")
    check_one_patch(are_several)
    guard = TransactionGuard()
    for each in ops:
        guard.check(each, None)
    guard.check_end()
    return Headers(*headers), message
