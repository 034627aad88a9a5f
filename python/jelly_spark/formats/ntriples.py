"""N-Triples in plain Python. It writes the same lines as the JVM's codec for the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.format import FormatOf
from jelly_spark.lines.options import LineOptions
from jelly_spark.lines.reader import LineReader
from jelly_spark.lines.writer import LineWriter


@dataclass(frozen=True)
class NTriplesOptions(LineOptions):
    """Options for writing N-Triples; see `LineOptions`."""

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


FORMAT = FormatOf(".nt", NTriplesOptions, NTriplesWriter, NTriplesReader)
"""The format N-Triples."""
