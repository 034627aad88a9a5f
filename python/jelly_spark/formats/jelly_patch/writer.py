"""Writing Jelly-Patch files."""

from __future__ import annotations

from collections.abc import Iterable

from jelly_spark.core.files import Writable
from jelly_spark.core.options import check_class
from jelly_spark.core.patch_writer import PatchRowWriter
from jelly_spark.core.rows import PatchRow, RowNumbering
from jelly_spark.formats.jelly_patch.encoder import JellyPatchEncoder
from jelly_spark.formats.jelly_patch.options import JellyPatchOptions, StreamType
from jelly_spark.jelly.frames.frame_writer import FrameWriter
from jelly_spark.jelly.frames.restart_index import RestartPoint


class JellyPatchWriter(PatchRowWriter):
    """Writes rows to a Jelly-Patch file, in their order; a context manager.

    Where `patch` changes between two rows, the patch is closed, unless an `END` row just did; the
    end of the input closes no patch. A transaction must be closed in its patch; only rows that
    follow each other in `seq`, as a reader gave them, may be otherwise. `tx` is ignored.

    Where there may be restart points (option `restart_interval`), a frame is written when the next
    one is ended, or the writer closed.

    A file given as a path appears, complete, when the writer is closed; after an error it is left
    as it was. One given as a URL is written beside its target, and copied there at the end. A
    stream is left open, and nothing more is written to it after an error. A writer that is garbage
    collected unclosed removes its temporary file, with a `ResourceWarning`.

        with JellyPatchWriter("changes.jellyp") as writer:
            writer.write(PatchRow("A", "<urn:x:s>", "<urn:x:p>", "<urn:x:o>"))

    Args:
        file: path or URL, or buffered stream of bytes. What is written to a path that ends with
            `.gz` or `.zst` is compressed.
        options: how to write.

    Raises:
        MissingPackageError: the file needs a package that is not installed.
        OptionError: the options are those of another format, or `file` is not something to write
            bytes to.
        OSError: the file cannot be written.
    """

    def __init__(
        self,
        file: Writable,
        options: JellyPatchOptions = JellyPatchOptions(),
    ) -> None:
        check_class("options", options, JellyPatchOptions)
        super().__init__(file)
        self._frames = FrameWriter(
            self._stream,
            delimited=options.delimited,
            restart_interval=options.restart_interval,
        )
        self._encoder = JellyPatchEncoder(options)
        # As a reader of the file will number the rows.
        self._numbering = RowNumbering()
        self._frames_are_patches = options.stream_type is StreamType.FRAME
        self._punctuated = options.stream_type is StreamType.PUNCTUATED
        # A FRAME stream's frames end where its patches do; undelimited output is one frame.
        self._frame_size = options.frame_size
        self._split = options.delimited and options.stream_type is not StreamType.FRAME

    def _put(self, row: PatchRow) -> None:
        frames = self._frames
        if row.op == "END" and not self._punctuated:
            frames.end()
            if self._frames_are_patches and self._encoder.begun:
                self._numbering.number("END")
            return
        if frames.restart_due and not frames.rows:
            self._restart()
        frames.add(self._encoder.encode(row))
        self._numbering.number(row.op)
        if self._split and frames.rows >= self._frame_size:
            frames.end()

    def _restart(self) -> None:
        numbering = self._numbering
        self._frames.begin_range(
            RestartPoint(
                rows=numbering.rows,
                patches=numbering.patches,
                transactions=numbering.transactions,
                in_transaction=numbering.in_transaction,
            )
        )
        self._encoder.restart()

    def _pass_on(self) -> None:
        if self._split and self._frames.rows:
            self._frames.end()
        self._frames.flush()

    def _write_rest(self) -> None:
        if self._frames.rows:
            self._frames.end()
        self._frames.finish()


def write_jelly_patch(
    file: Writable,
    rows: Iterable[PatchRow],
    options: JellyPatchOptions = JellyPatchOptions(),
) -> int:
    """Write rows to a file, and return their number; errors are those of `JellyPatchWriter`.

        write_jelly_patch("changes.jellyp", [PatchRow("H", name="id", value="<urn:uuid:1>")])

    Args:
        file: path or URL, or buffered stream of bytes.
        rows: the rows, in their order.
        options: how to write.
    """
    with JellyPatchWriter(file, options) as writer:
        return writer.write_all(rows)
