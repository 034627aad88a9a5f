"""The data source `jelly_rdf`, found by Spark in sessions without the jar."""

from jelly_spark.datasource.sources import JellyRdfSource as DefaultSource

__all__ = ["DefaultSource"]
