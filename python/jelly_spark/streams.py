"""Streaming DataFrames of files, for Spark's Structured Streaming."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from jelly_spark._format_options import Mode, read_options
from jelly_spark._schema import schema
from jelly_spark.core.options import camel
from jelly_spark.formats import find_read

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

__all__ = ["read_stream"]

# The options that change the schema, but for the mode.
_OF_SCHEMA = ("terms", "namespaces")
_CORRUPT_COLUMN_SETTING = "spark.sql.columnNameOfCorruptRecord"


def read_stream(
    spark: SparkSession,
    format: str,
    path: str | os.PathLike[str],
    **options: str | bool | int | float,
) -> DataFrame:
    """Return a streaming DataFrame of the rows of a folder's files, both present and future ones.

        log = jelly_spark.read_stream(spark, "jelly_patch", "log", maxFilesPerTrigger=100)

    This is `spark.readStream` with the schema that `spark.read` finds with the same options: Spark
    requires a schema for a stream of files. Works over Spark Connect too.

    Args:
        spark: the session, with the jar on it or on its server.
        format: the short name of the format: `jelly_patch`, `jelly_rdf`, `rdf_patch`,
            `rdf_patch_thrift`, `ntriples` or `nquads`.
        path: a folder, which must exist, or a glob of folders. If it has partitions, such as
            `day=2026-11-01`, their columns come last.
        options: options of the format, and of Spark's file streams, such as `latestFirst`, by their
            names in Spark or in `snake_case`.

    Raises:
        MissingPackageError: PySpark is not installed.
        OptionError: the format is not known, or `terms` or `namespaces` is not one of its values.
            Other options are checked when the query starts.
        pyspark.errors.PySparkException: the folder does not exist.
    """
    given = {camel(name): value for name, value in options.items()}
    found = _schema_of(spark, format, given)
    return spark.readStream.format(format).options(**given).schema(found).load(os.fspath(path))


def _schema_of(spark: SparkSession, format: str, options: dict[str, Any]) -> StructType:
    """Return the schema of a read with these options; their names are case-insensitive."""
    values = {name.lower(): value for name, value in options.items()}
    checked = {name: str(value) for name, value in values.items() if name in _OF_SCHEMA}
    read = read_options(find_read(format), checked, Mode)
    found = schema(format, terms=read.terms, namespaces=read.namespaces)
    if str(values.get("mode")).upper() == "PERMISSIVE":
        name = values.get("columnnameofcorruptrecord") or spark.conf.get(_CORRUPT_COLUMN_SETTING)
        found.add(str(name), "string")
    return found
