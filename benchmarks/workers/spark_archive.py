"""A process that keeps an archive. Its arguments are a name, a folder, a heap, and jars."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from benchmarks.running.participants import (
    ARCHIVE_COPIES,
    ARCHIVE_DELTA,
    ARCHIVE_LOG,
    ARCHIVE_UNCOMPACTED,
    ARCHIVE_VECTORS,
)
from benchmarks.workers.archives import TERMS, Archive, Copies, DeltaTable, PatchLog, patches
from benchmarks.workers.protocol import Work, serve
from benchmarks.workers.spark import start_spark

_ARCHIVES: dict[str, Callable[[SparkSession, Path], Archive]] = {
    ARCHIVE_LOG: PatchLog,
    ARCHIVE_UNCOMPACTED: partial(PatchLog, compacted=False),
    ARCHIVE_DELTA: DeltaTable,
    ARCHIVE_VECTORS: partial(DeltaTable, vectors=True),
    ARCHIVE_COPIES: Copies,
}


def main() -> None:
    """Start the session, and serve its tasks."""
    name, folder, heap, *jars = sys.argv[1:]
    session = start_spark("local[2]", heap, jars, _delta(jars))
    tasks = ArchiveTasks(session, _ARCHIVES[name](session, Path(folder)))
    serve(
        {
            "make": tasks.make,
            "ingest": tasks.ingest,
            "state_at": tasks.state_at,
            "between": tasks.between,
            "history": tasks.history,
        }
    )
    session.stop()


def _delta(jars: list[str]) -> dict[str, str]:
    """Return the settings of Delta, if its jars are given."""
    if not jars:
        return {}
    return {
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.databricks.delta.snapshotPartitions": "2",
    }


class ArchiveTasks:
    """The tasks of a session with an archive."""

    def __init__(self, spark: SparkSession, archive: Archive) -> None:
        self._spark = spark
        self._archive = archive

    def make(self, path: str, statements: str, versions: str) -> Work:
        """Write the patches of an archive, one folder of Parquet files for each version."""

        def work() -> int:
            rows = patches(self._spark, int(statements), int(versions))
            rows = rows.repartition(8, "version").sortWithinPartitions("version", "seq")
            rows.write.partitionBy("version").parquet(path)
            return 0

        return work

    def ingest(self, version: str, path: str) -> Work:
        """Add a version to the archive."""

        def work() -> int:
            self._archive.ingest(int(version), self._spark.read.parquet(path))
            return 0

        return work

    def state_at(self, version: str) -> Work:
        """Return the sum of the lengths of the terms of a version."""

        def work() -> int:
            return _sum(self._archive.state_at(int(version)), _length())

        return work

    def between(self, a: str, b: str) -> Work:
        """Compute the lengths of all terms of a delta; return those of the added statements.

        Archives may or may not report the deletion of statements that were added after version `a`,
        so the lengths of deleted statements cannot be compared.
        """

        def work() -> int:
            delta = self._archive.between(int(a), int(b))
            return _sum(delta, F.when(F.col("op") == "A", _length()), _length())

        return work

    def history(self, column: str, term: str) -> Work:
        """Return the sum of the term lengths and version numbers of some statements' intervals."""

        def work() -> int:
            intervals = self._archive.history(F.col(column) == term)
            versions = F.col("added") + F.coalesce("removed", F.lit(0))
            return _sum(intervals, _length() + versions)

        return work


def _length() -> Column:
    return sum((F.coalesce(F.octet_length(name), F.lit(0)) for name in TERMS), F.lit(0))


def _sum(rows: DataFrame, *values: Column) -> int:
    """Compute the sum of each value, and return the first sum."""
    sums = rows.agg(*map(F.sum, values)).first()
    assert sums is not None
    return int(sums[0] or 0)


if __name__ == "__main__":
    main()
