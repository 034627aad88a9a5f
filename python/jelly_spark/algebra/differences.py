"""The difference of two states, as a patch."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.blank_nodes import relabelled
from jelly_spark.algebra.blank_nodes.terms import HAS_NODES
from jelly_spark.algebra.canonical import canonical_patch
from jelly_spark.algebra.canonical import headers as header_rows
from jelly_spark.algebra.columns import PREFIX, STATEMENT, prefixes_of, statements_of
from jelly_spark.algebra.digests import Digests, Strategy, size_of_digests
from jelly_spark.algebra.grouping import grouped, keyed
from jelly_spark.algebra.language_tags import with_tags_of
from jelly_spark.algebra.sides import AFTER, BEFORE, sides_of
from jelly_spark.patches.differences import BlankNodes, check_blank_nodes
from jelly_spark.patches.language_tags import LanguageTags, check_language_tags


def diff(
    before: DataFrame,
    after: DataFrame,
    *,
    id: str | None = None,
    prev: str | None = None,
    prefixes: tuple[DataFrame, DataFrame] | None = None,
    blank_nodes: BlankNodes = "label",
    language_tags: LanguageTags = "exact",
    strategy: Strategy = "auto",
) -> DataFrame:
    """Return the canonical patch that turns one state into another.

        monday = spark.read.format("jelly_rdf").load("monday.jelly")
        tuesday = spark.read.format("jelly_rdf").load("tuesday.jelly")
        patch = diff(monday, tuesday, id="<urn:uuid:2>", prev="<urn:uuid:1>")
        patch.write.format("jelly_patch").save("patch")

    The patch is minimal: it deletes what only `before` has, and adds what only `after` has. It is
    sorted in a single partition, so Spark writes it as one file. If the states are equal, it has no
    transaction. Statements are compared as strings, so blank nodes are equal if their labels are.

    Where both states are quick to read, they are read twice, and only what may differ is shuffled;
    all else is shuffled once. See `strategy`.

    Most tools make up new labels whenever they read or write a file. `blank_nodes="match"` compares
    blank nodes by what is said of them instead, and uses the labels of `before`:

        patch = diff(monday, tuesday, blank_nodes="match")

    The state after such a patch is `after` with other labels: the next patch of a log starts from
    that state. The patch is small, but not always the smallest. Matching shuffles only the
    statements with blank nodes, about thirty times. It reads `before` twice and `after` three
    times, so cache what is slow to read, such as the format `rdf`. If most changes of a patch
    concern blank nodes, matching may help; this function runs no query, so it cannot say so.

    Args:
        before: the state before, a DataFrame with `subject`, `predicate`, `object` and, if it has
            graphs, `graph`. These columns are strings, or structs as the option `terms` makes them.
            Other columns are ignored, and so are rows with a null subject. Duplicate statements
            count once.
        after: the state after, likewise.
        id: the header `id` of the patch, a term such as `<urn:uuid:2>`; by default, there is none.
        prev: the header `prev` of the patch, likewise.
        prefixes: the prefixes before and after, a pair of DataFrames with `name`, `value` and, if
            they belong to graphs, `graph`. If a prefix has several IRIs, the last one in the order
            of code points counts, because rows have no order of their own.
        blank_nodes: how blank nodes are compared: `label`, by their labels; or `match`, by what is
            said of them. New blank nodes then get labels that neither state has.
        language_tags: how language tags are compared: `exact`, as written; or `ignore-case`, as in
            RDF 1.2, with one more shuffle. Rows keep tags as written: a delete has those of
            `before`, and an add those of `after`.
        strategy: how statements are brought together: `digest` compares sums of keyed hashes, then
            reads again and shuffles only the statements that may differ; `shuffle` shuffles both
            states; `auto` takes digests for big states in cached tables and in files that are quick
            to read, if the session has the jar and is not one of Spark Connect.

    Returns:
        A DataFrame with the columns of the patch formats.

    Raises:
        InvalidTermError: `id` or `prev` is not a term.
        OptionError: a DataFrame lacks a column; `blank_nodes`, `language_tags` or `strategy` is not
            one of its values; or the strategy is `digest` and the session lacks the jar.
        pyspark.errors.PySparkException: a row with a subject has a null predicate or object, or a
            state changed between its two reads; raised when the query runs.
    """
    return difference(
        before,
        after,
        headers={"id": id, "prev": prev},
        prefixes=prefixes,
        blank_nodes=blank_nodes,
        language_tags=language_tags,
        strategy=strategy,
    )


def difference(
    before: DataFrame,
    after: DataFrame,
    *,
    headers: Mapping[str, str | None],
    prefixes: tuple[DataFrame, DataFrame] | None,
    blank_nodes: BlankNodes,
    language_tags: LanguageTags,
    strategy: Strategy = "auto",
) -> DataFrame:
    """Return the patch of `diff`, with any headers: the terms by their keys, or None."""
    check_blank_nodes(blank_nodes)
    check_language_tags(language_tags)
    states = statements_of(before, "before"), statements_of(after, "after")
    size = size_of_digests(strategy, states)
    digests = None
    if size is not None:
        condition = f"NOT {HAS_NODES}" if blank_nodes == "match" else "true"
        digests = Digests(states, size, language_tags, condition)
        states = digests.of_interest(states[0]), digests.of_interest(states[1])
    given = states
    if blank_nodes == "match":
        states = states[0], relabelled(*states, language_tags)
    if language_tags == "ignore-case":
        states = states[0], with_tags_of(*states)
    others = header_rows(before, **headers)
    sides = keyed(sides_of(*states))
    changes = _on_one_side(grouped(sides, _found_on()), STATEMENT, "D", "A")
    if digests is not None:
        is_exact = language_tags == "exact"
        compared = sides.select("statement.*", "side") if is_exact else sides_of(*given)
        others.append(digests.check(compared))
    if prefixes is not None:
        old, new = prefixes
        # The prefixes are few: in one partition, grouping needs no hash shuffle.
        bindings = sides_of(prefixes_of(old), prefixes_of(new)).repartition(1)
        one_iri = bindings.groupBy("graph", "name", "side").agg(F.max("value").alias("value"))
        found = one_iri.groupBy(*PREFIX).agg(_found_on())
        others.append(_on_one_side(found, PREFIX, "PD", "PA"))
    return canonical_patch(changes, *others)


def _found_on() -> Column:
    return F.bit_or("side").alias("side")


def _on_one_side(found: DataFrame, key: tuple[str, ...], delete: str, add: str) -> DataFrame:
    op = F.when(F.col("side") == BEFORE, delete).otherwise(add).alias("op")
    return found.where(F.col("side") != BEFORE | AFTER).select(op, *key)
