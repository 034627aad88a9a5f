"""Reading RDF Patch in Thrift."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from jelly_spark.core.files import Readable
from jelly_spark.core.malformed_input import Place, Violation, in_row
from jelly_spark.core.options import check_bool
from jelly_spark.core.reader import RowReader
from jelly_spark.core.rows import PatchRow, RowNumbering
from jelly_spark.core.transactions import TransactionCheck
from jelly_spark.formats.rdf_patch_thrift.decoder import decode_row
from jelly_spark.formats.rdf_patch_thrift.options import RdfPatchThriftOptions

# The least that is read at once.
_CHUNK = 1 << 16


class RdfPatchThriftReader(RowReader[PatchRow]):
    """Iterates over the rows of a file of RDF Patch in Thrift, as `RowReader` says.

        with RdfPatchThriftReader("changes.trp") as reader:
            for row in reader:
                print(row.op, row.subject)

    Args:
        file: path, URL, bytes, or stream of bytes.
        strict: whether transactions that do not alternate TX and TC or TA, or cross the end of
            their patch, are errors too.

    Raises:
        OptionError: an argument is not valid.
    """

    format = RdfPatchThriftOptions.format

    def __init__(self, file: Readable, *, strict: bool = False) -> None:
        check_bool("strict", strict)
        self._strict = strict
        # Of the row that is being read.
        self._row = 0
        self._offset = 0
        super().__init__(file)

    def _read(self, stream: BinaryIO) -> Iterator[PatchRow]:
        numbering = RowNumbering()
        transactions = TransactionCheck(numbering, strict=self._strict)
        data = b""
        at = 0
        while True:
            try:
                columns, end = decode_row(data, at)
            except IndexError:
                left = data[at:]
                more = _read_more(stream, len(left))
                if more:
                    data = left + more
                    at = 0
                    continue
                if not left:
                    break
                raise Violation(
                    "the rest of the row",
                    f"the end of the input at byte {self._offset + len(left)}",
                ) from None
            op = columns[0]
            transactions.check(op)
            yield PatchRow(*columns, *numbering.number(op))
            self._offset += end - at
            self._row += 1
            at = end
        transactions.check_end()

    def _place(self, violation: Violation) -> Place:
        return in_row(self._offset, self._row)


def _read_more(stream: BinaryIO, left: int) -> bytes:
    """Return the bytes that follow, as many at least as are `left`; fewer at the end.

    What is left is decoded again from its beginning, and so is always half of it at most: the time
    stays proportional to the length of a row, and so does the memory.
    """
    parts = []
    missing = max(left, 1)
    while missing > 0:
        part = stream.read(max(missing, _CHUNK))
        if not part:
            break
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def read_rdf_patch_thrift(file: Readable, *, strict: bool = False) -> Iterator[PatchRow]:
    """Yield the rows of a file; the arguments and errors are those of `RdfPatchThriftReader`.

    Nothing is opened before the first row is asked for.

        added = [row for row in read_rdf_patch_thrift("changes.trp") if row.op == "A"]
    """
    with RdfPatchThriftReader(file, strict=strict) as reader:
        yield from reader
