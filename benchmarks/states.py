"""States that differ in one percent, and logs, for the measures of patch algebra."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from benchmarks.data import SHOP, WEATHER
from jelly_spark import algebra

Kind: TypeAlias = Literal["even", "quads", "one_subject", "one_predicate"]
"""Of states: changes all over triples, or quads; in one subject only; one predicate in 80 %."""

KINDS: tuple[Kind, ...] = get_args(Kind)

Side: TypeAlias = Literal["before", "after"]

BATCH = 10_000
"""The changes of a transaction, each of which is a patch of the log."""

_TERMS = ("subject", "predicate", "object")


def state(spark: SparkSession, rows: int, kind: Kind, side: Side, percent: int = 1) -> DataFrame:
    """Return statements, of which some have other objects after than before.

    Args:
        spark: the session.
        rows: the number of statements.
        kind: quads of the weather, or triples of the shop, and how these are skewed.
        side: whether the objects are those before or after.
        percent: how many of the statements change.
    """
    dataset = WEATHER if kind == "quads" else SHOP
    statements = dataset.statements(spark, rows)
    hash = F.pmod(F.xxhash64(*_TERMS), F.lit(100))
    changes = hash < percent
    new: dict[str, Column] = {}
    if kind == "one_subject":
        new["subject"] = F.when(changes, F.lit("<urn:x:one>")).otherwise(F.col("subject"))
    if kind == "one_predicate":
        new["predicate"] = F.when(hash < 80, F.lit("<urn:x:one>")).otherwise(F.col("predicate"))
    if side == "after":
        other = F.concat(F.lit('"new '), F.substring("object", 2, 1 << 20))
        other = F.when(F.col("object").startswith('"'), other).otherwise(F.lit('"new"'))
        new["object"] = F.when(changes, other).otherwise(F.col("object"))
    return statements.withColumns(new)


def log(before: DataFrame, after: DataFrame) -> DataFrame:
    """Return a log of patches with `BATCH` changes each, which leads from one state to another."""
    return algebra.split(algebra.diff(before, after), by=BATCH)
