"""Jelly-Patch in plain Python, with the same bytes as the JVM for the same rows and options."""

from jelly_spark.core.format import Format
from jelly_spark.core.rows import PatchRow
from jelly_spark.formats.jelly_patch.options import JellyPatchOptions
from jelly_spark.formats.jelly_patch.reader import JellyPatchReader, read_jelly_patch
from jelly_spark.formats.jelly_patch.writer import JellyPatchWriter, write_jelly_patch

__all__ = ["FORMAT"]

FORMAT = Format(
    "jelly_patch",
    ".jellyp",
    PatchRow,
    JellyPatchOptions,
    JellyPatchWriter,
    write_jelly_patch,
    JellyPatchReader,
    read_jelly_patch,
)
"""Jelly-Patch."""
