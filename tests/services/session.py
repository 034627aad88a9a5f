"""The settings of Spark sessions with Kafka and Delta."""

from __future__ import annotations

from pyspark.sql import SparkSession

import jelly_spark
from tests.services.classpaths import jars


def settings() -> dict[str, str]:
    """What the guide sets on the command line, and what keeps a session small."""
    return {
        "spark.jars": jars("kafka-source", "delta"),
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.master": "local[2]",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.sql.shuffle.partitions": "2",
        "spark.databricks.delta.snapshotPartitions": "1",
    }


def start_session() -> SparkSession:
    """Start a session in this process."""
    builder = SparkSession.builder.config(map={**settings()})
    return jelly_spark.configure(builder).getOrCreate()
