"""N-Quads in plain Python. It writes the same lines as the JVM's codec for the same rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from jelly_spark.core.files.input_file import Readable
from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.format import Format
from jelly_spark.core.options import WriteOptions
from jelly_spark.core.row_size import DEFAULT_MAX_ROW_SIZE
from jelly_spark.core.rows import RdfRow
from jelly_spark.lines.reader import LineReader
from jelly_spark.lines.writer import LineWriter


@dataclass(frozen=True)
class NQuadsOptions(WriteOptions):
    """Options for writing N-Quads. There are none: the format is written in only one way."""

    format: ClassVar[str] = "nquads"


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


FORMAT = Format(
    NQuadsOptions.format,
    ".nq",
    RdfRow,
    NQuadsOptions,
    NQuadsWriter,
    write_nquads,
    NQuadsReader,
    read_nquads,
    NQuadsReader.columns,
)
"""The format N-Quads."""
