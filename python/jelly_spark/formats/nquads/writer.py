"""Writing N-Quads."""

from __future__ import annotations

from collections.abc import Iterable

from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.rows import RdfRow
from jelly_spark.formats.nquads.options import NQuadsOptions
from jelly_spark.lines.writer import LineWriter


class NQuadsWriter(LineWriter):
    """Writes rows to an N-Quads file; see `LineWriter`.

        with NQuadsWriter("data.nq") as writer:
            writer.write(RdfRow("<urn:x:s>", "<urn:x:p>", "<urn:x:o>", "<urn:x:g>"))

    A statement in the default graph is written without a graph. The arguments and errors are those
    of `LineWriter`.
    """

    has_graphs = True
    options = NQuadsOptions

    def __init__(
        self, file: Writable, options: NQuadsOptions = NQuadsOptions(), *, append: bool = False
    ) -> None:
        super().__init__(file, options, append=append)


def write_nquads(
    file: Writable,
    rows: Iterable[RdfRow],
    options: NQuadsOptions = NQuadsOptions(),
    *,
    append: bool = False,
) -> int:
    """Write rows to an N-Quads file, and return the number of rows written.

        write_nquads("data.nq", [RdfRow("<urn:x:s>", "<urn:x:p>", "<urn:x:o>", "<urn:x:g>")])

    Args:
        file: path, URL, or buffered stream of bytes.
        rows: the rows, in order.
        options: the options of the format, which has none.
        append: whether to append to the file instead of replacing it.

    Raises:
        OptionError: an argument has a wrong type.
        OSError: the file cannot be written.
        UnwritableRowError: a row is not valid, or N-Quads cannot represent it.
    """
    with NQuadsWriter(file, options, append=append) as writer:
        return writer.write_all(rows)
