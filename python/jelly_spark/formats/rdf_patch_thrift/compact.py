"""Thrift's compact protocol, as far as RDF Patch needs it.

A struct is a sequence of fields. A field begins with a byte that holds its type, and how far its
id is from the one before (or 0, and the id follows); the byte 0 ends the struct.
(https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md)

What reads takes all bytes there are and the position to read at, and returns the position after
what it read. Where the bytes end too early it raises IndexError: there may be more to come.
"""

from __future__ import annotations

from jelly_spark.core.violation import Violation
from jelly_spark.errors import UnwritableRowError

STOP = b"\x00"
"""What ends a struct."""

MAX_STRING = 1 << 30
"""The longest string, in bytes: the JVM holds one in an array."""

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
# In bytes; the value of a bool is in its field's type.
_FIXED_SIZES = {_TRUE: 0, _FALSE: 0, _BYTE: 1, DOUBLE: 8, _UUID: 16}
_VARINT_SIZES = {_I16: 3, I32: 5, I64: 10}

_MIN_ID = -(1 << 15)
_MAX_ID = (1 << 15) - 1
# As deep as Thrift's own libraries read.
_MAX_DEPTH = 64


def read_field(data: bytes, at: int, last: int) -> tuple[int, int, int]:
    """Return (id, type, position) of a field.

    Args:
        data: the bytes.
        at: position of the field; its byte is no stop.
        last: id of the field before, 0 for the first.

    Raises:
        Violation: the bytes are no field.
    """
    head = data[at]
    kind = head & 15
    _check_type(kind)
    distance = head >> 4
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
    """Check that a field is of the type that the schema gives it.

    Raises:
        Violation: it is of another.
    """
    if kind != expected:
        raise Violation(f"{_NAMES[expected]} in field {name}", _NAMES[kind])


def read_string(data: bytes, at: int) -> tuple[bytes, int]:
    """Return (bytes, position) of a string.

    Raises:
        Violation: it is too long.
    """
    length = data[at]
    if length < 128:
        at += 1
    else:
        length, at = _read_length(data, at)
    end = _skip_bytes(data, at, length)
    return data[at:end], end


def read_i32(data: bytes, at: int) -> tuple[int, int]:
    """Return (number, position) of an i32.

    Raises:
        Violation: it is too long.
    """
    number, at = _read_varint(data, at, _VARINT_SIZES[I32])
    return _from_zigzag(number), at


def skip(data: bytes, at: int, kind: int, depth: int = 1) -> int:
    """Return the position after the value of a field that the schema does not know.

    Args:
        data: the bytes.
        at: position of the value.
        kind: its type.
        depth: how deep it is nested among values that are skipped.

    Raises:
        Violation: the bytes are no such value, or one that nests too deep.
    """
    if kind in _FIXED_SIZES:
        return _skip_bytes(data, at, _FIXED_SIZES[kind])
    if kind in _VARINT_SIZES:
        return _read_varint(data, at, _VARINT_SIZES[kind])[1]
    if kind == STRING:
        length, at = _read_length(data, at)
        return _skip_bytes(data, at, length)
    if depth > _MAX_DEPTH:
        raise Violation(f"fields nested at most {_MAX_DEPTH} deep", "deeper ones")
    if kind == STRUCT:
        while data[at]:
            _, inner, at = read_field(data, at, 0)
            at = skip(data, at, inner, depth + 1)
        return at + 1
    if kind == _MAP:
        return _skip_map(data, at, depth)
    return _skip_sequence(data, at, depth)


def _skip_sequence(data: bytes, at: int, depth: int) -> int:
    head = data[at]
    at += 1
    kind = head & 15
    _check_type(kind)
    count = head >> 4
    if count == 15:
        count, at = _read_varint(data, at, _VARINT_SIZES[I32])
    for _ in range(count):
        at = _skip_element(data, at, kind, depth)
    return at


def _skip_map(data: bytes, at: int, depth: int) -> int:
    count, at = _read_varint(data, at, _VARINT_SIZES[I32])
    if not count:
        return at
    head = data[at]
    at += 1
    for kind in (head >> 4, head & 15):
        _check_type(kind)
    for _ in range(count):
        at = _skip_element(data, at, head >> 4, depth)
        at = _skip_element(data, at, head & 15, depth)
    return at


def _skip_element(data: bytes, at: int, kind: int, depth: int) -> int:
    # Without a field of its own, a bool has a byte.
    return skip(data, at, _BYTE if kind in (_TRUE, _FALSE) else kind, depth + 1)


def _skip_bytes(data: bytes, at: int, count: int) -> int:
    at += count
    if at > len(data):
        raise IndexError
    return at


def _check_type(kind: int) -> None:
    if kind not in _NAMES:
        raise Violation("a field's type from 1 to 13", f"type {kind}")


def _read_length(data: bytes, at: int) -> tuple[int, int]:
    length, at = _read_varint(data, at, _VARINT_SIZES[I32])
    if length > MAX_STRING:
        raise Violation(f"a string of at most {MAX_STRING} bytes", f"the length {length}")
    return length, at


def _read_varint(data: bytes, at: int, size: int) -> tuple[int, int]:
    number = 0
    for shift in range(0, size * 7, 7):
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at
    raise Violation(f"a number of at most {size} bytes", "a longer one")


def _from_zigzag(number: int) -> int:
    return number >> 1 ^ -(number & 1)


def field_head(distance: int, kind: int) -> bytes:
    """Return what a field begins with.

    Args:
        distance: how far its id is from the one before, 1 to 15.
        kind: its type.
    """
    return bytes((distance << 4 | kind,))


def write_string(text: bytes) -> bytes:
    """Return a string.

    Raises:
        UnwritableRowError: it is too long.
    """
    length = len(text)
    if length < 128:
        return bytes((length,)) + text
    if length > MAX_STRING:
        raise UnwritableRowError(f"a string holds at most {MAX_STRING} bytes")
    return _varint(length) + text


def write_i32(number: int) -> bytes:
    """Return an i32 from 0 up."""
    return _varint(number << 1)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)
