"""N-Triples in plain Python. It writes the same lines as the JVM's codec for the same rows."""

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
class NTriplesOptions(WriteOptions):
    """Options for writing N-Triples. There are none: the format is written in only one way."""

    format: ClassVar[str] = "ntriples"


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


FORMAT = Format(
    NTriplesOptions.format,
    ".nt",
    RdfRow,
    NTriplesOptions,
    NTriplesWriter,
    write_ntriples,
    NTriplesReader,
    read_ntriples,
    NTriplesReader.columns,
)
"""The format N-Triples."""
