"""The parts of Protobuf's wire format that the codec reads and writes directly.

The codec builds rows from byte strings that repeat (tags, literals, lookup entries), and decodes
rows of the common shape from their bytes. Both take about half the time of Protobuf's message
objects. All field numbers still come from the schemas in `proto/`, through `tag`.

A field is a tag, which is `number << 3 | wire type` as a varint, and a value.
"""

from __future__ import annotations

from typing import Final

from google.protobuf.message import DecodeError, Message

from jelly_spark.core.rows import encode_text
from jelly_spark.core.varint import ONE_BYTE_MAX, encode_varint

PARSE_ERRORS: Final = (DecodeError, UnicodeDecodeError, RecursionError)
"""The exceptions of `FromString`; only Protobuf's pure-Python runtime raises the last two."""

MAX_VARINT: Final = 10
"""The largest size of a varint, in bytes."""

VARINT: Final = 0
FIXED64: Final = 1
BYTES: Final = 2
START_GROUP: Final = 3
END_GROUP: Final = 4
FIXED32: Final = 5

FIXED_SIZES: Final = {FIXED64: 8, FIXED32: 4}
"""The sizes of the values of the wire types with a fixed size, in bytes."""

# Varints below this number are precomputed; nearly all lengths and ids are smaller.
_CACHED_VARINTS: Final = 1 << 12
_VARINTS: Final = tuple(encode_varint(number) for number in range(_CACHED_VARINTS))


def varint(number: int) -> bytes:
    """Encode a non-negative number as a varint."""
    return _VARINTS[number] if number < _CACHED_VARINTS else encode_varint(number)


def tag(message: type[Message], field: str, wire_type: int = BYTES) -> bytes:
    """Return the tag of a message's field."""
    return varint(message.DESCRIPTOR.fields_by_name[field].number << 3 | wire_type)


def sized(data: bytes) -> bytes:
    """Return the bytes, preceded by their length."""
    size = len(data)
    # `varint` inlined: this runs several times for each row.
    return (_VARINTS[size] if size < _CACHED_VARINTS else encode_varint(size)) + data


EMPTY: Final = sized(b"")
"""An empty message, preceded by its length."""


def string_field(field_tag: bytes, text: str) -> bytes:
    """Return a string field; an empty string is omitted, as in proto3.

    Raises:
        UnwritableRowError: the string holds a lone surrogate, which UTF-8 cannot encode.
    """
    return field_tag + sized(encode_text(text, "a name")) if text else b""


class FastPathMissError(Exception):
    """A row does not have the shape that the fast path decodes; see `decoding.fast_path`."""


def second_byte(data: bytes | bytearray, at: int) -> int:
    """Return what the second byte of a varint adds to its first byte.

    The fast path reads a varint's first byte inline; if that is above `ONE_BYTE_MAX`, it adds this
    number. The first byte then includes its continuation bit, 128, which is subtracted here.

    Args:
        data: the bytes.
        at: index of the second byte.

    Raises:
        FastPathMissError: the varint has a third byte.
        IndexError: the bytes end before the second byte.
    """
    byte = data[at]
    if byte > ONE_BYTE_MAX:
        raise FastPathMissError
    return (byte << 7) - 128
