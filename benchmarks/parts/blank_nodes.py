"""Measure what it takes to match blank nodes in a difference on Spark.

The states are triples of the shop, of which one percent differ. Two of nine orders are blank nodes,
and so are their items: a fifth of the statements have one. The second state has other labels. Both
ways to compare blank nodes get these states and take turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import get_args

from pyspark.sql import DataFrame

from benchmarks.data.states import state
from benchmarks.parts.part import Part, Run
from benchmarks.results import Results
from benchmarks.running.rounds import in_turns, timed
from benchmarks.tables import table
from benchmarks.workers.spark import start_spark
from jelly_spark import algebra
from jelly_spark.patches import BlankNodes

_NUMBER = "regexp_extract({}, 'marketplace/europe/(?:order|item)/([0-9]+)', 1)"


def measure(run: Run) -> None:
    """Compare two states in both ways."""
    rows, folder = run.options.blank_states, run.folder
    spark = start_spark("local[2]", "4g", [])
    before = _saved(_blank(state(spark, rows, "even", "before")), folder / "before")
    after = state(spark, rows, "even", "after")
    after = _saved(_blank(after, is_renamed=True), folder / "after")

    def diff(blank_nodes: BlankNodes) -> None:
        patch = algebra.diff(before, after, blank_nodes=blank_nodes)
        path = str(folder / blank_nodes)
        patch.write.format("jelly_patch").mode("overwrite").save(path)

    works = {name: timed(partial(diff, name)) for name in get_args(BlankNodes)}
    seconds = in_turns(works, *run.rounds, {})
    spark.stop()
    run.results.tables["blank_nodes"] = {
        f"`{name}`": {"seconds": round(median(taken), 3)} for name, taken in seconds.items()
    }


def report(results: Results) -> Iterator[str]:
    """Yield the table."""
    rows = results.options["blank_states"]
    yield f"`diff` of two states of {rows:,} statements, a fifth of them with blank nodes:"
    yield ""
    yield from table(results.tables["blank_nodes"], "`blank_nodes`", digits=1)


PART = Part("Blank nodes in a difference", "blank_nodes", measure, report)


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
