"""The data source `rdf_patch_thrift`, found by Spark in sessions without the jar."""

from jelly_spark.datasource.sources import RdfPatchThriftSource as DefaultSource

__all__ = ["DefaultSource"]
