"""Writing RDF Patch in Thrift."""

from __future__ import annotations

from collections.abc import Iterable

from jelly_spark.core.files import Writable, is_replaced
from jelly_spark.core.options import check_class
from jelly_spark.core.patch_writer import PatchRowWriter
from jelly_spark.core.rows import PatchRow
from jelly_spark.formats.rdf_patch_thrift.encoder import RdfPatchThriftEncoder
from jelly_spark.formats.rdf_patch_thrift.options import RdfPatchThriftOptions
from jelly_spark.formats.rdf_patch_thrift.reader import RdfPatchThriftReader


class RdfPatchThriftWriter(PatchRowWriter):
    """Writes rows to a file of RDF Patch in Thrift, as `PatchRowWriter` says.

        with RdfPatchThriftWriter("changes.trp") as writer:
            writer.write(PatchRow("A", "<urn:x:s>", "<urn:x:p>", "<urn:x:o>"))

    Args:
        file: path, URL, or buffered stream of bytes.
        options: how to write; there is nothing to choose.
        append: whether to write after what the file holds.

    Raises:
        OptionError: the options are those of another format.
    """

    def __init__(
        self,
        file: Writable,
        options: RdfPatchThriftOptions = RdfPatchThriftOptions(),
        *,
        append: bool = False,
    ) -> None:
        check_class("options", options, RdfPatchThriftOptions)
        if append:
            _check_whole(file)
        super().__init__(file, append=append)
        self._encoder = RdfPatchThriftEncoder()

    def _put(self, row: PatchRow) -> None:
        self._stream.write(self._encoder.encode(row))


def _check_whole(file: Writable) -> None:
    """Check that a file can be read: after a part of a struct, new rows would become its fields.

    Raises:
        MalformedInputError: it cannot.
    """
    if not is_replaced(file):
        return
    try:
        with RdfPatchThriftReader(file) as rows:
            for _ in rows:
                pass
    except FileNotFoundError:
        pass


def write_rdf_patch_thrift(
    file: Writable,
    rows: Iterable[PatchRow],
    options: RdfPatchThriftOptions = RdfPatchThriftOptions(),
    *,
    append: bool = False,
) -> int:
    """Write rows to a file, and return their number; errors are those of `RdfPatchThriftWriter`.

        write_rdf_patch_thrift("changes.trp", [PatchRow("H", name="id", value="<urn:uuid:1>")])

    Args:
        file: path, URL, or buffered stream of bytes.
        rows: the rows, in order.
        options: how to write.
        append: whether to write after what the file holds.
    """
    with RdfPatchThriftWriter(file, options, append=append) as writer:
        return writer.write_all(rows)
