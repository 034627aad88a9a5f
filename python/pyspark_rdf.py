"""The data source `rdf`, found by Spark in all sessions: the jar has none of this name."""

from jelly_spark.datasource.sources import RdfSource as DefaultSource

__all__ = ["DefaultSource"]
