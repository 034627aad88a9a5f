"""Reading Jelly-RDF files."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from inspect import GEN_CREATED, getgeneratorstate
from typing import BinaryIO, NamedTuple

from jelly_spark.core.columns import rows_of_columns
from jelly_spark.core.files.input_file import Readable
from jelly_spark.core.options import check_bool
from jelly_spark.core.row_size import DEFAULT_MAX_ROW_SIZE
from jelly_spark.core.rows import NAMESPACE_COLUMNS, RdfRow
from jelly_spark.formats.jelly_rdf.decoder import JellyRdfDecoder
from jelly_spark.formats.jelly_rdf.frame_metadata import RESERVED_KEYS, decode_entry
from jelly_spark.formats.jelly_rdf.options import JellyRdfOptions
from jelly_spark.jelly.beginnings import beginning, options_row
from jelly_spark.jelly.frames.restart_index import RestartPoint
from jelly_spark.jelly.options import ReadLimits
from jelly_spark.jelly.reader import JellyReader

# The tags of the first option: the stream's name, or its physical type.
_FIRST_OPTION = rb"\x0a\x10"

_ONE_WAY = "a reader iterates over its rows or over its frames, not over both"


class RdfFrame(NamedTuple):
    """A frame of a stream.

    Attributes:
        rows: the rows of the frame.
        metadata: the metadata of the frame, as a mapping from strings to bytes.
    """

    rows: list[RdfRow]
    metadata: dict[str, bytes]


class JellyRdfReader(JellyReader[RdfRow, JellyRdfOptions]):
    """Iterates over the rows of a Jelly-RDF file; see `JellyReader`.

        with JellyRdfReader("data.jelly") as reader:
            for row in reader:
                print(row.subject, row.predicate, row.object)

    Args:
        file: path, URL, bytes, or stream of bytes.
        namespaces: whether to return namespaces as rows; by default, they are left out.
        strict: whether to reject what the specification does not allow, but the reference
            implementation accepts: triple terms and generalized statements that the options of
            the stream do not announce; a first quad that omits its graph; and a stream that ends
            within a graph.
        limits: the largest lookup tables that are accepted.
        max_row_size: the largest size of a row in bytes, from 1 to 2147483647, both of its message
            and of its terms as canonical strings.
        part: a pair of byte offsets; see `JellyReader`. By default, the whole file is read.
        where: the rows to return; see `JellyReader`. By default, all.

    Raises:
        OptionError: an argument has a wrong type or is out of range.
    """

    row = RdfRow
    format = JellyRdfOptions.format
    start = options_row(_FIRST_OPTION)
    beginnings = (beginning(format, "Jelly-RDF", _FIRST_OPTION),)
    columns: tuple[str, ...] = RdfRow._fields

    def __init__(
        self,
        file: Readable,
        *,
        namespaces: bool = False,
        strict: bool = False,
        limits: ReadLimits = ReadLimits(),
        max_row_size: int = DEFAULT_MAX_ROW_SIZE,
        part: tuple[int, int] | None = None,
        where: Mapping[str, object] | None = None,
    ) -> None:
        check_bool("namespaces", namespaces)
        self._namespaces = namespaces
        if not namespaces:
            self.columns = tuple(name for name in self.columns if name not in NAMESPACE_COLUMNS)
        super().__init__(
            file, strict=strict, limits=limits, max_row_size=max_row_size, part=part, where=where
        )
        self._by_frame: Generator[RdfFrame, None, None] | None = None

    def _new_decoder(self, start: RestartPoint) -> JellyRdfDecoder:
        return JellyRdfDecoder(
            start,
            self._max_row_size,
            namespaces=self._namespaces,
            strict=self._strict,
            limits=self._limits,
        )

    def _check_open(self) -> None:
        if self._by_frame is not None:
            raise ValueError(_ONE_WAY)
        super()._check_open()

    def frames(self) -> Iterator[RdfFrame]:
        """Iterate once over the frames, including empty ones, instead of over the rows.

        Each frame is loaded into memory as a whole. A file that is not delimited is one frame. The
        index of restart points is left out of the last frame's metadata.

        Raises:
            MalformedInputError: while iterating: the input breaks the format.
            ValueError: a row has already been read, or the reader is closed or exhausted, or has
                the argument `where`.
        """
        super()._check_open()
        if self._where is not None:
            raise ValueError("a reader with the argument where iterates over rows, not frames")
        if self._by_frame is None:
            if getgeneratorstate(self._rows) != GEN_CREATED:
                raise ValueError(_ONE_WAY)
            self._rows.close()
            self._by_frame = self._guarded(self._read_frames(self._input.stream))
        return self._by_frame

    def close(self) -> None:
        """End the iteration, and close the file if it was given as a path; may be called again."""
        super().close()
        if self._by_frame is not None:
            self._by_frame.close()

    def _read_frames(self, stream: BinaryIO) -> Iterator[RdfFrame]:
        rows: list[RdfRow] = []
        metadata: dict[str, bytes] = {}
        for frames, decoder in self._ranges(stream, lambda data: decode_entry(data, metadata)):
            for data in frames:
                if isinstance(data, int):
                    columns = decoder.take_columns()
                    if columns is not None:
                        rows += rows_of_columns(columns, RdfRow)
                    continue
                if data is not None:
                    row = decoder.decode(data)
                    if row is not None:
                        rows.append(row)
                    continue
                decoder.end_frame()
                for key in RESERVED_KEYS:
                    metadata.pop(key, None)
                yield RdfFrame(rows, dict(metadata))
                rows = []
                metadata.clear()
