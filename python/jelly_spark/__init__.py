"""RDF Patch and Jelly-Patch change logs as Spark DataFrames.

This module needs no Spark until `configure` is called; `jelly_spark.codec` needs none at all, and
`jelly_spark.bridge` needs a session.
"""

from jelly_spark._version import __version__
from jelly_spark.session import configure, jar_path

__all__ = ["__version__", "configure", "jar_path"]
