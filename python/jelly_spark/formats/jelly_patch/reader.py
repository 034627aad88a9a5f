"""Reading Jelly-Patch files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from jelly_spark.core.files import Readable
from jelly_spark.core.options import check_bool, check_class
from jelly_spark.core.rows import PatchRow
from jelly_spark.formats.jelly_patch.decoder import JellyPatchDecoder
from jelly_spark.formats.jelly_patch.options import JellyPatchOptions
from jelly_spark.jelly.options import ReadLimits
from jelly_spark.jelly.reader import JellyReader


class JellyPatchReader(JellyReader[PatchRow, JellyPatchOptions]):
    """Iterates once over the rows of a Jelly-Patch file, in bounded memory.

    Rows before an error are delivered. A file that was given as a path is closed at the end, by
    `close`, or by leaving the `with` block; a stream is left open.

        with JellyPatchReader("changes.jellyp") as reader:
            for row in reader:
                print(row.op, row.subject)

    Args:
        file: path or URL, bytes, or stream of bytes, which is read from its current position on.
            A path that ends with `.gz` or `.zst` is decompressed.
        strict: whether these are errors too: transactions that do not alternate TX and TC or TA, or
            cross the end of their patch; graphs in a stream of triples; a first quad that
            repeats a graph.
        limits: the biggest lookups accepted.
        part: a pair of byte offsets, from and to: reads the ranges of the file that begin in it,
            from a restart point to the next. The file must be one that can seek. Without restart
            points, and of a compressed file, the part from 0 is the whole file, others are empty.

    Raises:
        MalformedInputError: while iterating: the input breaks the format.
        MissingPackageError: the file needs a package that is not installed.
        OptionError: `file` is not something to read bytes from, or another argument is not valid.
        OSError: the file cannot be read.
    """

    format = JellyPatchOptions.format

    def __init__(
        self,
        file: Readable,
        *,
        strict: bool = False,
        limits: ReadLimits = ReadLimits(),
        part: tuple[int, int] | None = None,
    ) -> None:
        check_bool("strict", strict)
        check_class("limits", limits, ReadLimits)
        super().__init__(file, partial(JellyPatchDecoder, strict=strict, limits=limits), part)


def read_jelly_patch(
    file: Readable,
    *,
    strict: bool = False,
    limits: ReadLimits = ReadLimits(),
    part: tuple[int, int] | None = None,
) -> Iterator[PatchRow]:
    """Yield the rows of a Jelly-Patch file; arguments and errors are those of `JellyPatchReader`.

    Nothing is opened before the first row is asked for.

        added = [row for row in read_jelly_patch("changes.jellyp") if row.op == "A"]
    """
    with JellyPatchReader(file, strict=strict, limits=limits, part=part) as reader:
        yield from reader
