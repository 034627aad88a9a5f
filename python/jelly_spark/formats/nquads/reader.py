"""Reading N-Quads."""

from __future__ import annotations

from collections.abc import Iterator

from jelly_spark.core.files.input_file import Readable
from jelly_spark.core.row_size import DEFAULT_MAX_ROW_SIZE
from jelly_spark.core.rows import RdfRow
from jelly_spark.formats.nquads.options import NQuadsOptions
from jelly_spark.lines.reader import LineReader


class NQuadsReader(LineReader):
    """Iterates over the statements of an N-Quads file; see `LineReader`.

        with NQuadsReader("data.nq") as reader:
            for row in reader:
                print(row.subject, row.predicate, row.object, row.graph)

    The arguments and errors are those of `LineReader`.
    """

    format = NQuadsOptions.format
    has_graphs = True


def read_nquads(
    file: Readable,
    *,
    strict: bool = False,
    max_row_size: int = DEFAULT_MAX_ROW_SIZE,
    part: tuple[int, int] | None = None,
) -> Iterator[RdfRow]:
    """Yield the statements of an N-Quads file.

    The arguments and errors are those of `NQuadsReader`. The file is opened when the first row is
    requested.

        subjects = {row.subject for row in read_nquads("data.nq")}
    """
    with NQuadsReader(file, strict=strict, max_row_size=max_row_size, part=part) as reader:
        yield from reader
