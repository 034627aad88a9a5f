"""Data sources in plain Python, for Spark sessions without jelly-spark.jar.

    from pyspark.sql import SparkSession

    spark = SparkSession.builder.getOrCreate()
    log = spark.read.format("jelly_patch").load("changes.jellyp")

Spark finds the data sources by the modules `pyspark_jelly_patch` and so on, which are installed
with this package. `register` is for sessions that do not find them.

Raises:
    MissingPackageError: PySpark is not installed; raised on import.
"""

from jelly_spark.core.packages import needs_extra

with needs_extra("spark", "jelly_spark.datasource needs PySpark"):
    from jelly_spark.datasource.sources import SOURCES, FileSource, register

__all__ = ["SOURCES", "FileSource", "register"]
