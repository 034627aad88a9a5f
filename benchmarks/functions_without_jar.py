"""Measure the column functions without the jar beside those of the jar, in one session.

    .venv/bin/python -m benchmarks.functions_without_jar
    .venv/bin/python -m benchmarks.functions_without_jar --rows 1000000

The program prints a table in Markdown. The session has the jar and one core; the functions without
the jar never use it. Each query reads a cached table, and writes its result to nowhere. Its time is
the median of some rounds, after one that does not count.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from statistics import median
from unittest.mock import patch

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

import jelly_spark
from jelly_spark import functions as jf

ROWS_PER_MESSAGE = 100

TERMS: dict[str, Callable[[], Column]] = {
    "is_literal": lambda: jf.is_literal("object"),
    "iri": lambda: jf.iri("iri"),
    "literal": lambda: jf.literal("iri", "urn:x"),
    "term_value": lambda: jf.term_value("object"),
    "canonical_term": lambda: jf.canonical_term("object"),
    "term_to_struct": lambda: jf.term_to_struct("object"),
    "quoted": lambda: jf.quoted("subject", "predicate", "object"),
}

MESSAGES: dict[str, Callable[[], Column]] = {
    "to_jelly_patch": lambda: jf.to_jelly_patch("rows"),
    "from_jelly_patch": lambda: jf.from_jelly_patch("jelly"),
    "to_rdf_patch": lambda: jf.to_rdf_patch("rows"),
    "from_rdf_patch": lambda: jf.from_rdf_patch("text"),
}


def main() -> None:
    """Run the queries, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000, help="number of rows")
    parser.add_argument("--rounds", type=int, default=3, help="rounds that count")
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
    messages = messages_of(terms).cache()
    terms.count(), messages.count()
    print("| function | rows | with the jar | without it | times as long |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for frame, functions in ((terms, TERMS), (messages, MESSAGES)):
        for name, function in functions.items():
            seconds = []
            for has_jar in (True, False):
                with patch.object(jf, "session_has_jar", lambda has_jar=has_jar: has_jar):
                    query = frame.select(function())
                seconds.append(measure(query, options.rounds))
            jar, python = seconds
            print(
                f"| `{name}` | {options.rows:,} | {jar:.2f} s | {python:.2f} s "
                f"| {python / jar:.1f} |",
                flush=True,
            )
    spark.stop()


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


def measure(query: DataFrame, rounds: int) -> float:
    """Return the median time of a query in seconds."""
    seconds = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        query.write.format("noop").mode("overwrite").save()
        seconds.append(time.perf_counter() - start)
    return median(seconds[1:])


if __name__ == "__main__":
    main()
