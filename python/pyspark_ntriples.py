"""The data source `ntriples`, found by Spark in sessions without the jar."""

from jelly_spark.datasource.sources import NTriplesSource as DefaultSource

__all__ = ["DefaultSource"]
