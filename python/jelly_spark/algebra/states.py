"""The state after the patches of a log."""

from __future__ import annotations

from typing import Literal, overload

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.alignment import aligned
from jelly_spark.algebra.columns import STATEMENT, patch_rows_of, prefixes_of, statements_of
from jelly_spark.algebra.effects import without_effect
from jelly_spark.algebra.grouping import last_changes
from jelly_spark.algebra.prefixes import prefixes_after
from jelly_spark.algebra.touched import touched, untouched
from jelly_spark.algebra.transactions import committed
from jelly_spark.patches.language_tags import LanguageTags, check_language_tags
from jelly_spark.patches.log_rows import OnOpen


@overload
def apply(
    state: DataFrame,
    patches: DataFrame,
    *,
    prefixes: DataFrame | None = None,
    strict: Literal[False] = False,
    on_open: OnOpen = "error",
    language_tags: LanguageTags = "exact",
    assume_distinct: bool = False,
) -> tuple[DataFrame, DataFrame]: ...


@overload
def apply(
    state: DataFrame,
    patches: DataFrame,
    *,
    prefixes: DataFrame | None = None,
    strict: Literal[True],
    on_open: OnOpen = "error",
    language_tags: LanguageTags = "exact",
    assume_distinct: bool = False,
) -> tuple[DataFrame, DataFrame, DataFrame]: ...


def apply(
    state: DataFrame,
    patches: DataFrame,
    *,
    prefixes: DataFrame | None = None,
    strict: bool = False,
    on_open: OnOpen = "error",
    language_tags: LanguageTags = "exact",
    assume_distinct: bool = False,
) -> tuple[DataFrame, DataFrame] | tuple[DataFrame, DataFrame, DataFrame]:
    """Apply patches to a state, and return the statements and prefixes after them.

        statements, prefixes = apply(snapshot, log)

    The last committed change of a statement, ordered by `log_seq` and `seq`, decides whether the
    resulting state contains it. The statements are shuffled once. With `assume_distinct`, only
    those that the patches may change are shuffled, and the state is read twice:

        statements, prefixes = apply(statements, patch, prefixes=prefixes, assume_distinct=True)

    Args:
        state: the state before, a DataFrame with `subject`, `predicate`, `object` and, if it has
            graphs, `graph`. Other columns are ignored, and so are rows with a null subject.
        patches: rows of patches, with the columns of the patch formats, and `log_seq` if they come
            from several files.
        prefixes: the prefixes before, a DataFrame with `name`, `value` and, if they belong to
            graphs, `graph`. If a prefix has several IRIs, the last one in the order of code points
            counts, because rows have no order of their own.
        strict: whether to also return findings about changes without effect.
        on_open: how to treat a transaction that is neither committed nor aborted in its patch:
            `error` makes the query fail, `ignore` discards its changes.
        language_tags: how language tags are compared: `exact`, as written; or `ignore-case`, as in
            RDF 1.2. Then a row changes the statement that the state has with other tags.
        assume_distinct: whether the state is known to have each statement once, as what `apply` and
            `state` return, and the versions of a log. Of a state that has not, statements that no
            row changes come as often as the state has them.

    Returns:
        A tuple of DataFrames: the statements, each once, with the columns `subject`, `predicate`,
        `object` and `graph`; the prefixes, with `graph`, `name` and `value`; and, if `strict` is
        true, the findings, with the columns of `validate`: adds of statements that are already
        present, and deletes of statements that are absent.

    Raises:
        OptionError: a DataFrame lacks a column, `on_open` or `language_tags` is not one of its
            values, or the patches come from several files and have no `log_seq`.
        pyspark.errors.PySparkException: a transaction is open and `on_open` is `error`, or a row of
            the state with a subject has a null predicate or object; raised when the query runs.
    """
    check_language_tags(language_tags)
    log = patch_rows_of(patches)
    rows = committed(log, on_open)
    changes = aligned(state, log, rows, language_tags)
    prefixes = None if prefixes is None else prefixes_of(prefixes)
    after = statements_after(statements_of(state), changes, assume_distinct=assume_distinct)
    found = after, prefixes_after(prefixes, rows)
    if not strict:
        return found
    return *found, without_effect(touched(state, log, language_tags), changes)


def state(
    patches: DataFrame,
    *,
    on_open: OnOpen = "error",
    language_tags: LanguageTags = "exact",
) -> tuple[DataFrame, DataFrame]:
    """Apply patches to the empty state, and return the statements and prefixes after them.

        statements, prefixes = state(spark.read.format("jelly_patch").load("log.jellyp"))

    Args:
        patches: rows of patches, as in `apply`.
        on_open: how to treat a transaction that is neither committed nor aborted in its patch:
            `error` makes the query fail, `ignore` discards its changes.
        language_tags: how language tags are compared: `exact`, as written; or `ignore-case`, as in
            RDF 1.2. Then a row changes the statement that the state has with other tags.

    Returns:
        A tuple of DataFrames: the statements, each once, with the columns `subject`, `predicate`,
        `object` and `graph`; and the prefixes, with `graph`, `name` and `value`.

    Raises:
        OptionError: the DataFrame lacks a column, `on_open` or `language_tags` is not one of its
            values, or the patches come from several files and have no `log_seq`.
        pyspark.errors.PySparkException: a transaction is open and `on_open` is `error`; raised when
            the query runs.
    """
    check_language_tags(language_tags)
    log = patch_rows_of(patches)
    rows = committed(log, on_open)
    changes = aligned(None, log, rows, language_tags)
    return statements_after(None, changes), prefixes_after(None, rows)


def statements_after(
    before: DataFrame | None, rows: DataFrame, *, assume_distinct: bool = False
) -> DataFrame:
    """Return the statements after changes.

    If `before` has each statement once, those that the changes cannot concern are not shuffled.
    """
    if before is not None and assume_distinct:
        after = statements_after(touched(before, rows), rows)
        return untouched(before, rows).unionByName(after)
    is_there = F.coalesce(F.col("op") == "A", F.lit(True))
    return last_changes(before, rows).where(is_there).select(*STATEMENT)


def statements_after_few(before: DataFrame, rows: DataFrame) -> DataFrame:
    """Return the statements after changes, without shuffling those before, which are read once.

    The changed statements are broadcast, so they must fit in the memory of the driver and of each
    executor. `before` must have each statement once.
    """
    hash = f"xxhash64({', '.join(STATEMENT)}) AS hash"
    old = before.selectExpr(*STATEMENT, hash).alias("old")
    changed = rows.where("op IN ('A', 'D')").selectExpr(*STATEMENT, hash).alias("changed")
    kept = old.join(F.broadcast(changed), F.expr(_IS_CHANGED), "left_anti").select(*STATEMENT)
    return kept.unionByName(statements_after(None, rows))


def _statement(alias: str) -> str:
    # A struct compares like its fields, and a null in it equals another.
    return f"struct({', '.join(f'{alias}.{name}' for name in STATEMENT)})"


# Only the hash is a key of the join: of equalities, Spark would make keys too, and a number is
# found faster than four strings. The structs are made only where the hashes are equal.
_IS_CHANGED = " AND ".join(
    (
        "old.hash = changed.hash",
        f"{_statement('old')} >= {_statement('changed')}",
        f"{_statement('old')} <= {_statement('changed')}",
    )
)
