"""The net effect of several patches, as one patch."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.alignment import aligned
from jelly_spark.algebra.canonical import canonical_patch, headers
from jelly_spark.algebra.columns import PATCH, STATEMENT, patch_rows_of
from jelly_spark.algebra.grouping import last_changes
from jelly_spark.algebra.headers import header
from jelly_spark.algebra.prefixes import net_prefix_changes
from jelly_spark.algebra.touched import touched
from jelly_spark.algebra.transactions import committed
from jelly_spark.patches.language_tags import LanguageTags, check_language_tags
from jelly_spark.patches.log_rows import OnOpen


def squash(
    patches: DataFrame,
    state: DataFrame | None = None,
    *,
    on_open: OnOpen = "error",
    language_tags: LanguageTags = "exact",
    id: str | None = None,
) -> DataFrame:
    """Return one canonical patch with the net effect of several patches.

        squash(log).write.format("jelly_patch").save("release")

    It has the last committed change of each statement and prefix, the header `id` of the last patch
    and the header `prev` of the first. It is sorted in a single partition, so Spark writes it as
    one file. The statements are shuffled once.

    Args:
        patches: rows of patches, with the columns of the patch formats, and `log_seq` if they come
            from several files.
        state: the statements that the patch will be applied to; changes without effect on them are
            left out. By default, the last change of each statement is kept.
        on_open: how to treat a transaction that is neither committed nor aborted in its patch:
            `error` makes the query fail, `ignore` discards its changes.
        language_tags: how language tags are compared: `exact`, as written; or `ignore-case`, as in
            RDF 1.2. Then a row changes the statement that the state has with other tags.
        id: the header `id` of the result, a term; by default, that of the last patch, if it has
            one.

    Returns:
        A DataFrame with the columns of the patch formats.

    Raises:
        InvalidTermError: `id` is not a term.
        OptionError: a DataFrame lacks a column, `on_open` or `language_tags` is not one of its
            values, or the patches come from several files and have no `log_seq`.
        pyspark.errors.PySparkException: a transaction is open and `on_open` is `error`; raised when
            the query runs.
    """
    check_language_tags(language_tags)
    rows = patch_rows_of(patches)
    changes = committed(rows, on_open)
    before = touched(state, rows, language_tags)
    net = net_changes(before, aligned(state, rows, changes, language_tags))
    found = _headers(rows)
    if id is not None:
        found = found.where("name <> 'id'")
    return canonical_patch(net, found, *headers(rows, id=id), net_prefix_changes(changes))


def net_changes(before: DataFrame | None, rows: DataFrame) -> DataFrame:
    """Return the last change of each statement, as `op` and the columns of a statement.

    Changes without effect on the statements of `before` are left out, unless it is None.
    """
    last = last_changes(before, rows)
    if before is not None:
        last = last.where((F.col("op") == "A") != F.col("was_there"))
    return last.select("op", *STATEMENT)


def _headers(rows: DataFrame) -> DataFrame:
    """Return the header `prev` of the first patch and the header `id` of the last, as rows.

    The aggregates find a header of another patch if the first or last patch has none: such a header
    is dropped.
    """
    patch = f"struct({', '.join(PATCH)})"
    found = f"struct({patch} AS patch, value)"
    ends = rows.selectExpr(
        f"max({patch}) AS last",
        f"{header('id', found, f'struct({patch}, seq)')} AS id",
        f"min({patch}) AS first",
        f"{header('prev', found, 'struct(-log_seq, -patch, seq)')} AS prev",
    )
    values = (
        f"struct('H' AS op, '{key}' AS name, "
        f"CASE WHEN {key}.patch = {end} THEN {key}.value END AS value)"
        for key, end in (("id", "last"), ("prev", "first"))
    )
    return ends.selectExpr(f"inline(array({', '.join(values)}))").where("value IS NOT NULL")
