"""Measure the data sources and column functions without the jar beside the jar's, in one session.

    .venv/bin/python -m benchmarks.guides.without_jar
    .venv/bin/python -m benchmarks.guides.without_jar --rows 1000000 --only functions

The program prints tables in Markdown. The session has the jar and one core; the data sources of
plain Python have another name there, and the functions without the jar never use it. The functions
read a cached table, and all queries but those that write files write to nowhere. The time of a
query is the median of some rounds, after one that does not count.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median
from unittest.mock import patch

from pyspark.sql import Column, DataFrame, DataFrameWriter, SparkSession
from pyspark.sql import functions as F

import jelly_spark
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


def main() -> None:
    """Run the queries, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000, help="number of rows")
    parser.add_argument("--rounds", type=int, default=3, help="rounds that count")
    parser.add_argument("--only", choices=["sources", "functions"], help="one of the tables")
    options = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.driver.memory", "2g")
    )
    spark = jelly_spark.configure(builder).getOrCreate()
    terms = statements(spark, options.rows).cache()
    terms.count()
    if options.only != "functions":
        print_heading("files")
        measure_sources(terms, options.rounds)
        print()
    if options.only != "sources":
        print_heading("function")
        measure_functions(terms, options.rounds)
    spark.stop()


def measure_sources(terms: DataFrame, rounds: int) -> None:
    """Write and read files of each format with both data sources."""
    spark = terms.sparkSession
    patches = terms.select(F.lit("A").alias("op"), "subject", "predicate", "object")
    with tempfile.TemporaryDirectory() as folder:
        for source in SOURCES:
            name, in_python = source.format, renamed(source)
            spark.dataSource.register(in_python)
            engines = (name, in_python.name())
            has_patches = find_written(name).row is PatchRow
            rows = patches if has_patches else patches.drop("op")
            writes = [
                measure(rows.write.format(engine).option("path", f"{folder}/{engine}"), rounds)
                for engine in engines
            ]
            print_row(f"write `{name}`", rows, *writes)
            if name in FORMATS:
                reads = [
                    measure(nowhere(spark.read.format(engine).load(f"{folder}/{name}")), rounds)
                    for engine in engines
                ]
                print_row(f"read `{name}`", rows, *reads)


def renamed(source: type[FileSource]) -> type[FileSource]:
    """Return a data source under a name that the jar does not have."""

    class Renamed(source):  # type: ignore[misc, valid-type]
        @classmethod
        def name(cls) -> str:
            return f"{cls.format}_in_python"

    return Renamed


def measure_functions(terms: DataFrame, rounds: int) -> None:
    """Evaluate each function with the jar and without it."""
    messages = messages_of(terms).cache()
    messages.count()
    for frame, functions in ((terms, TERMS), (messages, MESSAGES)):
        for name, function in functions.items():
            seconds = []
            for has_jar in (True, False):
                with patch.object(jf, "session_has_jar", lambda has_jar=has_jar: has_jar):
                    query = frame.select(function())
                seconds.append(measure(nowhere(query), rounds))
            print_row(f"`{name}`", terms, *seconds)


def print_heading(what: str) -> None:
    """Print the heading of a table."""
    print(f"| {what} | rows | with the jar | without it | times as long |")
    print("| --- | ---: | ---: | ---: | ---: |")


def print_row(what: str, rows: DataFrame, jar: float, python: float) -> None:
    """Print a row of a table, with two times in seconds."""
    print(
        f"| {what} | {rows.count():,} | {jar:.2f} s | {python:.2f} s | {python / jar:.1f} |",
        flush=True,
    )


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


def measure(writer: DataFrameWriter, rounds: int) -> float:
    """Return the median time of writing in seconds."""
    seconds = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        writer.mode("overwrite").save()
        seconds.append(time.perf_counter() - start)
    return median(seconds[1:])


if __name__ == "__main__":
    main()
