"""Measure what it takes to match blank nodes in a difference on Spark.

The states are triples of the shop, of which one percent differ. Two of nine orders are blank nodes,
and so are their items: a fifth of the statements have one. The second state has other labels. Both
ways to compare blank nodes get these states and take turns.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import get_args

from pyspark.sql import DataFrame

from benchmarks.data.states import state
from benchmarks.results import Results
from benchmarks.workers.spark import start_spark
from jelly_spark import algebra
from jelly_spark.patches import BlankNodes

_NUMBER = "regexp_extract({}, 'marketplace/europe/(?:order|item)/([0-9]+)', 1)"


def measure_blank_nodes(
    results: Results, folder: Path, rows: int, warm_ups: int, rounds: int
) -> None:
    """Run the measures, and add the figures to the results.

    Args:
        results: the results.
        folder: the folder for the data.
        rows: the number of statements in a state.
        warm_ups: the number of rounds before those that count.
        rounds: the number of rounds that count.
    """
    spark = start_spark("local[2]", "4g", [])
    before = _saved(_blank(state(spark, rows, "even", "before")), folder / "before")
    after = state(spark, rows, "even", "after")
    after = _saved(_blank(after, is_renamed=True), folder / "after")
    found: dict[str, list[float]] = {name: [] for name in get_args(BlankNodes)}
    for number in range(warm_ups + rounds):
        for name in get_args(BlankNodes):
            seconds = _measured(before, after, name, folder)
            if number >= warm_ups:
                found[name].append(round(seconds, 3))
    spark.stop()
    results.blank_nodes = found


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


def _measured(before: DataFrame, after: DataFrame, blank_nodes: BlankNodes, folder: Path) -> float:
    """Return the seconds that a difference takes."""
    path = str(folder / blank_nodes)
    start = time.perf_counter()
    patch = algebra.diff(before, after, blank_nodes=blank_nodes)
    patch.write.format("jelly_patch").mode("overwrite").save(path)
    return time.perf_counter() - start
