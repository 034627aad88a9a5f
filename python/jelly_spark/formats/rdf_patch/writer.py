"""Writing RDF Patch text."""

from __future__ import annotations

from functools import partial

from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.rows import PatchRow, without_deleted_iri
from jelly_spark.core.writer import PatchRowWriter
from jelly_spark.formats.rdf_patch.jena_style_encoder import format_row
from jelly_spark.formats.rdf_patch.options import RdfPatchOptions, Style
from jelly_spark.formats.rdf_patch.v1_encoder import V1Encoder


class RdfPatchWriter(PatchRowWriter):
    """Writes rows to an RDF Patch text file; see `PatchRowWriter`.

    In the style `V1`, only `A`, `D` and `PA` rows can be written. A `PA` is written as `@prefix`,
    and abbreviates the IRIs after it. A reader does not return it as a row.

        with RdfPatchWriter("changes.rdfp") as writer:
            writer.write(PatchRow("A", "<urn:x:s>", "<urn:x:p>", "<urn:x:o>"))

    Args:
        file: path, URL, or buffered stream of bytes.
        options: the syntax to write.
        append: whether to append to the file instead of replacing it.

    Raises:
        OptionError: the options are those of another format.
    """

    options = RdfPatchOptions
    fitting = staticmethod(partial(map, without_deleted_iri))

    def __init__(
        self,
        file: Writable,
        options: RdfPatchOptions = RdfPatchOptions(),
        *,
        append: bool = False,
    ) -> None:
        super().__init__(file, options, append=append)
        self._format = format_row if options.style is Style.JENA else V1Encoder().format
        if append and self._follows:
            # The last line of the file may lack its line feed.
            self._stream.write(b"\n")

    def _put(self, row: PatchRow) -> None:
        self._stream.write(self._format(row).encode())
