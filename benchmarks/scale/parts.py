"""The parts of the benchmark: each measures curves against one size, in a process of its own.

The files of the shop, which several parts use, are made by the first part that needs them.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial, reduce
from pathlib import Path
from typing import TypeAlias

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from benchmarks.data.datasets import TERMS, shop_parts
from benchmarks.data.states import after
from benchmarks.data.versions import id_of
from benchmarks.scale.curves import Point
from benchmarks.scale.measuring import PRACTICE, Session
from benchmarks.workers.protocol import replies, run
from benchmarks.workers.spark import SparkTasks
from jelly_spark import Log

Points: TypeAlias = Iterator[Point]

MOST_SECONDS = 900
"""A part that has no next point after this time has failed."""

MOST_CHARACTERS = 500
"""The length of an error message. Those of Spark can have thousands of lines."""

SHOP = "shop"
"""The folder with the files of the shop, which is kept for later parts."""

FILES = 100
"""The files of the shop."""

ROWS_OF_FILE = 1_000_000
"""The statements of a file, times the scale."""

CHANGED = 100
"""One statement in so many changes from a state to the next, and from a patch to the next."""

_MANY = 5_000_000
"""The statements of the data that do not grow, times the scale."""

_ROWS = (1, 3, 10, 30, 100)
_STATES = (1, 2, 5, 10, 20, 50)
_FILE_COUNTS = (1, 10, 100, 1_000, 5_000)
_SPLITS = (1, 2, 4, 8, 16, 32, 64)
_FILES_TO_SPLIT = 20
_PREDICATES = (10, 100, 1_000, 10_000, 100_000)
_LENGTHS = (10, 30, 100, 300, 1_000, 3_000, 10_000)
_TABLE_SIZES = (128, 512, 2_048, 4_000, 16_000, 64_000, 256_000)
_FILES_FOR_TABLES = 5


def rows(session: Session) -> Points:
    """Scan and copy 1 to 100 million statements."""
    for count in _ROWS:
        chosen = _shop(session, count)
        x = count * rows_of_file(session.scale)
        yield session.measure("scan", x, partial(_scan, session, chosen))
        yield session.measure("count", x, _read(session, chosen).count)
        target = session.folder / "copy"
        yield session.measure("copy", x, partial(_write, _read(session, chosen), target))
        shutil.rmtree(target)


def files(session: Session) -> Points:
    """Write and scan the same number of statements in 1 to 5,000 files."""
    for count in sorted({max(round(count * session.scale), 1) for count in _FILE_COUNTS}):
        target = session.folder / "files"
        made = shop_parts(session.spark, max(round(_MANY * session.scale / count), 1), count)
        yield session.measure("write", count, partial(_write, made, target))
        yield session.measure("scan", count, partial(_scan, session, target))
        shutil.rmtree(target)


def splits(session: Session) -> Points:
    """Scan one file in 1 to 64 splits."""
    shop = _shop(session, _FILES_TO_SPLIT)
    whole = _read(session, shop).coalesce(1)
    size = sum(file.stat().st_size for file in shop.iterdir())
    path = session.folder / "one"
    # Each split has several restart points.
    _write(whole, path, restartInterval=size // _SPLITS[-1] // 4)
    (file,) = path.glob("part-*")
    settings = session.spark.conf
    settings.set("spark.sql.files.minPartitionNum", 1)
    settings.set("spark.sql.files.openCostInBytes", 0)
    for count in _SPLITS:
        settings.set("spark.sql.files.maxPartitionBytes", -(-file.stat().st_size // count))
        yield session.measure("scan", count, partial(_scan, session, file))


def predicates(session: Session) -> Points:
    """Write and scan statements with 10 to 100,000 different predicates."""
    for count in _PREDICATES:
        predicate, literal = F.pmod(F.xxhash64("id"), F.lit(count)), F.format_string('"%s"', "id")
        made = _statements(session, _MANY * session.scale, predicate, literal)
        yield from _written_and_scanned(session, count, made)


def literals(session: Session) -> Points:
    """Write and scan statements with literals of 10 to 10,000 characters."""
    for length in _LENGTHS:
        text = F.substring(F.repeat(F.md5(F.col("id").cast("string")), length // 32 + 1), 1, length)
        literal = F.format_string('"%s"', text)
        made = _statements(session, _MANY / 50 * session.scale, F.col("id") % 10, literal)
        yield from _written_and_scanned(session, length, made)


def lookups(session: Session) -> Points:
    """Write and scan with name tables of 128 to 256,000 entries."""
    shop = _shop(session, _FILES_FOR_TABLES)
    for size in _TABLE_SIZES:
        read = _read(session, shop)
        yield from _written_and_scanned(session, size, read, maxNameTableSize=size)


def states(session: Session) -> Points:
    """Compute the differences of states of 1 to 50 million statements, and apply them."""
    for count in _STATES:
        before = _shop(session, count)
        other, patch, result = (session.folder / name for name in ("after", "patch", "result"))
        _write(after(_read(session, before), 100 // CHANGED), other)
        x = count * rows_of_file(session.scale)
        paths = str(before), str(other), str(patch), str(result)
        diff = partial(_run_task, session, "diff", *paths[:3])
        yield session.measure("diff", x, diff)
        apply = partial(_run_task, session, "apply", paths[0], *paths[2:])
        yield session.measure("apply", x, apply)
        for made in (other, patch, result):
            shutil.rmtree(made)


def logs(session: Session) -> Points:
    """Query logs of 1 to 50 million changes, and save their states.

    A patch adds the statements of one file, and deletes one in `CHANGED` of the file before it.
    """
    shop = _shop(session, _STATES[-1])
    parts = sorted(shop.iterdir())
    path = session.folder / "log"
    snapshots = path / "_log" / "snapshots"

    def log() -> Log[DataFrame]:
        # A new object, as in a program that starts: nothing is cached.
        return Log(path, session.spark)

    def compact() -> int:
        log().compact()
        return _size(snapshots)

    for number in range(PRACTICE):
        practised = Log(session.folder / f"log-{number}", session.spark)
        practised.append(_patch(session, 1, parts[0], None), assume_canonical=True)
    for count, part in enumerate(parts, 1):
        patch = _patch(session, count, part, parts[count - 2] if count > 1 else None)
        x = count * rows_of_file(session.scale)

        def append(patch: DataFrame = patch) -> int:
            log().append(patch, assume_canonical=True)
            return _size(path)

        appended = session.measure_once("append", x, append)
        if count not in _STATES:
            continue
        yield appended
        yield session.measure("changes", x, lambda: _lengths(log().changes()))
        yield session.measure("state", x, lambda: _lengths(log().state_at()))
        yield session.measure_once("compact", x, compact)
        yield session.measure("snapshot", x, lambda: _lengths(log().state_at()))
        shutil.rmtree(snapshots)


def rows_of_file(scale: float) -> int:
    """Return the statements of a file of the shop."""
    return max(round(ROWS_OF_FILE * scale), 1)


def _shop(session: Session, count: int) -> Path:
    """Return a folder with some of the files of the shop. They are links, and take no space."""
    shop = session.folder / SHOP
    if not shop.is_dir():
        made = session.folder / "made"
        _write(shop_parts(session.spark, rows_of_file(session.scale), FILES), made)
        for name in ("_SUCCESS", "._SUCCESS.crc"):
            (made / name).unlink()
        made.rename(shop)
    chosen = session.folder / f"shop-{count}"
    chosen.mkdir()
    for path in sorted(shop.glob("part-*"))[:count]:
        os.link(path, chosen / path.name)
    return chosen


def _statements(session: Session, rows: float, predicate: Column, object: Column) -> DataFrame:
    """Return statements in two partitions: ten of each subject, with numbered predicates."""
    base = "<https://data.example/"
    return session.spark.range(0, max(round(rows), 1), 1, 2).select(
        F.format_string(f"{base}thing/%d>", F.expr("id div 10")).alias("subject"),
        F.format_string(f"{base}ontology/property-%d>", predicate).alias("predicate"),
        object.alias("object"),
    )


def _patch(session: Session, number: int, added: Path, deleted: Path | None) -> DataFrame:
    """Return the rows of a patch of the log."""
    row = "op string, name string, value string"
    headers = [("H", "id", id_of(number))]
    if deleted is not None:
        headers.append(("H", "prev", id_of(number - 1)))
    blocks = [session.spark.createDataFrame([*headers, ("TX", None, None)], row)]
    if deleted is not None:
        hash = F.pmod(F.xxhash64(*TERMS[:3]), F.lit(CHANGED))
        blocks.append(_read(session, deleted).where(hash == 0).selectExpr("'D' AS op", *TERMS))
    blocks.append(_read(session, added).selectExpr("'A' AS op", *TERMS))
    blocks.append(session.spark.createDataFrame([("TC", None, None)], row))
    # One partition with the blocks in their order.
    return reduce(partial(DataFrame.unionByName, allowMissingColumns=True), blocks).coalesce(1)


def _read(session: Session, path: Path, **options: int) -> DataFrame:
    return session.spark.read.format("jelly_rdf").options(**options).load(str(path))


def _scan(session: Session, path: Path, **options: int) -> int:
    """Read every term, and return the sum of their lengths."""
    return _lengths(_read(session, path, **options))


def _lengths(rows: DataFrame) -> int:
    sums = rows.agg(*(F.sum(F.octet_length(name)) for name in TERMS)).first()
    assert sums is not None
    return sum(found or 0 for found in sums)


def _write(rows: DataFrame, path: Path, **options: int) -> int:
    """Write files, and return their size."""
    writer = rows.write.format("jelly_rdf").mode("overwrite")
    writer.options(physicalType="TRIPLES", **options).save(str(path))
    return _size(path)


def _written_and_scanned(session: Session, x: int, rows: DataFrame, **options: int) -> Points:
    """Write rows, and scan the files, both with options."""
    path = session.folder / "written"
    yield session.measure("write", x, partial(_write, rows, path, **options))
    yield session.measure("scan", x, partial(_scan, session, path, **options))
    shutil.rmtree(path)


def _run_task(session: Session, name: str, *arguments: str) -> int:
    """Run a task of a Spark worker that is new, so that it opens its files."""
    _, found = run(getattr(SparkTasks(session.spark, 0), name)(*arguments))
    return found


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


PARTS: dict[str, Callable[[Session], Points]] = {
    part.__name__: part
    for part in (rows, files, splits, predicates, literals, lookups, states, logs)
}
"""The parts by name, in the order of the run.

Each gets a session. In its folder for data, the folder `SHOP` is kept for later parts.
"""


def main() -> None:
    """Run a part in the folder, with the scale, and reply with its points or an error message."""
    part, folder, scale = sys.argv[1:]
    output = replies()
    try:
        signal.alarm(MOST_SECONDS)
        session = Session(part, Path(folder), float(scale))
        for point in PARTS[part](session):
            print(json.dumps(asdict(point)), file=output)
            signal.alarm(MOST_SECONDS)
        session.spark.stop()
    except Exception as error:
        traceback.print_exc()
        text = " ".join(f"{type(error).__name__}: {error}".split())
        print(json.dumps(text[:MOST_CHARACTERS]), file=output)


if __name__ == "__main__":
    main()
