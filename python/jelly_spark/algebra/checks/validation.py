"""Validation of patches: every broken rule becomes a finding."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from jelly_spark.algebra.checks.findings import finding, findings_of
from jelly_spark.algebra.columns import PATCH, PLACE, patch_rows_of
from jelly_spark.algebra.effects import without_effect
from jelly_spark.algebra.headers import header
from jelly_spark.algebra.numbering import WHOLE, in_one_partition
from jelly_spark.algebra.touched import touched
from jelly_spark.algebra.transactions import committed, is_open
from jelly_spark.core.transactions import TRANSACTION_OPS
from jelly_spark.patches.checks.rules import (
    DUPLICATE_ID,
    END_WITHOUT_BEGIN,
    FORK,
    GRAPH_IN_TRIPLES,
    HEADER_ORDER,
    MISSING_ID,
    MISSING_PREV,
    NESTED_TRANSACTION,
    OPEN_TRANSACTION,
    PREV_ORDER,
    REPEATED_HEADER,
    UNKNOWN_PREV,
)
from jelly_spark.patches.checks.term_rules import (
    PLAIN_TERMS,
    TERM_COLUMNS,
    TERM_RULES,
    java_pattern,
)
from jelly_spark.patches.log_rows import Headers

_ROW = ("file", *PATCH, "tx", "seq")
"""The columns that locate a row."""


def validate(patches: DataFrame, state: DataFrame | None = None) -> DataFrame:
    """Check patches against all rules, and return the findings.

        validate(log).where("severity = 'error'").groupBy("rule").count()

    The rules are `jelly_spark.patches.RULES`. Changes in aborted and open transactions have no
    effect, but their rows are checked, too. The chain of `id` and `prev` is checked in a single
    partition with one row for each patch.

    Args:
        patches: rows of patches, with the columns of the patch formats, and `log_seq` if they come
            from several files. If there is a column `file`, the findings have its values.
        state: the statements before the patches, to find changes without effect; by default, the
            empty state.

    Returns:
        A DataFrame with the columns `rule`, `severity`, `file`, `log_seq`, `patch`, `tx`, `seq` and
        `message`. The rows are not sorted.

    Raises:
        OptionError: a DataFrame lacks a column, or the patches come from several files and have no
            `log_seq`.
    """
    rows = patch_rows_of(patches)
    links = _links(rows)
    found = (
        _transactions(rows),
        _headers(rows, links),
        _chain(links),
        without_effect(touched(state, rows), committed(rows, "ignore")),
        _graphs(rows),
        _terms(rows),
    )
    return reduce(DataFrame.unionByName, found)


def _transactions(rows: DataFrame) -> DataFrame:
    """Return the findings about `TX`, `TC` and `TA`; each is compared with the ones next to it."""
    in_patch = Window.partitionBy(*PATCH).orderBy("seq")
    is_last = F.lead("op").over(in_patch).isNull()
    marks = rows.where(F.col("op").isin(*TRANSACTION_OPS)).select(
        *_ROW, "op", is_open(in_patch).alias("_is_open"), is_last.alias("_is_last")
    )
    begins, is_open_before = F.col("op") == "TX", F.col("_is_open")
    return findings_of(
        marks,
        F.when(begins & is_open_before, finding(NESTED_TRANSACTION)),
        F.when(begins & F.col("_is_last"), finding(OPEN_TRANSACTION)),
        F.when(~begins & ~is_open_before, finding(END_WITHOUT_BEGIN)),
    )


def _links(rows: DataFrame) -> DataFrame:
    """Return a row for each patch, in one partition, for checks of its headers and the chain.

    Returns:
        A DataFrame with the columns of `PATCH` and `WHOLE`; `first`, the location of the first row;
        `id` and `prev`, the location and the `value` of the last such header; and `first_content`,
        the `seq` of the first row that is not a header.
    """
    content = "struct(seq, file, tx, value)"
    by_patch = rows.groupBy(*PATCH).agg(
        F.min(F.struct("seq", "file", "tx")).alias("first"),
        F.expr(header("id", content)).alias("id"),
        F.expr(header("prev", content)).alias("prev"),
        F.min(F.when(F.col("op") != "H", F.col("seq"))).alias("first_content"),
    )
    return in_one_partition(by_patch)


def _headers(rows: DataFrame, links: DataFrame) -> DataFrame:
    """Return the findings about misplaced and repeated headers."""
    same_name = Window.partitionBy(*PATCH, "name").orderBy("seq")
    headers = rows.where(F.col("op") == "H").select(
        *_ROW, "name", F.row_number().over(same_name).alias("_number")
    )
    of_patch = F.broadcast(links.select(*PATCH, "first_content"))
    is_again = F.col("name").isin(*Headers._fields) & (F.col("_number") > 1)
    return findings_of(
        headers.join(of_patch, [*PATCH]),
        F.when(F.col("seq") > F.col("first_content"), finding(HEADER_ORDER, "name")),
        F.when(is_again, finding(REPEATED_HEADER, "name")),
    )


def _chain(links: DataFrame) -> DataFrame:
    """Return the findings about the chain; there are none if no patch has an `id` or a `prev`."""
    whole = Window.partitionBy(WHOLE)
    in_log = whole.orderBy(*PATCH)
    id, prev = F.col("id.value"), F.col("prev.value")
    chain = links.select(
        *PATCH,
        "first",
        "id",
        "prev",
        (F.row_number().over(in_log) - 1).alias("place"),
        F.count(F.coalesce(id, prev)).over(whole).alias("_named"),
        F.row_number().over(Window.partitionBy(id).orderBy(*PATCH)).alias("_of_id"),
        F.row_number().over(Window.partitionBy(prev).orderBy(*PATCH)).alias("_of_prev"),
    ).where(F.col("_named") > 0)
    places = chain.where(id.isNotNull() & (F.col("_of_id") == 1)).select(
        id.alias("_known"), F.col("place").alias("_prev_place")
    )
    joined = chain.join(F.broadcast(places), prev == F.col("_known"), "left")
    is_later = F.col("place") > 0
    is_unknown = prev.isNotNull() & F.col("_prev_place").isNull()
    return reduce(
        DataFrame.unionByName,
        (
            findings_of(
                _at(joined, "first"),
                F.when(id.isNull(), finding(MISSING_ID)),
                F.when(prev.isNull() & is_later, finding(MISSING_PREV)),
            ),
            findings_of(
                _at(joined, "id"), F.when(F.col("_of_id") > 1, finding(DUPLICATE_ID, "id.value"))
            ),
            findings_of(
                _at(joined, "prev"),
                F.when(is_unknown & is_later, finding(UNKNOWN_PREV, "prev.value")),
                F.when(F.col("_prev_place") >= F.col("place"), finding(PREV_ORDER, "prev.value")),
                F.when(F.col("_of_prev") > 1, finding(FORK, "prev.value")),
            ),
        ),
    )


def _graphs(rows: DataFrame) -> DataFrame:
    """Return the finding if the first statement with a graph comes after one without."""
    place = F.struct(*PLACE, "file", "patch", "tx")
    statements = rows.where(F.col("op").isin("A", "D"))
    first = statements.agg(
        F.min(F.when(F.col("graph").isNull(), place)).alias("without"),
        F.min(F.when(F.col("graph").isNotNull(), place)).alias("found"),
    )
    return findings_of(first.where("without < found").select("found.*"), finding(GRAPH_IN_TRIPLES))


def _terms(rows: DataFrame) -> DataFrame:
    """Return the findings about terms.

    One pattern for each column recognizes most valid terms, which the rules then need not check.
    """
    checked = {
        column: F.col("op").isin(*(op for op, names in TERM_COLUMNS.items() if column in names))
        for column in PLAIN_TERMS
    }
    is_plain = [
        ~is_checked
        | F.col(column).isNull()
        | F.col(column).rlike(java_pattern(PLAIN_TERMS[column]))
        for column, is_checked in checked.items()
    ]
    return findings_of(
        rows.where(~reduce(Column.__and__, is_plain)),
        *(
            F.when(
                is_checked & F.col(column).rlike(java_pattern(rule.pattern)),
                finding(rule.rule, column, column=column),
            )
            for column, is_checked in checked.items()
            for rule in TERM_RULES
            if column in rule.columns
        ),
    )


def _at(links: DataFrame, where: str) -> DataFrame:
    """Return the patches whose column `where` is not null, with its `seq`, `file` and `tx`."""
    found = links.where(F.col(where).isNotNull())
    return found.withColumns({name: F.col(f"{where}.{name}") for name in ("seq", "file", "tx")})
