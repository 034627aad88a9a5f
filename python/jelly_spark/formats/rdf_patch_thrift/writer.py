"""Writing RDF Patch in Thrift."""

from __future__ import annotations

from jelly_spark.core.files.output_file import Writable, is_replaced
from jelly_spark.core.options import check_class
from jelly_spark.core.patch_writer import PatchRowWriter
from jelly_spark.core.rows import PatchRow
from jelly_spark.formats.rdf_patch_thrift.encoder import RdfPatchThriftEncoder
from jelly_spark.formats.rdf_patch_thrift.options import RdfPatchThriftOptions
from jelly_spark.formats.rdf_patch_thrift.reader import RdfPatchThriftReader


class RdfPatchThriftWriter(PatchRowWriter):
    """Writes rows to a file of RDF Patch in Thrift; see `PatchRowWriter`.

        with RdfPatchThriftWriter("changes.trp") as writer:
            writer.write(PatchRow("A", "<urn:x:s>", "<urn:x:p>", "<urn:x:o>"))

    Args:
        file: path, URL, or buffered stream of bytes.
        options: the options of the format, which has none.
        append: whether to append to the file instead of replacing it. A file that is not a stream
            is read first, to check that it is complete.

    Raises:
        MalformedInputError: `append` is true, and the file is malformed.
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
    """Check that a file is well-formed, if it exists.

    After an incomplete struct, appended rows would become fields of that struct.

    Raises:
        MalformedInputError: the file is malformed.
    """
    if not is_replaced(file):
        return
    try:
        with RdfPatchThriftReader(file) as rows:
            for _ in rows:
                pass
    except FileNotFoundError:
        pass
