"""Reading Jelly-Patch files."""

from __future__ import annotations

from jelly_spark.core.rows import PatchRow
from jelly_spark.formats.jelly_patch.decoder import JellyPatchDecoder
from jelly_spark.formats.jelly_patch.options import JellyPatchOptions
from jelly_spark.jelly.beginnings import beginning, options_row
from jelly_spark.jelly.frames.restart_index import RestartPoint
from jelly_spark.jelly.reader import JellyReader

# The tag of the first option: the statement type, which every stream has.
_FIRST_OPTION = rb"\x08"


class JellyPatchReader(JellyReader[PatchRow, JellyPatchOptions]):
    """Iterates over the rows of a Jelly-Patch file; see `JellyReader`.

        with JellyPatchReader("changes.jellyp") as reader:
            for row in reader:
                print(row.op, row.subject)

    Args:
        file: path, URL, bytes, or stream of bytes.
        strict: whether to reject what the specification does not allow, but the reference
            implementation accepts: transactions that are not closed by `TC` or `TA` before the next
            `TX` and before the end of their patch; `TC` or `TA` without a transaction; graphs in a
            stream of triples; and a first quad that omits its graph.
        limits: the largest lookup tables that are accepted.
        max_row_size: the largest size of a row in bytes, from 1 to 2147483647, both of its message
            and of its terms as canonical strings.
        part: a pair of byte offsets; see `JellyReader`. By default, the whole file is read.
        where: the rows to return; see `JellyReader`. By default, all.

    Raises:
        OptionError: an argument has a wrong type or is out of range.
    """

    row = PatchRow
    format = JellyPatchOptions.format
    start = options_row(_FIRST_OPTION)
    beginnings = (beginning(format, "Jelly-Patch", _FIRST_OPTION),)
    columns: tuple[str, ...] = PatchRow._fields

    def _new_decoder(self, start: RestartPoint) -> JellyPatchDecoder:
        return JellyPatchDecoder(
            start, self._max_row_size, strict=self._strict, limits=self._limits
        )
