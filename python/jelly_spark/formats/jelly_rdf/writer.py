"""Writing Jelly-RDF files."""

from __future__ import annotations

from collections.abc import Mapping

from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.rows import RdfRow, check_row, is_ordinal
from jelly_spark.errors import UnwritableRowError
from jelly_spark.formats.jelly_rdf.encoder import JellyRdfEncoder
from jelly_spark.formats.jelly_rdf.frame_metadata import encode_metadata
from jelly_spark.formats.jelly_rdf.options import JellyRdfOptions
from jelly_spark.formats.jelly_rdf.reader import JellyRdfReader
from jelly_spark.jelly.frames.restart_index import RestartPoint
from jelly_spark.jelly.writer import JellyWriter


class JellyRdfWriter(JellyWriter[RdfRow]):
    """Writes rows to a Jelly-RDF file; see `RowWriter`.

    In a stream of the physical type `GRAPHS`, a new value in `graph` starts a new graph.

    In a stream of a grouped logical type, each frame is a graph or a dataset. A new value in
    `frame` ends the current frame, which is held in memory until then. In other streams, `frame` is
    ignored, and frames end when they have `frame_size` rows, even within a graph. `end_frame` ends
    a frame in any stream. An undelimited stream has one frame.

    If the option `restart_interval` is not 0, each frame is written when the next one ends, or when
    the writer is closed.

        with JellyRdfWriter("data.jelly") as writer:
            writer.write(RdfRow("<urn:x:s>", "<urn:x:p>", "<urn:x:o>"))

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

    row = RdfRow
    options = JellyRdfOptions
    reader = JellyRdfReader

    def __init__(
        self,
        file: Writable,
        options: JellyRdfOptions = JellyRdfOptions(),
        *,
        append: bool = False,
    ) -> None:
        super().__init__(file, options, append=append)
        self._encoder = JellyRdfEncoder(options)
        if self._follows:
            self._encoder.restart()
        self._last_rows = self._encoder.end_graph
        # The number of rows written, and of namespaces among them.
        self._rows = 0
        self._namespaces = 0
        self._delimited = options.delimited
        self._grouped = options.logical_type.grouped
        self._frame_size = options.frame_size
        self._split = options.delimited and not self._grouped
        # `frame` of the previous row, and whether that row is in the current frame.
        self._frame: int | None = None
        self._in_frame = False
        # Whether the one frame of an undelimited stream has ended.
        self._ended = False

    def end_frame(self, metadata: Mapping[str, bytes] | None = None) -> None:
        """End the current frame, even if it is empty, and the open graph.

        Args:
            metadata: the metadata of the frame: a mapping from strings to bytes, which is written
                in its order.

        Raises:
            UnwritableRowError: a key of the metadata is not a string, holds a lone surrogate or is
                reserved; a value is not bytes; or the stream is undelimited, and its frame has
                already ended. The writer then accepts no more rows.
            ValueError: the writer is closed, or an earlier call failed.
        """
        self._check_open()
        try:
            self._end_frame(encode_metadata(metadata or {}))
        except BaseException:
            self._discard()
            raise

    def _write(self, row: RdfRow) -> None:
        frames = self._frames
        _, _, _, _, name, _, frame, seq = row
        # Fast path: most rows share this object with the previous row, so its type is known.
        if (
            frame is not self._frame
            or name is not None
            # `is_ordinal` inlined, because `seq` differs in each row.
            or (seq is not None and (type(seq) is not int or seq >> 63))
        ):
            if name is not None or not (is_ordinal(frame) and is_ordinal(seq)):
                check_row(row, RdfRow)
            if self._grouped and self._in_frame and frame != self._frame:
                self._end_frame()
            self._frame = frame
        self._in_frame = True
        if self._ended:
            self._check_not_ended()
        if frames.restart_due and not frames.rows:
            frames.begin_range(RestartPoint(rows=self._rows, namespaces=self._namespaces))
            self._encoder.restart()
        frames.add(self._encoder.encode(row))
        if self._filters is not None:
            self._filters.add(row[:4])
        self._rows += 1
        if name is not None:
            self._namespaces += 1
        if self._split and frames.rows >= self._frame_size:
            frames.end(last_rows=self._encoder.end_graph)

    def _end_frame(self, metadata: bytes = b"") -> None:
        self._check_not_ended()
        self._frames.add(self._encoder.end_graph())
        if metadata:
            # If the stream began with metadata, readers could mistake its kind.
            self._frames.add(self._encoder.begin())
        self._frames.end(metadata)
        self._in_frame = False
        self._ended = not self._delimited

    def _check_not_ended(self) -> None:
        if self._ended:
            raise UnwritableRowError(
                "an undelimited stream can hold only one frame: set delimited to true"
            )
