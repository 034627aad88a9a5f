"""What the tests have a Spark session with S3A do, in a process of its own: see `conftest.py`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import jelly_spark
from jelly_spark import Log, algebra
from jelly_spark.errors import OptionError
from tests.log.patches import id_of, patch, statement

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

COLUMNS = {
    "op": "'A'",
    "subject": "concat('<http://example.org/thing/', id % 5000, '>')",
    "predicate": "concat('<http://example.org/property/', id % 20, '>')",
    "object": "concat('\"', sha1(cast(id AS string)), '\"')",
}
"""Columns of rows by their `id`."""

PROTOCOL = "spark.sql.sources.commitProtocolClass"
PROTOCOLS = {
    "magic": "org.apache.spark.internal.io.cloud.PathOutputCommitProtocol",
    "file": "org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol",
}

_spark: SparkSession
_kept: DataFrame
_view: Any


def start(settings: dict[str, str], environment: dict[str, str]) -> None:
    """Start the session, in an environment that has some variables more."""
    os.environ.update(environment)
    from pyspark.sql import SparkSession

    global _spark
    builder = SparkSession.builder.master("local[2]").config(map={**settings})
    _spark = jelly_spark.configure(builder).getOrCreate()
    _spark.sparkContext.setLogLevel("OFF")


def write(format: str, path: str, rows: int, *, committer: str = "magic", **options: str) -> None:
    """Write one file.

    Args:
        format: of our formats, or `text`.
        path: the folder.
        rows: how many.
        committer: of S3A: `magic`, or `file`, which renames.
        options: of the format.
    """
    _spark.conf.set(PROTOCOL, PROTOCOLS[committer])
    frame = _spark.range(0, rows, 1, 1)
    frame = frame.selectExpr("cast(id AS string)") if format == "text" else _rows(format, frame)
    writer = frame.write.format(format).options(**options)
    writer.option("fs.s3a.committer.name", committer).mode("append").save(path)


def expected(format: str, rows: int) -> tuple[int, int]:
    """The digest of the rows that `write` writes, as `read` returns it."""
    return _digest(_rows(format, _spark.range(0, rows, 1, 1)))


def read(format: str, path: str, split: int) -> tuple[int, int]:
    """Read all rows, in splits of `split` bytes, and return their digest."""
    _spark.conf.set("spark.sql.files.maxPartitionBytes", str(split))
    return _digest(_spark.read.format(format).load(path))


def select(format: str, path: str, split: int, condition: str) -> int:
    """Read the rows that satisfy a condition, and return their number."""
    _spark.conf.set("spark.sql.files.maxPartitionBytes", str(split))
    return len(_spark.read.format(format).load(path).where(condition).collect())


def keep(format: str, path: str, split: int) -> int:
    """Plan a read, and run it. Return the number of rows."""
    global _kept
    _spark.conf.set("spark.sql.files.maxPartitionBytes", str(split))
    _kept = _spark.read.format(format).load(path).select("subject", "object")
    return len(_kept.collect())


def repeat() -> int | str:
    """Run the same plan again. Return the number of rows, or the error."""
    from pyspark.errors import PySparkException

    try:
        return len(_kept.collect())
    except PySparkException as error:
        return str(error)


def fill_log(url: str) -> dict[str, Any]:
    """Append to a log with a session, and return what it says then."""
    log = Log(url, spark=_spark)
    log.append(patch(0, add=["a", "b"]))
    after = _spark.createDataFrame([statement("b"), statement("c")], log.state_at().schema)
    log.append(algebra.diff(log.state_at(), after, id=id_of(1), prev=id_of(0)))
    log.compact()
    log.append(patch(2, 1, add=["d"]))
    again = Log(url, spark=_spark)
    return {
        "ids": [version.id for version in again.versions()],
        "states": [sorted(row.object for row in log.state_at(id_of(n)).collect()) for n in (0, 2)],
        "verify": again.verify(),
    }


def view_log(url: str) -> str:
    """Open a log with the JVM's reader, and return its files and its last snapshot."""
    global _view
    folder: Any = _spark._jvm.org.jellyspark.log.LogFolder  # type: ignore[union-attr]
    _view = folder(url, _spark._jsc.hadoopConfiguration()).open()
    files = _view.files(_view.begin(), _view.next()).mkString(" ")
    return f"{files} {_view.snapshot(_view.next() - 1).toString()}"


def refresh_view() -> int:
    """Look at this log again, and return its number of patches."""
    found: int = _view.refreshed().next()
    return found


def write_log(url: str) -> list[bool]:
    """Create a log with the JVM's writer, and append patches, one of which comes too late. Return
    what was new.
    """
    jvm: Any = _spark._jvm
    log = jvm.org.jellyspark.log
    conf = _spark._jsc.hadoopConfiguration()
    first, second = log.LogWriter(url, conf), log.LogWriter(url, conf)
    found = [first.create(), second.create()]
    # The first one knows only the empty log when it is late.
    for writer, number, name in ((second, 0, "a"), (first, 0, "b"), (first, 1, "c")):
        prev = jvm.scala.Option.apply(id_of(number - 1) if number else None)
        new = log.entries.NewPatch(id_of(number), prev, True, False, jvm.scala.Option.apply(None))
        staging = writer.newStaging()
        rows = patch(number, number - 1 if number else None, add=[name])
        frame = _spark.createDataFrame(rows, jelly_spark.schema("jelly_patch"))
        written = frame.coalesce(1).write.format("jelly_patch").options(writeIntoLog=True)
        written.save(staging.toString())
        files = staging.getFileSystem(conf).listStatus(staging)
        (source,) = (each.getPath() for each in files if each.getPath().getName()[0] != "_")
        found.append(writer.append(source, number, new).isDefined())
        writer.remove(staging)
    return found


def verify_log(url: str) -> list[Any]:
    """Append a patch to a log that has patches 0 and 1, and return what is wrong with it."""
    log = Log(url, spark=_spark)
    log.append(patch(2, 1, add=["d"]))
    assert {row.object for row in log.state_at().collect()} == {'"a"', '"c"', '"d"'}
    return log.verify()


def error_of_log(url: str) -> str:
    """Return the error of a log whose state Spark cannot read."""
    try:
        Log(url, spark=_spark).state_at().collect()
    except OptionError as error:
        return str(error)
    raise AssertionError("no error")


def stop() -> None:
    """End the session."""
    _spark.stop()


def _rows(format: str, ids: DataFrame) -> DataFrame:
    names = [name for name in COLUMNS if name != "op" or format != "jelly_rdf"]
    return ids.selectExpr(*(f"{COLUMNS[name]} AS {name}" for name in names))


def _digest(frame: DataFrame) -> tuple[int, int]:
    """The number of rows, and a hash of them that does not depend on their order."""
    names = [name for name in [*COLUMNS, "value"] if name in frame.columns]
    hashed = frame.selectExpr(f"xxhash64({', '.join(names)}) AS hash")
    row = hashed.selectExpr("count(*)", "bit_xor(hash)").first()
    assert row is not None
    return row[0], row[1]
