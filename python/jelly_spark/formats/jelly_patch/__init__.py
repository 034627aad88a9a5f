"""Jelly-Patch in plain Python, with the same bytes as the JVM for the same rows and options."""

from jelly_spark.core.format import FormatOf
from jelly_spark.formats.jelly_patch.options import JellyPatchOptions
from jelly_spark.formats.jelly_patch.reader import JellyPatchReader
from jelly_spark.formats.jelly_patch.writer import JellyPatchWriter

__all__ = ["FORMAT"]

FORMAT = FormatOf(".jellyp", JellyPatchOptions, JellyPatchWriter, JellyPatchReader)
"""Jelly-Patch."""
