"""Blank nodes in differences: new labels for a state, by what is said of its blank nodes."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.blank_nodes.graphs import coloured
from jelly_spark.algebra.blank_nodes.matching import new_labels
from jelly_spark.algebra.blank_nodes.terms import HAS_NODES, NODES, replaced
from jelly_spark.algebra.columns import STATEMENT
from jelly_spark.algebra.language_tags import FOLDED
from jelly_spark.patches.language_tags import LanguageTags


def relabelled(before: DataFrame, after: DataFrame, language_tags: LanguageTags) -> DataFrame:
    """Return a state with the labels of blank nodes that make it most like the state before.

    Different nodes get different labels, whatever the matching. So the relabelled state is always
    isomorphic to `after`: a poor matching makes a difference longer, but never wrong.

    Args:
        before: statements.
        after: statements.
        language_tags: how language tags are compared.
    """
    if language_tags == "exact":
        labels = new_labels(coloured(before, after))
    else:
        labels = new_labels(coloured(before.selectExpr(*FOLDED), after.selectExpr(*FOLDED)))
    return after.where(f"NOT {HAS_NODES}").unionByName(_renamed(after.where(HAS_NODES), labels))


def _renamed(statements: DataFrame, labels: DataFrame) -> DataFrame:
    """Return statements with new labels.

    A statement goes to one of its labels, and its hash to all of them. Statements with equal hashes
    are equal, or else the hashes collide: then one map has the new labels of all of them.
    """
    nodes = statements.selectExpr(
        f"struct({', '.join(STATEMENT)}) AS statement", f"{NODES} AS nodes"
    )
    found = nodes.selectExpr(
        "xxhash64(statement) AS hash", "statement", "posexplode(nodes) AS (place, label)"
    )
    placed = found.selectExpr("hash", "label", "IF(place = 0, statement, NULL) AS statement")
    together = (
        placed.join(labels, "label")
        .groupBy("hash")
        .agg(
            F.expr("collect_set(statement) AS statements"),
            F.expr("map_from_entries(collect_set(struct(label, new_label))) AS labels"),
        )
    )
    terms = (
        f"IF({name} IS NULL, NULL, {replaced(name, 'labels[{}]')}) AS {name}" for name in STATEMENT
    )
    return together.selectExpr("labels", "inline(statements)").selectExpr(*terms)
