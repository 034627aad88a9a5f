"""N-Quads in plain Python. It writes the same lines as the JVM's codec for the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from jelly_spark.core.files.hints import Beginning, matcher
from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.format import FormatOf
from jelly_spark.lines.beginnings import START, STATEMENT
from jelly_spark.lines.options import LineOptions
from jelly_spark.lines.reader import LineReader
from jelly_spark.lines.writer import LineWriter


@dataclass(frozen=True)
class NQuadsOptions(LineOptions):
    """Options for writing N-Quads; see `LineOptions`."""

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
    # N-Triples are N-Quads, too.
    beginnings = (
        Beginning(
            *(format, "N-Triples or N-Quads: read it with the format ntriples or nquads"),
            *(matcher(STATEMENT), matcher(START)),
        ),
    )


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


FORMAT = FormatOf(".nq", NQuadsOptions, NQuadsWriter, NQuadsReader)
"""The format N-Quads."""
