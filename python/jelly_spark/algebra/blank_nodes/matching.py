"""Matching of the blank nodes of two states, as queries.

Nodes with equal names are matched in the order of their labels. Other nodes are matched by what
they have in common: each statement that they share is a vote for the pair. A statement that many
nodes share says little, so it counts only if there are few pairs. In each round, two nodes are
matched if both have most votes for each other.

From here on, nodes are labels, not numbers. So whatever collides, each node of `after` is matched
to at most one of `before`, and no two to the same.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.blank_nodes.graphs import AFTER, BEFORE

_MAX_PAIRS = 100
"""How many pairs a statement, or what else nodes have in common, gets votes for at most."""

_ROUNDS = 2
"""How often nodes choose each other."""

_EQUAL = 1 << 40
"""The votes for a pair with equal names: more than all others together."""

# A label as this module makes them. Its number is after the last hyphen.
_MADE = r"^<?_:n[0-9a-f]{15}-[0-9]+>?$"
_COLOUR, _NUMBER = (f"regexp_extract(old, r'^<?_:n([0-9a-f]{{15}})-([0-9]+)', {n})" for n in (1, 2))
_MAX_DIGITS = 15


def new_labels(graph: DataFrame) -> DataFrame:
    """Return the label that each blank node of the state after gets.

    Args:
        graph: the graph of both states, from `coloured`.

    Returns:
        A DataFrame with `label`, each once, and `new_label`: the label of the node of `before` that
        the node is matched to, or else one that neither state has. All are different.
    """
    pairs = _suggested(_views(graph))
    for _ in range(_ROUNDS):
        pairs = _chosen(pairs)
    return _labelled(pairs)


def _views(graph: DataFrame) -> DataFrame:
    """Return hashes of all that can make two nodes a pair.

    Returns:
        A DataFrame with the label and side of a node, its colour, and a `view`. `is_name` says
        whether the view is the name of the node, and `is_made` that the row only says that a label
        exists.
    """
    at_node = "OVER (PARTITION BY node)"
    known = graph.selectExpr(
        "*", f"bool_or(is_settled) {at_node} AS is_done", f"max(label) {at_node} AS node_label"
    )

    def view(kind: int, *values: str, is_made: bool = False) -> str:
        hash = f"xxhash64({kind}, {', '.join(values)})"
        return (
            f"named_struct('view', {hash}, 'is_name', {str(kind == 0).lower()}, "
            f"'is_made', {str(is_made).lower()})"
        )

    name, made = view(0, "name"), view(1, "label", is_made=True)
    own = f"array({name}, {view(2, 'seen')}, {view(3, 'shown')})"
    others = f"transform(shapes, shape -> {view(4, 'shape')})"
    of_statement = f"array({view(5, 'seen')}, {view(6, 'seen_exactly')})"
    views = f"""CASE
        WHEN label IS NULL THEN IF(is_done, array(), {of_statement})
        WHEN is_done THEN array({name})
        ELSE concat({own}, {others}) END"""
    return known.selectExpr(
        "coalesce(label, node_label) AS label",
        "node & 1L AS side",
        "colour",
        f"inline(IF(label RLIKE r'{_MADE}', concat({views}, array({made})), {views}))",
    )


def _suggested(views: DataFrame) -> DataFrame:
    """Return the pairs of nodes that have something in common.

    Returns:
        A DataFrame with the labels `old` and `new`, the `colour` of the new node, and `votes`. Each
        node of `after` has a pair, whose `old` is null if no node of `before` has its name. A pair
        whose `new` is null only says that a label exists that is like those made here.
    """
    of_view = "OVER (PARTITION BY view)"
    counted = views.selectExpr(
        "*",
        *(
            f"count(IF(side = {side}, 1, NULL)) {of_view} AS {name}"
            for name, side in (("olds", BEFORE), ("news", AFTER))
        ),
        "IF(is_name, row_number() OVER (PARTITION BY view, side ORDER BY label), 0) AS place",
    )
    useful = counted.where(
        f"""CASE WHEN is_name THEN side = {AFTER} OR place <= news
            ELSE is_made OR olds > 0 AND news > 0 AND olds * news <= {_MAX_PAIRS} END"""
    )
    grouped = useful.groupBy("view", "place", "is_name", "is_made").agg(
        F.expr(f"collect_list(IF(is_made OR side = {BEFORE}, label, NULL)) AS olds"),
        F.expr(
            f"collect_list(IF(NOT is_made AND side = {AFTER}, struct(label AS new, colour), NULL))"
            " AS news"
        ),
    )
    paired = grouped.selectExpr("is_name", "news", "explode_outer(olds) AS old").selectExpr(
        "is_name", "old", "inline_outer(news)"
    )
    votes = f"CASE WHEN old IS NULL OR new IS NULL THEN 0L WHEN is_name THEN {_EQUAL}L ELSE 1L END"
    return (
        paired.selectExpr(
            "old", "new", "colour", f"{votes} AS votes", "coalesce(old, new) AS spread"
        )
        .repartition("spread")
        .groupBy("old", "new", "colour")
        .agg(F.expr("sum(votes) AS votes"), F.lit(False).alias("is_match"))
    )


# Nodes without a pair are on their own in a group, so that none gets large.
_OF_OLD = "PARTITION BY coalesce(old, new), old"
_OF_NEW = "PARTITION BY coalesce(new, old), new"
_IN_ORDER = "ORDER BY votes DESC, xxhash64(old, new), old, new"


def _chosen(pairs: DataFrame) -> DataFrame:
    """Match the nodes that have most votes for each other, and drop their other pairs."""
    of_old = pairs.selectExpr("*", f"bool_or(is_match) OVER ({_OF_OLD}) AS is_taken").where(
        "is_match OR NOT is_taken OR new IS NULL"
    )
    best = of_old.selectExpr(
        *pairs.columns, f"row_number() OVER ({_OF_OLD} {_IN_ORDER}) = 1 AS is_best"
    )
    both = best.selectExpr(
        "old",
        "new",
        "colour",
        "votes",
        f"is_best AND votes > 0 AND row_number() OVER ({_OF_NEW} {_IN_ORDER}) = 1 AS is_match",
    )
    return (
        both.selectExpr("*", f"bool_or(is_match) OVER ({_OF_NEW}) AS is_taken")
        .where("is_match OR NOT is_taken OR new IS NULL")
        .drop("is_taken")
    )


def _labelled(pairs: DataFrame) -> DataFrame:
    """Return the new labels of the nodes of `after`.

    A new label is made of the colour of a node and of a number that is greater than those of all
    labels with this colour. If these have numbers of many digits, more digits follow.
    """
    first = f"row_number() OVER ({_OF_NEW} ORDER BY is_match DESC) = 1 OR new IS NULL AS is_first"
    kept = pairs.selectExpr("*", first).where("is_first")
    keyed = kept.selectExpr(
        "new",
        "IF(is_match OR new IS NULL, old, NULL) AS old",
        "new IS NOT NULL AND NOT is_match AS is_open",
        f"""CASE WHEN new IS NULL THEN {_COLOUR} WHEN is_match THEN new
            ELSE lpad(lower(hex(colour & {(1 << 60) - 1}L)), 15, '0') END AS colour""",
        f"IF(new IS NULL, {_NUMBER}, NULL) AS taken",
    )
    of_colour = "OVER (PARTITION BY colour)"
    digits = f"IF(length(taken) <= {_MAX_DIGITS}, CAST(taken AS BIGINT), NULL)"
    more = f"IF(length(taken) > {_MAX_DIGITS}, length(taken), 0)"
    numbered = keyed.selectExpr(
        "new",
        "old",
        "colour",
        f"coalesce(max({digits}) {of_colour} + 1, 0) AS first",
        "row_number() OVER (PARTITION BY colour ORDER BY is_open DESC, new) - 1 AS number",
        f"max({more}) {of_colour} AS more",
    )
    return numbered.where("new IS NOT NULL").selectExpr(
        "new AS label",
        "coalesce(old, concat('_:n', colour, '-', first + number, repeat('0', more))) AS new_label",
    )
