"""A process that runs a Spark session.

Its arguments are a master, the heap of the driver, the number of short queries on each file, and
jars.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import NumericType, StructField

import jelly_spark
from benchmarks.data import messages, states
from benchmarks.data.datasets import DATASETS, TERMS
from benchmarks.workers.protocol import Task, serve
from jelly_spark import algebra

LINES_OF_TRIPLES, LINES_OF_QUADS = "lines_of_ntriples", "lines_of_nquads"
"""Names used instead of a format: N-Triples or N-Quads read as text, and split by the query."""


def main() -> None:
    """Start the session, and serve its tasks."""
    master, heap, short_queries, *jars = sys.argv[1:]
    session = start_spark(master, heap, jars)
    serve(SparkTasks(session, int(short_queries)))
    session.stop()


def start_spark(
    master: str, heap: str, jars: list[str], settings: Mapping[str, str] = MappingProxyType({})
) -> SparkSession:
    """Return a session with the package's jar, without a UI.

    Args:
        master: the URL of the master.
        heap: the size of the driver's heap.
        jars: the paths of other jars.
        settings: other settings.
    """
    builder = (
        SparkSession.builder.appName("jelly-spark benchmark")
        .master(master)
        .config("spark.jars", ",".join(jars))
        .config("spark.driver.memory", heap)
        .config("spark.driver.extraJavaOptions", "-XX:+UseParallelGC")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        # The default of 200 is for clusters: on two cores, a shuffle takes a fifth longer with it.
        .config("spark.sql.shuffle.partitions", "8")
        .config(map={**settings})
    )
    return jelly_spark.configure(builder).getOrCreate()


class SparkTasks:
    """The tasks of a session. A file is opened once, outside of the timed part.

    Args:
        spark: the session.
        short_queries: the number of short queries on each file before it is measured, so that the
            JVM has compiled the planning of queries, too.
    """

    def __init__(self, spark: SparkSession, short_queries: int) -> None:
        self._spark = spark
        self._short_queries = short_queries
        self._opened: dict[tuple[str, str], DataFrame] = {}
        self._held: DataFrame | None = None

    def make(self, dataset: str, rows: str, path: str, *options: str) -> Task:
        """Write a Jelly-RDF file with the statements of a dataset, and return its size."""
        yield
        statements = DATASETS[dataset].statements(self._spark, int(rows))
        return _write_file(statements, "jelly_rdf", Path(path), *options)

    def convert(self, source: str, format: str, path: str, *options: str) -> Task:
        """Write the statements of a Jelly-RDF file in another format; return the file's size."""
        yield
        with _in_one_part(self._spark):
            statements = self._open("jelly_rdf", source).select(*TERMS)
            return _write_file(_columns_of(format, statements), format, Path(path), *options)

    def hold(self, path: str) -> Task:
        """Load the statements of a Jelly-RDF file into memory, replacing others."""
        yield
        self._release()
        with _in_one_part(self._spark):
            self._held = self._open("jelly_rdf", path).select(*TERMS).persist()
            return self._held.count()

    def release(self) -> Task:
        """Remove the statements from memory."""
        yield
        return self._release()

    def scan_all(self, format: str, path: str) -> Task:
        """Read every column, and return the sum of the lengths of the terms."""
        opened = self._open(format, path)
        yield
        sums = opened.agg(*map(_sum, opened.schema)).first()
        assert sums is not None
        return sum(sums[name] or 0 for name in TERMS)

    def scan_noop(self, format: str, path: str) -> Task:
        """Read every column into Spark's `noop` sink, which drops the rows."""
        opened = self._open(format, path)
        yield
        opened.write.format("noop").mode("overwrite").save()
        return 0

    def scan_count(self, format: str, path: str) -> Task:
        """Count the rows."""
        opened = self._open(format, path)
        yield
        return opened.count()

    def scan_predicate(self, format: str, path: str, predicate: str) -> Task:
        """Return the sum of the lengths of the objects of one predicate."""
        opened = self._open(format, path)
        yield
        chosen = opened.where(F.col("predicate") == predicate)
        lengths = chosen.agg(F.sum(F.octet_length("object"))).first()
        assert lengths is not None
        return int(lengths[0] or 0)

    def write(self, format: str, path: str, *options: str) -> Task:
        """Write the statements in memory."""
        assert self._held is not None
        rows = _columns_of(format, self._held)
        yield
        _save(rows, format, path, *options)
        return 0

    def make_messages(self, path: str, count: str, rows: str) -> Task:
        """Write the rows of messages as Parquet, from the statements of a file."""
        yield
        opened = self._open("jelly_rdf", path)
        messages.rows_of(opened, int(count)).write.mode("overwrite").parquet(rows)
        return 0

    def hold_messages(self, rows: str, *codecs: str) -> Task:
        """Load messages in the encoding of each codec into memory; without codecs, their rows."""
        yield
        self._release()
        read = self._spark.read.parquet(rows)
        encoded = [messages.CODECS[codec].encode("rows").alias(codec) for codec in codecs]
        self._held = (read.select(encoded) if codecs else read).persist()
        return self._held.count()

    def decode_messages(self, codec: str) -> Task:
        """Decode the messages in memory, and return the sum of the lengths of the terms."""
        assert self._held is not None
        rows = F.explode(messages.CODECS[codec].decode(codec)).alias("row")
        decoded = self._held.select(rows)
        yield
        sums = decoded.agg(*(F.sum(F.octet_length(f"row.{name}")) for name in TERMS)).first()
        assert sums is not None
        return sum(found or 0 for found in sums)

    def encode_messages(self, codec: str) -> Task:
        """Encode the rows in memory, and return the sum of the lengths of the messages."""
        assert self._held is not None
        encoded = self._held.select(messages.CODECS[codec].encode("rows").alias("message"))
        yield
        sums = encoded.agg(F.sum(F.octet_length("message"))).first()
        assert sums is not None
        return int(sums[0])

    def make_state(
        self, rows: str, kind: states.Kind, side: states.Side, percent: str, path: str
    ) -> Task:
        """Write a Jelly-RDF file with a state, and return its size."""
        yield
        found = states.state(self._spark, int(rows), kind, side, int(percent))
        type = "QUADS" if kind == "quads" else "TRIPLES"
        return _write_file(found, "jelly_rdf", Path(path), f"physicalType={type}")

    def make_log(self, before: str, after: str, *paths: str) -> Task:
        """Write the log from one state to another, once in the format of each path's extension."""
        found = states.log(self._open("jelly_rdf", before), self._open("jelly_rdf", after))
        yield
        for path in paths:
            _write_file(found, Path(path).suffix[1:], Path(path))
        return 0

    def diff(self, before: str, after: str, path: str) -> Task:
        """Write the patch from one state to another, and return the number of its changes."""
        states = self._open("jelly_rdf", before), self._open("jelly_rdf", after)
        yield
        changes = Observation()
        count = F.count_if(F.col("op").isin("A", "D")).alias("changes")
        patch = algebra.diff(*states).observe(changes, count)
        patch.write.format("jelly_patch").mode("overwrite").save(path)
        return int(changes.get["changes"])

    def apply(self, state: str, log: str, path: str) -> Task:
        """Write the state after a log, and return the number of its statements."""
        opened = self._open("jelly_rdf", state), self._open("jelly_patch", log)
        yield
        statements = Observation()
        after, _ = algebra.apply(*opened)
        after = after.observe(statements, F.count("*").alias("statements"))
        after.write.format("jelly_rdf").mode("overwrite").save(path)
        return int(statements.get["statements"])

    def _open(self, format: str, path: str) -> DataFrame:
        if (format, path) not in self._opened:
            opened = _read(self._spark, format, path)
            for _ in range(self._short_queries):
                opened.limit(1).agg(F.count("*")).first()
            self._opened[format, path] = opened
        return self._opened[format, path]

    def _release(self) -> int:
        if self._held is not None:
            self._held.unpersist(blocking=True)
            self._held = None
        return 0


def _sum(column: StructField) -> Column:
    """Return the sum of a column of numbers, or of the lengths of terms."""
    name = column.name
    number = isinstance(column.dataType, NumericType)
    return F.sum(name if number else F.octet_length(name)).alias(name)


def _read(spark: SparkSession, format: str, path: str) -> DataFrame:
    """Return the rows of a file; for `LINES_OF_…`, the terms, split by the query."""
    if format not in (LINES_OF_TRIPLES, LINES_OF_QUADS):
        return spark.read.format(format).load(path)
    # Only an object may contain spaces. So the graph, if there is one, is cut off from the end.
    parts = spark.read.text(path).select(F.split("value", " ", 3).alias("parts"))
    rest = F.rtrim(F.col("parts")[2], F.lit(" ."))
    terms = parts.select(
        F.col("parts")[0].alias("subject"), F.col("parts")[1].alias("predicate"), rest.alias("rest")
    )
    if format == LINES_OF_TRIPLES:
        none = F.lit(None).cast("string")
        return terms.select(
            "subject", "predicate", F.col("rest").alias("object"), none.alias("graph")
        )
    graph = F.substring_index("rest", " ", -1)
    return terms.select("subject", "predicate", "rest", graph.alias("graph")).select(
        "subject",
        "predicate",
        F.expr("left(rest, length(rest) - length(graph) - 1)").alias("object"),
        "graph",
    )


def _columns_of(format: str, statements: DataFrame) -> DataFrame:
    """Return the rows of statements in one of the formats."""
    match format:
        case "jelly_patch" | "rdf_patch" | "rdf_patch_thrift":
            return statements.select(F.lit("A").alias("op"), *TERMS)
        case "parquet":
            # Add the other columns of `jelly_rdf`.
            number = F.monotonically_increasing_id()
            frame = (number / 256).cast("bigint")
            return statements.select(*TERMS, frame.alias("frame"), number.alias("seq"))
        case _:
            return statements


def _write_file(rows: DataFrame, format: str, path: Path, *options: str) -> int:
    """Write rows to one file, without Hadoop's checksum file, and return its size in bytes."""
    folder = path.with_name(path.name + ".parts")
    _save(rows, format, str(folder), *options)
    (part,) = folder.glob("part-*")
    part.rename(path)
    shutil.rmtree(folder)
    return path.stat().st_size


def _save(rows: DataFrame, format: str, path: str, *options: str) -> None:
    writer = rows.write.mode("overwrite").options(**dict(option.split("=") for option in options))
    writer.format(format).save(path)


@contextmanager
def _in_one_part(spark: SparkSession) -> Iterator[None]:
    """Read each file in one task, so that all its rows are in one partition, in order."""
    spark.conf.set("spark.sql.files.maxPartitionBytes", 1 << 62)
    yield
    spark.conf.unset("spark.sql.files.maxPartitionBytes")


if __name__ == "__main__":
    main()
