"""Processes that write a table by SQL: a log of patches, or a Delta table with Change Data Feed.

The table has the statements of the first version of an archive. A process has the arguments NAME
FOLDER HEAP [JAR ...].
"""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from benchmarks.data.datasets import TERMS
from benchmarks.data.versions import patch, state
from benchmarks.running import who
from benchmarks.workers.archives import DELTA_SETTINGS, length, merge, sum_of
from benchmarks.workers.protocol import Task, serve
from benchmarks.workers.spark import start_spark
from jelly_spark import Log

INSERTED = 1000
"""The number of statements that an `INSERT` adds."""

COMMITTED = 10
"""The same for each of the commits whose changes are read."""


def main() -> None:
    """Start the session, and serve its tasks."""
    name, folder, heap, *jars = sys.argv[1:]
    settings = {
        "spark.sql.catalog.logs": "org.jellyspark.LogCatalog",
        "spark.sql.catalog.logs.path": folder,
    }
    session = start_spark("local[2]", heap, jars, DELTA_SETTINGS if jars else settings)
    serve(TABLES[name](session, Path(folder)))
    session.stop()


class Table:
    """A log in the catalog `logs`, with the tasks of the process.

    Args:
        spark: the session.
        folder: the folder for the table and its input.
    """

    name = "logs.statements"

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._spark = spark
        self._folder = folder

    def make(self, statements: str) -> Task:
        """Make the table from a Parquet file."""
        self._statements = int(statements)
        first = self._input(state(self._spark, self._statements, 0))
        yield
        self._make(first)
        return 0

    def insert(self, number: str) -> Task:
        """Add some statements that are not there."""
        self._new(int(number), INSERTED).createOrReplaceTempView("new")
        yield
        self._spark.sql(f"INSERT INTO {self.name} SELECT * FROM new")
        return 0

    def merge(self, version: str) -> Task:
        """Apply the changes to a version, from the one before."""
        changes = patch(self._spark, self._statements, int(version))
        changes = changes.where(F.col("op").isin("A", "D")).select("op", *TERMS)
        changes = self._input(changes)
        yield
        merge(changes, self.name)
        return 0

    def overwrite(self, version: str) -> Task:
        """Replace all statements by those of a version."""
        rows = self._input(state(self._spark, self._statements, int(version)))
        rows.createOrReplaceTempView("new")
        yield
        self._spark.sql(f"INSERT OVERWRITE {self.name} SELECT * FROM new")
        return 0

    def commit(self, first: str, count: str) -> Task:
        """Add few statements by each of some commits."""
        yield
        for number in range(int(count)):
            self._new(int(first) + number, COMMITTED).writeTo(self.name).append()
        return 0

    def changes(self, count: str) -> Task:
        """Return the sum of the lengths of the terms that the last commits changed."""
        yield
        return sum_of(self._changes(int(count)), length())

    def _make(self, rows: DataFrame) -> None:
        rows.writeTo(self.name).create()
        Log(self._folder / "statements", self._spark).compact()

    def _changes(self, count: int) -> DataFrame:
        (found,) = self._spark.sql(f"SELECT max(log_seq) FROM {self.name}.versions").collect()
        first = self._spark.read.option("startingVersion", found[0] - count + 1)
        return first.changes(self.name)

    def _new(self, number: int, count: int) -> DataFrame:
        """Return statements of new subjects."""
        return self._input(
            self._spark.range(count).selectExpr(
                f"concat('<https://data.shop.example/new/{number}/', id, '>') AS subject",
                "'<https://schema.org/name>' AS predicate",
                "'\"new\"' AS object",
                "CAST(NULL AS STRING) AS graph",
            )
        )

    def _input(self, rows: DataFrame) -> DataFrame:
        """Return rows from a Parquet file with them, which replaces the one before."""
        path = str(self._folder / "input")
        rows.write.mode("overwrite").parquet(path)
        return self._spark.read.parquet(path)


class DeltaTable(Table):
    """A Delta table."""

    name = "statements"

    def _make(self, rows: DataFrame) -> None:
        location = f"LOCATION '{self._folder}/statements'"
        properties = "TBLPROPERTIES (delta.enableChangeDataFeed = true)"
        rows.createOrReplaceTempView("new")
        self._spark.sql(
            f"CREATE TABLE {self.name} USING delta {location} {properties} AS SELECT * FROM new"
        )

    def _changes(self, count: int) -> DataFrame:
        (found,) = self._spark.sql(f"DESCRIBE HISTORY {self.name} LIMIT 1").collect()
        feed = self._spark.read.option("readChangeFeed", True)
        return feed.option("startingVersion", found["version"] - count + 1).table(self.name)


TABLES = {who.TABLE_LOG: Table, who.TABLE_DELTA: DeltaTable}


if __name__ == "__main__":
    main()
