"""Reading N-Triples."""

from __future__ import annotations

from collections.abc import Iterator

from jelly_spark.core.files.input_file import Readable
from jelly_spark.core.row_size import DEFAULT_MAX_ROW_SIZE
from jelly_spark.core.rows import RdfRow
from jelly_spark.formats.ntriples.options import NTriplesOptions
from jelly_spark.lines.reader import LineReader


class NTriplesReader(LineReader):
    """Iterates over the statements of an N-Triples file; see `LineReader`.

        with NTriplesReader("data.nt") as reader:
            for row in reader:
                print(row.subject, row.predicate, row.object)

    The arguments and errors are those of `LineReader`.
    """

    format = NTriplesOptions.format
    has_graphs = False


def read_ntriples(
    file: Readable,
    *,
    strict: bool = False,
    max_row_size: int = DEFAULT_MAX_ROW_SIZE,
    part: tuple[int, int] | None = None,
) -> Iterator[RdfRow]:
    """Yield the statements of an N-Triples file.

    The arguments and errors are those of `NTriplesReader`. The file is opened when the first row is
    requested.

        subjects = {row.subject for row in read_ntriples("data.nt")}
    """
    with NTriplesReader(file, strict=strict, max_row_size=max_row_size, part=part) as reader:
        yield from reader
