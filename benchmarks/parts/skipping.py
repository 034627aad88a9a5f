"""Measure what filters in the index of a Jelly file save when one subject is looked for.

The file is like one that `Log.optimize` makes: many patches, a restart point for each megabyte, and
filters of the subjects. It is compared with the same rows without filters, and with the same rows
in Parquet with Bloom filters of the subjects, in the order of the log and
sorted by subject. The files take turns, and all must give the same result. Spark asks them, and
then plain Python, which reads Parquet with pyarrow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from statistics import median

from pyarrow import dataset
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from benchmarks.parts.part import Part, Run
from benchmarks.results import Results
from benchmarks.running.rounds import in_turns, timed
from benchmarks.tables import table
from benchmarks.workers.spark import start_spark
from jelly_spark import codec
from jelly_spark.algebra.change_rows import intervals
from jelly_spark.algebra.columns import patch_rows_of
from jelly_spark.algebra.transactions import changes_of
from jelly_spark.codec import JellyPatchOptions, PatchRow, read_jelly_patch

UPDATES = 10
"""How often each item is updated. The updates of an item are spread over the whole log."""

ITEMS_OF_PATCH = 500
"""The number of items that a patch updates."""

BYTES_OF_UPDATE = 142
"""The approximate size of an update in the file."""

RESTART_INTERVAL = 1 << 20
"""As in the packs of a log."""

WARM_UPS = 3

_BASE = "http://shop.example"
_DECIMAL = "http://www.w3.org/2001/XMLSchema#decimal"
# With a prime, each item is updated once before any is updated again.
_PRIME = 1_000_003


def measure(run: Run) -> None:
    """Ask for one subject in each file, on Spark and in plain Python.

    In plain Python, one round counts.
    """
    items = max((run.options.log_megabytes << 20) // BYTES_OF_UPDATE // UPDATES, ITEMS_OF_PATCH)
    spark = start_spark("local[2]", "4g", [])
    made_files = [*files(spark, items, run.folder)]
    asked = {name: queries(spark, rows, items) for name, _, rows in made_files}
    seconds = ask(asked, WARM_UPS, run.options.rounds)
    spark.stop()
    asked = {name: python_queries(path, items) for name, path, _ in made_files}
    seconds |= ask(asked, 1, 1)
    run.results.tables["skipping"] = {
        name: {
            "MB": sum(file.stat().st_size for file in path.glob("part-*")) / 1e6,
            **{query: taken for (file, query), taken in seconds.items() if file == name},
        }
        for name, path, _ in made_files
    }


def ask(
    asked: dict[str, dict[str, Callable[[], int]]], warm_ups: int, rounds: int
) -> dict[tuple[str, str], float]:
    """Ask the files in turns; return the median seconds by the names of the file and the query."""
    works = {
        (name, query): timed(work) for name, each in asked.items() for query, work in each.items()
    }
    found = in_turns(works, warm_ups, rounds, {name: name[1] for name in works})
    return {name: round(median(taken), 3) for name, taken in found.items()}


def files(spark: SparkSession, items: int, folder: Path) -> Iterator[tuple[str, Path, DataFrame]]:
    """Write the files, and yield the name, the folder and the rows of each."""
    log = folder / "log.jellyp"
    # Without restart points, so that Spark reads it in one part.
    codec.write(log, updates(items), options=JellyPatchOptions(restart_interval=0))
    rows = spark.read.format("jelly_patch").load(str(log))
    for name, columns in (("with filters", "subject"), ("without filters", "")):
        path = folder / name
        writer = rows.write.format("jelly_patch").option("restartInterval", RESTART_INTERVAL)
        writer.option("indexColumns", columns).save(str(path))
        yield name, path, spark.read.format("jelly_patch").load(str(path))
    log.unlink()
    rows = spark.read.format("jelly_patch").load(str(path))
    by_subject = rows.repartitionByRange(8, "subject").sortWithinPartitions("subject", "seq")
    ordered = {"in the order of the log": rows, "sorted by subject": by_subject}
    for name, written in ordered.items():
        path = folder / name
        writer = written.write.option("parquet.bloom.filter.enabled#subject", True)
        writer.option("parquet.bloom.filter.expected.ndv#subject", items).parquet(str(path))
        yield f"Parquet, {name}", path, spark.read.parquet(str(path))


def updates(items: int) -> Iterator[PatchRow]:
    """Yield the rows of a log.

    Each patch updates some items, in a pseudorandom order. An update replaces three facts of an
    item: its price, where it is in stock, and when that changed.
    """
    count = items * UPDATES
    for number in range(count):
        patch, place = divmod(number, ITEMS_OF_PATCH)
        if place == 0:
            yield PatchRow("H", name="id", value=_id(patch))
            if patch > 0:
                yield PatchRow("H", name="prev", value=_id(patch - 1))
            yield PatchRow("TX")
        round, item = number // items, number * _PRIME % items
        if round > 0:
            for fact in _facts(item, round - 1):
                yield PatchRow("D", *fact)
        for fact in _facts(item, round):
            yield PatchRow("A", *fact)
        if place == ITEMS_OF_PATCH - 1 or number == count - 1:
            yield PatchRow("TC")
            yield PatchRow("END")


def _facts(item: int, round: int) -> Iterator[tuple[str, str, str]]:
    """Yield the statements of an item, given how often it was updated before."""
    changed = datetime.fromtimestamp(1.7e9 + item + round * 86400, timezone.utc)
    facts = {
        "price": f'"{(item * 7 + round * 13) % 9973 / 100}"^^<{_DECIMAL}>',
        "stock": f"<{_BASE}/stock/{(item + round) % 17}>",
        "changed": f'"{changed:%F %T}"',
    }
    for name, value in facts.items():
        yield f"<{_BASE}/item/{item}>", f"<{_BASE}/{name}>", value


def _id(patch: int) -> str:
    return f"<urn:patch:{patch}>"


def queries(spark: SparkSession, rows: DataFrame, items: int) -> dict[str, Callable[[], int]]:
    """Return the queries for one item; each returns a sum of what it finds."""
    chosen = F.col("subject") == f"<{_BASE}/item/{items // 2}>"
    # As in a log, whose index has the headers.
    patches = -(-items * UPDATES // ITEMS_OF_PATCH)
    headers = spark.createDataFrame(
        [(patch, patch, _id(patch), _id(patch - 1)) for patch in range(patches)],
        "log_seq bigint, patch bigint, patch_id string, prev string",
    )
    log = changes_of(patch_rows_of(rows.withColumn("log_seq", F.col("patch"))))

    def where() -> int:
        return _sum(rows.where(chosen), "octet_length(object) + patch")

    def history() -> int:
        return _sum(intervals(None, log, headers, chosen), "octet_length(object) + added_log_seq")

    return {"where": where, "history": history}


def python_queries(path: Path, items: int) -> dict[str, Callable[[], int]]:
    """Return the queries for one item without Spark; each returns a sum of what it finds."""
    chosen = f"<{_BASE}/item/{items // 2}>"
    files = sorted(path.glob("part-*"))

    def where() -> int:
        if files[0].suffix == ".parquet":
            rows = dataset.dataset(files).to_table(
                ["object"], filter=dataset.field("subject") == chosen
            )
            return sum(len(value) for value in rows["object"].to_pylist())
        return sum(
            len(row.object)
            for file in files
            for row in read_jelly_patch(file, where={"subject": chosen})
            if row.object is not None
        )

    return {"`where`, in Python": where}


def report(results: Results) -> Iterator[str]:
    """Yield the table."""
    figures = results.tables["skipping"]
    first, without, *_ = figures.values()
    yield f"The filters are {(first['MB'] - without['MB']) / first['MB']:.2%} of the file."
    yield ""
    queries = [name for name in first if name != "MB"]
    yield from table(
        {
            name: {
                "MB": found["MB"],
                **{query: f"{found[query]:.2f} s" for query in queries},
                "times as long": ", ".join(f"{found[q] / first[q]:.1f}" for q in queries),
            }
            for name, found in figures.items()
        },
        digits=1,
    )


PART = Part("Looking for one subject", "skipping", measure, report)


def _sum(rows: DataFrame, value: str) -> int:
    found = rows.agg(F.sum(F.expr(value))).first()
    assert found is not None and found[0] is not None
    return int(found[0])
