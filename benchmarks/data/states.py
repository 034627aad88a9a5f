"""Pairs of similar states, and logs between them, for the measures of patch algebra."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from benchmarks.data.datasets import SHOP, WEATHER
from jelly_spark import algebra

Kind: TypeAlias = Literal["even", "quads", "one_subject", "one_predicate"]
"""The kind of states: triples or quads with changes all over them, triples with changes in only one
subject, or triples of which 80 % have the same predicate."""

KINDS: tuple[Kind, ...] = get_args(Kind)

Side: TypeAlias = Literal["before", "after"]

BATCH = 10_000
"""The number of changes in a patch of the log."""

_TERMS = ("subject", "predicate", "object")


def state(spark: SparkSession, rows: int, kind: Kind, side: Side, percent: int = 1) -> DataFrame:
    """Return the statements of a state before or after changes, which replace objects.

    Args:
        spark: the session.
        rows: the number of statements.
        kind: the kind of the state: quads are from the weather dataset, triples from the shop.
        side: whether to return the state before or after the changes.
        percent: the percentage of the statements that change.
    """
    dataset = WEATHER if kind == "quads" else SHOP
    statements = dataset.statements(spark, rows)
    hash = _hash()
    new: dict[str, Column] = {}
    if kind == "one_subject":
        new["subject"] = F.when(hash < percent, F.lit("<urn:x:one>")).otherwise(F.col("subject"))
    if kind == "one_predicate":
        new["predicate"] = F.when(hash < 80, F.lit("<urn:x:one>")).otherwise(F.col("predicate"))
    if side == "after":
        new["object"] = _new_objects(percent)
    return statements.withColumns(new)


def after(before: DataFrame, percent: int = 1) -> DataFrame:
    """Return the statements of a state after changes, which replace objects."""
    return before.withColumn("object", _new_objects(percent))


def _hash() -> Column:
    return F.pmod(F.xxhash64(*_TERMS), F.lit(100))


def _new_objects(percent: int) -> Column:
    other = F.concat(F.lit('"new '), F.substring("object", 2, 1 << 20))
    other = F.when(F.col("object").startswith('"'), other).otherwise(F.lit('"new"'))
    return F.when(_hash() < percent, other).otherwise(F.col("object"))


def log(before: DataFrame, after: DataFrame) -> DataFrame:
    """Return the log from one state to another, in patches with `BATCH` changes each."""
    return algebra.split(algebra.diff(before, after), by=BATCH)
