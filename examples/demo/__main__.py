"""Write a change log with Spark, read it back, and replay it to get the data it describes."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

import jelly_spark
from examples.demo.generator import Statement, shop_log
from examples.demo.queries import replay, summarize
from jelly_spark.codec import JellyPatchWriter, PatchRow, read_jelly_patch
from jelly_spark.errors import JellySparkError

PATCHES = 200


def main() -> int:
    """Run the demonstration, and return the exit status: 0 if all checks passed, else 1."""
    parser = argparse.ArgumentParser(prog="python -m examples.demo", description=__doc__)
    parser.add_argument(
        "directory",
        nargs="?",
        type=Path,
        help="folder in which to keep the log, as `shop-log`, which is replaced; without it the "
        "log is removed at the end",
    )
    directory: Path | None = parser.parse_args().directory
    print(f"Jelly Spark {jelly_spark.__version__}: starting Spark", flush=True)
    try:
        spark = start_spark()
    except JellySparkError as error:
        print(error, file=sys.stderr)
        return 1
    try:
        with TemporaryDirectory() as temporary:
            return demonstrate(spark, (directory or Path(temporary)).resolve() / "shop-log")
    finally:
        spark.stop()


def start_spark() -> SparkSession:
    """Return a small local session with the package's jar, which logs only errors."""
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    log = Path(__file__).with_name("log4j2.properties").as_uri()
    builder = (
        SparkSession.builder.appName("jelly-spark demo")
        .master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={log}")
    )
    return jelly_spark.configure(builder).getOrCreate()


def demonstrate(spark: SparkSession, folder: Path) -> int:
    """Write, read, summarize, replay and convert the log.

    Args:
        spark: a session with the package's jar.
        folder: the folder for the log in each format; existing logs in it are replaced.

    Returns:
        The exit status: 0 if all checks passed, else 1.
    """
    step("Make a log: the changes of a small shop, a patch a day")
    rows, expected = shop_log(PATCHES)
    print(f"{len(rows):,} rows in {PATCHES} patches, one of them aborted")
    print(f"{len(expected):,} statements hold at the end, says the shop")

    step('Write it with Spark, in order, in one file: ordered.write.format("jelly_patch").save(…)')
    file = save(
        spark.createDataFrame(rows, jelly_spark.schema("jelly_patch")),
        "jelly_patch",
        folder / "log",
    )
    written = file.read_bytes()
    print(f"{file}")
    print(f"{len(written):,} bytes")

    step('Read it with Spark: log = spark.read.format("jelly_patch").load(file)')
    log = read(spark, "jelly_patch", file)
    print(f"{log.count():,} rows; some of them, their IRIs shortened here:")
    show(log.where("patch = 1 AND (op NOT IN ('A', 'D') OR seq % 7 = 0)").orderBy("seq"))

    step("Summarize its patches: summarize(log), in examples/demo/queries.py")
    summary = summarize(log)
    some = (F.col("patch") < 3) | (F.col("aborts") > 0) | (F.col("patch") == PATCHES - 1)
    show(summary.where(some).orderBy("patch"))

    step("Replay it to the statements that hold at the end: replay(log), next to it")
    state = replay(log)
    found: set[Statement] = {tuple(row) for row in state.collect()}
    print(f"{len(found):,} statements hold, says Spark; those on one product:")
    show(state.where("subject LIKE '%/product-1>'").orderBy("graph", "predicate", "object"))

    step("Take it through RDF Patch's other forms: read one, write the next")
    text = save(log, "rdf_patch", folder / "text")
    thrift = save(read(spark, "rdf_patch", text), "rdf_patch_thrift", folder / "thrift")
    again = save(read(spark, "rdf_patch_thrift", thrift), "jelly_patch", folder / "again")
    for form in (text, thrift, again):
        print(f"{form.stat().st_size:>9,} bytes in {form.parent}")

    step("Check it, also with the codec in plain Python, which needs no Spark")
    reread = list(read_jelly_patch(file))
    return report(
        [
            ("Spark's state is the shop's", found == expected),
            ("Python reads the rows that Spark wrote", reread == rows),
            ("Python's state is the shop's", replay_rows(reread) == expected),
            ("Python writes the same bytes as Spark", encode(rows) == written),
            ("So does Spark, from the other forms", again.read_bytes() == written),
        ]
    )


def step(title: str) -> None:
    """Print the title of the next step."""
    print(f"\n== {title}")


def show(rows: DataFrame) -> None:
    """Print rows, with IRIs shortened to `<…/last part>` to fit the screen."""
    rows.select([shorten(column) for column in rows.columns]).show(40, truncate=22)


def shorten(column: str) -> Column:
    """Return a column for printing: IRIs without their beginning, and `""` instead of null."""
    cut = F.regexp_replace(F.col(column).cast("string"), "<[^<>]+([/#][^<>/#]+)>", "<…$1>")
    return F.coalesce(cut, F.lit("")).alias(column)


def read(spark: SparkSession, format: str, path: Path) -> DataFrame:
    """Read a log in a format, by the format's short name."""
    return spark.read.format(format).load(str(path))


def save(log: DataFrame, format: str, folder: Path) -> Path:
    """Write a log to one file, in the order of its rows; return the file's path.

    Args:
        log: the rows, in any number of partitions.
        format: the short name of the format.
        folder: the folder to write to; it is replaced if it exists.
    """
    ordered = log.coalesce(1).sortWithinPartitions("seq")
    ordered.write.format(format).mode("overwrite").save(str(folder))
    (file,) = folder.glob("part-*")
    return file


def replay_rows(rows: list[PatchRow]) -> set[Statement]:
    """Return the statements after the rows; this is `queries.replay` in plain Python."""
    aborted = {row.tx for row in rows if row.op == "TA"}
    state: set[Statement] = set()
    for row in rows:
        if row.op in ("A", "D") and row.tx not in aborted:
            change = state.add if row.op == "A" else state.discard
            change((str(row.subject), str(row.predicate), str(row.object), row.graph))
    return state


def encode(rows: Iterable[PatchRow]) -> bytes:
    """Return the rows as the bytes of a Jelly-Patch file, encoded in plain Python."""
    out = io.BytesIO()
    with JellyPatchWriter(out) as writer:
        for row in rows:
            writer.write(row)
    return out.getvalue()


def report(checks: list[tuple[str, bool]]) -> int:
    """Print each check and its result; return 0 if all checks passed, else 1."""
    for what, holds in checks:
        print(f"{'ok    ' if holds else 'FAILED'} {what}")
    failed = sum(not holds for _, holds in checks)
    print(f"\n{failed} of {len(checks)} checks failed" if failed else "\nAll checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
