"""The bits of Protobuf's wire format that are written by hand.

Rows are assembled from parts that stay the same (a literal, an entry of a lookup), which is faster
than to fill Protobuf objects; the field numbers still come from the schemas.
"""

from __future__ import annotations

from google.protobuf.message import DecodeError, Message

from jelly_spark.core.rows import encode_text

PARSE_ERRORS = (DecodeError, UnicodeDecodeError, RecursionError)
"""What parsing a message raises: Protobuf's pure-Python runtime lets other errors than its own out.
"""

VARINT = 0
FIXED64 = 1
BYTES = 2
START_GROUP = 3
END_GROUP = 4
FIXED32 = 5


def _encode_varint(number: int) -> bytes:
    parts = bytearray()
    while number >= 128:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)


# Most lengths and ids are small.
_SHORT = 1 << 12
_VARINTS = tuple(_encode_varint(number) for number in range(_SHORT))


def varint(number: int) -> bytes:
    """Return a number from 0 up as a varint."""
    return _VARINTS[number] if number < _SHORT else _encode_varint(number)


def tag(message: type[Message], field: str, wire_type: int) -> bytes:
    """Return the tag of a message's field."""
    return varint(message.DESCRIPTOR.fields_by_name[field].number << 3 | wire_type)


def sized(data: bytes) -> bytes:
    """Return the bytes with their length before them."""
    size = len(data)
    # As `varint` does it, without a call: this is called several times a row.
    return (_VARINTS[size] if size < _SHORT else _encode_varint(size)) + data


EMPTY = sized(b"")
"""An empty message, with its length before it."""


def string_field(field_tag: bytes, text: str) -> bytes:
    """Return a field of a string; an empty one is left out.

    Raises:
        UnwritableRowError: UTF-8 cannot hold the string.
    """
    return field_tag + sized(encode_text(text, "a name")) if text else b""


class NotPlainError(Exception):
    """A message is not as writers write it. Never leaves the package."""


def second_byte(data: bytes, at: int) -> int:
    """Return what the second byte of a number adds to its first one, which is over 127.

    Raises:
        NotPlainError: the number has a third byte.
    """
    byte = data[at]
    if byte > 127:
        raise NotPlainError
    return (byte << 7) - 128
