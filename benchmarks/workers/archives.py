"""Processes with archives of versions: a log of patches, a Delta table, a copy of each version.

All archives have the same input: for each version, a Parquet file with the rows of a canonical
patch. A process has the arguments NAME FOLDER HEAP [JAR ...].
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import timedelta
from functools import reduce
from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F

from benchmarks.data.datasets import TERMS
from benchmarks.data.versions import id_of, patch
from benchmarks.running import who
from benchmarks.workers.protocol import Task, serve
from benchmarks.workers.spark import start_spark
from jelly_spark import Log

DELTA_SETTINGS = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.databricks.delta.snapshotPartitions": "2",
}


def main() -> None:
    """Start the session, and serve its tasks."""
    name, folder, heap, *jars = sys.argv[1:]
    session = start_spark("local[2]", heap, jars, DELTA_SETTINGS if jars else {})
    serve(ARCHIVES[name](session, Path(folder)))
    session.stop()


class Archive(ABC):
    """Versions of the statements, numbered from 0, with the tasks of the process.

    Args:
        spark: the session.
        folder: the folder of the archive.
    """

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._spark = spark
        self._folder = folder

    def make(self, path: str, statements: str, versions: str) -> Task:
        """Write the patches of an archive, one folder of Parquet files for each version."""
        yield
        for version in range(int(versions)):
            rows = patch(self._spark, int(statements), version)
            rows.write.parquet(f"{path}/version={version}")
        return 0

    def ingest(self, version: str, path: str) -> Task:
        """Add the next version, given the patch from the previous version to it."""
        yield
        self._ingest(int(version), self._spark.read.parquet(path))
        return 0

    def state_at(self, version: str) -> Task:
        """Return the sum of the lengths of the terms of a version."""
        yield
        return sum_of(self._state_at(int(version)), length())

    def between(self, a: str, b: str) -> Task:
        """Compute the lengths of all terms of a delta; return those of the added statements.

        Archives may or may not report the deletion of statements that were added after version `a`,
        so the lengths of deleted statements cannot be compared.
        """
        yield
        delta = self._between(int(a), int(b))
        return sum_of(delta, F.when(F.col("op") == "A", length()), length())

    def history(self, column: str, term: str) -> Task:
        """Return the sum of the term lengths and version numbers of some statements' intervals."""
        yield
        intervals = self._history(F.col(column) == term)
        versions = F.col("added") + F.coalesce("removed", F.lit(0))
        return sum_of(intervals, length() + versions)

    @abstractmethod
    def _ingest(self, version: int, patch: DataFrame) -> None: ...

    @abstractmethod
    def _state_at(self, version: int) -> DataFrame: ...

    @abstractmethod
    def _between(self, a: int, b: int) -> DataFrame:
        """Return the changes from one version to a later one: `op`, `A` or `D`, and the terms."""

    @abstractmethod
    def _history(self, which: Column) -> DataFrame:
        """Return the intervals of versions in which the statements exist that a condition chooses.

        The columns are the terms, `added` (the first version of the interval) and `removed` (the
        first version after it, or null if the statement is in the last version).
        """


class PatchLog(Archive):
    """A `Log` with snapshots of some versions, the first of which replaces its first patch."""

    compacted = True

    def _ingest(self, version: int, patch: DataFrame) -> None:
        self._log.append(patch)
        if not self.compacted:
            return
        self._log.compact(if_due=True)
        if version == 1:
            # The first patch is not needed, because the snapshot has all its statements.
            self._log.expire(1)
            self._log.vacuum(timedelta(0))

    def _state_at(self, version: int) -> DataFrame:
        return self._log.state_at(id_of(version))

    def _between(self, a: int, b: int) -> DataFrame:
        found = self._log.between(id_of(a), id_of(b))
        return found.where(F.col("op").isin("A", "D"))

    def _history(self, which: Column) -> DataFrame:
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


class UncompactedLog(PatchLog):
    """A `Log` without snapshots."""

    compacted = False


class DeltaTable(Archive):
    """A Delta table with time travel and Change Data Feed, in a session with Delta."""

    vectors = False

    def _ingest(self, version: int, patch: DataFrame) -> None:
        changes = patch.where(F.col("op").isin("A", "D")).select("op", *TERMS)
        if version == 0:
            new = changes.drop("op").write.format("delta")
            new.option("delta.enableChangeDataFeed", True)
            new.option("delta.enableDeletionVectors", self.vectors).save(str(self._folder))
            return
        merge(changes, f"delta.`{self._folder}`")

    def _state_at(self, version: int) -> DataFrame:
        found = self._spark.read.format("delta").option("versionAsOf", version)
        return found.load(str(self._folder))

    def _between(self, a: int, b: int) -> DataFrame:
        changes = self._changes(a + 1, b)
        if b > a + 1:
            last = F.max_by("_change_type", "_commit_version").alias("_change_type")
            changes = changes.groupBy(*TERMS).agg(last)
        op = F.when(F.col("_change_type") == "insert", "A").otherwise("D")
        return changes.select(op.alias("op"), *TERMS)

    def _history(self, which: Column) -> DataFrame:
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
        feed = feed if last is None else feed.option("endingVersion", last)
        return feed.load(str(self._folder))


class VectorTable(DeltaTable):
    """A Delta table with deletion vectors."""

    vectors = True


class Copies(Archive):
    """A copy of each version, in Parquet."""

    def _ingest(self, version: int, patch: DataFrame) -> None:
        added, deleted = (patch.where(F.col("op") == op).select(*TERMS) for op in ("A", "D"))
        state = added
        if version > 0:
            old = self._state_at(version - 1).alias("old")
            deleted = F.broadcast(deleted).alias("new")
            same = reduce(
                Column.__and__,
                (F.col(f"old.{name}").eqNullSafe(F.col(f"new.{name}")) for name in TERMS),
            )
            state = old.join(deleted, same, "left_anti").union(added).coalesce(2)
        state.write.parquet(self._path(version))

    def _state_at(self, version: int) -> DataFrame:
        return self._spark.read.parquet(self._path(version))

    def _between(self, a: int, b: int) -> DataFrame:
        before, after = (
            self._state_at(version).select(*TERMS, F.lit(sign).alias("sign"))
            for version, sign in ((a, -1), (b, 1))
        )
        sums = before.union(after).groupBy(*TERMS).agg(F.sum("sign").alias("sign"))
        op = F.when(F.col("sign") > 0, "A").otherwise("D")
        return sums.where("sign <> 0").select(op.alias("op"), *TERMS)

    def _history(self, which: Column) -> DataFrame:
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


ARCHIVES: dict[str, Callable[[SparkSession, Path], Archive]] = {
    who.ARCHIVE_LOG: PatchLog,
    who.ARCHIVE_UNCOMPACTED: UncompactedLog,
    who.ARCHIVE_DELTA: DeltaTable,
    who.ARCHIVE_VECTORS: VectorTable,
    who.ARCHIVE_COPIES: Copies,
}


def merge(changes: DataFrame, table: str) -> None:
    """Apply changes, which have `op` and the terms of a statement, to a table by `MERGE`."""
    changes.createOrReplaceTempView("changes")
    same = " AND ".join(f"old.{name} <=> new.{name}" for name in TERMS)
    changes.sparkSession.sql(
        f"MERGE INTO {table} old USING changes new ON {same} "
        "WHEN MATCHED AND new.op = 'D' THEN DELETE "
        f"WHEN NOT MATCHED AND new.op = 'A' THEN INSERT ({', '.join(TERMS)}) "
        f"VALUES ({', '.join(f'new.{name}' for name in TERMS)})"
    )


def length() -> Column:
    """Return the length of all terms of a statement in bytes."""
    return sum((F.coalesce(F.octet_length(name), F.lit(0)) for name in TERMS), F.lit(0))


def sum_of(rows: DataFrame, *values: Column) -> int:
    """Compute the sum of each value, and return the first sum."""
    sums = rows.agg(*map(F.sum, values)).first()
    assert sums is not None
    return int(sums[0] or 0)


if __name__ == "__main__":
    main()
