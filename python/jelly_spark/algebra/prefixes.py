"""The prefixes of a state. They are few, so one partition holds them, without a hash shuffle."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import PLACE, PREFIX

_KEY = ("graph", "name")


def prefixes_after(before: DataFrame | None, rows: DataFrame) -> DataFrame:
    """Return the prefixes after changes, with the columns `graph`, `name` and `value`.

    If a prefix of `before` has several IRIs, the last one in the order of code points counts.
    """
    changes = _changes(rows)
    if before is not None:
        changes = changes.unionByName(before, allowMissingColumns=True)
    last = F.max_by(F.struct("op", "value"), F.struct(*PLACE, "value")).alias("last")
    grouped = changes.repartition(1).groupBy(*_KEY).agg(last)
    is_there = F.coalesce(F.col("last.op") == "PA", F.lit(True))
    return grouped.where(is_there).select("graph", "name", "last.value")


def net_prefix_changes(rows: DataFrame) -> DataFrame:
    """Return the net changes of prefixes, with the columns `op`, `graph`, `name` and `value`.

    The IRI of a prefix before the changes is known only if the first of them deletes the prefix.
    """
    row, place = F.struct("op", "value"), F.struct(*PLACE)
    ends = (
        _changes(rows)
        .repartition(1)
        .groupBy(*_KEY)
        .agg(F.min_by(row, place).alias("first"), F.max_by(row, place).alias("last"))
    )
    before = F.when(F.col("first.op") == "PD", F.col("first.value"))
    value, is_added = F.col("last.value"), F.col("last.op") == "PA"
    old = F.coalesce(before, F.when(~is_added, value))
    deleted = F.struct(F.lit("PD").alias("op"), old.alias("value"))
    added = F.struct(F.lit("PA").alias("op"), value.alias("value"))
    net = (
        F.when(~is_added, F.array(deleted))
        .when(before != value, F.array(deleted, added))
        .otherwise(F.array(added))
    )
    found = ends.select(*_KEY, F.explode(net).alias("net"))
    return found.select("net.op", *_KEY, "net.value")


def _changes(rows: DataFrame) -> DataFrame:
    return rows.where(F.col("op").isin("PA", "PD")).select(*PREFIX, *PLACE, "op")
