"""Reading RDF Patch in Thrift."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from jelly_spark.core.files.hints import Beginning, matcher
from jelly_spark.core.malformed_input import Place, Violation, in_row
from jelly_spark.core.reader import RowReader, Skipping
from jelly_spark.core.row_size import (
    RowText,
    TripleTermSize,
    longer_row,
    text_size,
)
from jelly_spark.core.rows import PatchRow, RowNumbering
from jelly_spark.core.transactions import TransactionCheck
from jelly_spark.formats.rdf_patch_thrift.decoder import Around, Columns, decode_row
from jelly_spark.formats.rdf_patch_thrift.options import RdfPatchThriftOptions

# The smallest and the largest number of bytes per read. A stream that decompresses takes several
# times the memory of what it returns.
_CHUNK = 1 << 16
_LONG_CHUNK = 1 << 20
# To read on, the bytes of an incomplete row of up to this size are doubled; longer ones grow by a
# 16th.
_LONG_ROW = 1 << 23

# In the compact protocol: the struct of an H, of an A or D with its first term, of a PA or PD; or a
# transaction's code and the end of its row.
_START = (
    rb"\x1c\x18|[\x2c\x3c]\x1c[\x1c\x2c\x3c\x4c\x5c\x6c\x7c\x8c\x9c]|[\x4c\x5c][\x1c\x28]"
    rb"|\x65[\x00\x02\x04\x06\x08]\x00"
)


class RdfPatchThriftReader(RowReader[PatchRow]):
    """Iterates over the rows of a file of RDF Patch in Thrift; see `RowReader`.

        with RdfPatchThriftReader("changes.trp") as reader:
            for row in reader:
                print(row.op, row.subject)

    Args:
        file: path, URL, bytes, or stream of bytes.
        strict: whether to reject transactions that are not closed by `TC` or `TA` before the next
            `TX` and before the end of their patch, and `TC` or `TA` without a transaction.
        max_row_size: the largest size of a row in bytes, from 1 to 2147483647, both in the file and
            of its terms as canonical strings.

    Raises:
        OptionError: an argument has a wrong type or is out of range.
    """

    format = RdfPatchThriftOptions.format
    row = PatchRow
    start = _START
    beginnings = (
        Beginning(
            *(format, "RDF Patch in Thrift: read it with the format rdf_patch_thrift"),
            matcher(_START),
        ),
    )
    skipping = Skipping.REST
    columns: tuple[str, ...] = PatchRow._fields

    def _read(self, stream: BinaryIO) -> Iterator[PatchRow]:
        # The 0-based number and the byte offset of the current row.
        self._row = 0
        self._offset = 0
        numbering = RowNumbering()
        transactions = TransactionCheck(numbering, strict=self._strict)
        limit = self._max_row_size
        triples = TripleTermSize(limit)
        around = Around(RowText(limit), triples, limit)
        decode = decode_row
        data = b""
        at = 0
        while True:
            triples.size = 0
            try:
                columns, end = decode(data, at, around)
            except IndexError:
                left = len(data) - at
                if left > limit:
                    raise longer_row(limit) from None
                data = data[at:]
                at = 0
                data = _read_more(stream, data)
                if len(data) > left:
                    # Rows that cannot exceed the limit need no check: a byte of the file becomes at
                    # most six characters, with four bytes each.
                    short = len(data) * 24 <= limit
                    decode = decode_row if short else _decode_checked
                    continue
                if not left:
                    break
                raise Violation(
                    "the rest of the row",
                    f"the end of the input at byte {self._offset + left}",
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


def _decode_checked(data: bytes, at: int, around: Around) -> tuple[Columns, int]:
    """Decode a row with `decode_row`, and check its size.

    Raises:
        Violation: the row is malformed or too long.
        IndexError: the bytes end within the row.
    """
    columns, end = decode_row(data, at, around)
    limit = around.limit
    _, *texts = columns
    if end - at > limit or sum(text_size(text) for text in texts if text) > limit:
        raise longer_row(limit)
    return columns, end


def _read_more(stream: BinaryIO, data: bytes) -> bytes:
    """Read more bytes, in proportion to the number of bytes left to decode.

    An incomplete row is decoded again from its start. Because its bytes grow by a fraction of their
    length each time, the total time and the memory are proportional to the length of the row.

    Args:
        stream: the stream to read from.
        data: the bytes that were read, but are not decoded yet.

    Returns:
        These bytes and at least as many more, or a 16th of that for long rows; fewer at the end of
        the stream.
    """
    left = len(data)
    parts = [data]
    missing = max(left if left <= _LONG_ROW else left // 16, 1)
    while missing > 0:
        part = stream.read(min(max(missing, _CHUNK), _LONG_CHUNK))
        if not part:
            break
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)
