"""Writing RDF Patch texts."""

from __future__ import annotations

import os
from typing import BinaryIO

from jelly_spark.core.options import check_class
from jelly_spark.core.patch_writer import PatchRowWriter
from jelly_spark.core.rows import PatchRow
from jelly_spark.formats.rdf_patch.jena_encoder import JenaEncoder
from jelly_spark.formats.rdf_patch.options import RdfPatchOptions, Style
from jelly_spark.formats.rdf_patch.v1_encoder import V1Encoder


class RdfPatchWriter(PatchRowWriter):
    """Writes rows to an RDF Patch text, in their order; a context manager.

    Where `patch` changes between two rows, the patch is closed, unless an `END` row just did; the
    end of the input closes no patch. A transaction must be closed in its patch; only rows that
    follow each other in `seq`, as a reader gave them, may be otherwise. `tx` is ignored.

    In style `V1`, a `PA` is written as `@prefix` and shortens IRIs from there on; reading it gives
    no row. All other rows but `A` and `D` are refused.

    A file given as a path appears, complete, when the writer is closed; after an error it is left
    as it was. A stream is left open, and nothing more is written to it after an error.

    Args:
        file: path, or buffered stream of bytes.
        options: how to write.

    Raises:
        OptionError: the options are those of another format.
        OSError: the file cannot be written.
    """

    def __init__(
        self,
        file: str | os.PathLike[str] | BinaryIO,
        options: RdfPatchOptions = RdfPatchOptions(),
    ) -> None:
        check_class("options", options, RdfPatchOptions)
        super().__init__(file)
        self._format = (JenaEncoder() if options.style is Style.JENA else V1Encoder()).format

    def _put(self, row: PatchRow) -> None:
        self._stream.write(self._format(row).encode())

    def _flush(self) -> None:
        pass
