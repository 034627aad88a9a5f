"""DataFrames that the stores on Spark share."""

from __future__ import annotations

from collections.abc import Iterator

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import LongType, StructType

from jelly_spark._schema import schema
from jelly_spark.core.rows import PatchRow
from jelly_spark.log.store import Base

STATEMENT = "subject string, predicate string, object string, graph string"
"""The columns of a state, as a DDL schema."""

PREFIX = "graph string, name string, value string"
"""The columns of the prefixes, as a DDL schema."""


def empty_base(spark: SparkSession) -> Base:
    """Return the empty state, before the first patch of a log that has all its patches."""
    return Base(-1, spark.createDataFrame([], STATEMENT), spark.createDataFrame([], PREFIX))


def first_rows(rows: DataFrame, limit: int) -> Iterator[PatchRow]:
    """Return the first rows of a log in the order of their patches, with `log_seq` as `patch`."""
    ordered = rows.orderBy("log_seq", "seq").limit(limit)
    columns = [column for column in PatchRow._fields if column != "patch"]
    for row in ordered.select("log_seq", *columns).collect():
        place, *values = row
        yield PatchRow(**dict(zip(columns, values, strict=True)), patch=place)


def no_rows(spark: SparkSession) -> DataFrame:
    """Return an empty DataFrame with the columns of a log's rows."""
    return spark.createDataFrame([], row_schema())


def row_schema() -> StructType:
    """Return the schema of a log's rows: the columns of the patch formats, and `log_seq`."""
    return schema("jelly_patch").add("log_seq", LongType())
