"""Walking over the fields of a file's frames without decoding them."""

from __future__ import annotations

from typing import BinaryIO

_VARINT, _FIXED64, _LENGTH_DELIMITED, _FIXED32 = 0, 1, 2, 5
_MAX_VARINT_SIZE = 10


def field_begins_at(stream: BinaryIO, start: int, place: int) -> bool:
    """Return whether a field of a frame begins at a position.

    Args:
        stream: a seekable stream.
        start: position in the stream where the file begins; the file must be delimited.
        place: the position in the stream to check.

    Raises:
        OSError: the stream cannot be read or cannot seek.
    """
    at = start
    try:
        while at < place:
            length, at = _varint(stream, at)
            if length <= place - at:
                at += length
            else:
                while at < place:
                    at = _field_end(stream, at)
    except EOFError:
        return False
    return at == place


def _field_end(stream: BinaryIO, at: int) -> int:
    tag, at = _varint(stream, at)
    wire_type = tag & 7
    if wire_type == _LENGTH_DELIMITED:
        length, at = _varint(stream, at)
        return at + length
    if wire_type == _VARINT:
        return _varint(stream, at)[1]
    if wire_type == _FIXED64:
        return at + 8
    if wire_type == _FIXED32:
        return at + 4
    raise EOFError


def _varint(stream: BinaryIO, at: int) -> tuple[int, int]:
    """Return the varint at a position, and the position after it."""
    stream.seek(at)
    number = 0
    for i, byte in enumerate(stream.read(_MAX_VARINT_SIZE)):
        number |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return number, at + i + 1
    raise EOFError
