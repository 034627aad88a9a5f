"""The patches of an archive of versions of the shop, in Spark."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F

from benchmarks.data.datasets import SHOP, TERMS

_BLOCKS = ("TX", "D", "A", "TC")


def patches(spark: SparkSession, statements: int, versions: int) -> DataFrame:
    """Return the rows of the patches of an archive, with the column `version`.

    The first patch adds the triples of the shop. Each other patch changes the objects of a
    pseudorandom one percent of them, so some triples change several times, and some never.

    Args:
        spark: the session.
        statements: the number of statements in each version.
        versions: the number of versions.
    """
    shop = SHOP.statements(spark, statements)
    changing = F.filter(
        F.sequence(F.lit(1), F.lit(max(versions - 1, 1))),
        lambda version: F.pmod(F.xxhash64(*TERMS[:3], version), F.lit(100)) == 0,
    )
    changed = shop.withColumn("versions", F.concat(F.array(F.lit(0)), changing))
    each = changed.select("*", F.posexplode("versions").alias("place", "version"))
    before = F.col("versions")[F.col("place") - 1]
    changes = each.select(
        "*",
        F.explode(
            F.when(F.col("place") > 0, F.array(F.lit("D"), F.lit("A"))).otherwise(
                F.array(F.lit("A"))
            )
        ).alias("op"),
    ).select(
        "version",
        "op",
        "subject",
        "predicate",
        _object(F.when(F.col("op") == "A", F.col("version")).otherwise(before)).alias("object"),
        "graph",
    )
    numbers = spark.range(0, versions, 1, 1).select(F.col("id").cast("int").alias("version"))
    id = F.concat(F.lit("<urn:version:"), "version", F.lit(">"))
    prev = F.concat(F.lit("<urn:version:"), F.col("version") - 1, F.lit(">"))
    marks = numbers.select(
        "version",
        F.inline(
            F.array(
                _row("H", "id", id),
                _row("H", "prev", F.when(F.col("version") > 0, prev)),
                _row("TX"),
                _row("TC"),
            )
        ),
    ).where("op <> 'H' OR value IS NOT NULL")
    block = F.coalesce(F.array_position(F.array(*map(F.lit, _BLOCKS)), F.col("op")), F.lit(0))
    in_order = Window.partitionBy("version").orderBy(block, "name", *TERMS)
    return changes.unionByName(marks, allowMissingColumns=True).select(
        "version",
        "op",
        *TERMS,
        "name",
        "value",
        (F.row_number().over(in_order) - 1).cast("bigint").alias("seq"),
    )


def id_of(version: int) -> str:
    """Return the id of the patch that leads to a version."""
    return f"<urn:version:{version}>"


def _row(op: str, name: str | None = None, value: Column | None = None) -> Column:
    value = F.lit(None) if value is None else value
    return F.struct(
        F.lit(op).alias("op"),
        F.lit(name).cast("string").alias("name"),
        value.cast("string").alias("value"),
    )


def _object(version: Column) -> Column:
    """Return the object that a statement gets in a version; in version 0, the original object."""
    literal = F.concat(F.lit('"'), version, F.lit(" "), F.substring("object", 2, 1 << 20))
    iri = F.concat(F.rtrim("object", F.lit(">")), F.lit("/"), version, F.lit(">"))
    new = F.when(F.col("object").startswith('"'), literal).otherwise(iri)
    return F.when(version > 0, new).otherwise(F.col("object"))
