"""The data source `rdf_patch`, found by Spark in sessions without the jar."""

from jelly_spark.datasource.sources import RdfPatchSource as DefaultSource

__all__ = ["DefaultSource"]
