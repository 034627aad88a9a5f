"""The parts of Thrift's compact protocol that RDF Patch needs.

A struct is a sequence of fields, followed by the byte 0. The first byte of a field has the type of
the value in its low four bits, and the field's id minus the previous field's id in its high four
bits. If these are 0, the id follows as a zigzag varint.
(https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md)

All functions that read take the bytes and an index to read at, and return the index after what they
read. They raise IndexError if the bytes end too early, so that the caller can read more bytes.
"""

from __future__ import annotations

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.varint import ONE_BYTE_MAX, decode_varint, encode_varint
from jelly_spark.errors import UnwritableRowError

STOP = b"\x00"
"""The byte that ends a struct."""

MAX_STRING = 1 << 30
"""The largest size of a string in bytes; on the JVM, a string must fit an array."""

TYPE_BITS = 15
"""The mask of the type of the value in a field's first byte."""

DISTANCE_SHIFT = 4
"""The position of the lowest bit of the ids' difference in that byte."""

# The types of values.
I32 = 5
I64 = 6
DOUBLE = 7
STRING = 8
STRUCT = 12
_TRUE = 1
_FALSE = 2
_BYTE = 3
_I16 = 4
_LIST = 9
_SET = 10
_MAP = 11
_UUID = 13

_NAMES = {
    _TRUE: "a bool",
    _FALSE: "a bool",
    _BYTE: "a byte",
    _I16: "an i16",
    I32: "an i32",
    I64: "an i64",
    DOUBLE: "a double",
    STRING: "a string",
    _LIST: "a list",
    _SET: "a set",
    _MAP: "a map",
    STRUCT: "a struct",
    _UUID: "a uuid",
}
# The sizes of values in bytes. A bool in a field has no bytes: its value is the field's type.
_FIXED_SIZES = {_TRUE: 0, _FALSE: 0, _BYTE: 1, DOUBLE: 8, _UUID: 16}
# The largest sizes of varints in bytes.
_VARINT_SIZES = {_I16: 3, I32: 5, I64: 10}
# If the four bits for the count of a list or set hold this number, the count follows as a varint.
_LONG_COUNT = 15

_MIN_ID = -(1 << 15)
_MAX_ID = (1 << 15) - 1
# The deepest nesting of values that Thrift's own libraries read.
_MAX_DEPTH = 64


def read_field(data: bytes, at: int, last: int) -> tuple[int, int, int]:
    """Read the head of a field.

    Args:
        data: the bytes.
        at: index of the field's first byte, which is not `STOP`.
        last: the previous field's id; 0 for the first field.

    Returns:
        The field's id, its type, and the index of its value.

    Raises:
        Violation: the id or the type is not valid.
    """
    head = data[at]
    kind = head & TYPE_BITS
    _check_type(kind)
    distance = head >> DISTANCE_SHIFT
    at += 1
    if distance:
        number = last + distance
    else:
        number, at = _read_varint(data, at, _VARINT_SIZES[_I16])
        number = _from_zigzag(number)
    if not _MIN_ID <= number <= _MAX_ID:
        raise Violation("a field id of 16 bits", f"id {number}")
    return number, kind, at


def check_field(name: str, kind: int, expected: int) -> None:
    """Check that a field has the type that the schema says.

    Raises:
        Violation: the field has another type.
    """
    if kind != expected:
        raise Violation(f"{_NAMES[expected]} in field {name}", _NAMES[kind])


def read_string(data: bytes, at: int) -> tuple[bytes, int]:
    """Return the bytes of a string, and the index after it.

    Raises:
        Violation: the string is longer than `MAX_STRING`.
    """
    length = data[at]
    if length <= ONE_BYTE_MAX:
        at += 1
    else:
        length, at = _read_length(data, at)
    end = _skip_bytes(data, at, length)
    return data[at:end], end


def read_i32(data: bytes, at: int) -> tuple[int, int]:
    """Return an i32, and the index after it.

    Raises:
        Violation: its varint has more than 5 bytes.
    """
    number, at = _read_varint(data, at, _VARINT_SIZES[I32])
    return _from_zigzag(number), at


def skip(data: bytes, at: int, kind: int, depth: int = 1) -> int:
    """Return the index after the value of a field that the schema does not have.

    Args:
        data: the bytes.
        at: index of the value.
        kind: its type.
        depth: its nesting level among skipped values; the first is 1.

    Raises:
        Violation: the value is malformed, or nested more than 64 deep.
    """
    if kind in _FIXED_SIZES:
        return _skip_bytes(data, at, _FIXED_SIZES[kind])
    if kind in _VARINT_SIZES:
        return _read_varint(data, at, _VARINT_SIZES[kind])[1]
    if kind == STRING:
        length, at = _read_length(data, at)
        return _skip_bytes(data, at, length)
    if depth > _MAX_DEPTH:
        raise Violation(f"fields nested at most {_MAX_DEPTH} deep", "deeper nesting")
    if kind == STRUCT:
        while data[at]:
            _, inner, at = read_field(data, at, 0)
            at = skip(data, at, inner, depth + 1)
        return at + 1
    if kind == _MAP:
        return _skip_map(data, at, depth)
    return _skip_sequence(data, at, depth)


def _skip_sequence(data: bytes, at: int, depth: int) -> int:
    """Return the index after a list or a set."""
    head = data[at]
    at += 1
    count = head >> DISTANCE_SHIFT
    _check_type(head & TYPE_BITS)
    if count == _LONG_COUNT:
        count, at = _read_varint(data, at, _VARINT_SIZES[I32])
    return _skip_elements(data, at, (head & TYPE_BITS,), count, depth)


def _skip_map(data: bytes, at: int, depth: int) -> int:
    count, at = _read_varint(data, at, _VARINT_SIZES[I32])
    if not count:
        return at
    kinds = (data[at] >> DISTANCE_SHIFT, data[at] & TYPE_BITS)
    for kind in kinds:
        _check_type(kind)
    return _skip_elements(data, at + 1, kinds, count, depth)


def _skip_elements(data: bytes, at: int, kinds: tuple[int, ...], count: int, depth: int) -> int:
    for _ in range(count):
        for kind in kinds:
            # As an element, unlike in a field, a bool is a byte.
            at = skip(data, at, _BYTE if kind in (_TRUE, _FALSE) else kind, depth + 1)
    return at


def _skip_bytes(data: bytes, at: int, count: int) -> int:
    at += count
    if at > len(data):
        raise IndexError
    return at


def _check_type(kind: int) -> None:
    if kind not in _NAMES:
        raise Violation("a field type from 1 to 13", f"type {kind}")


def _read_length(data: bytes, at: int) -> tuple[int, int]:
    length, at = _read_varint(data, at, _VARINT_SIZES[I32])
    if length > MAX_STRING:
        raise Violation(f"a string of at most {MAX_STRING} bytes", f"a string of {length} bytes")
    return length, at


def _read_varint(data: bytes, at: int, size: int) -> tuple[int, int]:
    try:
        return decode_varint(data, at, size)
    except ValueError:
        raise Violation(f"a varint of at most {size} bytes", "a longer varint") from None


def _from_zigzag(number: int) -> int:
    return number >> 1 ^ -(number & 1)


def field_head(distance: int, kind: int) -> bytes:
    """Return the first byte of a field.

    Args:
        distance: the field's id minus the previous field's id, from 1 to 15.
        kind: the type of the field's value.
    """
    return bytes((distance << DISTANCE_SHIFT | kind,))


def write_string(text: bytes) -> bytes:
    """Return a string, given in UTF-8, preceded by its length.

    Raises:
        UnwritableRowError: the string is longer than `MAX_STRING`.
    """
    length = len(text)
    if length <= ONE_BYTE_MAX:
        return bytes((length,)) + text
    if length > MAX_STRING:
        raise UnwritableRowError(f"a string must be at most {MAX_STRING} bytes long in UTF-8")
    return encode_varint(length) + text


def write_i32(number: int) -> bytes:
    """Encode a non-negative i32 as a zigzag varint."""
    return encode_varint(number << 1)
