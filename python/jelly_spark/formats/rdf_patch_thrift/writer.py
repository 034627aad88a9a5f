"""Writing RDF Patch in Thrift."""

from __future__ import annotations

import os
from typing import BinaryIO

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
    as it was. A stream is left open, and nothing more is written to it after an error.

    Args:
        file: path, or buffered stream of bytes.
        options: how to write; there is nothing to choose.

    Raises:
        OptionError: the options are those of another format.
        OSError: the file cannot be written.
    """

    def __init__(
        self,
        file: str | os.PathLike[str] | BinaryIO,
        options: RdfPatchThriftOptions = RdfPatchThriftOptions(),
    ) -> None:
        check_class("options", options, RdfPatchThriftOptions)
        super().__init__(file)
        self._encoder = RdfPatchThriftEncoder()

    def _put(self, row: PatchRow) -> None:
        self._stream.write(self._encoder.encode(row))

    def _flush(self) -> None:
        """Nothing is held back."""
