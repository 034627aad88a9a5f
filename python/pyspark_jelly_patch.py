"""The data source `jelly_patch`, found by Spark in sessions without the jar."""

from jelly_spark.datasource.sources import JellyPatchSource as DefaultSource

__all__ = ["DefaultSource"]
