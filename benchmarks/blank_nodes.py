"""Measure what it takes to match blank nodes in a difference on Spark.

    .venv/bin/python -m benchmarks.blank_nodes --rows 5000000

The states are triples of the shop, of which one percent differ. Two of nine orders are blank nodes,
and so are their items: a fifth of the statements have one. The second state has other labels. Both
ways to compare blank nodes get these states and take turns; the program prints how long each takes,
and how many changes it finds.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import get_args

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from benchmarks.spark_worker import start_spark
from benchmarks.states import state
from jelly_spark import algebra
from jelly_spark.patches import BlankNodes

_NUMBER = "regexp_extract({}, 'marketplace/europe/(?:order|item)/([0-9]+)', 1)"


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", help="a folder for files")
    options = parser.parse_args()
    spark = start_spark("local[2]", "4g", [])
    with tempfile.TemporaryDirectory(prefix="jelly-spark-blank-", dir=options.work) as made:
        folder = Path(made)
        before = _saved(_blank(state(spark, options.rows, "even", "before")), folder / "before")
        after = state(spark, options.rows, "even", "after")
        after = _saved(_blank(after, is_renamed=True), folder / "after")
        for number in range(options.rounds):
            found = {
                name: _measured(spark, before, after, name, folder) for name in get_args(BlankNodes)
            }
            ratio = found["match"][0] / found["label"][0]
            texts = (f"{name}: {s:.1f} s, {n:,} changes" for name, (s, n) in found.items())
            print(number, *texts, f"{ratio:.2f} times as long", sep="; ")
    spark.stop()


def _blank(statements: DataFrame, is_renamed: bool = False) -> DataFrame:
    """Return the statements with blank nodes for some orders and their items."""

    def term(name: str) -> str:
        label = f"substr(md5({name}), 1, 16)" if is_renamed else f"translate({name}, '<>:/.-', '')"
        number = f"CAST(substr({_NUMBER.format(name)}, 1, 7) AS BIGINT)"
        return (
            f"CASE WHEN {_NUMBER.format(name)} <> '' AND try_mod({number}, 9) < 2 "
            f"THEN concat('_:b', {label}) ELSE {name} END AS {name}"
        )

    return statements.selectExpr(term("subject"), "predicate", term("object"))


def _saved(statements: DataFrame, path: Path) -> DataFrame:
    statements.write.format("jelly_rdf").save(str(path))
    return statements.sparkSession.read.format("jelly_rdf").load(str(path))


def _measured(
    spark: SparkSession, before: DataFrame, after: DataFrame, blank_nodes: BlankNodes, folder: Path
) -> tuple[float, int]:
    """Return the seconds that a difference takes, and how many changes it has."""
    path = str(folder / blank_nodes)
    start = time.perf_counter()
    patch = algebra.diff(before, after, blank_nodes=blank_nodes)
    patch.write.format("jelly_patch").mode("overwrite").save(path)
    seconds = time.perf_counter() - start
    return seconds, spark.read.format("jelly_patch").load(path).where(F.col("tx") >= 0).count()


if __name__ == "__main__":
    main()
