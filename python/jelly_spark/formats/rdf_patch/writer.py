"""Writing RDF Patch texts."""

from __future__ import annotations

from collections.abc import Iterable

from jelly_spark.core.files import Writable
from jelly_spark.core.options import check_class
from jelly_spark.core.patch_writer import PatchRowWriter
from jelly_spark.core.rows import PatchRow
from jelly_spark.formats.rdf_patch.jena_encoder import JenaEncoder
from jelly_spark.formats.rdf_patch.options import RdfPatchOptions, Style
from jelly_spark.formats.rdf_patch.v1_encoder import V1Encoder


class RdfPatchWriter(PatchRowWriter):
    """Writes rows to a file of RDF Patch text, as `PatchRowWriter` says.

    In style `V1`, a `PA` is written as `@prefix`, and shortens the IRIs that follow. Reading it
    gives no row. Of other rows, this style can hold `A` and `D` only.

        with RdfPatchWriter("changes.rdfp") as writer:
            writer.write(PatchRow("A", "<urn:x:s>", "<urn:x:p>", "<urn:x:o>"))

    Args:
        file: path, URL, or buffered stream of bytes.
        options: how to write.
        append: whether to write after what the file holds.

    Raises:
        OptionError: the options are those of another format.
    """

    def __init__(
        self,
        file: Writable,
        options: RdfPatchOptions = RdfPatchOptions(),
        *,
        append: bool = False,
    ) -> None:
        check_class("options", options, RdfPatchOptions)
        super().__init__(file, append=append)
        self._format = (JenaEncoder() if options.style is Style.JENA else V1Encoder()).format
        if append and self._follows:
            # The last line may have no end.
            self._stream.write(b"\n")

    def _put(self, row: PatchRow) -> None:
        self._stream.write(self._format(row).encode())


def write_rdf_patch(
    file: Writable,
    rows: Iterable[PatchRow],
    options: RdfPatchOptions = RdfPatchOptions(),
    *,
    append: bool = False,
) -> int:
    """Write rows to a file, and return their number; errors are those of `RdfPatchWriter`.

        write_rdf_patch("changes.rdfp", [PatchRow("H", name="id", value="<urn:uuid:1>")])

    Args:
        file: path, URL, or buffered stream of bytes.
        rows: the rows, in order.
        options: how to write.
        append: whether to write after what the file holds.
    """
    with RdfPatchWriter(file, options, append=append) as writer:
        return writer.write_all(rows)
