"""The versions of the shop, and the patches between them, in Spark."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from benchmarks.data.datasets import SHOP, TERMS
from jelly_spark import algebra


def patch(spark: SparkSession, statements: int, version: int) -> DataFrame:
    """Return the canonical patch that leads to a version. The first one adds all statements.

    Args:
        spark: the session.
        statements: the number of statements in each version.
        version: the number of the version, from 0.
    """
    after = state(spark, statements, version)
    if version == 0:
        return algebra.diff(after.where("false"), after, id=id_of(0))
    before = state(spark, statements, version - 1)
    return algebra.diff(before, after, id=id_of(version), prev=id_of(version - 1))


def id_of(version: int) -> str:
    """Return the id of the patch that leads to a version."""
    return f"<urn:version:{version}>"


def state(spark: SparkSession, statements: int, version: int) -> DataFrame:
    """Return the statements of a version.

    Each version changes the objects of a pseudorandom one percent of the shop's triples, so some
    triples change several times, and some never.
    """
    shop = SHOP.statements(spark, statements)
    if version == 0:
        return shop
    changing = F.filter(
        F.sequence(F.lit(1), F.lit(version)),
        lambda number: F.pmod(F.xxhash64(*TERMS[:3], number), F.lit(100)) == 0,
    )
    last = shop.withColumn("version", F.array_max(changing))
    return last.withColumn("object", _object(F.col("version"))).select(*TERMS)


def _object(version: Column) -> Column:
    """Return the object that a statement got in a version; the original one if that is null."""
    literal = F.concat(F.lit('"'), version, F.lit(" "), F.substring("object", 2, 1 << 20))
    iri = F.concat(F.rtrim("object", F.lit(">")), F.lit("/"), version, F.lit(">"))
    new = F.when(F.col("object").startswith('"'), literal).otherwise(iri)
    return F.coalesce(new, "object")
