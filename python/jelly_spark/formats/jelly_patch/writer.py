"""Writing Jelly-Patch files."""

from __future__ import annotations

from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.rows import PatchRow, RowNumbering
from jelly_spark.core.writer import PatchRowWriter
from jelly_spark.formats.jelly_patch.encoder import JellyPatchEncoder
from jelly_spark.formats.jelly_patch.options import JellyPatchOptions, StreamType
from jelly_spark.formats.jelly_patch.reader import JellyPatchReader
from jelly_spark.jelly.frames.restart_index import RestartPoint
from jelly_spark.jelly.writer import JellyWriter


class JellyPatchWriter(JellyWriter[PatchRow], PatchRowWriter):
    """Writes rows to a Jelly-Patch file; see `PatchRowWriter`.

    If the option `restart_interval` is not 0, each frame is written when the next one ends, or when
    the writer is closed.

        with JellyPatchWriter("changes.jellyp") as writer:
            writer.write(PatchRow("A", "<urn:x:s>", "<urn:x:p>", "<urn:x:o>"))

    Args:
        file: path, URL, or buffered stream of bytes.
        options: the options of the stream.
        append: whether to append to the file instead of replacing it. The appended rows refer to
            nothing before them, and have no restart points.

    Raises:
        MalformedInputError: `append` is true, and the file is malformed at its beginning.
        OptionError: the options are those of another format; or `append` is true, and the file has
            other options, or `delimited` is false; or `append` is false, and the file is a stream
            that is not at its start.
    """

    options = JellyPatchOptions
    reader = JellyPatchReader

    def __init__(
        self,
        file: Writable,
        options: JellyPatchOptions = JellyPatchOptions(),
        *,
        append: bool = False,
    ) -> None:
        super().__init__(file, options, append=append)
        self._encoder = JellyPatchEncoder(options)
        if self._follows:
            self._encoder.restart()
        # Numbers the rows as a reader of the file will, for restart points.
        self._numbering = RowNumbering()
        self._frames_are_patches = options.stream_type is StreamType.FRAME
        self._punctuated = options.stream_type is StreamType.PUNCTUATED
        # In a FRAME stream, frames end with their patches. An undelimited stream is one frame.
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
        if self._filters is not None:
            if row.op in ("A", "D"):
                self._filters.add(row[1:5])
            elif row.op in ("PA", "PD"):
                self._filters.add((None, None, None, row.graph))
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
