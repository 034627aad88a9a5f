"""The statements with blank nodes of two states, as one graph whose nodes have colours.

The rows of the graph are of two kinds. A node has one row with its `label`. A statement between
blank nodes has a row at each of its two nodes; if it has more than two, they form a ring, and each
two neighbours in it have these rows. What a statement says of a single blank node only counts in
the first colours of the node.

Columns:
    node: the number of the node where the row is, a hash of its label, whose last bit is the side:
        0 is the state before, 1 the state after.
    other: the number of the node at the other end; in a node's own row, the node.
    key: a hash of the statement without labels, whose last bit is 1 if the other node comes later
        in the statement: then the statement describes the node. 0 in a node's own row.
    label: the label of the node in its own row; else null.
    shapes: up to `_MAX_SHAPES` hashes of statements with no other blank node, in a node's own row.

A colour is a hash of what is said of a node, without labels. It is refined in rounds. In a round,
each row moves to its other end and takes along the colour of the node that it leaves; the new
colour of a node is the hash of what arrives. So a round is one shuffle by `node` and one window,
and its plan contains the plan of the round before only once: a join of edges with colours would
contain it twice, and n rounds 2^n times. Windows spill to disk, so a node may have any number of
neighbours.

Different nodes may get equal numbers, and different descriptions equal colours, because hashes
collide. No result relies on that: labels decide what is one node.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.blank_nodes.terms import HAS_NODES, IN_SUBJECT, NODES, SHAPE
from jelly_spark.algebra.columns import STATEMENT

_ROUNDS = 4
"""How often colours are refined."""

_RANKED_ROUNDS = 4
"""How often colours are refined that tell copies apart."""

_MAX_SHAPES = 32
"""How many statements with no other blank node are compared, if nodes are not equal as a whole."""

BEFORE, AFTER = 0, 1
"""The last bits of the numbers of nodes."""

_OWN = "label IS NOT NULL"
_AT_NODE = "OVER (PARTITION BY node)"
_IN_ORDER = "OVER (PARTITION BY node ORDER BY label, key)"
_ROW = ("node", "other", "key", "label", "shapes")
_MOVED = ("other AS node", "node AS other", f"IF({_OWN}, key, key ^ 1L) AS key", *_ROW[3:])


def coloured(before: DataFrame, after: DataFrame) -> DataFrame:
    """Return the graph of two states, with colours.

    Args:
        before: statements.
        after: statements.

    Returns:
        A DataFrame with the columns of a graph and these:

        - `colour` is what is said of the node and of its neighbours, of theirs, and so on.
        - `name` is the same, but differs for nodes that the colour cannot tell apart: copies are
          counted, and what belongs to a copy has its number. Equal names are unlikely, but if
          there are, any choice between them is good.
        - `is_settled`: whether only one node of each state has the colour.
        - `seen` and `shown`, in a node's own row: colours by the statements that describe the
          node, at any depth, and by those in which it describes another.
        - `seen` and `seen_exactly`, in the row of a statement: hashes of the statement with such a
          colour of the other node, and with its name.
    """
    rows = _first_colours(_rows(before, BEFORE).unionByName(_rows(after, AFTER)))
    for _ in range(_ROUNDS):
        rows = _refined(_moved(rows))
    rows = _named(_linked(_counted(rows)))
    for _ in range(_RANKED_ROUNDS - 1):
        rows = _named(_sent(rows))
    return rows


def _rows(statements: DataFrame, side: int) -> DataFrame:
    """Return a row for each statement at each of its nodes, with the label of the node.

    A row may be there several times. Nodes have no rows of their own yet. In the row of a statement
    with one node, this is also the other node.
    """

    def row(place: str, other: str, key: str, later: str) -> str:
        """Return a row; `later` is 1 if the other node comes later in the statement."""
        node, other_node = (
            f"xxhash64(nodes[{index}]) & -2L | {side}L AS {name}"
            for index, name in ((place, "node"), (other, "other"))
        )
        return (
            f"struct({node}, {other_node}, {key} & -2L | {later} AS key, nodes[{place}] AS label)"
        )

    next_place = "((place + 1) % size(nodes))"
    is_last = f"IF({next_place} = 0, 1L, 0L)"
    in_ring = "xxhash64(shape, place)"
    rows = f"""CASE size(nodes)
        WHEN 1 THEN array({row("0", "0", "shape", "IF(in_subject, 1L, 0L)")})
        WHEN 2 THEN array({row("0", "1", "shape", "1L")}, {row("1", "0", "shape", "0L")})
        ELSE flatten(transform(sequence(0, size(nodes) - 1), place -> array(
            {row("place", next_place, in_ring, f"1L - {is_last}")},
            {row(next_place, "place", in_ring, is_last)})))
        END AS rows"""
    found = statements.where(HAS_NODES).selectExpr(*STATEMENT, f"{NODES} AS nodes")
    shaped = found.selectExpr("nodes", f"{SHAPE} AS shape", f"{IN_SUBJECT} AS in_subject")
    # Spark generates code for a generator only if its argument has no lambda.
    return shaped.selectExpr(rows).selectExpr("inline(rows)")


def _mixed(hash: str, condition: str = "true") -> str:
    """Return the hash of the hashes of all rows at a node for which a condition is true.

    The sum of the upper halves cannot overflow, but collides more often; the other hash ignores
    pairs of equal rows.
    """
    total = f"sum(IF({condition}, shiftrightunsigned({hash}, 32), 0L)) {_AT_NODE}"
    return f"xxhash64({total}, bit_xor(IF({condition}, {hash}, 0L)) {_AT_NODE})"


_COLOURS = ("colour", "below", "above")
_IS_BELOW = f"({_OWN} OR key & 1L = 1)"
_IS_ABOVE = "key & 1L = 0"


def _first_colours(rows: DataFrame) -> DataFrame:
    """Return the rows of the graph, with the colours by the statements at a node, without others.

    The rows of statements with one node become part of the node's own row.
    """
    numbered = (
        rows.repartition("node").distinct().selectExpr("*", f"row_number() {_IN_ORDER} AS number")
    )
    shapes = f"collect_list(IF(number <= {_MAX_SHAPES} AND node = other, key, NULL)) {_AT_NODE}"
    found = numbered.selectExpr(
        *_ROW[:4],
        f"{shapes} AS shapes",
        f"{_mixed('key')} AS colour",
        f"{_mixed('key', 'key & 1L = 1')} AS below",
        f"{_mixed('key', 'key & 1L = 0')} AS above",
        f"number = 1 OR label <> lag(label) {_IN_ORDER} AS is_first",
    )
    own = "struct(node, node AS other, 0L AS key, label, shapes)"
    nothing = "CAST(NULL AS STRING) AS label, CAST(NULL AS ARRAY<BIGINT>) AS shapes"
    statement = f"struct(node, other, key, {nothing})"
    rows_of_graph = f"""CASE WHEN NOT is_first THEN array({statement})
        WHEN node = other THEN array({own}) ELSE array({own}, {statement}) END AS rows"""
    kept = found.where("is_first OR node <> other")
    return kept.selectExpr(rows_of_graph, *_COLOURS).selectExpr("inline(rows)", *_COLOURS)


def _moved(rows: DataFrame) -> DataFrame:
    """Move each row to its other end, with the colours of the node that it leaves."""
    return rows.selectExpr(*_MOVED, *rows.columns[len(_ROW) :])


def _refined(rows: DataFrame) -> DataFrame:
    """Give each node the colours of what has arrived at it."""
    hashed = rows.selectExpr(*_ROW, *(f"xxhash64(key, {name}) AS {name}" for name in _COLOURS))
    return hashed.selectExpr(
        *_ROW,
        f"{_mixed('colour')} AS colour",
        f"{_mixed('below', _IS_BELOW)} AS below",
        f"{_mixed('above', _IS_ABOVE)} AS above",
    )


def _counted(rows: DataFrame) -> DataFrame:
    """Settle the nodes with colours that only one node of each state has, and count the others.

    Where there are several, those that no blank node describes get numbers in the order of their
    own: these are copies, or the top nodes of copies.
    """
    rooted = rows.selectExpr(
        "*",
        f"bool_and({_OWN} OR key & 1L = 1) {_AT_NODE} AS is_top",
    )
    of_colour = "OVER (PARTITION BY colour)"
    counted = rooted.selectExpr(
        "*",
        *(
            f"count(IF({_OWN} AND node & 1L = {side}, 1, NULL)) {of_colour} = 1 AS is_{name}"
            for name, side in (("old", BEFORE), ("new", AFTER))
        ),
        "dense_rank() OVER (PARTITION BY colour, node & 1L ORDER BY node) AS number",
    )
    return counted.selectExpr(
        *rows.columns,
        "is_old AND is_new AS is_settled",
        "IF(is_top AND NOT (is_old AND is_new), xxhash64(colour, number), colour) AS name",
    )


def _linked(rows: DataFrame) -> DataFrame:
    """Move each row to its other end, with what each end says of the other.

    Statements between two settled nodes are left out.
    """
    moved = _moved(rows).selectExpr(
        "*",
        *(
            f"max(IF({_OWN}, {name}, NULL)) {_AT_NODE} AS own_{name}"
            for name in ("below", "above", "is_settled")
        ),
    )
    return moved.where(f"{_OWN} OR NOT (is_settled AND own_is_settled)").selectExpr(
        *_ROW,
        "colour",
        f"{_OWN} AND is_settled AS is_settled",
        f"CASE WHEN {_OWN} THEN below ELSE "
        "xxhash64(key, IF(key & 1L = 1, below, above)) END AS seen",
        f"CASE WHEN {_OWN} THEN above ELSE "
        "xxhash64(key ^ 1L, IF(key & 1L = 1, own_above, own_below)) END AS shown",
        "name",
    )


def _named(rows: DataFrame) -> DataFrame:
    """Give each node the name of what has arrived at it, unless it is settled."""
    hashed = rows.selectExpr(
        "*",
        "xxhash64(key, name) AS seen_exactly",
        "row_number() OVER (PARTITION BY node, key, name ORDER BY other) AS number",
    )
    settled = f"max(IF(is_settled, name, NULL)) {_AT_NODE}"
    return hashed.withColumn("name", F.expr(f"coalesce({settled}, {_mixed('seen_exactly')})"))


def _sent(rows: DataFrame) -> DataFrame:
    """Move each row to its other end, with the name of the node that it leaves.

    Of several nodes that describe it and look the same from there, each gets another name.
    """
    return rows.selectExpr(
        *_MOVED,
        "colour",
        "is_settled",
        f"IF({_OWN}, seen, shown) AS seen",
        f"IF({_OWN}, shown, seen) AS shown",
        f"IF({_OWN} OR key & 1L = 0, name, xxhash64(name, number)) AS name",
    )
