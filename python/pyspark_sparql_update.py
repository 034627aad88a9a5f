"""The data source `sparql_update`, found by Spark in sessions without the jar."""

from jelly_spark.datasource.sources import SparqlUpdateSource as DefaultSource

__all__ = ["DefaultSource"]
