"""Writing RDF Patch in Thrift."""

from __future__ import annotations

from collections.abc import Iterable

from jelly_spark.core.files import Writable
from jelly_spark.core.options import check_class
from jelly_spark.core.patch_writer import PatchRowWriter
from jelly_spark.core.rows import PatchRow
from jelly_spark.formats.rdf_patch_thrift.encoder import RdfPatchThriftEncoder
from jelly_spark.formats.rdf_patch_thrift.options import RdfPatchThriftOptions


class RdfPatchThriftWriter(PatchRowWriter):
    """Writes rows to an RDF Patch file in Thrift, in their order; a context manager.

    Where `patch` changes between two rows, the patch is closed, unless an `END` row just did; the
    end of the input closes no patch. A transaction must be closed in its patch; only rows that
    follow each other in `seq`, as a reader gave them, may be otherwise. `tx` is ignored.

    A file given as a path appears, complete, when the writer is closed; after an error it is left
    as it was. One given as a URL is written beside its target, and copied there at the end. A
    stream is left open, and nothing more is written to it after an error. A writer that is garbage
    collected unclosed removes its temporary file, with a `ResourceWarning`.

        with RdfPatchThriftWriter("changes.trp") as writer:
            writer.write(PatchRow("A", "<urn:x:s>", "<urn:x:p>", "<urn:x:o>"))

    Args:
        file: path or URL, or buffered stream of bytes. What is written to a path that ends with
            `.gz` or `.zst` is compressed.
        options: how to write; there is nothing to choose.

    Raises:
        MissingPackageError: the file needs a package that is not installed.
        OptionError: the options are those of another format, or `file` is not something to write
            bytes to.
        OSError: the file cannot be written.
    """

    def __init__(
        self,
        file: Writable,
        options: RdfPatchThriftOptions = RdfPatchThriftOptions(),
    ) -> None:
        check_class("options", options, RdfPatchThriftOptions)
        super().__init__(file)
        self._encoder = RdfPatchThriftEncoder()

    def _put(self, row: PatchRow) -> None:
        self._stream.write(self._encoder.encode(row))

    def _write_rest(self) -> None:
        """Nothing is kept."""


def write_rdf_patch_thrift(
    file: Writable,
    rows: Iterable[PatchRow],
    options: RdfPatchThriftOptions = RdfPatchThriftOptions(),
) -> int:
    """Write rows to a file, and return their number; errors are those of `RdfPatchThriftWriter`.

        write_rdf_patch_thrift("changes.trp", [PatchRow("H", name="id", value="<urn:uuid:1>")])

    Args:
        file: path or URL, or buffered stream of bytes.
        rows: the rows, in their order.
        options: how to write.
    """
    with RdfPatchThriftWriter(file, options) as writer:
        return writer.write_all(rows)
