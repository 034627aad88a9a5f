"""Writing N-Triples and N-Quads."""

from __future__ import annotations

from typing import ClassVar

from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.options import WriteOptions, check_class
from jelly_spark.core.rows import RdfRow, check_row, is_ordinal
from jelly_spark.core.writer import RowWriter
from jelly_spark.lines.encoder import LineEncoder


class LineWriter(RowWriter[RdfRow]):
    """Writes rows to an N-Triples or N-Quads file, one line each; see `RowWriter`.

    `frame` and `seq` are ignored. Namespace rows are rejected.

    Args:
        file: path, URL, or buffered stream of bytes.
        options: the options of the format, which has none.
        append: whether to append to the file instead of replacing it.

    Raises:
        OptionError: the options are those of another format.
    """

    row = RdfRow

    has_graphs: ClassVar[bool]
    """Whether statements may have graphs."""

    options: ClassVar[type[WriteOptions]]
    """The class of the format's options."""

    def __init__(self, file: Writable, options: WriteOptions, *, append: bool = False) -> None:
        check_class("options", options, self.options)
        super().__init__(file, append=append)
        self._format = LineEncoder(has_graphs=self.has_graphs).format
        # `frame` of the row before.
        self._frame: int | None = None
        if append and self._follows:
            # The last line may lack its line feed. An empty line is allowed.
            self._stream.write(b"\n")

    def _write(self, row: RdfRow) -> None:
        _, _, _, _, _, _, frame, seq = row
        # `is_ordinal` inlined, to save calls: `seq` differs in each row, `frame` rarely changes.
        if frame is not self._frame or (seq is not None and (type(seq) is not int or seq >> 63)):
            if not (is_ordinal(frame) and is_ordinal(seq)):
                check_row(row, RdfRow)
            self._frame = frame
        self._stream.write(self._format(row).encode())

    def _pass_on(self) -> None:
        """Do nothing: no rows are held back."""

    def _finish(self) -> None:
        """Do nothing: no rows are held back."""
