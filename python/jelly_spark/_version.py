"""The version of Jelly Spark: the one source for Python, sbt and the jar."""

__version__ = "0.1.0"
