"""Archives of many versions: a log of patches, a Delta table, and a copy of each version.

All have the same input: for each version, a Parquet file with the rows of a canonical patch.
"""

from __future__ import annotations

from datetime import timedelta
from functools import reduce
from pathlib import Path
from typing import Protocol

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F

from benchmarks.data.datasets import SHOP
from jelly_spark import Log

TERMS = ("subject", "predicate", "object", "graph")

_BLOCKS = ("TX", "D", "A", "TC")


class Archive(Protocol):
    """Versions of the statements, numbered from 0."""

    def ingest(self, version: int, patch: DataFrame) -> None:
        """Add the next version, given the patch from the previous version to it."""

    def state_at(self, version: int) -> DataFrame:
        """Return the statements of a version."""

    def between(self, a: int, b: int) -> DataFrame:
        """Return the changes from one version to a later one.

        The columns are `op`, which is `A` or `D`, and the terms.
        """

    def history(self, which: Column) -> DataFrame:
        """Return the intervals of versions in which statements exist.

        The columns are the terms, `added` (the first version of the interval) and `removed` (the
        first version after it, or null if the statement is in the last version).

        Args:
            which: a condition on the columns of the terms.
        """


class PatchLog:
    """A `Log`.

    Args:
        spark: the session.
        folder: the folder of the log.
        compacted: whether the log has snapshots of some versions, the first of which replaces its
            first patch.
    """

    def __init__(self, spark: SparkSession, folder: Path, *, compacted: bool = True) -> None:
        self._spark = spark
        self._folder = folder
        self._compacted = compacted

    def ingest(self, version: int, patch: DataFrame) -> None:
        """See `Archive`."""
        self._log.append(patch)
        if not self._compacted:
            return
        self._log.compact(if_due=True)
        if version == 1:
            # The first patch is not needed, because the snapshot has all its statements.
            self._log.expire(1)
            self._log.vacuum(timedelta(0))

    def state_at(self, version: int) -> DataFrame:
        """See `Archive`."""
        return self._log.state_at(id_of(version))

    def between(self, a: int, b: int) -> DataFrame:
        """See `Archive`."""
        found = self._log.between(id_of(a), id_of(b))
        return found.where(F.col("op").isin("A", "D"))

    def history(self, which: Column) -> DataFrame:
        """See `Archive`."""
        found = self._log.history(which)
        return found.select(
            *TERMS,
            F.coalesce("added_log_seq", F.lit(0)).alias("added"),
            F.col("removed_log_seq").alias("removed"),
        )

    @property
    def _log(self) -> Log[DataFrame]:
        # A new object, as in a program that starts: nothing is cached but the index.
        return Log(self._folder, self._spark)


class DeltaTable:
    """A Delta table with time travel and Change Data Feed.

    Args:
        spark: a session with Delta.
        folder: the folder of the table.
        vectors: whether the table has deletion vectors.
    """

    def __init__(self, spark: SparkSession, folder: Path, *, vectors: bool = False) -> None:
        self._spark = spark
        self._folder = str(folder)
        self._properties = {
            "delta.enableChangeDataFeed": True,
            "delta.enableDeletionVectors": vectors,
        }

    def ingest(self, version: int, patch: DataFrame) -> None:
        """See `Archive`."""
        changes = patch.where(F.col("op").isin("A", "D")).select("op", *TERMS)
        if version == 0:
            new = changes.drop("op").write.format("delta")
            new.options(**self._properties).save(self._folder)
            return
        changes.createOrReplaceTempView("changes")
        same = " AND ".join(f"old.{name} <=> new.{name}" for name in TERMS)
        self._spark.sql(
            f"MERGE INTO delta.`{self._folder}` old USING changes new ON {same} "
            "WHEN MATCHED AND new.op = 'D' THEN DELETE "
            f"WHEN NOT MATCHED AND new.op = 'A' THEN INSERT ({', '.join(TERMS)}) "
            f"VALUES ({', '.join(f'new.{name}' for name in TERMS)})"
        )

    def state_at(self, version: int) -> DataFrame:
        """See `Archive`."""
        return self._spark.read.format("delta").option("versionAsOf", version).load(self._folder)

    def between(self, a: int, b: int) -> DataFrame:
        """See `Archive`."""
        changes = self._changes(a + 1, b)
        if b > a + 1:
            last = F.max_by("_change_type", "_commit_version").alias("_change_type")
            changes = changes.groupBy(*TERMS).agg(last)
        op = F.when(F.col("_change_type") == "insert", "A").otherwise("D")
        return changes.select(op.alias("op"), *TERMS)

    def history(self, which: Column) -> DataFrame:
        """See `Archive`."""
        in_order = Window.partitionBy(*TERMS).orderBy("_commit_version")
        next = F.lead("_commit_version").over(in_order).alias("removed")
        changes = self._changes(0).where(which)
        intervals = changes.select(
            *TERMS, "_change_type", F.col("_commit_version").alias("added"), next
        )
        return intervals.where("_change_type = 'insert'").drop("_change_type")

    def _changes(self, first: int, last: int | None = None) -> DataFrame:
        feed = self._spark.read.format("delta").option("readChangeFeed", True)
        feed = feed.option("startingVersion", first)
        return (feed if last is None else feed.option("endingVersion", last)).load(self._folder)


class Copies:
    """A copy of each version, in Parquet.

    Args:
        spark: the session.
        folder: the folder of the copies.
    """

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._spark = spark
        self._folder = folder

    def ingest(self, version: int, patch: DataFrame) -> None:
        """See `Archive`."""
        added, deleted = (patch.where(F.col("op") == op).select(*TERMS) for op in ("A", "D"))
        state = added
        if version > 0:
            old = self.state_at(version - 1).alias("old")
            deleted = F.broadcast(deleted).alias("new")
            same = reduce(
                Column.__and__,
                (F.col(f"old.{name}").eqNullSafe(F.col(f"new.{name}")) for name in TERMS),
            )
            state = old.join(deleted, same, "left_anti").union(added).coalesce(2)
        state.write.parquet(self._path(version))

    def state_at(self, version: int) -> DataFrame:
        """See `Archive`."""
        return self._spark.read.parquet(self._path(version))

    def between(self, a: int, b: int) -> DataFrame:
        """See `Archive`."""
        before, after = (
            self.state_at(version).select(*TERMS, F.lit(sign).alias("sign"))
            for version, sign in ((a, -1), (b, 1))
        )
        sums = before.union(after).groupBy(*TERMS).agg(F.sum("sign").alias("sign"))
        op = F.when(F.col("sign") > 0, "A").otherwise("D")
        return sums.where("sign <> 0").select(op.alias("op"), *TERMS)

    def history(self, which: Column) -> DataFrame:
        """See `Archive`."""
        found = self._spark.read.parquet(str(self._folder)).where(which)
        last = len([*self._folder.iterdir()]) - 1
        in_order = Window.partitionBy(*TERMS).orderBy("version")
        run = (F.col("version") - F.row_number().over(in_order)).alias("run")
        intervals = (
            found.select(*TERMS, "version", run)
            .groupBy(*TERMS, "run")
            .agg(F.min("version").alias("added"), (F.max("version") + 1).alias("removed"))
        )
        removed = F.when(F.col("removed") <= last, F.col("removed")).alias("removed")
        return intervals.select(*TERMS, "added", removed)

    def _path(self, version: int) -> str:
        return str(self._folder / f"version={version}")


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
