"""Measure the data sources and column functions without the jar beside the jar's, in one session.

The session has the jar and one core; the data sources of plain Python have another name there, and
the functions without the jar never use it. The functions read a cached table, and all queries but
those that write files write to nowhere. The time of a query is the median of some rounds, after one
that does not count.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from statistics import median
from tempfile import TemporaryDirectory
from unittest.mock import patch

from pyspark.sql import Column, DataFrame, DataFrameWriter, SparkSession
from pyspark.sql import functions as F

from benchmarks.guides.guide import Guide, Table
from benchmarks.running.rounds import in_turns, timed
from benchmarks.workers.spark import start_spark
from jelly_spark import functions as jf
from jelly_spark.codec import PatchRow
from jelly_spark.datasource import SOURCES, FileSource
from jelly_spark.formats import FORMATS, find_written

ROWS_PER_MESSAGE = 100

TERMS: dict[str, Callable[[], Column]] = {
    "is_literal": lambda: jf.is_literal("object"),
    "iri": lambda: jf.iri("iri"),
    "literal": lambda: jf.literal("iri", "urn:x"),
    "term_value": lambda: jf.term_value("object"),
    "canonical_term": lambda: jf.canonical_term("object"),
    "term_to_struct": lambda: jf.term_to_struct("object"),
    "triple": lambda: jf.triple("subject", "predicate", "object"),
}

MESSAGES: dict[str, Callable[[], Column]] = {
    "to_jelly_patch": lambda: jf.to_jelly_patch("rows"),
    "from_jelly_patch": lambda: jf.from_jelly_patch("jelly"),
    "to_rdf_patch": lambda: jf.to_rdf_patch("rows"),
    "from_rdf_patch": lambda: jf.from_rdf_patch("text"),
}


def run(options: Namespace) -> Iterator[Table]:
    """Run the queries with the jar and without it."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = start_spark("local[1]", "2g", [])
    terms = statements(spark, options.rows).cache()
    terms.count()
    if options.only != "functions":
        yield Table("files", dict(measure_sources(terms, options.rounds)))
    if options.only != "sources":
        yield Table("function", dict(measure_functions(terms, options.rounds)))
    spark.stop()


def measure_sources(terms: DataFrame, rounds: int) -> Iterator[tuple[str, dict[str, object]]]:
    """Write and read files of each format with both data sources, and yield rows of the table."""
    spark = terms.sparkSession
    patches = terms.select(F.lit("A").alias("op"), "subject", "predicate", "object")
    with TemporaryDirectory() as folder:
        for source in SOURCES:
            name, in_python = source.format, renamed(source)
            spark.dataSource.register(in_python)
            engines = (name, in_python.name())
            has_patches = find_written(name).row is PatchRow
            rows = patches if has_patches else patches.drop("op")
            writers = [rows.write.format(e).option("path", f"{folder}/{e}") for e in engines]
            yield f"write `{name}`", measure(rows, writers, rounds)
            if name in FORMATS:
                read = [spark.read.format(engine).load(f"{folder}/{name}") for engine in engines]
                yield f"read `{name}`", measure(rows, [*map(nowhere, read)], rounds)


def renamed(source: type[FileSource]) -> type[FileSource]:
    """Return a data source under a name that the jar does not have."""

    class Renamed(source):  # type: ignore[misc, valid-type]
        @classmethod
        def name(cls) -> str:
            return f"{cls.format}_in_python"

    return Renamed


def measure_functions(terms: DataFrame, rounds: int) -> Iterator[tuple[str, dict[str, object]]]:
    """Evaluate each function with the jar and without it, and yield rows of the table."""
    messages = messages_of(terms).cache()
    messages.count()
    for frame, functions in ((terms, TERMS), (messages, MESSAGES)):
        for name, function in functions.items():
            queries = []
            for has_jar in (True, False):
                with patch.object(jf, "session_has_jar", lambda has_jar=has_jar: has_jar):
                    queries.append(nowhere(frame.select(function())))
            yield f"`{name}`", measure(terms, queries, rounds)


def statements(spark: SparkSession, rows: int) -> DataFrame:
    """Return statements with IRIs, and with literals of three kinds."""
    return spark.range(0, rows, 1, 1).selectExpr(
        "id",
        "concat('http://example.org/item/', id) AS iri",
        "concat('<http://example.org/item/', id div 10, '>') AS subject",
        "concat('<http://example.org/property/', id % 10, '>') AS predicate",
        "CASE id % 3 WHEN 0 THEN concat('\"item ', id, '\"@en') "
        "WHEN 1 THEN concat('\"', id, '\"^^<http://www.w3.org/2001/XMLSchema#integer>') "
        "ELSE concat('<http://example.org/item/', id, '>') END AS object",
    )


def messages_of(statements: DataFrame) -> DataFrame:
    """Return the statements as arrays of patch rows, and as messages of two formats."""
    row = F.struct(
        F.col("id").alias("seq"), F.lit("A").alias("op"), "subject", "predicate", "object"
    )
    return (
        statements.groupBy(F.expr(f"id div {ROWS_PER_MESSAGE}").alias("message"))
        .agg(F.array_sort(F.collect_list(row)).alias("rows"))
        .withColumn("jelly", jf.to_jelly_patch("rows"))
        .withColumn("text", jf.to_rdf_patch("rows"))
        .coalesce(1)
    )


def nowhere(query: DataFrame) -> DataFrameWriter:
    """Return what evaluates all columns of a query, and keeps nothing."""
    return query.write.format("noop")


def measure(rows: DataFrame, writers: list[DataFrameWriter], rounds: int) -> dict[str, object]:
    """Write with the jar and without it, in turns, and return the cells of a row of the table."""
    saves = [timed(writer.mode("overwrite").save) for writer in writers]
    found = in_turns(dict(enumerate(saves)), 1, rounds, {})
    jar, python = map(median, found.values())
    return {
        "rows": rows.count(),
        "with the jar": f"{jar:.2f} s",
        "without it": f"{python:.2f} s",
        "times as long": python / jar,
    }


GUIDE = Guide(
    run,
    {"rows": 200_000, "rounds": 3},
    {"only": "only the table of `sources`, or that of `functions`"},
)
