"""Jelly-Patch, in plain Python: the same bytes as the JVM's codec for the same rows and options."""

from jelly_spark.core.format import Format
from jelly_spark.core.rows import PatchRow
from jelly_spark.formats.jelly_patch.options import PatchOptions
from jelly_spark.formats.jelly_patch.reader import PatchReader
from jelly_spark.formats.jelly_patch.writer import PatchWriter

FORMAT = Format("jelly_patch", ".jellyp", PatchRow, PatchOptions, PatchReader, PatchWriter)
