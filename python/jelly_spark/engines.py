"""Which codec the data sources of a session use: the jar's, or the one in plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from jelly_spark.core.packages import needs_extra
from jelly_spark.formats import WRITTEN

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Engine", "engine"]

_NOT_FOUND = "DATA_SOURCE_NOT_FOUND"
_PYTHON = "PYTHON_DATA_SOURCE"
# An invalid value, so that no data source goes on to look for files.
_PROBE = "the value with which jelly_spark.engine asks"

# The jar's data sources list the files of the paths first, so there must be none. In a single path,
# Spark looks for the metadata of a streaming sink, and logs a warning if it does not exist.
_NO_FILES = ["/jelly_spark.engine/no such file", "/jelly_spark.engine/nor this one"]


@dataclass(frozen=True)
class Engine:
    """The codec that a session uses for a format.

    Attributes:
        name: `jvm` for the data source in jelly-spark.jar, or for `rdf` in jelly-spark-jena.jar,
            `python` for the one in this package, `none` if the session has neither.
        reason: why, in a sentence.
    """

    name: Literal["jvm", "python", "none"]
    reason: str


def engine(spark: SparkSession) -> dict[str, Engine]:
    """Return the engine of each format in a session, by the short name of the format.

        print(jelly_spark.engine(spark)["jelly_patch"].name)

    It asks each data source to read with an invalid option, and looks at who reports the error. So
    this also works over Spark Connect.

    Args:
        spark: the session.

    Raises:
        MissingPackageError: PySpark is not installed.
    """
    return {name: _engine(spark, name) for name in WRITTEN}


def _engine(spark: SparkSession, format: str) -> Engine:
    with needs_extra("spark", "engine needs PySpark"):
        from pyspark.errors import PySparkException

    jar = "jelly-spark.jar"
    if WRITTEN[format].by_jena:
        jar += " with jelly-spark-jena.jar and Jena"
    condition = ""
    try:
        # Over Spark Connect, the schema is what makes the server look at the data source.
        _ = spark.read.format(format).option("terms", _PROBE).load(_NO_FILES).schema
    except PySparkException as error:
        condition = error.getCondition() or ""
    except Exception as error:
        # PySpark does not convert this error of the JVM.
        if f"[{_NOT_FOUND}]" not in str(error):
            raise
        condition = _NOT_FOUND
    if condition.startswith(_PYTHON):
        return Engine("python", f"the session has no {jar}, but the data sources of this package")
    if condition == _NOT_FOUND:
        return Engine(
            "none",
            f"the session has neither {jar} nor this package beside its PySpark: see "
            "jelly_spark.configure() and jelly_spark.datasource.register()",
        )
    return Engine("jvm", f"the session has {jar}, which takes precedence")
