"""DataFrames that the stores on Spark have in common."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StructType

from jelly_spark._schema import schema
from jelly_spark.log.store import Base

STATEMENT = "subject string, predicate string, object string, graph string"
"""The columns of a state."""

PREFIX = "graph string, name string, value string"
"""The columns of prefixes."""


def header(name: str) -> Column:
    """Return an aggregate: the value of the last header of a name in the rows of a patch."""
    is_header = (F.col("op") == "H") & (F.col("name") == name)
    return F.max_by("value", F.when(is_header, F.col("seq")))


def empty_base(spark: SparkSession) -> Base:
    """Return the state before the first patch of a log that has all of them."""
    return Base(-1, spark.createDataFrame([], STATEMENT), spark.createDataFrame([], PREFIX))


def no_rows(spark: SparkSession) -> DataFrame:
    """Return an empty log."""
    return spark.createDataFrame([], row_schema())


def row_schema() -> StructType:
    """Return the columns of the rows of a log."""
    return schema("jelly_patch").add("log_seq", LongType())
