"""Writing N-Triples."""

from __future__ import annotations

from collections.abc import Iterable

from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.rows import RdfRow
from jelly_spark.formats.ntriples.options import NTriplesOptions
from jelly_spark.lines.writer import LineWriter


class NTriplesWriter(LineWriter):
    """Writes rows to an N-Triples file; see `LineWriter`.

        with NTriplesWriter("data.nt") as writer:
            writer.write(RdfRow("<urn:x:s>", "<urn:x:p>", "<urn:x:o>"))

    A row with a graph is rejected. The arguments and errors are those of `LineWriter`.
    """

    has_graphs = False
    options = NTriplesOptions

    def __init__(
        self, file: Writable, options: NTriplesOptions = NTriplesOptions(), *, append: bool = False
    ) -> None:
        super().__init__(file, options, append=append)


def write_ntriples(
    file: Writable,
    rows: Iterable[RdfRow],
    options: NTriplesOptions = NTriplesOptions(),
    *,
    append: bool = False,
) -> int:
    """Write rows to an N-Triples file, and return the number of rows written.

        write_ntriples("data.nt", [RdfRow("<urn:x:s>", "<urn:x:p>", "<urn:x:o>")])

    Args:
        file: path, URL, or buffered stream of bytes.
        rows: the rows, in order.
        options: the options of the format, which has none.
        append: whether to append to the file instead of replacing it.

    Raises:
        OptionError: an argument has a wrong type.
        OSError: the file cannot be written.
        UnwritableRowError: a row is not valid, or N-Triples cannot represent it.
    """
    with NTriplesWriter(file, options, append=append) as writer:
        return writer.write_all(rows)
