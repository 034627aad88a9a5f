"""The data source `nquads`, found by Spark in sessions without the jar."""

from jelly_spark.datasource.sources import NQuadsSource as DefaultSource

__all__ = ["DefaultSource"]
