"""Comparing what the codecs of a session read from the same files."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jelly_spark import bridge, codec
from jelly_spark._schema import schema
from jelly_spark.errors import JellySparkError
from jelly_spark.formats import find_format

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["parity"]

PYTHON = "python"
"""The name of the codec in plain Python, beside the names of the JVM's engines."""


def parity(spark: SparkSession, path: str, format: str = "jelly_rdf") -> DataFrame:
    """Read the same files with every codec of a session, and return the differences.

        jelly_spark.parity(spark, "data.jelly").show(truncate=False)

    The codecs are the engines of the JVM (`native`, and `jelly-jvm` if the session has
    jelly-spark-jena.jar) and `python`, which needs the memory for one whole file on an executor.

    Args:
        spark: a session with the jar; not a session of Spark Connect.
        path: a file, a folder or a glob, as for `spark.read.load`.
        format: the short name of the files' format.

    Returns:
        A DataFrame, which is empty if the codecs agree. Each of its rows is either a row that some
        codecs read and others do not, with its `file`, the columns of the format and the `engines`
        that read it; or a `file` that some codecs reject and others do not, with the `engines` that
        reject it and the `error` of each. If any codec rejects a file, its rows are not compared.

    Raises:
        OptionError: the format is not known.
        SessionError: the session has no jar, or is a session of Spark Connect.
    """
    from pyspark.sql import functions as F
    from pyspark.sql.types import StringType, StructField, StructType

    engines = bridge.engines(format, spark=spark)
    rows = schema(format, namespaces=True)
    by_python = StructType(
        [*rows, StructField("file", StringType()), StructField("error", StringType())]
    )
    files = spark.read.format("binaryFile").load(path)
    found = files.select("_metadata.file_path", "content").rdd.flatMap(
        partial(_read, format, rows.names)
    )
    python = spark.createDataFrame(found, by_python)

    listed = files.select("_metadata.file_path", "path").collect()
    paths = {name: _escaped(path) for name, path in sorted(listed)}
    rejected = {
        PYTHON: {row.file: row.error for row in python.where("error IS NOT NULL").collect()},
        **{engine: _rejected(spark, format, engine, paths) for engine in engines},
    }
    accepted = [name for name in paths if not any(name in errors for errors in rejected.values())]

    columns = ["file", *rows.names]
    reads = [
        python.where(F.col("file").isin(accepted)).select(*columns, F.lit(PYTHON).alias("engine"))
    ]
    for engine in engines if accepted else ():
        read = _load(spark, format, engine, [paths[name] for name in accepted])
        read = read.withColumn("file", F.col("_metadata.file_path"))
        reads.append(read.select(*columns, F.lit(engine).alias("engine")))
    together = reduce(lambda a, b: a.unionByName(b), reads)
    # Count the rows: without `seq`, a file can hold equal ones.
    counted = together.groupBy(*columns, "engine").count().groupBy(*columns, "count")
    different = counted.agg(F.sort_array(F.collect_list("engine")).alias("engines")).drop("count")
    different = different.where(F.size("engines") != len(reads))
    different = different.withColumn("error", F.lit(None).cast("string"))
    errors = _differing_errors(paths, rejected)
    return different.unionByName(
        spark.createDataFrame(errors, "file string, engines array<string>, error string"),
        allowMissingColumns=True,
    ).orderBy("file", *(["seq"] if "seq" in columns else rows.names), "engines")


def _read(
    format: str, columns: Sequence[str], file: tuple[str, bytes]
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a file, each with the file's name; if reading fails, end with the error."""
    name, content = file
    found = find_format(format)
    options = {"namespaces": True} if "namespaces" in found.options().to_strings() else {}
    nothing = (None,) * len(columns)
    with tempfile.TemporaryDirectory() as folder:
        # Keep the name: its extension says how the file is compressed.
        path = Path(folder) / Path(name).name
        path.write_bytes(content)
        try:
            for row in codec.read(path, format=format, **options):
                yield (*(getattr(row, column) for column in columns), name, None)
        except JellySparkError as error:
            yield (*nothing, name, str(error).replace(str(path), name))


def _load(spark: SparkSession, format: str, engine: str, files: list[str]) -> DataFrame:
    reader = spark.read.format(format).option("engine", engine).option("namespaces", "true")
    return reader.load(files)


def _rejected(
    spark: SparkSession, format: str, engine: str, files: Mapping[str, str]
) -> dict[str, str]:
    """Return the errors of the files that an engine rejects, by the name of the file.

    All files are read together first, and one by one only if that fails.

    Args:
        spark: the session.
        format: the short name of the files' format.
        engine: the engine that reads them.
        files: the path of each file, by its name.
    """
    from pyspark.errors import PySparkException

    try:
        if files:
            read = _load(spark, format, engine, list(files.values()))
            read.write.format("noop").mode("overwrite").save()
    except PySparkException as error:
        if len(files) > 1:
            each = (_rejected(spark, format, engine, {name: files[name]}) for name in files)
            return reduce(lambda a, b: a | b, each)
        return dict.fromkeys(files, _message(error))
    return {}


def _escaped(path: str) -> str:
    """Return a glob that matches only this path."""
    return re.sub(r"[\\*?{}\[\]]", r"\\\g<0>", path)


def _message(error: Exception) -> str:
    """Extract the codec's message from Spark's exception."""
    text = str(error).split("\n\nDriver stacktrace:")[0].split("\nJVM stacktrace:")[0]
    return next((line for line in text.splitlines() if "expected" in line), text).strip()


def _differing_errors(
    files: Iterable[str], rejected: dict[str, dict[str, str]]
) -> list[tuple[str, list[str], str]]:
    """Return each file that some codecs reject and others read, with these codecs and errors."""
    found = []
    for file in files:
        engines = sorted(engine for engine, errors in rejected.items() if file in errors)
        if 0 < len(engines) < len(rejected):
            reasons = (f"{engine}: {rejected[engine][file]}" for engine in engines)
            found.append((file, engines, "\n".join(reasons)))
    return found
