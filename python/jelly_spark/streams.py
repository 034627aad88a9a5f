"""Streams of files, for Spark's Structured Streaming."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from jelly_spark.core.options import camel

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["read_stream"]


def read_stream(
    spark: SparkSession,
    format: str,
    path: str | os.PathLike[str],
    **options: str | bool | int | float,
) -> DataFrame:
    """Return the rows of the files of a folder as a stream: of those there now, and of new ones.

        log = jelly_spark.read_stream(spark, "jelly_patch", "incoming", maxFilesPerTrigger=100)
        query = log.writeStream.format("console").trigger(availableNow=True).start()

    It is `spark.readStream`, with the schema that Spark wants to be given for a stream of files:
    the one that `spark.read` has with the same options. Works over Spark Connect too.

    Args:
        spark: the session, with the jar on it or on its server.
        format: short name of the files' format, such as `jelly_patch`.
        path: the folder, which must exist, or a glob of folders. If it has partitions, such as
            `day=2026-11-01`, their columns come last.
        options: those of the format and those of Spark's file streams, such as `latestFirst`, by
            their names in Spark or in `snake_case`.

    Raises:
        pyspark.errors.PySparkException: there is no such format or folder, or an option has no such
            value or a misspelt name.
    """
    given = {camel(name): value for name, value in options.items()}
    # A read of no files has the schema of every read.
    schema = spark.read.format(format).options(**given).load([]).schema
    stream = spark.readStream.format(format).options(**given).schema(schema)
    return stream.load(os.fspath(path))
